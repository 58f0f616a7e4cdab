package match

import (
	"fmt"
	"os"

	"diceref/match/belief"
)

func (m *Match) zdebug(what string) {
	if os.Getenv("ZDEBUG") == "" {
		return
	}
	b := &m.course
	fmt.Printf("-- %s frame %d reads %d told %v ask %q lost %v open %d\n", what, m.frame, len(m.ballot.reads), b.moves(), m.ask, b.lost, b.open)
	for i, w := range b.set.Ways() {
		if i < 5 {
			fmt.Printf("   %.5f fits %.2f %v slips %d\n", w.Chance, w.Fits, w.Line, len(w.World.(*belief.Zones).Slips()))
		}
	}
}
