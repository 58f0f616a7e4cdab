package lattice

import (
	"cmp"
	"math"
	"slices"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
)

// What lies between two neighboring squares looks alike all over a board of tiles, whatever it is: a
// groove, a strip of the ground, a mere step from dark to light. How colors run from the middle of a
// square to the next one's is compared with how they run elsewhere: where a gap is seen again two
// squares lie side by side, where plain ground runs on they do not, and where anything else is seen,
// dice hide it.

const (
	gapSteps   = 21  // samples from a square's middle to the next's,
	gapAcross  = 9   // and across
	gapWide    = 0.6 // squares that these reach across
	gapInner   = 6   // samples at either end that show what is printed on the squares
	gapShift   = 3   // samples by which a gap may lie off its place
	gapLeast   = 0.4 // share of the usual contrast that a gap has,
	gapMost    = 2.2 // at most
	gapRest    = 0.7 // and what differs from the usual look, over that
	plainMost  = 0.5 // contrast of plain ground, over that of a gap
	alikeGaps  = 3   // from which on a look is a gap's
	leastLook  = 3.0 // contrast, squared, of a look that is no noise
	lookSpread = 4.0 // samples on either side of a gap that its look is told by
)

// gapRun is how colors run from a square's middle to the next one's, and gapLook the part of it about the
// gap, less its mean.
type (
	gapRun  [gapSteps][3]float64
	gapLook [gapSteps - 2*gapInner][3]float64
)

// look is the part of a run that lies so many samples further on.
func (r *gapRun) look(shift int) (g gapLook) {
	copy(g[:], r[gapInner+shift:])
	var mean [3]float64
	for i := range g {
		for c := range mean {
			mean[c] += g[i][c] * lookWeight[i]
		}
	}
	for i := range g {
		for c := range mean {
			g[i][c] -= mean[c]
		}
	}
	return g
}

