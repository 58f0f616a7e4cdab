package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/geometry"
)

// Tall dice hide the lines between their squares, and a shadow or a wide border may draw the mask away. What
// stands on a board says where it is then: dice are put about the middles of squares, and seen in their
// places from no other camera.

const (
	confirmFrom   = 8    // dice on a grid from which on they say whether it is one
	confirmOff    = 0.13 // squares off the middle, of the usual one, up to which they confirm it
	contradictOff = 0.2  // and from which on they speak against it; by chance it is 0.35
	confirmNodes  = 24   // lattice points that must be seen where dice alone confirm a grid
)

// stoodOn is how many tops stand on a grid, and how far off the middles of squares the usual one is: the larger
// coordinate, in squares, in the middle of all.
func (s *scene) stoodOn(g *grid, tops []top) (n int, off float64) {
	h := topHeight(s.kit.Layout, dieSide(&g.camera, s.kit.Layout, tops))
	var offs []float64
	for i := range tops {
		t := &tops[i]
		x, y, ok := g.camera.Place(t.at, h)
		if ok && t.score >= sureScore && !t.lies() && x > 0 && y > 0 && x < table.Size && y < table.Size {
			offs = append(offs, math.Max(math.Abs(x-math.Floor(x)-0.5), math.Abs(y-math.Floor(y)-0.5)))
		}
	}
	return len(offs), geometry.Median(offs)
}

// confirmed says whether the dice on a grid confirm it whose lattice is plainly seen, whatever the mask says.
func (s *scene) confirmed(g *grid, tops []top) bool {
	if g.nodes < confirmNodes || g.speaks < foundSpeaks {
		return false
	}
	n, off := s.stoodOn(g, tops)
	return n >= confirmFrom && off <= confirmOff
}

// contradicted says whether dice stand anywhere but in the middles of a grid's squares.
func (s *scene) contradicted(g *grid, tops []top) bool {
	n, off := s.stoodOn(g, tops)
	return n >= confirmFrom && off >= contradictOff
}
