package vision

import "math"

// When two thumbnails differ in a place. Gray levels are of 255.
const (
	changeGray = 12  // a place must differ by so much,
	changeEdge = 30  // and by so many percent of the contrast around it: a camera that trembles is no change,
	noiseScale = 5   // and by so many times the noise of this camera.
	mostNoise  = 5   // gray levels; more is no noise
	minPiece   = 3   // places that hang together; fewer are noise
	cell       = 2   // pixels: places that are so near hang together
	bright     = 245 // gray level above which a camera tells no difference
	dark       = 12  // and below which
)

// thumb is a small picture to compare with: BGR, row by row.
type thumb struct{ pix []byte }

// set makes the thumb a copy of a picture.
func (m *thumb) set(pix []byte) { m.pix = append(m.pix[:0], pix...) }

// contrast is how much a pixel differs from its neighbors, gray levels.
func (m *thumb) contrast(x, y, width int) int32 {
	i, row := 3*(y*width+x), 3*width
	most := int32(0)
	if x > 0 {
		most = max(most, m.step(i, i-3))
	}
	if x < width-1 {
		most = max(most, m.step(i, i+3))
	}
	if y > 0 {
		most = max(most, m.step(i, i-row))
	}
	if i+row < len(m.pix) {
		most = max(most, m.step(i, i+row))
	}
	return most
}

// step is the difference between two pixels, in the channel where it is largest.
func (m *thumb) step(i, j int) int32 {
	a, b := m.pix[i:i+3:i+3], m.pix[j:j+3:j+3]
	return max(apart(int32(a[0]), int32(b[0])), apart(int32(a[1]), int32(b[1])), apart(int32(a[2]), int32(b[2])))
}

func apart(a, b int32) int32 { return max(a-b, b-a) }

// difference is how one thumbnail differs from another once the light is made the same.
type difference struct {
	pieces int     // places that differ, each hanging together
	share  float64 // of the picture that differs, 0 to 1
	border float64 // share of the largest piece that reaches the picture's border
	most   float64 // share of the largest piece
	inside float64 // share of the pieces that do not
	middle float64 // the median of all differences, gray levels
	bumped bool    // laid on each other otherwise, the two look the same: the camera has moved
}

// comparer compares thumbnails of one camera. It owns the memory that this takes.
type comparer struct {
	width int
	noise float64 // the median difference of two frames, gray levels
	cells []int32 // pixels that differ in each cell; taken away as pieces are counted
	stack []int32
}

// learn takes a difference of two frames into account for the noise. The middle one of
// all differences is noise even while a hand moves, as that covers less than half.
func (c *comparer) learn(d difference) { c.noise += 0.2 * (min(d.middle, mostNoise) - c.noise) }

// compare finds where a picture differs from another.
func (c *comparer) compare(ref *thumb, pix []byte) difference {
	var want [3][256]int32 // what each gray level of ref would be in the light of pix
	for ch := range want {
		light := fitLight(ref.pix, pix, ch)
		for v := range want[ch] {
			want[ch][v] = int32(light.gain*float64(v) + light.offset)
		}
	}
	height := len(pix) / 3 / c.width
	cw, chh := (c.width+cell-1)/cell, (height+cell-1)/cell
	if len(c.cells) != cw*chh {
		c.cells = make([]int32, cw*chh)
	}
	clear(c.cells)
	floor := int32(max(changeGray, noiseScale*c.noise))
	var count [256]int
	for y := range height {
		row := c.cells[y/cell*cw:]
		from, to := ref.pix[3*y*c.width:3*(y+1)*c.width], pix[3*y*c.width:3*(y+1)*c.width]
		for x := range c.width {
			a, b := from[3*x:3*x+3:3*x+3], to[3*x:3*x+3:3*x+3]
			most := max(unlikeGray(&want[0], a[0], b[0]), unlikeGray(&want[1], a[1], b[1]), unlikeGray(&want[2], a[2], b[2]))
			count[min(most, 255)]++
			if most > floor && most > floor+ref.contrast(x, y, c.width)*changeEdge/100 {
				row[x/cell]++
			}
		}
	}
	d := c.pieces(cw, chh)
	pixels := float64(c.width * height)
	d.share /= pixels
	d.border /= pixels
	d.most /= pixels
	d.inside /= pixels
	d.middle = middleOf(&count, len(pix)/3)
	return d
}

