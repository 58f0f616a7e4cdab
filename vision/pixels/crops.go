package pixels

import (
	"math"
	"sync"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/net"
)

// Framing is how a top is cropped, squared up: how many pixels a side the crop has,
// and how many of the top's sides it covers.
type Framing struct {
	Size   int
	Margin float64
}

// Values is how many numbers a crop has: three planes.
func (f Framing) Values() int { return 3 * f.Size * f.Size }

// atATime is how many dice are looked at at a time.
const atATime = 2

// Each has something done for 0 to n-1, from several goroutines.
func Each(n int, do func(i int)) {
	var shares sync.WaitGroup
	for k := range atATime {
		shares.Go(func() {
			for i := k; i < n; i += atATime {
				do(i)
			}
		})
	}
	shares.Wait()
}

// InTurns are the outlines in one quarter turn after the other: a network that is asked about all
// of them at once has the fewest to begin again.
func InTurns(outlines [][4]table.Point, quarters ...int) (all [][4]table.Point) {
	for _, q := range quarters {
		for _, o := range outlines {
			all = append(all, [4]table.Point{o[q], o[(q+1)%4], o[(q+2)%4], o[(q+3)%4]})
		}
	}
	return all
}

// Crops draws all outlines, squared up, into one network input, N by 3
// by size by size, which the caller closes. Those that are no quadrilaterals are black and not
// usable. drawn, if not nil, is shown every crop, from several goroutines.
func (p *Picture) Crops(f Framing, outlines [][4]table.Point, drawn func(i int, crop []float32)) (gocv.Mat, []bool, error) {
	blob, data, err := net.Blob(len(outlines), 3, f.Size, f.Size)
	if err != nil {
		return gocv.Mat{}, nil, err
	}
	n := f.Values()
	usable := make([]bool, len(outlines))
	Each(len(outlines), func(i int) {
		crop := data[i*n : (i+1)*n]
		if usable[i] = p.Crop(f, outlines[i], crop); !usable[i] {
			clear(crop)
		}
		if drawn != nil {
			drawn(i, crop)
		}
	})
	return blob, usable, nil
}

// Crop draws the outline squared up into dst: planes red, green, blue, 0..1. It returns false for
// an outline that is not a quadrilateral.
func (p *Picture) Crop(f Framing, outline [4]table.Point, dst []float32) bool {
	side := 0.0
	for k, o := range outline {
		n := outline[(k+1)%4]
		side += math.Hypot(n.X-o.X, n.Y-o.Y) / 4
	}
	h, err := calibration.QuadTo(outline)
	if err != nil {
		return false
	}
	// From crop pixels to the unit square: the crop's middle is (½,½).
	step := f.Margin / float64(f.Size)
	start := 0.5 - f.Margin/2
	p, far := p.Nearest(1 / (side * step))
	for i := range 6 { // the picture's pixels as the half's
		h[i] /= float64(far)
	}
	n := min(max(int(math.Round(side*step/(1.2*float64(far)))), 1), 4)
	g := sampling{size: f.Size, h: h, start: start + step/(2*float64(n)), step: step / float64(n), n: n, scale: float32(1 / (255 * float64(n*n)))}
	if p.shows(h, start, start+f.Margin) {
		p.sampleInside(&g, dst)
	} else {
		p.sampleAnywhere(&g, dst)
	}
	return true
}

// sampling is how a crop is drawn: n by n samples a pixel, step apart on the unit square
// that h takes to the picture.
type sampling struct {
	size        int // of the crop, pixels
	h           calibration.Homography
	start, step float64
	n           int
	scale       float32 // of the sum of a pixel's samples
}

// shows says whether the square from one number to the other, either way, lies within the picture.
func (p *Picture) shows(h calibration.Homography, from, to float64) bool {
	for _, c := range [4][2]float64{{from, from}, {to, from}, {to, to}, {from, to}} {
		w := h[6]*c[0] + h[7]*c[1] + h[8]
		x, y := (h[0]*c[0]+h[1]*c[1]+h[2])/w, (h[3]*c[0]+h[4]*c[1]+h[5])/w
		if !(w > 0 && x >= 1 && y >= 1 && x < float64(p.Width-2) && y < float64(p.Height-2)) {
			return false
		}
	}
	return true
}

