package vision

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/lattice"
)

// Tall dice hide the lines between their squares, and a shadow or a wide border may draw the mask away. What
// stands on a board says where it is then: dice are put about the middles of squares, and seen in their
// places from no other camera. And no game has dice that are lost on its squares, or lie over two of them: a grid of
// which all dice would be, as the pattern of a cloth, is none.

const (
	confirmFrom   = 8    // dice on a grid from which on they say whether it is one
	confirmOff    = 0.13 // squares off the middle, of the usual one, up to which they confirm it
	contradictOff = 0.2  // and from which on they speak against it; by chance it is 0.35
	confirmNodes  = 24   // lattice points that must be seen where dice alone confirm a grid
	leastSquared  = 0.31 // of a square: no game has smaller dice,
	mostSquared   = 1.25 // or larger ones; they have 0.45 to 0.97, and aslant an outline is a little off
)

// fitsDice says whether the usual die is about as large as a square of a camera's grid, as far as enough of them are seen to tell.
func fitsDice(cam *calibration.Camera, tops []detect.Top) bool {
	var sides []float64
	for i := range tops {
		t := &tops[i]
		if side, ok := anySideAt(cam, t, usualSide(table.Board)); ok && t.Score >= sureScore && !likelyPrint(t) {
			sides = append(sides, side)
		}
	}
	side := geometry.Median(sides)
	return len(sides) < confirmFrom || side >= leastSquared && side <= mostSquared
}

// fitting says of cameras whether the dice that are seen fit their squares.
func fitting(tops []detect.Top) func(*calibration.Camera) bool {
	return func(cam *calibration.Camera) bool { return fitsDice(cam, tops) }
}

// stoodOn is how many tops stand on a grid, and how far off the middles of squares the usual one is: the larger
// coordinate, in squares, in the middle of all.
func (s *scene) stoodOn(g *lattice.Grid, tops []detect.Top) (n int, off float64) {
	h := topHeight(s.kit.Layout, dieSide(&g.Camera, s.kit.Layout, tops))
	var offs []float64
	for i := range tops {
		t := &tops[i]
		x, y, ok := g.Camera.Place(t.At, h)
		if ok && t.Score >= sureScore && !likelyPrint(t) && x > 0 && y > 0 && x < table.Size && y < table.Size {
			offs = append(offs, math.Max(math.Abs(x-math.Floor(x)-0.5), math.Abs(y-math.Floor(y)-0.5)))
		}
	}
	return len(offs), geometry.Median(offs)
}

// confirmed says whether the dice on a grid confirm it whose lattice is plainly seen, whatever the mask says.
func (s *scene) confirmed(g *lattice.Grid, tops []detect.Top) bool {
	if g.Nodes < confirmNodes || g.Speaks < lattice.FoundSpeaks {
		return false
	}
	n, off := s.stoodOn(g, tops)
	return n >= confirmFrom && off <= confirmOff
}

// contradicted says whether dice stand anywhere but in the middles of a grid's squares.
func (s *scene) contradicted(g *lattice.Grid, tops []detect.Top) bool {
	n, off := s.stoodOn(g, tops)
	return n >= confirmFrom && off >= contradictOff
}

// Dice stand about the middles of their squares: where they cover the lattice,
// they are what tells the grid's place.
const (
	leastStanding = 5    // dice that tell it better than none
	standing      = 0.12 // usual distance from the middle, in squares
)

// drawnByDice draws the camera tight by the dice that stand on the grid, tops at height h.
func drawnByDice(g *lattice.Grid, dice []placed, h float64) {
	sights := append([]calibration.Sight(nil), g.Sights...)
	n := 0
	for i := range dice {
		d := &dice[i]
		if d.square == nil || d.Score < sureScore || d.off > 0.4 || likelyPrint(&d.Top) {
			continue
		}
		x, y := float64(d.square.Col)+0.5, float64(d.square.Row)+0.5
		a, b := g.Camera.Project(x-0.5, y-0.5, h), g.Camera.Project(x+0.5, y+0.5, h)
		pitch := math.Hypot(a.X-b.X, a.Y-b.Y) / math.Sqrt2
		sights = append(sights, calibration.Sight{X: x, Y: y, Height: h, At: d.At, Sigma: standing * pitch})
		n++
	}
	if n < leastStanding || len(g.Sights) == 0 {
		return
	}
	g.Camera = calibration.Refine(g.Camera, sights).Camera
}
