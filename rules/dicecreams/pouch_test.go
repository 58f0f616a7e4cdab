package dicecreams

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/table"
)

// TestUnseenDice plays games in which a die of every draw is not seen: whatever is learned of it, and
// when, what is drawn later can be drawn, and the position is the one that it is with all dice seen.
func TestUnseenDice(t *testing.T) {
	for _, refill := range []string{"immediately", "when_needed"} {
		for seed := range uint64(40) {
			start, err := Game.New(rules.Setup{Players: 2, Options: map[string]any{"refill_pouch": refill}})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(seed, 5))
			real, told := start.(*State), start.(*State)
			play := func(s *State, m Move) *State {
				if err := s.Check(m); err != nil {
					t.Fatalf("%s, seed %d: %v: %v", refill, seed, m, err)
				}
				next, err := s.Apply(m)
				if err != nil {
					t.Fatalf("%s, seed %d: %v", refill, seed, err)
				}
				return next.(*State)
			}
			hidden := table.Die{} // on the Fridge
			for range 150 {
				if real.ToMove() == rules.Nobody {
					break
				}
				m := anyMove(real, rng)
				if hidden.Color != table.NoColor && (m.Kind == Take && m.Die == hidden || m.Kind == Discard && m.Die == hidden || rng.IntN(9) == 0) {
					told, hidden = play(told, Move{Seat: rules.Nature, Kind: Find, Die: hidden}), table.Die{}
					same(t, told, real)
				}
				if m.Kind == Melt && hidden.Color != table.NoColor {
					told = play(told, Move{Seat: rules.Nature, Kind: Find, Die: table.Die{Color: hidden.Color}})
				}
				seen := m
				if m.Kind == Draw {
					dice := strings.Split(m.List, ",")
					hidden, _ = parseDie(dice[0])
					dice[0] = "?"
					seen.List = strings.Join(dice, ",")
				}
				real, told = play(real, m), play(told, seen)
				if m.Kind == Clean {
					hidden = table.Die{}
				}
			}
		}
	}
}

// anyMove is any act of whoever is to act.
func anyMove(s *State, rng *rand.Rand) Move {
	if s.ToMove() == rules.Nature {
		return s.Chance(rng).(Move)
	}
	moves, _ := s.Legal()
	return moves[rng.IntN(len(moves))].(Move)
}

func same(t *testing.T, got, want *State) {
	t.Helper()
	if d := cmp.Diff(want.Show(rules.Nobody), got.Show(rules.Nobody)); d != "" {
		t.Fatalf("once all dice are known (- all seen, + found):\n%s", d)
	}
}

// TestUnseenColors: a die whose color nobody ever learns goes back into the bag with the others, and
// meanwhile any draw is taken that can have been.
func TestUnseenColors(t *testing.T) {
	for seed := range uint64(40) {
		start, err := Game.New(rules.Setup{Players: 2})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 6))
		real, told := start.(*State), start.(*State)
		for range 150 {
			if real.ToMove() == rules.Nobody {
				break
			}
			m := anyMove(real, rng)
			seen := m
			if m.Kind == Draw {
				seen.List = m.List[:strings.LastIndex(m.List, ",")] + ",?"
			}
			if told.Unseen() > 0 && (m.Kind == Take || m.Kind == Discard) && told.Check(m) != nil {
				find := Move{Seat: rules.Nature, Kind: Find, Die: m.Die}
				if next, err := told.Apply(find); err == nil {
					told = next.(*State)
				}
			}
			next, err := real.Apply(m)
			if err != nil {
				t.Fatal(err)
			}
			real = next.(*State)
			if err := told.Check(seen); err != nil && m.Kind != Melt {
				t.Fatalf("seed %d: %v: %v", seed, seen, err)
			}
			if next, err = told.Apply(seen); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			told = next.(*State)
		}
	}
}

// TestFindRefused: nothing is learned of dice that were all seen, nor of a color of which none is left.
func TestFindRefused(t *testing.T) {
	start, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := rules.State(start)
	for s.(*State).next() != nil {
		if s, err = s.Apply(s.(*State).Chance(rand.New(rand.NewPCG(1, 1)))); err != nil {
			t.Fatal(err)
		}
	}
	full, err := s.Apply(Move{Seat: rules.Nature, Kind: Draw, List: "green1,green2,green3,green4,?"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		find string
		ok   bool
	}{{"green5", true}, {"green?", true}, {"blue1", true}, {"?", false}} {
		m, err := Game.ParseMove("nature find " + c.find)
		if err != nil {
			t.Fatal(err)
		}
		next, err := full.Apply(m)
		if (err == nil) != c.ok || (full.Check(m) == nil) != c.ok {
			t.Errorf("%v: %v", m, err)
		}
		if err == nil {
			if _, err = next.Apply(m); err == nil {
				t.Errorf("%v is learned twice", m)
			}
		}
		if m.String() != "nature find "+c.find {
			t.Errorf("%q is written as %q", c.find, m)
		}
	}
}