// unlikeGray is how far a gray level is from what another one would be now, as far as a camera can
// tell: what was too bright may have been brighter than it showed.
func unlikeGray(want *[256]int32, was, is uint8) int32 {
	a, b := want[was], int32(is)
	if min(a, b) > bright || max(a, b) < dark || was > bright && b > a {
		return 0
	}
	return apart(a, b)
}

// pieces joins neighboring cells and counts, in pixels.
func (c *comparer) pieces(cw, chh int) difference {
	var d difference
	for start := range c.cells {
		if c.cells[start] == 0 {
			continue
		}
		var size float64
		border := false
		size += float64(c.cells[start])
		c.cells[start] = 0
		c.stack = append(c.stack[:0], int32(start))
		for len(c.stack) > 0 {
			at := int(c.stack[len(c.stack)-1])
			c.stack = c.stack[:len(c.stack)-1]
			x, y := at%cw, at/cw
			border = border || x == 0 || y == 0 || x == cw-1 || y == chh-1
			for ny := max(0, y-1); ny <= min(chh-1, y+1); ny++ {
				for nx := max(0, x-1); nx <= min(cw-1, x+1); nx++ {
					if n := ny*cw + nx; c.cells[n] > 0 {
						size += float64(c.cells[n])
						c.cells[n] = 0
						c.stack = append(c.stack, int32(n))
					}
				}
			}
		}
		if size < minPiece {
			continue
		}
		d.pieces++
		d.share += size
		d.most = max(d.most, size)
		if border {
			d.border = max(d.border, size)
		} else {
			d.inside += size
		}
	}
	return d
}

// linear is a change of the light: gain and offset.
type linear struct{ gain, offset float64 }

// fitLight finds the change of the light between two thumbnails in one channel, from the
// places where nothing else changed: first roughly by the medians, then twice by least squares.
func fitLight(from, to []byte, channel int) linear {
	a, b := middleGray(from, channel), middleGray(to, channel)
	l := linear{gain: min(max((b+4)/(a+4), 0.4), 2.5)}
	to = to[:len(from)]
	for _, gate := range [...]float64{30, 15} {
		least, most := l.near(gate)
		var n, sx, sy, sxx, sxy int
		for i := channel; i < len(from); i += 6 { // every other pixel is enough
			if x, y := from[i], to[i]; y >= least[x] && y <= most[x] {
				x, y := int(x), int(y)
				n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
			}
		}
		l = l.fitted(float64(n), float64(sx), float64(sy), float64(sxx), float64(sxy))
	}
	return l
}

// near tells for every gray level which ones it may be after the change, give or take a gate; none
// where a camera cannot tell.
func (l linear) near(gate float64) (least, most [256]uint8) {
	for v := range least {
		least[v], most[v] = 1, 0
		if v > bright || v < dark {
			continue
		}
		at := l.gain*float64(v) + l.offset
		from, to := max(math.Ceil(at-gate), dark), min(math.Floor(at+gate), bright)
		if from <= to {
			least[v], most[v] = uint8(from), uint8(to)
		}
	}
	return least, most
}

// fitted is the change that n gray levels before (x) and after (y) tell, by their sums; the same
// as before where they are too few, or all of one gray.
func (l linear) fitted(n, sx, sy, sxx, sxy float64) linear {
	if spread := sxx - sx*sx/max(n, 1); n < 50 || spread < n {
		return l
	}
	gain := (sxy - sx*sy/n) / (sxx - sx*sx/n)
	gain = min(max(gain, 0.4), 2.5)
	return linear{gain, (sy - gain*sx) / n}
}

// middleGray is the median of a channel.
func middleGray(pix []byte, channel int) float64 {
	var count [256]int
	for i := channel; i < len(pix); i += 6 {
		count[pix[i]]++
	}
	return middleOf(&count, (len(pix)/3+1)/2)
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
