package dicebox

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Suggest looks one round ahead in games of two by the rulebook, with a network that
// foretells how games end, for as long as the time allows. In all other games it plays
// every legal act out many times, rolling dice for the rerolls to come. Of acts that
// differ only between colors that are worth the same, one is looked at. The hand of
// the player whose turn it is must be known; where hands of others are not, acts are played
// out, and those hands rolled again in each game.
//
// The others are assumed to play anything that is legal: nobody knows how they play.
func (s *State) Suggest(b rules.Budget, _ string) ([]rules.Suggestion, error) {
	p := s.ToMove()
	if p < 0 || !s.rolled {
		return nil, fmt.Errorf("it is nobody's turn")
	}
	for q := range s.hands {
		if h := &s.hands[q]; !h.sized || !h.colored && !h.known && s.players != 4 {
			return nil, fmt.Errorf("the dice of %s are not known", rules.Player(q))
		}
	}
	switch s.Must(p) {
	case "":
		return nil, fmt.Errorf("the faces of %s's dice are not known (add a line: hand %s R1 Y3 ...)", p, p)
	case "pass":
		return []rules.Suggestion{only(Act{By: p, Kind: Pass}, "no dice left")}, nil
	case "reroll":
		return []rules.Suggestion{only(Act{By: p, Kind: Reroll}, "none of your dice fits")}, nil
	}
	acts, base := s.different(s.placements(p)), s.newSim(rand.New(rand.NewPCG(b.Seed, 0x5eed)))
	if s.foreseen() {
		return s.lookAhead(acts, base, b), nil
	}
	search := rules.Playouts[Act]{
		Play:  func(a Act, r *rand.Rand) (win, lead float64) { return s.playAct(a, base, r) },
		Point: 0.01,
		Why:   s.reason,
	}
	return search.Best(acts, b), nil
}

func only(a Act, why string) rules.Suggestion {
	return rules.Suggestion{Move: a, Text: a.String(), Why: why}
}

// owner is who owns a color, Nobody if it is unclaimed.
func (s *State) owner(color int) rules.Player {
	for q, own := range s.owners {
		for _, c := range own {
			if c == color {
				return rules.Player(q)
			}
		}
	}
	return rules.Nobody
}

// different leaves out placements that put the same value on the same square with
// a die of another color that has the same owner. Of unclaimed colors only three
// players care, and they have one.
func (s *State) different(moves []rules.Move) []Act {
	type kind struct {
		owner rules.Player
		face  int
		to    table.Square
	}
	seen := map[kind]bool{}
	acts := []Act{}
	for _, m := range moves {
		a := m.(Act)
		k := kind{s.owner(scoring.BoxColor(a.Die.Color)), a.Die.Face, a.To}
		if !seen[k] {
			seen[k] = true
			acts = append(acts, a)
		}
	}
	return acts
}

func (s *State) playAct(a Act, base *sim, r *rand.Rand) (win, lead float64) {
	m := *base
	p := int(a.By)
	for q := range s.hands {
		if !s.hands[q].known {
			d := s.roll(rules.Player(q), r)
			m.hands[q] = simHand{n: d, size: d.Count()}
		}
	}
	for q := range m.players {
		m.random[q] = q != p
	}
	m.put(p, scoring.BoxColor(a.Die.Color), a.Die.Face, a.To.Index())
	m.turn = (p + 1) % m.players
	return m.playOut(s, p, r)
}

// reason says in words what an act does now; how good that is only the playouts tell.
func (s *State) reason(a Act) string {
	text := []string{}
	switch who := s.owner(scoring.BoxColor(a.Die.Color)); {
	case who == a.By:
		text = append(text, points(a.Die.Face)+" for you")
	case who == rules.Nobody:
		text = append(text, "counts for nobody")
	case a.Die.Face > 3:
		text = append(text, fmt.Sprintf("gives %s %s", who, points(a.Die.Face)))
	default:
		text = append(text, fmt.Sprintf("gives %s only %s", who, points(a.Die.Face)))
	}
	after, err := s.Apply(a)
	if err != nil {
		return text[0]
	}
	next := after.(*State)
	if dead := s.killed(next); len(dead) > 0 {
		text = append(text, "nothing can ever fit on "+strings.Join(dead, ", "))
	}
	switch q := next.ToMove(); {
	case q == rules.Nobody:
		text = append(text, "ends the game")
	case q >= 0 && q != a.By && next.Must(q) == "reroll":
		text = append(text, fmt.Sprintf("%s then has to reroll", q))
	}
	if d, sq, ok := next.bestOwn(a.By); ok {
		text = append(text, fmt.Sprintf("your %s could follow on %s", word(d), sq))
	}
	return strings.Join(text, "; ")
}

func points(n int) string { return table.Count(n, "point", "points") }

// killed lists the squares that could be filled before and never can be after.
func (s *State) killed(next *State) []string {
	list := []string{}
	for i := range s.grid {
		sq := table.SquareAt(i)
		now, before := next.Candidates(sq), s.Candidates(sq)
		if !next.filled(i) && now != nil && len(now) == 0 && (before == nil || len(before) > 0) {
			list = append(list, sq.String())
		}
	}
	return list
}

// bestOwn is the highest die of an own color in the hand that fits somewhere.
func (s *State) bestOwn(p rules.Player) (best table.Die, at table.Square, ok bool) {
	for _, m := range s.placements(p) {
		if a := m.(Act); a.Die.Face > best.Face && s.owner(scoring.BoxColor(a.Die.Color)) == p {
			best, at, ok = a.Die, a.To, true
		}
	}
	return best, at, ok
}
