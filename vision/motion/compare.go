package motion

import (
	"slices"

	"diceref/vision/register"
)

// When two thumbs differ in a place. Gray levels are of 255.
const (
	// changeGray is by how much a place must differ in a well exposed picture. Less takes soft shadows for things,
	// more overlooks dark dice on dark cloth.
	changeGray = 12
	// leastGray is by how much in the least light: a codec has its own way with what is nearly black.
	leastGray = 5
	// changeEdge is by how many percent of the contrast around it a place must differ on top: more stands
	// frames that are laid on each other less well, less sees smaller things beside edges.
	changeEdge = 35
	// noiseScale is by how many times the noise of this camera a place must differ: 5 is beyond chance.
	noiseScale = 5
	// mostNoise is what is taken for noise at most, gray levels.
	mostNoise = 5
	// minPiece is how many places must hang together; fewer are noise.
	minPiece = 3
	// faintPiece is how many must where they differ by little more than noise: about as many as on a die with a new face.
	faintPiece = 8
	// cell is the side of the cells, in pixels, by which places hang together.
	cell = 2
	// dark is a gray level below which a camera tells no difference.
	dark = 12
)

// keep makes to a copy of a thumb.
func keep(to, t *register.Thumb) {
	to.Width, to.Height, to.Exposure = t.Width, t.Height, t.Exposure
	to.Pix, to.Known, to.Burnt = append(to.Pix[:0], t.Pix...), append(to.Known[:0], t.Known...), append(to.Burnt[:0], t.Burnt...)
}

// contrast is how much a pixel differs from its neighbors, gray levels.
func contrast(t *register.Thumb, x, y int) int32 {
	i, row := 3*(y*t.Width+x), 3*t.Width
	most := int32(0)
	if x > 0 {
		most = max(most, step(t.Pix, i, i-3))
	}
	if x < t.Width-1 {
		most = max(most, step(t.Pix, i, i+3))
	}
	if y > 0 {
		most = max(most, step(t.Pix, i, i-row))
	}
	if i+row < len(t.Pix) {
		most = max(most, step(t.Pix, i, i+row))
	}
	return most
}

// step is the difference between two pixels, in the channel where it is largest.
func step(pix []byte, i, j int) int32 {
	a, b := pix[i:i+3:i+3], pix[j:j+3:j+3]
	return max(apart(a[0], b[0]), apart(a[1], b[1]), apart(a[2], b[2]))
}

func apart(a, b byte) int32 { return max(int32(a)-int32(b), int32(b)-int32(a)) }

// piece is places that differ and hang together.
type piece struct {
	size   float64 // pixels
	border bool    // it reaches the border of what is in view
	aside  bool    // it is where nothing matters
}

// difference is how one thumb differs from another.
type difference struct {
	pieces []piece
	of     []int32 // for each cell: 1 more than the number of its piece, 0 where nothing differs
	pixels float64 // of the thumb
	middle float64 // the median of all differences, gray levels
}

// share is how much of the picture differs, 0 to 1.
func (d *difference) share() (sum float64) {
	for _, p := range d.pieces {
		sum += p.size
	}
	return sum / d.pixels
}

// matters says whether anything differs where it matters.
func (d *difference) matters() bool {
	return slices.ContainsFunc(d.pieces, func(p piece) bool { return !p.aside })
}

// border is the share of the largest piece that reaches the border, of those that lie aside or of the others.
func (d *difference) border(aside bool) (most float64) {
	for _, p := range d.pieces {
		if p.border && p.aside == aside {
			most = max(most, p.size)
		}
	}
	return most / d.pixels
}

// comparer compares thumbs of one camera. It owns the memory that this takes.
type comparer struct {
	noise float64 // the median difference of two frames, gray levels
	heed  []bool  // by cells: where it matters; nil: everywhere
	count []int32 // pixels that differ in each cell
	stack []int32
}

// learn takes a difference of two frames into account for the noise. The middle one of
// all differences is noise even while a hand moves, as that covers less than half.
func (c *comparer) learn(d *difference) { c.noise += 0.2 * (min(d.middle, mostNoise) - c.noise) }

// compare finds where a thumb differs from another, into d.
func (c *comparer) compare(ref, now *register.Thumb, d *difference) {
	c.measure(ref, now, d, c.floor(now))
	c.join(ref, now, d, nil, minPiece)
}

// faintly finds where a thumb differs from another by more than noise, be it less than compare asks. Soft shadows differ so, too.
func (c *comparer) faintly(ref, now *register.Thumb, d *difference, covered []bool) {
	c.measure(ref, now, d, max(leastGray, noiseScale*c.noise))
	c.join(ref, now, d, covered, faintPiece)
}

// floor is by how many gray levels a place must differ.
func (c *comparer) floor(now *register.Thumb) float64 {
	return max(changeGray*now.Exposure, leastGray, noiseScale*c.noise)
}

