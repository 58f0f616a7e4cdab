package lattice

import (
	"math"
	"slices"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
)

// A calibration is four corners, as somebody drew them or as they were found once. The lens, and
// what is off by a little, show in the lattice.
const (
	cornerError  = 0.08 // usual error of a known corner, in squares
	settleReach  = 0.15 // how far from where it is expected a lattice point is looked for
	settleLeast  = 10   // lattice points that tell more than the corners
	settleFarOff = 0.12 // squares by which a corner may give way; farther, it is another grid

	besideScore = 0.1 // by which more speaks for a grid a square over than for the known one; where that is right, less does
)

// SeenBeside says whether a known grid plainly lies a square beside where it was said to lie. Most of the lattice points
// and the middles of squares are the same there: what tells them apart are the outer lines, and the mask.
func (g *Grid) SeenBeside(seen *detect.Maps) bool {
	m := fieldOf(seen)
	marks := m.latticePeaks()
	score := func(cam calibration.Camera) float64 {
		c, ok := m.cells(&cam)
		if !ok {
			return 0
		}
		other := Grid{Shared: m.overlap(c), Speaks: m.speak(&cam, marks)}
		return other.score()
	}
	known := score(g.Camera)
	return slices.ContainsFunc(shifts(g.Camera), func(c calibration.Camera) bool { return score(c) > known+besideScore })
}

// Settle draws a known grid's camera tight by the lattice points that are seen.
func (g *Grid) Settle(seen *detect.Maps) {
	m := &field{Maps: seen}
	sights, n := m.match(&g.Camera, m.latticePeaks(), settleReach)
	if n < settleLeast {
		return
	}
	before := g.Camera.Corners()
	at := [4][2]float64{{0, 0}, {table.Size, 0}, {table.Size, table.Size}, {0, table.Size}}
	var pitch [4]float64
	for k, p := range before {
		q := before[(k+1)%4]
		pitch[k] = math.Hypot(p.X-q.X, p.Y-q.Y) / table.Size
		sights = append(sights, calibration.Sight{X: at[k][0], Y: at[k][1], At: p, Sigma: cornerError * pitch[k]})
	}
	settled := calibration.Refine(g.Camera, sights).Camera
	for k, p := range settled.Corners() {
		if !(math.Hypot(p.X-before[k].X, p.Y-before[k].Y) < settleFarOff*pitch[k]) {
			return
		}
	}
	g.Camera, g.Sights = settled, sights
}
