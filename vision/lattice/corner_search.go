package lattice

import (
	"cmp"
	"math"
	"slices"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// A hand over a corner dents the mask there and scatters weak marks where nothing can be seen: a
// camera fitted to both may be a square off at that corner and still seem to match well. What
// tells it is how plainly the lattice is seen just where the camera puts it; where that is
// little, the outline's corners are looked for elsewhere, two neighbors at a time, by the plain marks alone.

const (
	plainMark     = 0.5  // heat of a mark that is plainly a lattice point
	littleSpeaks  = 20.0 // lattice points' worth below which a grid may lie otherwise
	speakPixels   = 0.35 // how close a mark must be: in cells of the maps,
	speakSquares  = 0.03 // and in squares; three of both together at most
	cornerSpread  = 0.15 // the same of an outline that is tried, in squares
	elsewhereCost = 0.4  // marks' worth of moving a corner by a square
	elsewhereFar  = 4.5  // squares, squared, that two corners together may be moved by
	elsewhereMost = 6    // outlines worth fitting
	looseFit      = 0.7  // usual errors of the points of a grid that some mark drags away
	tightReach    = 0.12 // squares within which a mark is believed then
)

// elsewhereSteps are how far a corner is moved along the sides that meet there, in squares.
var elsewhereSteps = [...]float64{0, -0.5, 0.5, -1, 1, -1.5, 1.5}

// speak is how plainly the lattice is seen where the camera puts it, 1 for each point that is seen
// beyond doubt in its very place.
func (m *field) speak(cam *calibration.Camera, marks []mark) float64 {
	sum := 0.0
	for i := range Points {
		for j := range Points {
			p, pitch := LatticePoint(cam, i, j)
			reach := speakPixels*detect.CellSize/m.Scale + speakSquares*pitch
			most := 0.0
			for _, k := range marks {
				e := geometry.Distance(k.at, p) / (3 * reach)
				most = max(most, k.heat*(1-e*e))
			}
			sum += most
		}
	}
	return sum
}

// LatticePoint is where a lattice point appears, and how long a square's shorter side is there, in pixels.
func LatticePoint(cam *calibration.Camera, row, col int) (at table.Point, pitch float64) {
	x, y := float64(col), float64(row)
	at = cam.Project(x, y, 0)
	return at, 2 * math.Min(geometry.Distance(cam.Project(x+0.5, y, 0), at), geometry.Distance(cam.Project(x, y+0.5, 0), at))
}

// plainOnes are the marks that are plainly lattice points.
func plainOnes(marks []mark) (out []mark) {
	for _, k := range marks {
		if k.heat >= plainMark {
			out = append(out, k)
		}
	}
	return out
}

// outlined is an outline that is tried, and what speaks for it.
type outlined struct {
	corners [4]table.Point
	score   float64
}

// elsewhere returns cameras over the outline with two neighboring corners moved, those first that
// the marks speak for.
func elsewhere(width, height int, q [4]table.Point, marks []mark) []calibration.Camera {
	var all []outlined
	const steps = len(elsewhereSteps) * len(elsewhereSteps)
	for k := range q {
		next := (k + 1) % 4
		for i := range steps {
			for j := range steps {
				if j == 0 && k > 0 {
					continue // the former corner moved alone
				}
				c := q
				var far, further float64
				c[k], far = movedCorner(&q, k, i)
				c[next], further = movedCorner(&q, next, j)
				if far += further; far > elsewhereFar {
					continue
				}
				if s, ok := softly(c, marks); ok {
					all = append(all, outlined{c, s - elsewhereCost*far})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b outlined) int { return cmp.Compare(b.score, a.score) })
	var out []calibration.Camera
	for i := range all {
		if len(out) == elsewhereMost {
			break
		}
		if cam, err := calibration.FromQuad(width, height, all[i].corners); err == nil && !SameGrid(out, &cam) {
			out = append(out, cam)
		}
	}
	return out
}

// movedCorner moves an outline's corner k along its sides by a pair of steps; far is how far, in squares, squared.
func movedCorner(q *[4]table.Point, k, steps int) (at table.Point, far float64) {
	const n = len(elsewhereSteps)
	u, v := elsewhereSteps[steps%n], elsewhereSteps[steps/n]
	a, b, c := q[k], q[(k+1)%4], q[(k+3)%4]
	return table.Point{
		X: a.X + (u*(b.X-a.X)+v*(c.X-a.X))/table.Size,
		Y: a.Y + (u*(b.Y-a.Y)+v*(c.Y-a.Y))/table.Size,
	}, u*u + v*v
}

// softly is how much the marks speak for a grid with these corners, however roughly they are told.
func softly(corners [4]table.Point, marks []mark) (float64, bool) {
	const n = table.Size
	h, err := calibration.FitHomography(corners[:], []table.Point{{X: 0, Y: 0}, {X: n, Y: 0}, {X: n, Y: n}, {X: 0, Y: n}}, nil)
	if err != nil {
		return 0, false
	}
	var most [Points * Points]float64
	for _, k := range marks {
		p := h.Apply(k.at)
		x, y := math.Round(p.X), math.Round(p.Y)
		if !(x >= 0 && y >= 0 && x <= n && y <= n) {
			continue
		}
		dx, dy := (p.X-x)/cornerSpread, (p.Y-y)/cornerSpread
		at := &most[int(y)*Points+int(x)]
		*at = max(*at, k.heat*math.Exp(-(dx*dx+dy*dy)/2))
	}
	sum := 0.0
	for _, v := range most {
		sum += v
	}
	return sum, true
}

// tighten draws a camera to the marks that lie close alone, and keeps what speaks more.
func (m *field) tighten(g *Grid, marks []mark) {
	t := *g
	for range 2 {
		sights, n := m.match(&t.Camera, marks, tightReach)
		if n < leastGrown {
			return
		}
		fit := calibration.Refine(t.Camera, sights)
		t.Camera, t.Sights, t.rms = fit.Camera, sights, fit.RMS
	}
	if t.Speaks = m.speak(&t.Camera, marks); t.Speaks > g.Speaks {
		*g = t
	}
}