// measure counts what differs by more than so many gray levels, for join.
func (c *comparer) measure(ref, now *register.Thumb, d *difference, least float64) {
	cw, ch := (now.Width+cell-1)/cell, (now.Height+cell-1)/cell
	if len(c.count) != cw*ch {
		c.count = make([]int32, cw*ch)
	}
	clear(c.count)
	floor := int32(least + 0.5)
	var count [256]int
	for y := range now.Height {
		from, to := y*now.Width, (y+1)*now.Width
		counts, was, is := c.count[y/cell*cw:], ref.Pix[3*from:3*to], now.Pix[3*from:3*to]
		wasKnown, isKnown, wasBurnt, isBurnt := ref.Known[from:to], now.Known[from:to], ref.Burnt[from:to], now.Burnt[from:to]
		for x := range wasKnown {
			if !wasKnown[x] || !isKnown[x] {
				count[0]++
				continue
			}
			a, b := was[3*x:3*x+3:3*x+3], is[3*x:3*x+3:3*x+3]
			light, most := compared(a, b)
			if most > 0 && (light < dark || wasBurnt[x]|isBurnt[x] != 0) {
				most = unlike(a, b, wasBurnt[x], isBurnt[x])
			}
			count[most&255]++ // never more: the compiler need not check it
			if off := int32(most); off > floor && off > floor+contrast(ref, x, y)*changeEdge/100 {
				counts[x/cell]++
			}
		}
	}
	d.pixels = float64(now.Width * now.Height)
	d.middle = middleOf(&count, now.Width*now.Height)
}

// compared takes two pixels channel by channel, the brighter of both values in each: light is the least of these, most the largest
// difference. Nearly all pixels of a still table are done with that; unlike has to look at the others.
func compared(a, b []byte) (light, most int) {
	p, q, r := int(a[0]), int(a[1]), int(a[2])
	u, v, w := int(b[0]), int(b[1]), int(b[2])
	return min(max(p, u), max(q, v), max(r, w)), max(max(p, u)-min(p, u), max(q, v)-min(q, v), max(r, w)-min(r, w))
}

// unlike is how far apart two pixels are, as far as a camera can tell: a color that was too bright may be
// brighter than it is given.
func unlike(a, b []byte, aBurnt, bBurnt register.Colors) (most int) {
	for c, p := range a {
		q, color := b[c], register.Colors(1)<<c
		if max(p, q) < dark || aBurnt&color != 0 && q >= p || bBurnt&color != 0 && p >= q {
			continue
		}
		most = max(most, int(apart(p, q)))
	}
	return most
}

// join makes pieces of the cells that differ, each of so many pixels at least. What one of the thumbs does not show, or is covered, is
// beyond the border.
func (c *comparer) join(ref, now *register.Thumb, d *difference, covered []bool, least float64) {
	cw, ch := (now.Width+cell-1)/cell, (now.Height+cell-1)/cell
	hides := func(k int) bool { return covered != nil && covered[k] }
	shown := func(x, y int) bool {
		i := min(y*cell, now.Height-1)*now.Width + min(x*cell, now.Width-1)
		return now.Known[i] && ref.Known[i] && !hides(y*cw+x)
	}
	if len(d.of) != cw*ch {
		d.of = make([]int32, cw*ch)
	}
	clear(d.of)
	d.pieces = d.pieces[:0]
	for start := range c.count {
		if c.count[start] == 0 || d.of[start] != 0 || hides(start) {
			continue
		}
		p, id := piece{aside: len(c.heed) == cw*ch}, int32(len(d.pieces)+1)
		d.of[start] = id
		c.stack = append(c.stack[:0], int32(start))
		for n := 0; n < len(c.stack); n++ {
			at := int(c.stack[n])
			x, y := at%cw, at/cw
			p.size += float64(c.count[at])
			p.aside = p.aside && !c.heed[at]
			p.border = p.border || x == 0 || y == 0 || x == cw-1 || y == ch-1
			for ny := max(0, y-1); ny <= min(ch-1, y+1); ny++ {
				for nx := max(0, x-1); nx <= min(cw-1, x+1); nx++ {
					k := ny*cw + nx
					p.border = p.border || !shown(nx, ny)
					if c.count[k] > 0 && d.of[k] == 0 && !hides(k) {
						d.of[k] = id
						c.stack = append(c.stack, int32(k))
					}
				}
			}
		}
		if p.size < least {
			for _, at := range c.stack {
				d.of[at] = 0
				c.count[at] = 0
			}
			continue
		}
		d.pieces = append(d.pieces, p)
	}
}

// middleOf is the median of n values that were counted, taken as spread evenly within each value.
func middleOf(count *[256]int, n int) float64 {
	half := float64(n) / 2
	for v, c := range count {
		if half < float64(c) {
			return float64(v) + half/float64(c)
		}
		half -= float64(c)
	}
	return 255
}
