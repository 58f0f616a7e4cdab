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

// TestKey: whatever changes in a position, its key does.
func TestKey(t *testing.T) {
	start, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	die := table.Die{Color: table.Green, Face: 4}
	s := start.(*State)
	s.fridge, s.unseen = []table.Die{die, die}, []table.Die{{}}
	s.todo = []duty{{kind: mustServe, satisfied: []int{1, 2}}}
	s.creams[1] = cream{place: started, dice: [spots]table.Die{die}}
	for i, change := range []func(*State){
		func(s *State) { s.phase = melting },
		func(s *State) { s.turn++ },
		func(s *State) { s.lead++ },
		func(s *State) { s.drafter++ },
		func(s *State) { s.picked = true },
		func(s *State) { s.ending = true },
		func(s *State) { s.over = true },
		func(s *State) { s.hazy++ },
		func(s *State) { s.tossed++ },
		func(s *State) { s.supply-- },
		func(s *State) { s.pouch[4]-- },
		func(s *State) { s.aside[4]++ },
		func(s *State) { s.pouring[1]-- },
		func(s *State) { s.sprinkles[1]++ },
		func(s *State) { s.fridge[1].Face++ },
		func(s *State) { s.fridge[1].Color = table.Blue },
		func(s *State) { s.fridge = s.fridge[1:] },
		func(s *State) { s.fridge, s.unseen = s.fridge[:1], append(s.unseen, die) },
		func(s *State) { s.unseen[0].Color = table.Blue },
		func(s *State) { s.tokens[customers-1] = []int8{1} },
		func(s *State) { s.tokens[0] = []int8{1} },
		func(s *State) { s.creams[0].place = displayed },
		func(s *State) { s.creams[1].owner = 1 },
		func(s *State) { s.creams[1].order = 1 },
		func(s *State) { s.creams[1].dice[0].Face++ },
		func(s *State) { s.creams[1].dice[0], s.creams[1].dice[1] = table.Die{}, die },
		func(s *State) { s.creams[2] = s.creams[1] },
		func(s *State) { s.todo[0].kind = mustSecond },
		func(s *State) { s.todo[0].seat++ },
		func(s *State) { s.todo[0].count++ },
		func(s *State) { s.todo[0].die = die },
		func(s *State) { s.todo[0].card++ },
		func(s *State) { s.todo[0].customer++ },
		func(s *State) { s.todo[0].bonus = DrawDie },
		func(s *State) { s.todo[0].satisfied = []int{1, 3} },
		func(s *State) { s.todo = append(s.todo, s.todo[0]) },
	} {
		other := s.clone()
		if other.Key() != s.Key() {
			t.Fatal("a copy of a position has another key")
		}
		if change(other); other.Key() == s.Key() {
			t.Errorf("change %d: the key is the same", i)
		}
	}
}
