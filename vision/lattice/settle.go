package lattice

import (
	"math"

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
)

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
