package rules

import "fmt"

// Replay plays acts in a game's notation from the set-up: a match is its set-up plus
// its moves. Illegal acts that were kept are played like any other. The error names
// the act, counted from 1.
func Replay(g Game, setup Setup, notation []string) (State, error) {
	s, err := g.New(setup)
	if err != nil {
		return nil, err
	}
	for i, text := range notation {
		m, err := g.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("act %d: %w", i+1, err)
		}
		if s, err = s.Apply(m); err != nil {
			return nil, fmt.Errorf("act %d (%s): %w", i+1, text, err)
		}
	}
	return s, nil
}

// Perft counts the lines of legal acts of that length from a state: a number that
// changes whenever the rules do. Where the list of legal acts is not complete, the
// listed ones count. Lines that end earlier do not count.
func Perft(s State, depth int) (int, error) {
	moves, _ := s.Legal()
	if depth == 1 || depth == 0 {
		return map[bool]int{true: len(moves), false: 1}[depth == 1], nil
	}
	total := 0
	for _, m := range moves {
		next, err := s.Apply(m)
		if err != nil {
			return 0, fmt.Errorf("%s is listed as legal: %w", m, err)
		}
		n, err := Perft(next, depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
