package vision

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
)

// grid is a board or an arena found in a picture.
type grid struct {
	camera calibration.Camera
	shared float64 // overlap of the mask and the grid as fitted, 0..1
	nodes  int     // lattice points that were seen where the camera puts them
	speaks float64 // how plainly the lattice is seen there, in lattice points, see speak
	rms    float64 // of the points that were seen, in usual errors
	cut    bool    // the grid runs out of the picture
	tiled  bool    // its tiles tell it beyond doubt, see byTiles
	alone  bool    // all its lattice points are seen plainly, and none beyond them, see standsAlone

	sights []calibration.Sight // what the camera was fitted to
}

// A grid counts as found when mask and lattice tell the same story.
const (
	leastShared = 0.72
	leastNodes  = 6
	underHand   = 0.6  // of the mask, of which a hand takes some
	foundSpeaks = 18.0 // lattice points' worth that tell a grid all the same
	leastSpeaks = 15.0 // of a grid that convinces
	sureSpeaks  = 9.0  // and of one to be sure of
	aloneSpeaks = 27.0 // and of one that stands alone
	aloneScore  = 1.0  // what that is worth beside mask and lattice
	beyondHeat  = 0.3  // of a mark that may be a lattice point beyond the grid
)

func (g *grid) found() bool {
	if g.shared >= 0.88 || g.tiled || g.alone {
		return true
	}
	return g.shared >= leastShared && g.nodes >= leastNodes || g.shared >= underHand && g.speaks >= foundSpeaks
}

// sure says that dice may be placed by the grid without asking.
func (g *grid) sure() bool {
	return g.tiled || g.alone || g.speaks >= sureSpeaks && (g.shared >= 0.88 && g.nodes >= 14 || g.shared >= 0.82 && g.nodes >= 30)
}

const lattice = table.Size + 1

// findGrid fits a camera over a 5×5 grid to the maps: the mask gives a first
// outline, the lattice points and the mask's border draw it tight. Where that
// does not convince, the lattice points alone give others to start from.
func (m *maps) findGrid(width, height int) (grid, bool) {
	m.mask = m.partsOfMask()
	b, ok := m.insideBlob()
	if !ok {
		return grid{}, false
	}
	marks := m.latticePeaks()
	var best grid
	try := func(start calibration.Camera, q *[4]table.Point, to []mark) {
		if g := m.fitGrid(start, q, to, marks); g.score() > best.score() {
			best = g
		}
	}
	q, outlined := b.quad()
	if outlined {
		for i, c := range q {
			q[i] = m.picture(c.X, c.Y)
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
	if plain := plainOnes(marks); !best.convinces() && best.speaks < littleSpeaks && len(plain) >= leastGrown {
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
	best.cut = b.sides > 0 && !best.alone
	if best.score() > 0 {
		best.number()
	}
	return best, best.found()
}

// standsAlone says whether all of a grid's lattice points are seen and none that would come next,
// a square further: then the grid is no part of another, whatever the mask takes to be one beside it.
func (m *maps) standsAlone(g *grid, marks []mark) bool {
	if g.nodes < lattice*lattice || g.speaks < aloneSpeaks {
		return false
	}
	for i := range lattice {
		for _, at := range [...][2]int{{i, -1}, {i, lattice}, {-1, i}, {lattice, i}} {
			p, pitch := latticePoint(&g.camera, at[0], at[1])
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
func (g *grid) convinces() bool { return g.shared > 0.9 && g.nodes >= 16 && g.speaks >= leastSpeaks }

// score is what speaks for a grid: lattice that stands alone more than any mask.
func (g *grid) score() float64 {
	sum := 2*g.shared + g.speaks/(lattice*lattice)
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
func (m *maps) latticePeaks() []mark {
	ch := m.channel(chLattice)
	least := float32(math.Log(0.2 / 0.8))
	var out []mark
	for y := 0; y < m.in[1]; y++ {
		for x := 0; x < m.in[0]; x++ {
			v := ch[y*m.w+x]
			if v <= least || !m.highest(ch, x, y) {
				continue
			}
			fx, fy := 0.5, 0.5
			if x > 0 && x < m.w-1 {
				fx += vertex(ch[y*m.w+x-1], v, ch[y*m.w+x+1])
			}
			if y > 0 && y < m.h-1 {
				fy += vertex(ch[(y-1)*m.w+x], v, ch[(y+1)*m.w+x])
			}
			out = append(out, mark{m.picture(float64(x)+fx, float64(y)+fy), sigmoid(float64(v))})
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
func (m *maps) fitGrid(cam calibration.Camera, q *[4]table.Point, marks, all []mark) grid {
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
			return grid{}
		}
		fit = calibration.Refine(fit.Camera, sights)
	}
	g := grid{camera: fit.Camera, nodes: matched, rms: fit.RMS, sights: sights}
	var c [4]table.Point
	for i, p := range fit.Camera.Corners() {
		if math.IsNaN(p.X) {
			return grid{}
		}
		c[i].X, c[i].Y = m.cell(p)
	}
	if len(marks) < len(all) {
		_, g.nodes = m.match(&g.camera, all, fitReach[len(fitReach)-1])
	}
	g.speaks = m.speak(&g.camera, all)
	g.shared = m.overlap(c)
	g.alone = m.standsAlone(&g, all)
	return g
}

// match pairs lattice points with marks, each mark at most once, nearest first.
func (m *maps) match(cam *calibration.Camera, marks []mark, reach float64) (sights []calibration.Sight, matched int) {
	cell := cellSize / m.scale
	for i := 0; i < lattice; i++ {
		for j := 0; j < lattice; j++ {
			p, pitch := latticePoint(cam, i, j)
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
func (g *grid) number() {
	best, least := 0, math.Inf(1)
	for k, c := range g.camera.Corners() {
		if v := c.X + c.Y*1.0001; v < least {
			best, least = k, v
		}
	}
	g.turn(best)
}

// turn numbers the grid from its corner k.
func (g *grid) turn(k int) {
	g.camera = g.camera.Turned(k)
	for i := range g.sights {
		s := &g.sights[i]
		for range k {
			s.X, s.Y = s.Y, table.Size-s.X
		}
	}
}

// Dice stand about the middles of their squares: where they cover the lattice,
// they are what tells the grid's place.
const (
	leastStanding = 5    // dice that tell it better than none
	standing      = 0.12 // usual distance from the middle, in squares
)

// byDice draws the camera tight by the dice that stand on the grid, tops at height h.
func (g *grid) byDice(dice []placed, h float64) {
	sights := append([]calibration.Sight(nil), g.sights...)
	n := 0
	for i := range dice {
		d := &dice[i]
		if d.square == nil || d.score < sureScore || d.off > 0.4 || d.lies() {
			continue
		}
		x, y := float64(d.square.Col)+0.5, float64(d.square.Row)+0.5
		a, b := g.camera.Project(x-0.5, y-0.5, h), g.camera.Project(x+0.5, y+0.5, h)
		pitch := math.Hypot(a.X-b.X, a.Y-b.Y) / math.Sqrt2
		sights = append(sights, calibration.Sight{X: x, Y: y, Height: h, At: d.at, Sigma: standing * pitch})
		n++
	}
	if n < leastStanding || len(g.sights) == 0 {
		return
	}
	g.camera = calibration.Refine(g.camera, sights).Camera
}
