package diceflick

import (
	"math"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// TestScoredAtOnceOfFewDice: dice that may come in have a probability, where hardly any are left, too, and where more of a color are
// believed to lie in the arena than the game has.
func TestScoredAtOnceOfFewDice(t *testing.T) {
	start, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	var kit []table.Color
	for c := range table.DiceFlick.Kit().Dice {
		for range table.DiceFlick.Kit().Dice[c] {
			kit = append(kit, c)
		}
	}
	for _, other := range []table.Color{table.NoColor, table.White, table.Green, table.Blue, table.Yellow} {
		for lie := range min(len(kit), 24) + 1 {
			s := *start.(*State)
			for i, c := range kit[:lie] {
				s.arena.Dice[i] = table.Die{Color: c, Face: 2}
				if i == 0 && other != table.NoColor {
					s.arena.Dice[i].Color = other
				}
			}
			for _, list := range s.scoredAtOnce() {
				for _, d := range list {
					if math.IsNaN(d.chance) || d.chance <= 0 || d.chance > 1 {
						t.Fatalf("%d dice lie there, one of them %v: %v has the probability %v", lie, other, d.flick, d.chance)
					}
				}
			}
		}
	}
}
