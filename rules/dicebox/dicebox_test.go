package dicebox

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
	"diceref/scoring"
	"diceref/table"
)

// allHands tells what every player rolled, with four players after a draft, so
// that play goes on with known hands.
func allHands(s rules.State, r *rand.Rand) (moves []rules.Move) {
	st := s.(*State)
	play := func(a Act) {
		next, err := st.Apply(a)
		if err != nil {
			panic(err)
		}
		st, moves = next.(*State), append(moves, a)
	}
	if st.players == 4 {
		starter := rules.Player(r.IntN(4))
		for i, k := range r.Perm(8) {
			play(Act{By: (starter + draftOrder[i]) % 4, Kind: Draft, Die: table.Die{Color: scoring.BoxColors[k%4]}})
		}
	}
	for p := range rules.Player(st.players) {
		play(Act{By: rules.Nature, Kind: Hand, Of: p, Dice: st.roll(p, r)})
	}
	return moves
}

var setups = []rules.Setup{
	{Players: 2},
	{Players: 2, Options: map[string]any{"two_player_colours": 2, "wrap": true, "score_unplaced": true}},
	{Players: 3, Owners: [][]table.Color{{table.White}, {table.Red}, {table.Blue}}},
	{Players: 4},
}

func TestConformance(t *testing.T) {
	t.Run("hands known", func(t *testing.T) {
		rulestest.Run(t, Game, "testdata", rulestest.Suite{Setups: setups, Opening: allHands, Seed: 11})
	})
	t.Run("hands unknown", func(t *testing.T) {
		rulestest.Run(t, Game, "testdata", rulestest.Suite{Setups: setups, Seed: 12})
	})
}

func splitActs(text string) []string { return strings.Split(text, "; ") }

// TestSimulation plays at random: RULES.md 2.8 tells how many dice get placed so, how
// often the grid is filled, and how often somebody runs out of dice before the end.
func TestSimulation(t *testing.T) {
	const games = 200
	for players, out := range map[int]float64{2: 0.31, 3: 0.57, 4: 0.76} {
		placed, full, empty := 0.0, 0.0, 0.0
		for g := range games {
			r := rand.New(rand.NewPCG(9, uint64(g)))
			s, err := Game.New(rules.Setup{Players: players})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range allHands(s, r) {
				s = applied(t, s, m)
			}
			ran := false
			for s.ToMove() != rules.Nobody {
				st := s.(*State)
				for p := range st.hands {
					ran = ran || st.hands[p].size == 0
				}
				if s.ToMove() == rules.Nature {
					s = applied(t, s, st.Chance(r))
					continue
				}
				moves, _ := s.Legal()
				s = applied(t, s, moves[r.IntN(len(moves))])
			}
			dice := 0
			for i := range squares {
				dice += boolIndex(s.(*State).filled(i))
			}
			placed += float64(dice-1) / games
			full += float64(boolIndex(dice == squares)) / games
			empty += float64(boolIndex(ran)) / games
		}
		if math.Abs(placed-22.5) > 0.4 || math.Abs(full-0.33) > 0.12 || math.Abs(empty-out) > 0.12 {
			t.Errorf("%d players: %.2f dice placed, %.2f of the grids full, %.2f run out of dice; want 22.5, a third, %.2f", players, placed, full, empty, out)
		}
	}
}
