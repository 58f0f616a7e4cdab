package vision

import (
	"math/rand/v2"
	"testing"

	"diceref/table"
	"diceref/vision/lattice"
	"diceref/vision/pixels"
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

// TestCovered: lattice points are hidden by what looks otherwise than what is about those that are
// seen; where nothing does, the lines are only faint.
func TestCovered(t *testing.T) {
	for name, f := range map[string]flaws{"faint lines": {dropped: 0.4}, "a hand": {hand: 2.5}, "a hand over faint lines": {dropped: 0.2, hand: 3}} {
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 12))
			v := makeSynth(rng, table.Board, 0, 30, f)
			px := &pixels.Picture{Width: v.width, Height: v.height, Data: make([]uint8, 3*v.width*v.height)}
			for i := range v.width * v.height {
				x, y := i%v.width, i/v.width
				ground := [3]uint8{180, 190, 200}
				if col, row, ok := v.camera.Place(table.Point{X: float64(x), Y: float64(y)}, 0); ok && v.underHand(col, row, f) {
					ground = [3]uint8{160, 180, 200}
				}
				for k, c := range ground {
					px.Data[3*i+k] = c - uint8(60*x/v.width) // light from one side
				}
			}
			s := &scene{px: px, grid: &lattice.Grid{Camera: v.camera}, kit: table.DessertDice.Kit(), side: v.side}
			if got, want := s.covered(v.maps, nil), f.hand > 0; got != want {
				t.Errorf("%s, seed %d: covered: %v", name, seed, got)
			}
		}
	}
}