// lookWeight is how much each sample of a look says: its ends may show print or a die's foot.
var lookWeight = func() (w [gapSteps - 2*gapInner]float64) {
	sum := 0.0
	for i := range w {
		d := (float64(i) - float64(len(w)-1)/2) / lookSpread
		w[i] = math.Exp(-d * d / 2)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}()

func (g *gapLook) dot(o *gapLook) (sum float64) {
	for i := range g {
		for c := range g[i] {
			sum += g[i][c] * o[i][c] * lookWeight[i]
		}
	}
	return sum
}

// UsualLook is the median of looks, number by number.
func UsualLook(gaps []Gap) (g gapLook) {
	looks := make([]gapLook, len(gaps))
	for k := range gaps {
		looks[k] = gaps[k].Run.look(gaps[k].shift)
	}
	v := make([]float64, len(looks))
	for i := range g {
		for c := range g[i] {
			for k := range looks {
				v[k] = looks[k][i][c]
			}
			g[i][c] = geometry.Median(v)
		}
	}
	return g
}

// Gap lies between a square and the next one in its row, or in its column (down).
type Gap struct {
	Row, Col int
	Down     bool
	Run      gapRun
	shift    int // samples of the run by which it is seen off its place
}

// Next is the square on the other side.
func (g *Gap) Next() [2]int {
	if g.Down {
		return [2]int{g.Row + 1, g.Col}
	}
	return [2]int{g.Row, g.Col + 1}
}

// turned says that a run goes up the row or column: it leads from a chessboard's dark squares to the
// light ones everywhere.
func (g *Gap) turned() bool { return (g.Row+g.Col)&1 != 0 }

// place is where a share of the way from square to square lies, and so far across it.
func (g *Gap) place(along, across float64) table.Point {
	x, y := float64(g.Col)+0.5+along, float64(g.Row)+0.5+across
	if g.Down {
		x, y = float64(g.Col)+0.5+across, float64(g.Row)+0.5+along
	}
	return table.Point{X: x, Y: y}
}

// seenAt is where the gap is seen, in squares.
func (g *Gap) seenAt() table.Point {
	off := float64(g.shift) / (gapSteps - 1)
	if g.turned() {
		off = -off
	}
	return g.place(0.5+off, 0)
}

// Sample runs over a gap; false where that is out of the view. at leads from squares to the view.
func (v *view) Sample(g *Gap, at func(table.Point) table.Point) bool {
	var across [3][gapAcross]float64
	for i := range g.Run {
		along := float64(i) / (gapSteps - 1)
		if g.turned() {
			along = 1 - along
		}
		for k := range gapAcross {
			color, ok := v.color(at(g.place(along, gapWide*(float64(k)/(gapAcross-1)-0.5))))
			if !ok {
				return false
			}
			for c := range color {
				across[c][k] = color[c]
			}
		}
		for c := range across {
			slices.Sort(across[c][:])
			g.Run[i][c] = across[c][gapAcross/2]
		}
	}
	return true
}

// Over leads from a grid's squares to the view.
func (v *view) Over(cam *calibration.Camera) func(table.Point) table.Point {
	return func(p table.Point) table.Point {
		p = cam.Project(p.X, p.Y, 0)
		return table.Point{X: p.X / v.far, Y: p.Y / v.far}
	}
}

// color is what the view shows between its pixels.
func (v *view) color(p table.Point) (color [3]float64, ok bool) {
	x, y := p.X-0.5, p.Y-0.5
	if !(x >= 0 && y >= 0 && x < float64(v.width-1) && y < float64(v.height-1)) {
		return color, false
	}
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	up := v.data[3*(y0*v.width+x0):]
	down := v.data[3*((y0+1)*v.width+x0):]
	for c := range color {
		a := float64(up[c])*(1-fx) + float64(up[c+3])*fx
		b := float64(down[c])*(1-fx) + float64(down[c+3])*fx
		color[c] = a*(1-fy) + b*fy
	}
	return color, true
}

// gapState is what is seen where a gap may be.
type gapState int

const (
	gapHidden gapState = iota // something else
	GapSeen
	gapPlain // the ground runs on
	gapOut   // it is out of the view
)

// State compares a run with the usual look of gaps, and tells by how much the gap lies off its place.
func (r *gapRun) State(usual *gapLook) (state gapState, shift int) {
	whole, least := usual.dot(usual), math.Inf(1)
	for s := -gapShift; s <= gapShift; s++ {
		g := r.look(s)
		share := g.dot(usual) / whole
		rest := math.Sqrt(max(g.dot(&g)/whole-share*share, 0)) / share
		if share > gapLeast && share < gapMost && rest < gapRest && rest < least {
			state, shift, least = GapSeen, s, rest
		}
	}
	if g := r.look(0); state != GapSeen && g.dot(&g) < plainMost*plainMost*whole {
		state = gapPlain
	}
	return state, shift
}

// LikeMost are those gaps that look like most others. They are nowhere off their places in common.
func LikeMost(gaps []Gap) (most []Gap) {
	for i := range gaps {
		usual := gaps[i].Run.look(0)
		if usual.dot(&usual) < leastLook {
			continue
		}
		var seen []Gap
		var shifts []float64
		for _, g := range gaps {
			var state gapState
			if state, g.shift = g.Run.State(&usual); state == GapSeen {
				seen = append(seen, g)
				shifts = append(shifts, float64(g.shift))
			}
		}
		if len(seen) <= len(most) {
			continue
		}
		most = seen
		middle := int(geometry.Median(shifts))
		for k := range most {
			most[k].shift = min(max(most[k].shift-middle, -gapShift), gapShift)
		}
	}
	return most
}

// inOrder sorts gaps, as sums must not depend on a map's order.
func inOrder(gaps []Gap) []Gap {
	slices.SortFunc(gaps, func(a, b Gap) int {
		down := func(g Gap) int {
			if g.Down {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col), cmp.Compare(down(a), down(b)))
	})
	return gaps
}
