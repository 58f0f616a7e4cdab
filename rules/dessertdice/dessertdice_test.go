package dessertdice

import (
	"math/rand/v2"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
)

// rolledSupply says what is in the supply.
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

// TestRemark: without a limit nothing bars going to and fro, but the third time the same board stands is told (RULES.md DD-A6).
func TestRemark(t *testing.T) {
	round := []string{"A move c3 c2 R1", "B move e5 e4 Y2", "A move c2 c3 R3", "B move e4 e5 Y6"}
	acts := append([]string{"A place R3 c3", "B place Y6 e5"}, append(round, round...)...)
	for n := range len(acts) + 1 {
		s := played(t, strings.Join(acts[:max(n, 1)], "; "))
		remark := s.Show(rules.Nobody).(shown).Remark
		if third := n == len(acts); third != (remark != "") {
			t.Errorf("after %d acts: remark %q", n, remark)
		}
		if n > 1 && n < len(acts) {
			m, err := Game.ParseMove(acts[n])
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(m); err != nil {
				t.Errorf("%s: %v", acts[n], err)
			}
		}
	}
}
