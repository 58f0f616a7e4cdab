package lattice

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// A grid that was saved may lie elsewhere by now: somebody touched the camera, or the board.
const (
	movedScore = 0.1 // by which more speaks for another grid than for the known one
	movedLeast = 0.4 // squares between their corners: less is how people draw, and Settle draws it tight
)

// HasMoved says whether a known grid plainly lies elsewhere: a square beside, or where a search is sure of it. A square beside, most of
// the lattice points are the same; what tells the two apart are the outer lines, and the mask.
func (g *Grid) HasMoved(seen *detect.Maps, width, height int, fits func(*calibration.Camera) bool) bool {
	m := fieldOf(seen)
	marks := m.latticePeaks()
	known, _ := m.judged(g.Camera, marks)
	if known.Nodes = m.nodes(&g.Camera, marks); known.convinces() {
		return false
	}
	for _, cam := range shifts(g.Camera) {
		if beside, ok := m.judged(cam, marks); ok && beside.score() > known.score()+movedScore {
			return true
		}
	}
	found, ok := m.find(width, height, marks, fits)
	if !ok || !found.Sure() || g.cornersOff(&found) < movedLeast {
		return false
	}
	found.alone = false // as nobody has asked that of the known one
	return found.score() > known.score()+movedScore
}

// cornersOff is how far any corner of a grid is from the next one of another, in squares of that.
func (g *Grid) cornersOff(other *Grid) (far float64) {
	corners := other.Camera.Corners()
	side := (geometry.Distance(corners[0], corners[2]) + geometry.Distance(corners[1], corners[3])) / (2 * math.Sqrt2 * table.Size)
	for _, c := range g.Camera.Corners() {
		least := math.Inf(1)
		for _, d := range corners {
			least = min(least, geometry.Distance(c, d))
		}
		far = max(far, least/side)
	}
	return far
}
