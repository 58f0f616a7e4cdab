package register

import "math"

// The light over a frame is told as a smooth gain for each color: how much brighter a place is than in the
// reference. Shadows with soft edges, lamps, what a camera does to exposure and white balance are that.
const (
	// lightCells is how many places along a picture's width the gain is told at. More follow the edges of
	// shadows better, and take what is as large as a cell for light sooner.
	lightCells = 16
	// lightDoubt is how far a gray level, its light divided out, may be off the reference before it counts little, of 255, where the
	// reference is well exposed; leastDoubt is what noise may be off in the least light.
	lightDoubt, leastDoubt = 8.0, 1.5
	// lightSmooth is how much neighboring cells hold each other: as a cell of which so large a share tells.
	lightSmooth = 0.03
	// tintSmooth is how much they hold each other's color: shadows make a place darker, and a lamp colors it all.
	tintSmooth = 0.3
	// lightRounds are how often it is told anew what counts, lightSweeps how often the cells are evened out then.
	lightRounds, lightSweeps = 3, 12
	// lightSteady is by how much of its logarithm the gain may still change anywhere when no further round is needed: a
	// gray level of 255.
	lightSteady = 0.004
	// mostGain bounds the logarithm of a gain.
	mostGain = 1.8
	// Gray levels that tell nothing of the light: a camera shows no brighter and no darker ones.
	tooBright, tooDark = 250, 6
)

// light is the gain over a picture, as logarithms at the middles of cells.
type light struct {
	cols, rows int
	doubt      float32 // lightDoubt in the reference's light
	gain       [][3]float32
	sum        [][3]float32 // of the logarithms that a frame tells, weighed
	weight     []float32
	bands      [][3]float32 // of each row of pixels, besides; see findBands
	shade      shade        // and what is finer; see findShade
	coarse     [][3]float32 // scratch of row,
	line       [][3]float32 // and the gain along a row of pixels, at the middles of the finer cells
	left       []int        // for each pixel along it the one left of it,
	within     []int        // the one that it is in,
	share      []float32    // and how far it is on the way to the next
	knots      [][3]float32 // scratch of unlitRow,
	unlit      []float32    // and what it gives
}

// shape makes the light ready for a picture; it is as the reference's where it was of another size.
func (l *light) shape(width, height int) {
	cols := lightCells
	rows := max((lightCells*height+width/2)/width, 2)
	if l.cols == cols && l.rows == rows && len(l.bands) == height {
		return
	}
	*l = light{cols: cols, rows: rows, doubt: l.doubt, bands: make([][3]float32, height), gain: make([][3]float32, cols*rows), sum: make([][3]float32, cols*rows), weight: make([]float32, cols*rows), coarse: make([][3]float32, cols)}
	l.shade.shape(shadeCells*cols, shadeCells*rows)
}

// fit finds the light of a frame that was laid on the reference.
func (l *light) fit(ref, now []byte, known []bool, width int) {
	height := len(ref) / 3 / width
	l.shape(width, height)
	clear(l.bands)
	clear(l.shade.gain)
	l.shade.is = false
	jump := l.jump(ref, now, known, width)
	if jump != [3]float32{} && l.tells(ref, now, known, width, jump) > clearlyBetter*l.tells(ref, now, known, width, [3]float32{}) {
		for i := range l.gain {
			for c := range jump {
				l.gain[i][c] += jump[c]
			}
		}
	}
	l.findBands(ref, now, known, width)
	for range lightRounds {
		l.gather(ref, now, known, width)
		if l.even() < lightSteady {
			break
		}
	}
	l.findShade(ref, now, known, width)
}

// steps of pixels of which one is asked for the light.
const lightStep = 2

// jump is by how much all over the gain has changed: the median.
func (l *light) jump(ref, now []byte, known []bool, width int) [3]float32 {
	var h medians
	l.each(width, len(ref)/3/width, func(i, _ int, g *[3]float32) {
		if known[i] && usable(ref[3*i:], now[3*i:]) {
			h.add(ref[3*i:], now[3*i:], g)
		}
	})
	by := h.middle()
	for c := range by {
		if math.Abs(float64(by[c])) > 0.03 {
			return by
		}
	}
	return [3]float32{}
}

// medians counts by how much pixels are brighter than the light makes them, as logarithms: in bins, from -2 to 2.
type medians struct {
	count [3][200]int32
	n     int32
}

func (h *medians) add(ref, now []byte, g *[3]float32) {
	h.n++
	for c := range h.count {
		d := logLevel[now[c]] - logLevel[ref[c]] - g[c]
		h.count[c][min(max(int((d+2)/4*float32(len(h.count[c]))), 0), len(h.count[c])-1)]++
	}
}

