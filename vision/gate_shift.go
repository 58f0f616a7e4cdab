package vision

import "math"

// How the camera's own movement between two thumbnails is found.
const (
	leastShift  = 0.15 // pixels at a corner of the picture; less is no movement
	goneShare   = 0.5  // of the difference may be left once the pictures lie on each other
	shiftLevels = 4    // each half the size of the one before
	shiftSteps  = 6    // per level
	coarseReach = 3    // pixels of the coarsest level that are tried each way
	sameGray    = 40.0 // gray levels; places that differ by much more hardly count
)

// bumped says whether a difference of two thumbnails is that of a camera, or of a table, that was
// pushed: laid on each other, the pictures show no hand, and little that differs.
func (c *comparer) bumped(d difference, ref *thumb, pix []byte) bool {
	s := c.shiftOf(ref.pix, pix)
	if s == (shift{}) {
		return false
	}
	moved := thumb{s.laid(ref.pix, pix, c.width)}
	left := c.compare(&moved, pix)
	return left.most < handShare && left.share <= goneShare*d.share
}

// shift says where the places of a thumbnail were in another: moved, and turned about the middle
// of the picture.
type shift struct{ x, y, turn float64 }

// at is where the place lay that is dx, dy from the middle.
func (s shift) at(dx, dy float64) (x, y float64) {
	return dx + s.x - s.turn*dy, dy + s.y + s.turn*dx
}

// most is how far a corner of the picture has moved, pixels.
func (s shift) most(width, height int) (far float64) {
	for _, corner := range [...][2]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
		dx, dy := corner[0]*float64(width)/2, corner[1]*float64(height)/2
		x, y := s.at(dx, dy)
		far = max(far, math.Hypot(x-dx, y-dy))
	}
	return far
}

// laid is the older picture as the camera would see it now; what it did not show is as it is now.
func (s shift) laid(ref, pix []byte, width int) []byte {
	out := append([]byte(nil), pix...)
	height := len(pix) / 3 / width
	for y := range height {
		for x := range width {
			fx, fy := s.at(float64(x)-float64(width)/2, float64(y)-float64(height)/2)
			fx, fy = fx+float64(width)/2, fy+float64(height)/2
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			if x0 < 0 || y0 < 0 || x0+1 >= width || y0+1 >= height {
				continue
			}
			ax, ay := fx-float64(x0), fy-float64(y0)
			i := 3 * (y0*width + x0)
			for ch := range 3 {
				up := (1-ax)*float64(ref[i+ch]) + ax*float64(ref[i+3+ch])
				down := (1-ax)*float64(ref[i+3*width+ch]) + ax*float64(ref[i+3*width+3+ch])
				out[3*(y*width+x)+ch] = byte((1-ay)*up + ay*down + 0.5)
			}
		}
	}
	return out
}

// shiftOf finds the movement by which a picture differs from another: by least squares over the
// places that then look the same (Lucas and Kanade), from coarse to fine. Where the coarse ones
// show none it goes no further.
func (c *comparer) shiftOf(ref, pix []byte) (s shift) {
	const green = 1
	from, to := grayOf(ref, c.width, fitLight(ref, pix, green)), grayOf(pix, c.width, linear{gain: 1})
	levels := [shiftLevels][2]plane{{from, to}}
	for i := 1; i < shiftLevels; i++ {
		from, to = from.half(), to.half()
		levels[i] = [2]plane{from, to}
	}
	reach := coarseReach
	for i := shiftLevels - 1; i >= 0; i-- {
		from, to = levels[i][0], levels[i][1]
		s = from.around(to, shift{2 * s.x, 2 * s.y, s.turn}, reach)
		for range shiftSteps {
			s, _ = from.nearer(to, s)
		}
		if i == shiftLevels-2 && s.most(to.width, to.height) < leastShift {
			return shift{}
		}
		reach = 1
	}
	return s
}

// plane is a picture without color, row by row.
type plane struct {
	v             []float64
	width, height int
}

// grayOf is the green of a picture in another light.
func grayOf(pix []byte, width int, light linear) plane {
	g := plane{make([]float64, len(pix)/3), width, len(pix) / 3 / width}
	for i := range g.v {
		g.v[i] = light.gain*float64(pix[3*i+1]) + light.offset
	}
	return g
}

// half is the picture at half its size.
func (g plane) half() plane {
	h := plane{width: g.width / 2, height: g.height / 2}
	for y := range h.height {
		for x := range h.width {
			i := 2*y*g.width + 2*x
			h.v = append(h.v, (g.v[i]+g.v[i+1]+g.v[i+g.width]+g.v[i+g.width+1])/4)
		}
	}
	return h
}

// around is the best of the shifts that differ from s by whole pixels, so many at the most.
func (g plane) around(to plane, s shift, reach int) (best shift) {
	least := math.Inf(1)
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			try := shift{s.x + float64(x), s.y + float64(y), s.turn}
			if _, unlike := g.nearer(to, try); unlike < least {
				best, least = try, unlike
			}
		}
	}
	return best
}

// nearer is one step closer to the shift that lays a picture on g, and how unlike the two are
// with this one, 0 to 1.
func (g plane) nearer(to plane, s shift) (next shift, unlike float64) {
	var m [3][4]float64 // the equations for x, y and turn
	mx, my := float64(g.width)/2, float64(g.height)/2
	places := 1e-9
	for y := range to.height {
		for x := range to.width {
			dx, dy := float64(x)-mx, float64(y)-my
			fx, fy := s.at(dx, dy)
			x0, y0 := int(math.Floor(fx+mx)), int(math.Floor(fy+my))
			if x0 < 0 || y0 < 0 || x0+1 >= g.width || y0+1 >= g.height {
				continue
			}
			ax, ay := fx+mx-float64(x0), fy+my-float64(y0)
			i := y0*g.width + x0
			a, b, c, d := g.v[i], g.v[i+1], g.v[i+g.width], g.v[i+g.width+1]
			gx, gy := (1-ay)*(b-a)+ay*(d-c), (1-ax)*(c-a)+ax*(d-b)
			r := to.v[y*to.width+x] - ((1-ay)*((1-ax)*a+ax*b) + ay*((1-ax)*c+ax*d))
			weight := 1 / (1 + r*r/(sameGray*sameGray))
			places, unlike = places+1, unlike+1-weight
			j := [3]float64{gx, gy, gy*dx - gx*dy}
			for k := range j {
				for l := range j {
					m[k][l] += weight * weight * j[k] * j[l]
				}
				m[k][3] += weight * weight * j[k] * r
			}
		}
	}
	step, ok := solve3(m)
	if !ok {
		return s, 1
	}
	return shift{s.x + step[0], s.y + step[1], s.turn + step[2]}, unlike / places
}
