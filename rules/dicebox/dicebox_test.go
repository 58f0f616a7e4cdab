package dicebox

import (
	"math/rand/v2"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
	"diceref/scoring"
	"diceref/table"
)

// allHands says what every player rolled, with four players after a draft, so
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
