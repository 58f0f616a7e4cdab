package dicecreams

import (
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
)

func TestConformance(t *testing.T) {
	rulestest.Run(t, Game, "testdata", rulestest.Suite{
		Setups: []rules.Setup{
			{Players: 1},
			{Players: 2, Options: map[string]any{"deck_top_available": true, "sprinkle_window": "own_draft_step", "refill_pouch": "when_needed", "orange_bonus": "each_time_placed"}},
			{Players: 3, Options: map[string]any{"sprinkle_targets": "any", "sprinkle_before_placing": false, "extra_die_must_place": false, "final_turn": "finish_draft_step_only"}},
			{Players: 4, Options: map[string]any{"sprinkle_supply": "unlimited", "player_token_supply": "unlimited", "discarded_cards": "bottom_of_deck", "sequence_in_spot_order": true}},
			{Players: 4, Options: map[string]any{"discarded_cards": "out_of_game"}},
		},
		Games: 1,
		Acts:  100,
		Seed:  4000,
	})
}
