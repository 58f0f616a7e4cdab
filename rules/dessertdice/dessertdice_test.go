package dessertdice

import (
	"math/rand/v2"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
)

// rolledSupply tells what lies in the supply.
func rolledSupply(_ rules.State, r *rand.Rand) []rules.Move {
	a := Act{By: rules.Nature, Kind: Supply}
	for c, n := range kit {
		for range n {
			a.Supply[c][1+r.IntN(6)]++
		}
	}
	return []rules.Move{a}
}

var setups = []rules.Setup{
	{Players: 2},
	{Players: 3, Options: map[string]any{"chirality": "western", "cluster": "literal", "max_repetitions": 3}},
	{Players: 4, Options: map[string]any{"strict_orientation": false, "singleton": 1, "profile": "simple"}},
}

func TestConformance(t *testing.T) {
	t.Run("supply known", func(t *testing.T) {
		rulestest.Run(t, Game, "testdata", rulestest.Suite{Setups: setups, Opening: rolledSupply, Games: 2, Seed: 21})
	})
	t.Run("supply unknown", func(t *testing.T) {
		rulestest.Run(t, Game, "testdata", rulestest.Suite{Setups: setups, Games: 1, Seed: 22})
	})
}
