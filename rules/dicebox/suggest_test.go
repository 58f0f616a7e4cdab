package dicebox

import (
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
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

// TestContest lets somebody who follows the suggestions play against others. In half
// of the games each owns one color, in the other half two.
func TestContest(t *testing.T) {
	others := map[string]chooser{"random": random, "greedy": greedy}
	rulestest.Contest{
		Games: 20, Playouts: 200, Seed: 77,
		Bars: map[string][2]float64{"random": {0.6, 0.95}, "greedy": {0.5, 0.55}},
		Play: func(t *testing.T, g, playouts int, opponent string, r *rand.Rand) float64 {
			return match(t, g, r, suggested(playouts), others[opponent])
		},
	}.Run(t)
}

// match plays one game and returns what part of the victory the first player has.
func match(t testing.TB, g int, r *rand.Rand, a, b chooser) float64 {
	t.Helper()
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
	if !slices.Contains(win, first) {
		return 0
	}
	return 1 / float64(len(win))
}

// TestForesight asks how much of a game against somebody who plays anything is luck
// that no play could mend: next to nothing. Who knew every roll to come and every
// answer would win nearly all games, as some line of a hundred shows in each. So
// luck alone sets no bound below that; what play without foresight can reach is open.
func TestForesight(t *testing.T) {
	const games, lines = 100, 100
	won := 0.0
	for g := range games {
		best := 0.0
		for k := uint64(0); k < lines && best < 1; k++ {
			chance, choice := rand.NewPCG(uint64(g), 0), rand.New(rand.NewPCG(k, 4))
			careless := func(s *State, _ *rand.Rand) rules.Move {
				chance.Seed(uint64(g), uint64(s.number)+1) // what comes depends on the game and the turn, not on the line
				if k > 0 && choice.IntN(3) == 0 {
					return random(s, choice)
				}
				return greedy(s, choice)
			}
			best = max(best, match(t, g, rand.New(chance), careless, random))
		}
		won += best
	}
	t.Logf("%.3f won", won/games)
	if won/games < 0.98 {
		t.Errorf("%.3f of %d games could be won, want 0.98", won/games, games)
	}
}

// BenchmarkSuggest looks ahead at the first act of a game, when most can happen, and
// plays out the same where 6 fits beside 1.
func BenchmarkSuggest(b *testing.B) {
	for name, wrap := range map[string]bool{"ahead": false, "playouts": true} {
		b.Run(name, func(b *testing.B) {
			s, err := rules.Replay(Game, rules.Setup{Players: 2, Options: map[string]any{"wrap": wrap}}, splitActs(perftStart))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := s.(*State).Suggest(rules.Budget{Playouts: 1000, Seed: 1}, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
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
		if list[i] != again[i] || s.Check(list[i].Move) != nil || list[i].Why != "4 points for you; B then has to reroll" {
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
