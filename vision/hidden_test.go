package vision

import (
	"math/rand/v2"
	"testing"

	"diceref/table"
)

// TestHandOverCorner looks at made-up maps of grids with a hand over one corner, where the mask
// ends and weak marks lie scattered: the corner is found from what else is seen, and what is
// found wrong is not sure.
func TestHandOverCorner(t *testing.T) {
	right := 0
	const views = 60
	for seed := range uint64(views) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := makeSynth(rng, table.Board, 0, 45, flaws{dropped: 0.1, shift: 0.7, hand: 2.5 + 0.5*rng.Float64()})
		switch msg, sure := s.judge(); {
		case msg == "":
			right++
		case sure:
			t.Errorf("seed %d, tilt %.0f: %s, and sure", seed, s.camera.Tilt(), msg)
		default:
			t.Logf("seed %d, tilt %.0f: %s", seed, s.camera.Tilt(), msg)
		}
	}
	t.Logf("%d of %d views right", right, views)
	if right < views*9/10 {
		t.Errorf("%d of %d views right, want at least nine of ten", right, views)
	}
}
