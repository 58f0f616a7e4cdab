// Package lattice finds the 5x5 grid of a board: a camera over it, by what the find network shows of its lattice and its
// inside, or by its tiles.
package lattice

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// Grid is a board or an arena found in a picture.
type Grid struct {
	Camera calibration.Camera
	Shared float64 // overlap of the mask and the grid as fitted, 0..1
	Nodes  int     // lattice points that were seen where the camera puts them
	Speaks float64 // how plainly the lattice is seen there, in lattice points, see speak
	rms    float64 // of the points that were seen, in usual errors
	Cut    bool    // the grid runs out of the picture
	Tiled  bool    // its tiles tell it beyond doubt, see byTiles
	alone  bool    // all its lattice points are seen plainly, and none beyond them, see standsAlone
	Moved  bool    // it was said to lie here, but lattice or dice say that it lies elsewhere

	Sights []calibration.Sight // what the camera was fitted to
}

// A grid counts as found when mask and lattice tell the same story.
const (
	leastShared = 0.72
	leastNodes  = 6
	underHand   = 0.6  // of the mask, of which a hand takes some
	FoundSpeaks = 18.0 // lattice points' worth that tell a grid all the same
	leastSpeaks = 15.0 // of a grid that convinces
	sureSpeaks  = 9.0  // and of one to be sure of
	aloneSpeaks = 27.0 // and of one that stands alone
	aloneScore  = 1.0  // what that is worth beside mask and lattice
	beyondHeat  = 0.3  // of a mark that may be a lattice point beyond the grid
)

func (g *Grid) found() bool {
	if g.Shared >= 0.88 || g.Tiled || g.alone {
		return true
	}
	return g.Shared >= leastShared && g.Nodes >= leastNodes || g.Shared >= underHand && g.Speaks >= FoundSpeaks
}

// Sure says that dice may be placed by the grid without asking.
func (g *Grid) Sure() bool {
	if g.Moved {
		return false
	}
	return g.Tiled || g.alone || g.Speaks >= sureSpeaks && (g.Shared >= 0.88 && g.Nodes >= 14 || g.Shared >= 0.82 && g.Nodes >= 30)
}

const Points = table.Size + 1

// FindGrid fits a camera over a 5×5 grid to the maps: the mask gives a first
// outline, the lattice points and the mask's border draw it tight. Where that
// does not convince, the lattice points alone give others to start from. Cameras that do not fit what else is
// known are passed over; fits may be nil.
func FindGrid(seen *detect.Maps, width, height int, fits func(*calibration.Camera) bool) (Grid, bool) {
	m := fieldOf(seen)
	return m.find(width, height, m.latticePeaks(), fits)
}

func (m *field) find(width, height int, marks []mark, fits func(*calibration.Camera) bool) (Grid, bool) {
	b, ok := m.insideBlob()
	if !ok {
		return Grid{}, false
	}
	var best Grid
	try := func(start calibration.Camera, q *[4]table.Point, to []mark) {
		if g := m.fitGrid(start, q, to, marks); g.score() > best.score() && (fits == nil || fits(&g.Camera)) {
			best = g
		}
	}
	q, outlined := b.quad()
	if outlined {
		for i, c := range q {
			q[i] = m.Picture(c.X, c.Y)
		}
		q = clampQuad(q, width, height, 0.5)
		if cam, err := calibration.FromQuad(width, height, q); err == nil {
			try(cam, &q, marks)
			if !best.convinces() {
				for _, start := range shifts(cam) {
					try(start, &q, marks)
				}
			}
		}
	}
	if !best.convinces() {
		for _, start := range m.growLattice(width, height, marks) {
			try(start, nil, marks)
		}
	}
	if plain := plainOnes(marks); !best.convinces() && best.Speaks < littleSpeaks && len(plain) >= leastGrown {
		starts := m.growLattice(width, height, plain)
		if outlined {
			starts = append(elsewhere(width, height, q, plain), starts...)
		}
		for _, start := range starts {
			try(start, nil, marks)
			try(start, nil, plain)
		}
	}
	if best.score() > 0 && best.rms > looseFit {
		m.tighten(&best, marks)
	}
	best.Cut = b.sides > 0 && !best.alone
	if best.score() > 0 {
		best.number()
	}
	return best, best.found()
}

