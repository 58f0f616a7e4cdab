package register

import "slices"

// Small shadows with soft edges, of leaves or of fingers over a lamp, are finer than the cells of the light. They are told from
// things by their edges: the light comes and goes gradually, so a finer light explains such a shadow from its rim to its middle; where a
// thing begins, the light would have to jump. So a finer gain is followed from where the light is known into what it does not
// explain, as far as there is no jump. What lies behind a jump is a thing, and is not the light's.

const (
	// shadeCells is how many cells of the finer gain there are to one of the light, along each side.
	shadeCells = 3
	// mostUnlike is which share of a cell's pixels the light may leave unexplained that it is known in.
	mostUnlike = 0.1
	// unlikely is how little a pixel counts that the light does not explain: it is off by more than lightDoubt.
	unlikely = 0.25
	// leastShade is how many cells a shadow has at least.
	leastShade = 6
	// mostShade bounds the logarithm of the finer gain.
	mostShade = 1
	// mostTint is by how much of it the colors of a shadow may differ.
	mostTint = 0.4
	// evenTint is how much more they may: a few gray levels.
	evenTint = 0.04
	// mostSlope is by how much the finer gain may differ from one cell to the next.
	mostSlope = 0.4
	// softEdge is how many times as long as its jumps the rest of a shadow's edge must be.
	softEdge = 3
	// shadeRounds is how often what is left over is added to the finer gain.
	shadeRounds = 2
	// fillSweeps is how often the gain is spread behind jumps.
	fillSweeps = 6
)

// shade is a finer gain over a picture, as logarithms at the middles of cells, beside that of the light.
type shade struct {
	cols, rows int
	is         bool
	gain       [][3]float32
	cells      []shadeCell
	place      []int // scratch of follow
}

// shadeCell is what the pixels of a cell tell.
type shadeCell struct {
	weight       float32    // of what its pixels tell of the light,
	sum          [3]float32 // and that, by how much the logarithms are off it
	like, unlike part       // of its pixels: those that the light explains, and those that it does not
	calm         bool       // it was explained without the finer gain
	asked        bool       // it is not, or one near it is not
	seen         bool       // it was followed
	taken        bool       // it is in a place with soft edges
}

// part is how many pixels there are of a kind, and what the light leaves over of them.
type part struct {
	n   float32
	sum [3]float32
}

func (s *shade) shape(cols, rows int) {
	*s = shade{cols: cols, rows: rows, gain: make([][3]float32, cols*rows), cells: make([]shadeCell, cols*rows)}
}

// known says whether the light explains what a cell shows.
func (c *shadeCell) known() bool {
	return c.like.n > 0 && c.unlike.n <= mostUnlike*(c.like.n+c.unlike.n)
}

// findShade finds the finer gain where the light does not explain a frame. The cells have been counted with the light.
func (l *light) findShade(ref, now []byte, known []bool, width int) {
	s := &l.shade
	strange := 0
	for k := range s.cells {
		c := &s.cells[k]
		if c.calm = c.known(); !c.calm {
			strange++
			s.near(k, func(j int) { s.cells[j].asked = true })
		}
	}
	if strange < leastShade || strange == len(s.cells) {
		return
	}
	s.is = true
	for range shadeRounds {
		s.add()
		l.compare(ref, now, known, width)
	}
	s.reach()
	s.fill()
}

// count counts what a pixel tells: by how much its gain is off the light, and whether that explains it.
func (c *shadeCell) count(weight float32, tells, g *[3]float32) {
	p := &c.like
	if weight < unlikely {
		p = &c.unlike
	}
	p.n++
	for c := range tells {
		p.sum[c] += tells[c] - g[c]
	}
}

// compare counts the cells that are asked.
func (l *light) compare(ref, now []byte, known []bool, width int) {
	s, height := &l.shade, len(l.bands)
	for k := range s.cells {
		s.cells[k].like, s.cells[k].unlike = part{}, part{}
	}
	var g [3]float32
	for y := lightStep / 2; y < height; y += lightStep {
		row := s.cells[y*s.rows/height*s.cols:][:s.cols]
		if !slices.ContainsFunc(row, func(c shadeCell) bool { return c.asked }) {
			continue
		}
		l.row(y, width, height)
		for x := lightStep / 2; x < width; x += lightStep {
			i, c := y*width+x, &row[x*s.cols/width]
			if !c.asked || !known[i] || !usable(ref[3*i:], now[3*i:]) {
				continue
			}
			l.along(x, &g)
			w, tells := l.counts(ref[3*i:], now[3*i:], &g)
			c.count(w, &tells, &g)
		}
	}
}

