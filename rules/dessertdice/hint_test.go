package dessertdice

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestHints(t *testing.T) {
	rulestest.Hints(t, played(t, "A place R1 c3"), `
		grows 2: Jello Tart: a die showing it on c2, b3, d3 and c4 makes a cluster of 2
		grows 2: Sweet Roll: a die showing it on c2, b3, d3 and c4 makes a cluster of 2`)
	s := played(t, "A place R1 c3; B place Y4 e3")
	rulestest.Hints(t, s, `
		grows 2: Jello Tart: a die showing it on c2, b3, d3 and c4 makes a cluster of 2
		tips 2: Jello Tart: tipping e3 to d3 makes a cluster of 2
		tips 2: Jello Tart: tipping e3 to d3 makes a cluster of 2
		grows 3: Sweet Roll: a die showing it on d3 makes a cluster of 3
		grows 2: Popsicle: a die showing it on e2, d3 and e4 makes a cluster of 2
		tips 2: Popsicle: tipping c3 to d3 makes a cluster of 2
		tips 2: Popsicle: tipping c3 to d3 makes a cluster of 2`)
	h := s.Hints()
	if n := len(h[0].Dice); n != 15 { // three faces in five colors
		t.Errorf("%d dice show a Jello Tart, want 15", n)
	}
	if a, b := h[1].Acts[0], h[2].Acts[0]; a != "A move e3 d3 Y1" || b != "A move e3 d3 Y2" {
		t.Errorf("tips %q and %q", a, b)
	}
}
