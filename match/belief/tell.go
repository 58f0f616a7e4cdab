package belief

import "diceref/rules"

// Settled is the moves that are known well enough to be told: those by which the line of the likeliest hypothesis begins, as
// long as the hypotheses that begin so have at least a probability.
func (s Set[S]) Settled(least float64) (line []rules.Move) {
	best := s.Best().Line
	for n := 1; n <= len(best); n++ {
		if s.Chance(func(h Hypothesis[S]) bool { return begins(h.Line, best[:n]) }) < least {
			break
		}
		line = best[:n]
	}
	return line
}

// Told is the set once it was told that so many moves, by which the line of the likeliest hypothesis begins, were made.
func (s Set[S]) Told(n int) Set[S] {
	best := s.Best().Line[:n]
	var list []Hypothesis[S]
	for _, h := range s.list {
		if begins(h.Line, best) {
			h.Line = h.Line[n:]
			list = append(list, h)
		}
	}
	return weighed(list)
}

// begins says whether a line begins with another.
func begins(line, with []rules.Move) bool {
	if len(line) < len(with) {
		return false
	}
	for i := range with {
		if line[i].String() != with[i].String() {
			return false
		}
	}
	return true
}
