package lattice

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// A calibration is four corners, as somebody drew them or as they were found once. The lens, and
// what is off by a little, show in the lattice.
const (
	cornerError  = 0.08 // usual error of a known corner, in squares
	settleReach  = 0.15 // how far from where it is expected a lattice point is looked for
	settleLeast  = 10   // lattice points that tell more than the corners
	settleFarOff = 0.12 // squares by which a corner may give way; farther, it is another grid

	besideScore = 0.1 // by which more speaks for a grid a square over than for the known one; where that is right, less does
	foundScore  = 0.3 // and for one that a search is sure of; where the known one is right, 0.18 at most
	foundBeside = 0.4 // squares between their corners: less is how people draw, and Settle
)

// SeenElsewhere says whether a known grid plainly lies where it was not said to lie: a square beside, or where a search is sure of it.
// A square beside most of the lattice points are the same; what tells the two apart are the outer lines, and the mask.
func (g *Grid) SeenElsewhere(seen *detect.Maps, width, height int, fits func(*calibration.Camera) bool) bool {
	m := fieldOf(seen)
	marks := m.latticePeaks()
	judged := func(cam calibration.Camera) (other Grid) {
		if c, ok := m.cells(&cam); ok {
			_, nodes := m.match(&cam, marks, fitReach[len(fitReach)-1])
			other = Grid{Shared: m.overlap(c), Nodes: nodes, Speaks: m.speak(&cam, marks)}
		}
		return other
	}
	known := judged(g.Camera)
	if known.convinces() {
		return false
	}
	for _, cam := range shifts(g.Camera) {
		if beside := judged(cam); beside.score() > known.score()+besideScore {
			return true
		}
	}
	found, ok := FindGrid(seen, width, height, fits)
	if !ok || !found.Sure() || g.cornersOff(&found) < foundBeside {
		return false
	}
	found = judged(found.Camera)
	return found.score() > known.score()+foundScore
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
