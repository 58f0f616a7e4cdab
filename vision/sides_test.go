package vision

import (
	"math/rand/v2"
	"testing"

	"diceref/table"
)

// TestMarkSides puts false tops where sides of dice are seen, weaker than the true
// ones: they are marked, and no true one is.
func TestMarkSides(t *testing.T) {
	for seed := uint64(0); seed < 40; seed++ {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := makeSynth(rng, table.Board, 6, 50, flaws{})
		if s.camera.Tilt() < 30 {
			continue
		}
		sc := &scene{kit: table.DiceBox.Kit(), grid: &grid{camera: s.camera}, side: s.side, width: s.width, height: s.height}
		dice := place(&s.camera, table.Board, s.side, s.maps.peaks(s.width, s.height))
		n := len(dice)
		for i := range n {
			for _, p := range sc.sidesOnGrid(&dice[i]) {
				fake := dice[i]
				fake.at, fake.score = p.at, 0.3
				dice = append(dice, fake)
			}
		}
		if len(dice) == n {
			t.Fatalf("seed %d: no side is visible at a tilt of %.0f degrees", seed, s.camera.Tilt())
		}
		sc.markSides(nil, dice)
		for i, d := range dice {
			if d.side != (i >= n) {
				t.Errorf("seed %d: top %d of %d true ones is marked as a side: %v", seed, i, n, d.side)
			}
		}
	}
}