// levels are the values of a picture as floats.
var levels = func() (l [256]float32) {
	for i := range l {
		l[i] = float32(i)
	}
	return l
}()

// sampleInside draws a crop that is within the picture: the loop that all crops' time goes into.
func (p *Picture) sampleInside(g *sampling, dst []float32) {
	size, plane := g.size, g.size*g.size
	h, n, row, data, start, step := g.h, g.n, p.Width*3, p.Data, g.start, g.step
	reds, greens, blues := dst[:plane], dst[plane:2*plane], dst[2*plane:3*plane]
	for y := range size {
		for x := range size {
			var b, gr, r float32
			for sy := range n {
				v := start + step*float64(y*n+sy)
				for sx := range n {
					u := start + step*float64(x*n+sx)
					w := 1 / (h[6]*u + h[7]*v + h[8])
					px, py := (h[0]*u+h[1]*v+h[2])*w-0.5, (h[3]*u+h[4]*v+h[5])*w-0.5
					x0, y0 := int(px), int(py)
					fx, fy := float32(px-float64(x0)), float32(py-float64(y0))
					i := y0*row + x0*3
					a, c := (*[6]uint8)(data[i:i+6]), (*[6]uint8)(data[i+row:i+row+6])
					w00, w10, w01, w11 := (1-fx)*(1-fy), fx*(1-fy), (1-fx)*fy, fx*fy
					b += w00*levels[a[0]] + w10*levels[a[3]] + w01*levels[c[0]] + w11*levels[c[3]]
					gr += w00*levels[a[1]] + w10*levels[a[4]] + w01*levels[c[1]] + w11*levels[c[4]]
					r += w00*levels[a[2]] + w10*levels[a[5]] + w01*levels[c[2]] + w11*levels[c[5]]
				}
			}
			i := y*size + x
			reds[i], greens[i], blues[i] = r*g.scale, gr*g.scale, b*g.scale
		}
	}
}

// sampleAnywhere draws a crop that may reach out of the picture.
func (p *Picture) sampleAnywhere(g *sampling, dst []float32) {
	size, plane := g.size, g.size*g.size
	h, n := &g.h, g.n
	for y := range size {
		for x := range size {
			var b, gr, r float64
			for sy := range n {
				v := g.start + g.step*float64(y*n+sy)
				for sx := range n {
					u := g.start + g.step*float64(x*n+sx)
					w := h[6]*u + h[7]*v + h[8]
					p.Add((h[0]*u+h[1]*v+h[2])/w, (h[3]*u+h[4]*v+h[5])/w, &b, &gr, &r)
				}
			}
			i := y*size + x
			dst[i], dst[plane+i], dst[2*plane+i] = float32(r)*g.scale, float32(gr)*g.scale, float32(b)*g.scale
		}
	}
}

// Add samples the picture between pixels; beyond its border the border goes on.
func (p *Picture) Add(x, y float64, b, g, r *float64) {
	x, y = min(max(x-0.5, 0), float64(p.Width-1)), min(max(y-0.5, 0), float64(p.Height-1))
	if !(x >= 0 && y >= 0) { // NaN
		return
	}
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	i := (y0*p.Width + x0) * 3
	right, down := 3, p.Width*3
	if x0 == p.Width-1 {
		right = 0
	}
	if y0 == p.Height-1 {
		down = 0
	}
	w00, w10, w01, w11 := (1-fx)*(1-fy), fx*(1-fy), (1-fx)*fy, fx*fy
	a, c, d, e := p.Data[i:i+3], p.Data[i+right:i+right+3], p.Data[i+down:i+down+3], p.Data[i+down+right:i+down+right+3]
	*b += w00*float64(a[0]) + w10*float64(c[0]) + w01*float64(d[0]) + w11*float64(e[0])
	*g += w00*float64(a[1]) + w10*float64(c[1]) + w01*float64(d[1]) + w11*float64(e[1])
	*r += w00*float64(a[2]) + w10*float64(c[2]) + w01*float64(d[2]) + w11*float64(e[2])
}
