package vision

import (
	"math"

	"diceref/table"
)

// squareUp redraws the outlines of dice on a grid as what they must be: squares
// of the dice's common side, seen by the grid's camera. The network's outlines
// keep their middles and how they are turned; seen aslant or far off, their shapes
// are told less well than the camera is.
func (s *scene) squareUp(dice []placed) {
	if s.grid == nil || !s.grid.Sure() {
		return
	}
	cam, h := &s.grid.Camera, topHeight(s.kit.Layout, s.side)
	for i := range dice {
		d := &dice[i]
		x, y, ok := cam.Place(d.At, h)
		if !ok || d.Cut || d.square == nil {
			continue
		}
		// Four times the angle of a square's corner does not depend on which corner it is.
		var re, im float64
		for _, p := range d.Outline {
			px, py, ok := cam.Place(p, h)
			if !ok {
				continue
			}
			a := 4 * math.Atan2(py-y, px-x)
			re, im = re+math.Cos(a), im+math.Sin(a)
		}
		if math.Hypot(re, im) < 1 { // too unlike a square to say how it is turned
			continue
		}
		turn := math.Atan2(im, re) / 4
		var out [4]table.Point
		for k := range out {
			a := turn + float64(k)*math.Pi/2
			out[k] = cam.Project(x+s.side*math.Sqrt2/2*math.Cos(a), y+s.side*math.Sqrt2/2*math.Sin(a), h)
		}
		d.Outline = out
	}
}
