package dicecreams

import (
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// TestLay: what a camera is told of random positions agrees with the rules: 25 dice in
// all, every spot named is legal and none is missing but those that are alike, and what
// is forced is the only legal act.
func TestLay(t *testing.T) {
	const seed, games, acts = 11, 12, 150
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range games {
		start, err := Game.New(rules.Setup{Players: 1 + rng.IntN(4)})
		if err != nil {
			t.Fatal(err)
		}
		s := start.(*State)
		for range acts {
			if s.over {
				break
			}
			checkLay(t, s)
			var m rules.Move
			if s.ToMove() == rules.Nature {
				m = s.Chance(rng)
			} else {
				legal, _ := s.Legal()
				m = legal[rng.IntN(len(legal))]
			}
			next, err := s.Apply(m)
			if err != nil {
				t.Fatal(err)
			}
			s = next.(*State)
		}
	}
}

func checkLay(t *testing.T, s *State) {
	t.Helper()
	n := len(s.Fridge())
	for p := range s.Players() {
		n += len(s.Placed(rules.Player(p)))
	}
	for i, k := range s.Aside() {
		n += k + s.pouch[i]
	}
	if _, drawn := s.Drawn(); drawn {
		n++
	}
	if n != 25 {
		t.Fatalf("%d dice, want 25", n)
	}
	legal, _ := s.Legal()
	if f := s.Forced(); f != nil && (len(legal) != 1 || legal[0] != f) {
		t.Fatalf("%v is told to be forced, legal are %v", f, legal)
	}
	die, drawn := s.Drawn()
	for _, d := range append(s.Fridge(), die) {
		kind := Take
		if drawn {
			kind = Set
		}
		if d.Color == table.NoColor || drawn != (d == die) {
			continue
		}
		told := s.Spots(kind, d, 0)
		for _, mv := range legal {
			m := mv.(Move)
			if m.Kind != kind || m.Card == Aside || m.Delta != 0 || kind == Take && m.Die != d {
				continue
			}
			card := s.box.Cards[s.cardIndex(m.Card)]
			if !slices.ContainsFunc(told, func(o Move) bool { return o.Card == m.Card && card.Spots[o.Spot] == card.Spots[m.Spot] }) {
				t.Fatalf("%v is legal, told are %v", m, told)
			}
		}
		for _, m := range told {
			if err := s.Check(m); err != nil {
				t.Fatalf("%v is told: %v", m, err)
			}
		}
	}
}