// standsAlone says whether all of a grid's lattice points are seen and none that would come next,
// a square further: then the grid is no part of another, whatever the mask takes to be one beside it.
func (m *field) standsAlone(g *Grid, marks []mark) bool {
	if g.Nodes < Points*Points || g.Speaks < aloneSpeaks {
		return false
	}
	for i := range Points {
		for _, at := range [...][2]int{{i, -1}, {i, Points}, {-1, i}, {Points, i}} {
			p, pitch := LatticePoint(&g.Camera, at[0], at[1])
			for _, k := range marks {
				if k.heat >= beyondHeat && geometry.Distance(k.at, p) < fitReach[len(fitReach)-1]*pitch {
					return false
				}
			}
		}
	}
	return true
}

// convinces says that nothing is to be won by looking elsewhere.
func (g *Grid) convinces() bool { return g.Shared > 0.9 && g.Nodes >= 16 && g.Speaks >= leastSpeaks }

// score is what speaks for a grid: lattice that stands alone more than any mask.
func (g *Grid) score() float64 {
	sum := 2*g.Shared + g.Speaks/(Points*Points)
	if g.alone {
		sum += aloneScore
	}
	return sum
}

// clampQuad keeps a quadrilateral from running far out of the picture.
func clampQuad(q [4]table.Point, width, height int, by float64) [4]table.Point {
	w, h := float64(width), float64(height)
	for i := range q {
		q[i].X = min(max(q[i].X, -by*w), (1+by)*w)
		q[i].Y = min(max(q[i].Y, -by*h), (1+by)*h)
	}
	return q
}

// shifts are cameras a row or a column off, for a mask that took a row of tall
// dice for board or lost one.
func shifts(cam calibration.Camera) []calibration.Camera {
	var out []calibration.Camera
	for _, d := range [...][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		c := cam
		for i := 0; i < 3; i++ {
			c.T[i] += c.R[i*3]*d[0] + c.R[i*3+1]*d[1]
		}
		out = append(out, c)
	}
	return out
}

type mark struct {
	at   table.Point
	heat float64
}

// latticePeaks lists the lattice points that the network sees, to parts of a cell.
func (m *field) latticePeaks() []mark {
	ch := m.Channel(detect.ChLattice)
	least := float32(math.Log(0.2 / 0.8))
	var out []mark
	for y := 0; y < m.In[1]; y++ {
		for x := 0; x < m.In[0]; x++ {
			v := ch[y*m.W+x]
			if v <= least || !m.Highest(ch, x, y) {
				continue
			}
			fx, fy := 0.5, 0.5
			if x > 0 && x < m.W-1 {
				fx += vertex(ch[y*m.W+x-1], v, ch[y*m.W+x+1])
			}
			if y > 0 && y < m.H-1 {
				fy += vertex(ch[(y-1)*m.W+x], v, ch[(y+1)*m.W+x])
			}
			out = append(out, mark{m.Picture(float64(x)+fx, float64(y)+fy), detect.Sigmoid(float64(v))})
		}
	}
	return out
}

// vertex is where the parabola through three values at -1, 0, 1 is highest.
func vertex(a, b, c float32) float64 {
	d := float64(a - 2*b + c)
	if d >= -1e-6 {
		return 0
	}
	return min(max(float64(a-c)/(2*d), -0.5), 0.5)
}

// fitReach is how far off a mark may lie, in squares, round by round.
var fitReach = [...]float64{0.42, 0.33, 0.28}

