package fromage

import (
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
)

func TestConformance(t *testing.T) {
	rulestest.Run(t, Game, "testdata", rulestest.Suite{
		Setups: []rules.Setup{
			{Players: 3},
			{Players: 4, Options: map[string]any{"fat_min_each": 1}},
			{Players: 5, Options: map[string]any{"fat_min_each": 1, "fat_exact_holdings": true, "sets_after_fat": false, "min_roll": 5}},
			{Players: 3, Options: map[string]any{"min_roll": 0, "partial_set_steal": false, "compensation_may_decline": false, "fat_after_steal": false, "fat_min_each": 1, "compensation_order": "free"}},
		},
		Games: 1,
		Acts:  60,
		Seed:  3000,
	})
}
