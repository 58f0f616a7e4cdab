package diceflick_test

import (
	"math/rand/v2"
	"testing"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/rules/rulestest"
)

func TestConformance(t *testing.T) {
	rulestest.Run(t, diceflick.Game, "testdata", rulestest.Suite{
		Setups: []rules.Setup{
			{Players: 2},
			{Players: 3, Options: map[string]any{"must_score_max": true, "bonus_by_push": true, "bonus_chain": false}},
			{Players: 4, Options: map[string]any{"score_between_flicks": true, "old_centre_scores": false, "old_blast_scores": false}},
		},
		Opening: func(rules.State, *rand.Rand) []rules.Move {
			m, err := diceflick.ParseMove(setMarkers)
			if err != nil {
				t.Fatal(err)
			}
			return []rules.Move{m}
		},
		Games: 1, Seed: 50,
		// Dice that were scored and dice that a flick pushed out leave the same trace:
		// a miss, or the end of a turn, is declared. TestPropose covers scorings.
		Unseen: []string{"score"},
	})
}
