package dicebox

import (
	"flag"
	"math/rand/v2"
	"testing"

	"diceref/rules"
	"diceref/scoring"
)

// chooser is somebody who plays.
type chooser func(s *State, r *rand.Rand) rules.Move

func random(s *State, r *rand.Rand) rules.Move {
	moves, _ := s.Legal()
	return moves[r.IntN(len(moves))]
}

// greedy takes what puts it furthest ahead at once.
func greedy(s *State, r *rand.Rand) rules.Move {
	moves, _ := s.Legal()
	r.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	best, at := -1000, 0
	for i, m := range moves {
		a := m.(Act)
		if a.Kind != Place {
			continue
		}
		v := int(s.worth(int(a.By), scoring.BoxColor(a.Die.Color))) * a.Die.Face
		if v > best {
			best, at = v, i
		}
	}
	return moves[at]
}

func suggested(playouts int) chooser {
	return func(s *State, r *rand.Rand) rules.Move {
		list, err := s.Suggest(rules.Budget{Playouts: playouts, Seed: r.Uint64()}, "")
		if err != nil {
			panic(err)
		}
		return list[0].Move
	}
}

// contest plays games of two, each of which begins half of them, and returns what part the first wins.
func contest(t testing.TB, games int, seed uint64, a, b chooser) float64 {
	t.Helper()
	won := 0.0
	for g := range games {
		r := rand.New(rand.NewPCG(seed, uint64(g)))
		s, err := Game.New(rules.Setup{Players: 2, Options: map[string]any{"two_player_colours": 1 + g/2%2}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range allHands(s, r) {
			if s, err = s.Apply(m); err != nil {
				t.Fatal(err)
			}
		}
		first := rules.Player(g % 2)
		for s.ToMove() != rules.Nobody {
			var m rules.Move
			switch s.ToMove() {
			case rules.Nature:
				m = s.(rules.Chancer).Chance(r)
			case first:
				m = a(s.(*State), r)
			default:
				m = b(s.(*State), r)
			}
			if s, err = s.Apply(m); err != nil {
				t.Fatal(err)
			}
		}
		win := s.(*State).Winners()
		for _, w := range win {
			if w == first {
				won += 1 / float64(len(win))
			}
		}
	}
	return won / float64(games)
}

// How much the contest plays; the full one is
//
//	go test ./rules/dicebox -run Contest -contest 1000 -playouts 10000 -timeout 0
var (
	contestGames    = flag.Int("contest", 20, "games of a contest")
	contestPlayouts = flag.Int("playouts", 200, "playouts a suggestion")
)

// TestContest lets somebody who follows the suggestions play against others. The
// bars of the short contest leave room for luck; those of the full one are 0.95 and 0.55.
func TestContest(t *testing.T) {
	random95, greedy55 := 0.6, 0.5
	if *contestGames >= 1000 {
		random95, greedy55 = 0.95, 0.55
	}
	for _, c := range []struct {
		name  string
		other chooser
		least float64
	}{{"random", random, random95}, {"greedy", greedy, greedy55}} {
		won := contest(t, *contestGames, 77, suggested(*contestPlayouts), c.other)
		t.Logf("wins %.3f of %d games against %s play with %d playouts a move (seed 77)", won, *contestGames, c.name, *contestPlayouts)
		if won < c.least {
			t.Errorf("wins %.3f against %s play, want %.2f", won, c.name, c.least)
		}
	}
}

func BenchmarkSuggest(b *testing.B) {
	s := played(b, 2, perftStart)
	for b.Loop() {
		if _, err := s.Suggest(rules.Budget{Playouts: 1000, Seed: 1}, "J"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSuggest(t *testing.T) {
	s := played(t, 2, "seed 3; hand A R1 R1 R4 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1; hand B R6 R6 R6 Y6 Y6 Y6 B6 B6 B6 W6 W6 W6")
	list, err := s.Suggest(rules.Budget{Playouts: 100, Seed: 1}, "")
	if err != nil || len(list) != 4 { // the only die that fits, on four squares
		t.Fatalf("%v, %v", list, err)
	}
	again, _ := s.Suggest(rules.Budget{Playouts: 100, Seed: 1}, "")
	for i := range list {
		if list[i] != again[i] || s.Check(list[i].Move) != nil || list[i].Why != "4 points for yourself" {
			t.Errorf("%v, the second time %v", list[i], again[i])
		}
	}
	next, err := s.Apply(list[0].Move)
	if err != nil {
		t.Fatal(err)
	}
	if list, err = next.(*State).Suggest(rules.Budget{}, ""); err != nil || list[0].Text != "B reroll" {
		t.Errorf("%v, %v: want a reroll", list, err)
	}
	if list, err = played(t, 2, "seed 3").Suggest(rules.Budget{}, ""); err == nil {
		t.Errorf("%v without knowing the hand", list)
	}
}