// middle is the medians of what was counted; 0 where that is nothing.
func (h *medians) middle() (by [3]float32) {
	if h.n == 0 {
		return by
	}
	for c := range by {
		left := h.n / 2
		for b, k := range &h.count[c] {
			if k > left {
				by[c] = (float32(b)+(float32(left)+0.5)/float32(k))/float32(len(h.count[c]))*4 - 2
				break
			}
			left -= k
		}
	}
	return by
}

// tells is how much of a frame the light explains when it is changed all over.
func (l *light) tells(ref, now []byte, known []bool, width int, by [3]float32) (sum float64) {
	l.each(width, len(ref)/3/width, func(i, _ int, g *[3]float32) {
		if known[i] && usable(ref[3*i:], now[3*i:]) {
			h := [3]float32{g[0] + by[0], g[1] + by[1], g[2] + by[2]}
			w, _ := l.counts(ref[3*i:], now[3*i:], &h)
			sum += float64(w)
		}
	})
	return sum
}

// gather sums up what the pixels tell of the light in each cell.
func (l *light) gather(ref, now []byte, known []bool, width int) {
	clear(l.sum)
	clear(l.weight)
	height, fine := len(ref)/3/width, l.shade.cells
	clear(fine)
	l.each(width, height, func(i, k int, g *[3]float32) {
		if !known[i] || !usable(ref[3*i:], now[3*i:]) {
			return
		}
		w, tells := l.counts(ref[3*i:], now[3*i:], g)
		c := &fine[k]
		c.count(w, &tells, g)
		c.weight += w
		for i := range tells {
			c.sum[i] += w * (tells[i] - g[i])
		}
	})
	full := float32(width*height) / float32(l.cols*l.rows*lightStep*lightStep)
	for i := range fine {
		c := &fine[i]
		k := i/l.shade.cols/shadeCells*l.cols + i%l.shade.cols/shadeCells
		l.weight[k] += c.weight / full
		for i := range c.sum {
			// What it is off the light here, the cell's middle is off as well.
			l.sum[k][i] += (c.weight*l.gain[k][i] + c.sum[i]) / full
		}
	}
}

// counts is how much a pixel counts for the light that may be there, and the logarithm of its gain.
func (l *light) counts(ref, now []byte, g *[3]float32) (weight float32, tells [3]float32) {
	off := float32(0)
	for c := range tells {
		tells[c] = logLevel[now[c]] - logLevel[ref[c]]
		off = max(off, float32(ref[c])*gap(tells[c]-g[c]))
	}
	if min(ref[0], ref[1], ref[2], now[0], now[1], now[2]) < tooDark {
		followBrightest(ref, now, g, &tells)
	}
	q := off / l.doubt
	w := 1 / (1 + q*q)
	return w * w, tells
}

// followBrightest is for colors in which a pixel is dark, as the blue of a red cloth. They tell little of the light, and are taken
// to be as far off it as the pixel's brightest color is.
func followBrightest(ref, now []byte, g, tells *[3]float32) {
	bright := 0
	for c := range tells {
		if min(ref[c], now[c]) > min(ref[bright], now[bright]) {
			bright = c
		}
	}
	by := tells[bright] - g[bright]
	for c := range tells {
		if min(ref[c], now[c]) < tooDark {
			tells[c] = g[c] + by
		}
	}
}

// gap is how far a level is from the reference's, as a share of that, where its logarithm is larger by d: d times the brighter of both.
func gap(d float32) float32 {
	if d <= 0 {
		return -d
	}
	return d * (1 + d*(1+d*(0.5+d*(1.0/6)))) // d times e^d, which is by its series
}

// even solves for the gain: each cell as its pixels tell, and like its neighbors, in its color more so than in how bright it is. What
// makes a place another color is a thing, then, and no light. It tells by how much the first sweep changes the gain at the most.
func (l *light) even() (most float32) {
	for sweep := range lightSweeps {
		for y := range l.rows {
			for x := range l.cols {
				k := y*l.cols + x
				sum, weight, n := l.sum[k], l.weight[k], float32(0)
				var around [3]float32
				add := func(j int) {
					n++
					for c := range around {
						around[c] += l.gain[j][c]
					}
				}
				if x > 0 {
					add(k - 1)
				}
				if x < l.cols-1 {
					add(k + 1)
				}
				if y > 0 {
					add(k - l.cols)
				}
				if y < l.rows-1 {
					add(k + l.cols)
				}
				told, near := (sum[0]+sum[1]+sum[2])/3, (around[0]+around[1]+around[2])/3
				gray := (told + lightSmooth*near) / (weight + lightSmooth*n)
				for c := range sum {
					tint := (sum[c] - told + tintSmooth*(around[c]-near)) / (weight + tintSmooth*n)
					g := min(max(gray+tint, -mostGain), mostGain)
					if sweep == 0 {
						most = max(most, absolute(g-l.gain[k][c]))
					}
					l.gain[k][c] = g
				}
			}
		}
		if most < lightSteady {
			break
		}
	}
	return most
}