// fitGrid draws a camera tight: lattice points are matched to the nearest mark
// within a share of a square that shrinks from round to round. What speaks for it are all marks,
// whichever of them it was fitted to.
func (m *field) fitGrid(cam calibration.Camera, q *[4]table.Point, marks, all []mark) Grid {
	var fit calibration.Fit
	var sights []calibration.Sight
	fit.Camera = cam
	matched := 0
	for _, reach := range fitReach {
		sights, matched = m.match(&fit.Camera, marks, reach)
		if q != nil {
			sights = append(sights, outlineSights(&fit.Camera, q)...)
		}
		if len(sights) < 4 {
			return Grid{}
		}
		fit = calibration.Refine(fit.Camera, sights)
	}
	g, ok := m.judged(fit.Camera, all)
	if !ok {
		return Grid{}
	}
	g.Nodes, g.rms, g.Sights = matched, fit.RMS, sights
	if len(marks) < len(all) {
		g.Nodes = m.nodes(&g.Camera, all)
	}
	g.alone = m.standsAlone(&g, all)
	return g
}

// judged is what mask and marks say of a camera; not ok where a corner of its grid is behind it.
func (m *field) judged(cam calibration.Camera, marks []mark) (g Grid, ok bool) {
	c, ok := m.cells(&cam)
	if !ok {
		return Grid{}, false
	}
	return Grid{Camera: cam, Shared: m.overlap(c), Speaks: m.speak(&cam, marks)}, true
}

// nodes is how many lattice points are seen about where a camera puts them.
func (m *field) nodes(cam *calibration.Camera, marks []mark) int {
	_, n := m.match(cam, marks, fitReach[len(fitReach)-1])
	return n
}

// cells are the corners of a camera's grid in cells of the maps; not ok where one of them is behind the camera.
func (m *field) cells(cam *calibration.Camera) (c [4]table.Point, ok bool) {
	for i, p := range cam.Corners() {
		if math.IsNaN(p.X) {
			return c, false
		}
		c[i].X, c[i].Y = m.Cell(p)
	}
	return c, true
}

// match pairs lattice points with marks, each mark at most once, nearest first.
func (m *field) match(cam *calibration.Camera, marks []mark, reach float64) (sights []calibration.Sight, matched int) {
	cell := detect.CellSize / m.Scale
	for i := 0; i < Points; i++ {
		for j := 0; j < Points; j++ {
			p, pitch := LatticePoint(cam, i, j)
			best, d := -1, reach*pitch
			for k := range marks {
				if e := math.Hypot(marks[k].at.X-p.X, marks[k].at.Y-p.Y); e < d {
					best, d = k, e
				}
			}
			if best >= 0 {
				matched++
				sigma := (0.35*cell + 0.02*pitch) / math.Sqrt(marks[best].heat)
				sights = append(sights, calibration.Sight{X: float64(j), Y: float64(i), At: marks[best].at, Sigma: sigma})
			}
		}
	}
	return sights, matched
}

// outlineSights hold the grid's corners near the mask's, loosely: they decide
// where no lattice point is seen.
func outlineSights(cam *calibration.Camera, q *[4]table.Point) []calibration.Sight {
	corners := cam.Corners()
	var out []calibration.Sight
	side := 0.0
	for k := range q {
		side += math.Hypot(q[(k+1)%4].X-q[k].X, q[(k+1)%4].Y-q[k].Y) / 4
	}
	at := [4][2]float64{{0, 0}, {table.Size, 0}, {table.Size, table.Size}, {0, table.Size}}
	for k, c := range corners {
		best := q[0]
		for _, p := range q[1:] {
			if math.Hypot(p.X-c.X, p.Y-c.Y) < math.Hypot(best.X-c.X, best.Y-c.Y) {
				best = p
			}
		}
		out = append(out, calibration.Sight{X: at[k][0], Y: at[k][1], At: best, Sigma: 0.035 * side})
	}
	return out
}

// number turns the grid so that [0,0] lies at the corner nearest the picture's top left.
func (g *Grid) number() {
	best, least := 0, math.Inf(1)
	for k, c := range g.Camera.Corners() {
		if v := c.X + c.Y*1.0001; v < least {
			best, least = k, v
		}
	}
	g.Turn(best)
}

// Turn numbers the grid from its corner k.
func (g *Grid) Turn(k int) {
	g.Camera = g.Camera.Turned(k)
	for i := range g.Sights {
		s := &g.Sights[i]
		for range k {
			s.X, s.Y = s.Y, table.Size-s.X
		}
	}
}
