package match

import (
	"diceref/rules/diceflick"
	"fmt"
	"os"
)

func init() {
	if os.Getenv("DEBUGARENA") != "" {
		debugArena = func(m *Match) {
			fmt.Println("--- frame", m.frame, "from", m.arena.from, "told", m.arena.told)
			for i, h := range m.arena.set.Hypotheses() {
				if i > 6 {
					break
				}
				fmt.Printf("   %.4f %v taken %v\n", h.Chance, wordsOf(h.Line), h.World.(*diceflick.Follower).Taken().Squares())
			}
		}
	}
}