// each gives every pixel that is asked, the number of its finer cell and the light there.
func (l *light) each(width, height int, f func(i, k int, g *[3]float32)) {
	var g [3]float32
	for y := lightStep / 2; y < height; y += lightStep {
		l.row(y, width, height)
		k := y * l.shade.rows / height * l.shade.cols
		for x := lightStep / 2; x < width; x += lightStep {
			l.along(x, &g)
			f(y*width+x, k+l.within[x], &g)
		}
	}
}

// row gets ready for along, which then gives what at does for the pixels of a row, and sooner.
func (l *light) row(y, width, height int) {
	fine := l.shade.cols
	if len(l.left) != width {
		l.left, l.share, l.within, l.line = make([]int, width), make([]float32, width), make([]int, width), make([][3]float32, fine)
		for x := range width {
			l.within[x] = x * fine / width
			l.left[x], l.share[x] = cellOf(x, width, fine)
		}
	}
	y0, ay := cellOf(y, height, l.rows)
	up, down := l.gain[y0*l.cols:(y0+1)*l.cols], l.gain[(y0+1)*l.cols:(y0+2)*l.cols]
	for k := range l.coarse {
		for c := range l.coarse[k] {
			l.coarse[k][c] = up[k][c] + ay*(down[k][c]-up[k][c]) + l.bands[y][c]
		}
	}
	for k := range l.line {
		x0, ax := cellOf(k, fine, l.cols)
		a, b := &l.coarse[x0], &l.coarse[x0+1]
		for c := range a {
			l.line[k][c] = a[c] + ax*(b[c]-a[c])
		}
	}
	if !l.shade.is {
		return
	}
	y0, ay = cellOf(y, height, l.shade.rows)
	up, down = l.shade.gain[y0*fine:(y0+1)*fine], l.shade.gain[(y0+1)*fine:(y0+2)*fine]
	for k := range l.line {
		for c := range l.line[k] {
			l.line[k][c] += up[k][c] + ay*(down[k][c]-up[k][c])
		}
	}
}

func (l *light) along(x int, g *[3]float32) {
	k, ax := l.left[x], l.share[x]
	a, b := &l.line[k], &l.line[k+1]
	g[0], g[1], g[2] = a[0]+ax*(b[0]-a[0]), a[1]+ax*(b[1]-a[1]), a[2]+ax*(b[2]-a[2])
}

// cellOf is the cell before a pixel's middle and how far that is on the way to the next, of so many pixels and cells.
func cellOf(i, pixels, cells int) (int, float32) {
	f := (float32(i)+0.5)*float32(cells)/float32(pixels) - 0.5
	k := min(max(int(f), 0), cells-2)
	return k, f - float32(k)
}

// at is the light at a pixel: between the middles of cells in a straight line, and on so beyond the outermost.
func (l *light) at(x, y, width, height int, g *[3]float32) {
	*g = l.bands[y]
	addCells(l.gain, l.cols, l.rows, x, y, width, height, g)
	if l.shade.is {
		addCells(l.shade.gain, l.shade.cols, l.shade.rows, x, y, width, height, g)
	}
}

// addCells adds what the cells around a pixel have.
func addCells(gain [][3]float32, cols, rows, x, y, width, height int, g *[3]float32) {
	x0, ax := cellOf(x, width, cols)
	y0, ay := cellOf(y, height, rows)
	k := y0*cols + x0
	a, b, p, q := &gain[k], &gain[k+1], &gain[k+cols], &gain[k+cols+1]
	for c := range g {
		up, down := a[c]+ax*(b[c]-a[c]), p[c]+ax*(q[c]-p[c])
		g[c] += up + ay*(down-up)
	}
}

var logLevel = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(math.Log(float64(max(i, 1))))
	}
	return t
}()

// usable says whether a pixel tells something of the light: in none of its colors is it burnt, and not all are dark.
func usable(a, b []byte) bool {
	return max(min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])) >= tooDark && max(a[0], a[1], a[2], b[0], b[1], b[2]) <= tooBright
}

func absolute(v float32) float32 { return max(v, -v) }
