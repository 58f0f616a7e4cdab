package vision

import (
	"math"
	"math/rand/v2"
	"testing"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/lattice"
)

// TestSettle: a known grid whose corners are off by a twentieth of a square is drawn tight by its
// lattice; one that lies half a square elsewhere stays as it was said to be.
func TestSettle(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := makeSynth(rng, table.Board, 6, 25, flaws{})
		off := func(c *calibration.Camera, corners [4]table.Point) (worst float64) {
			pitch := math.Hypot(corners[0].X-corners[1].X, corners[0].Y-corners[1].Y) / table.Size
			for k, p := range c.Corners() {
				worst = max(worst, math.Hypot(p.X-corners[k].X, p.Y-corners[k].Y)/pitch)
			}
			return worst
		}
		truth := s.camera.Corners()
		pitch := math.Hypot(truth[0].X-truth[1].X, truth[0].Y-truth[1].Y) / table.Size
		drawn := truth
		for k := range drawn {
			drawn[k].X += 0.05 * pitch * (2*float64(rng.IntN(2)) - 1)
			drawn[k].Y += 0.05 * pitch * (2*float64(rng.IntN(2)) - 1)
		}
		p, err := calibration.FromGrid(table.DiceBox, s.width, s.height, drawn)
		if err != nil {
			t.Fatal(err)
		}
		g := lattice.Grid{Camera: p.Camera}
		before := off(&g.Camera, truth)
		g.Settle(s.maps)
		if after := off(&g.Camera, truth); after > 0.03 || after > before/2 {
			t.Errorf("seed %d: corners off by %.3f squares, settled by %.3f", seed, before, after)
		}

		elsewhere := lattice.Grid{Camera: p.Camera}
		for i := range 3 {
			elsewhere.Camera.T[i] += elsewhere.Camera.R[i*3] / 2
		}
		was := elsewhere.Camera
		if elsewhere.Settle(s.maps); off(&elsewhere.Camera, was.Corners()) > 0.13 {
			t.Errorf("seed %d: a grid half a square off has moved by %.2f squares", seed, off(&elsewhere.Camera, was.Corners()))
		}
	}
}