// add takes what is left over on average into the gain: in a cell that is calm of what the light explains, as the edge of a thing
// may lie in it.
func (s *shade) add() {
	for k := range s.gain {
		c := &s.cells[k]
		if !c.asked {
			continue
		}
		p := c.like
		if !c.calm {
			p.n += c.unlike.n
			for i := range p.sum {
				p.sum[i] += c.unlike.sum[i]
			}
		}
		if p.n == 0 {
			continue
		}
		for i := range p.sum {
			s.gain[k][i] += p.sum[i] / p.n
		}
	}
}

// soft says whether a cell is explained by a gain that a shadow may have.
func (s *shade) soft(k int) bool {
	if !s.cells[k].known() {
		return false
	}
	g := &s.gain[k]
	least, most := min(g[0], g[1], g[2]), max(g[0], g[1], g[2])
	size := max(most, -least)
	return size <= mostShade && most-least <= evenTint+mostTint*size
}

// reach takes the places whose gain comes and goes gradually: at hardly any of their edge is there a jump.
func (s *shade) reach() {
	s.is = false
	for k := range s.cells {
		if c := &s.cells[k]; !c.calm && !c.seen && s.soft(k) {
			s.follow(k)
		}
	}
}

// follow follows a gain from one cell on through those that are not calm, and takes that place if its edges are soft.
func (s *shade) follow(k int) {
	soft, jumps := 0, 0
	s.place = append(s.place[:0], k)
	s.cells[k].seen = true
	for i := 0; i < len(s.place); i++ {
		k := s.place[i]
		s.around(k, func(j int) {
			c := &s.cells[j]
			switch {
			case !c.calm && !s.soft(j) || !s.gradual(k, j):
				jumps++
			case c.calm:
				soft++
			case !c.seen:
				c.seen = true
				s.place = append(s.place, j)
			}
		})
	}
	if len(s.place) < leastShade || soft < softEdge*jumps {
		return
	}
	s.is = true
	for _, k := range s.place {
		s.cells[k].taken = true
		s.near(k, func(j int) {
			if s.cells[j].calm { // it fades out there
				s.cells[j].taken = true
			}
		})
	}
}

// gradual says whether the gain changes from one cell to the next as at the edge of a soft shadow.
func (s *shade) gradual(k, j int) bool {
	a, b := &s.gain[k], &s.gain[j]
	return max(absolute(a[0]-b[0]), absolute(a[1]-b[1]), absolute(a[2]-b[2])) <= mostSlope
}

// near gives the cells that are two away or less.
func (s *shade) near(k int, f func(k int)) {
	const far = 2
	x, y := k%s.cols, k/s.cols
	for j := max(y-far, 0); j <= min(y+far, s.rows-1); j++ {
		for i := max(x-far, 0); i <= min(x+far, s.cols-1); i++ {
			f(j*s.cols + i)
		}
	}
}

// around gives the cells beside one.
func (s *shade) around(k int, f func(k int)) {
	if k%s.cols > 0 {
		f(k - 1)
	}
	if k%s.cols < s.cols-1 {
		f(k + 1)
	}
	if k >= s.cols {
		f(k - s.cols)
	}
	if k+s.cols < len(s.cells) {
		f(k + s.cols)
	}
}

// fill has the gain in the places that were taken alone, and spreads it into things beside them: a shadow falls on those, too.
func (s *shade) fill() {
	for k := range s.cells {
		if !s.cells[k].taken {
			s.gain[k] = [3]float32{}
		}
	}
	if !s.is {
		return
	}
	for range fillSweeps {
		for k := range s.cells {
			if c := &s.cells[k]; c.taken || c.calm {
				continue
			}
			var sum [3]float32
			n := float32(0)
			s.around(k, func(j int) {
				n++
				for i, g := range s.gain[j] {
					sum[i] += g
				}
			})
			for i := range sum {
				s.gain[k][i] = sum[i] / n
			}
		}
	}
}
