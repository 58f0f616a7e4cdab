package vision

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// What is printed on a grid looks as ever, but a die that comes hides what was seen there. So on a
// table that is watched print is told from dice by how the grid looked where nothing stood.

const (
	groundCells  = 12  // along a square
	groundAround = 1   // squares beside the grid: tops hide what is behind them
	groundShare  = 0.8 // of what a top hides that must have been seen
	groundLeast  = 16  // cells that say whether they look as ever
	groundAsEver = 0.5 // share of what is seen about a lattice point that has not changed
	groundColor  = 0.1 // of its color, by which it may look otherwise
	groundDrift  = 1   // cells by which a grid may be found elsewhere
)

// groundFraming is a grid and what is around it, seen squarely from above.
var groundFraming = pixels.Framing{Size: groundCells * (table.Size + 2*groundAround), Margin: (table.Size + 2*groundAround) / float64(table.Size)}

// Ground is how a grid looks without dice on it. It is valid for one numbering of the
// squares. The zero value is empty.
type Ground struct {
	look []float32 // red, green and blue planes
	seen []bool    // cells
}

// markCame tells of tops how much likelier they have come than that they have always been there.
func (s *scene) markCame(tops []detect.Top) {
	if s.ground == nil {
		return
	}
	for i := range tops {
		t := &tops[i]
		if share, ok := s.ground.explains(s.fromAbove(), under(&s.grid.Camera, &t.Outline, 0)); ok && !t.Cut {
			t.Came = lowMost * max(1-2*share, 0)
		}
	}
}

// fromAbove is the grid and what is around it, seen squarely from above.
func (s *scene) fromAbove() []float32 {
	if s.above == nil {
		s.above = make([]float32, groundFraming.Values())
		s.px.Crop(groundFraming, s.grid.Camera.Corners(), s.above)
	}
	return s.above
}

// learn takes in how the grid looks but for what dice may hide.
func (g *Ground) learn(s *scene, dice []*placed) {
	n := groundFraming.Size
	if g.look == nil {
		g.look, g.seen = make([]float32, groundFraming.Values()), make([]bool, n*n)
	}
	hides := make([]bool, n*n)
	for _, d := range dice {
		for _, i := range under(&s.grid.Camera, &d.Outline, 0, topHeight(s.kit.Layout, s.side)) {
			hides[i] = true
		}
	}
	for i := range hides {
		if len(s.obs.Hidden) > 0 {
			x, y := (float64(i%n)+0.5)/groundCells-groundAround, (float64(i/n)+0.5)/groundCells-groundAround
			covered, _ := s.over(s.grid.Camera.Project(x, y, 0))
			hides[i] = hides[i] || covered
		}
	}
	for i, v := range s.fromAbove() {
		if cell := i % (n * n); !hides[cell] {
			g.look[i], g.seen[cell] = v, true
		}
	}
}

// under are the cells that are hidden by what reaches from one height to the other under an outline.
func under(cam *calibration.Camera, outline *[4]table.Point, heights ...float64) (cells []int) {
	var at []table.Point
	for _, h := range heights {
		for _, o := range outline {
			x, y, ok := cam.Place(o, h)
			if !ok {
				return nil
			}
			at = append(at, table.Point{X: (x + groundAround) * groundCells, Y: (y + groundAround) * groundCells})
		}
	}
	hull := geometry.ConvexHull(at)
	x0, y0, x1, y1 := groundFraming.Size, groundFraming.Size, 0, 0
	for _, p := range hull {
		x0, y0, x1, y1 = min(x0, int(p.X)), min(y0, int(p.Y)), max(x1, int(p.X)+1), max(y1, int(p.Y)+1)
	}
	for y := max(y0, 0); y < min(y1, groundFraming.Size); y++ {
		for x := max(x0, 0); x < min(x1, groundFraming.Size); x++ {
			if geometry.Within(hull, table.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
				cells = append(cells, y*groundFraming.Size+x)
			}
		}
	}
	return cells
}

// asEver says whether it looks about a lattice point as it did before.
func (s *scene) asEver(row, col int) bool {
	const reach = groundCells / 3
	return s.looksAsEver(cellsIn(row*groundCells-reach, col*groundCells-reach, 2*reach))
}

// emptyAsEver says whether a square looks as it did when nothing stood on it; ok where that was seen.
func (s *scene) emptyAsEver(q table.Square) (is, ok bool) {
	const beyond = 2
	cells := cellsIn(q.Row*groundCells-beyond, q.Col*groundCells-beyond, groundCells+2*beyond)
	if s.ground == nil || s.ground.seen == nil {
		return false, false
	}
	_, ok = s.ground.explains(s.fromAbove(), cells)
	return ok && s.looksAsEver(cells), ok
}

// cellsIn is the cells of a square part of the ground, of which the grid's first corner is 0, 0.
func cellsIn(row, col, side int) (cells []int) {
	for dy := range side {
		for dx := range side {
			cells = append(cells, (row+dy+groundAround*groundCells)*groundFraming.Size+col+dx+groundAround*groundCells)
		}
	}
	return cells
}

// looksAsEver says whether cells look as they did before: by what is seen there, in whatever light, or by their color.
func (s *scene) looksAsEver(cells []int) bool {
	g := s.ground
	if g == nil || g.seen == nil {
		return false
	}
	now := s.fromAbove()
	var was, is classify.RGB
	plane := groundFraming.Size * groundFraming.Size
	for _, i := range cells {
		for c := range was {
			if g.seen[i] {
				was[c] += g.look[c*plane+i]
				is[c] += now[c*plane+i]
			}
		}
	}
	share, ok := g.explains(now, cells)
	return ok && (share >= groundAsEver || is.OffFrom(was) < groundColor)
}

// explains says which share of what is seen in cells now is what was seen there before, in
// whatever light; not ok where too little of it was seen.
func (g *Ground) explains(now []float32, cells []int) (share float64, ok bool) {
	n, known := groundFraming.Size, cells[:0:0]
	for _, i := range cells {
		x, y := i%n, i/n
		if g.seen != nil && g.seen[i] && min(x, y) >= groundDrift && max(x, y) < n-groundDrift {
			known = append(known, i)
		}
	}
	if len(known) < groundLeast || float64(len(known)) < groundShare*float64(len(cells)) {
		return 0, false
	}
	return nearLook(g.look, now, known, 0), true
}

// nearLook is the same as sameLook, for a grid that may have been found a cell elsewhere.
func nearLook(before, now []float32, cells []int, away int) (share float64) {
	for dy := -groundDrift; dy <= groundDrift; dy++ {
		for dx := -groundDrift; dx <= groundDrift; dx++ {
			share = max(share, sameLook(before, now, cells, away+dy*groundFraming.Size+dx))
		}
	}
	return share
}

// sameLook is which share of the contrasts in cells now those of before explain that lie as far away
// as that: the square of their correlation, where they are not contrary.
func sameLook(before, now []float32, cells []int, away int) float64 {
	var pp, pq, qq float64
	plane, n := groundFraming.Size*groundFraming.Size, float64(len(cells))
	for c := range 3 {
		was, is := before[c*plane:(c+1)*plane], now[c*plane:(c+1)*plane]
		var p, q float64
		for _, i := range cells {
			a, b := float64(was[i+away]), float64(is[i])
			p, q, pp, pq, qq = p+a, q+b, pp+a*a, pq+a*b, qq+b*b
		}
		pp, pq, qq = pp-p*p/n, pq-p*q/n, qq-q*q/n
	}
	if pq <= 0 {
		return 0
	}
	return min(pq*pq/math.Max(pp*qq, 1e-12), 1)
}
