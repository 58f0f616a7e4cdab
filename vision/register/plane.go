package register

import "math"

// plane is a picture's detail without its light: the logarithm of the gray, less its mean nearby.
// A smooth change of the light leaves it as it is.
type plane struct {
	v             []float32
	width, height int
	sums          []float32 // scratch of the mean
}

const (
	// detailReach is how many pixels around a place its mean is taken over. More lets in shadows
	// with soft edges, less leaves nothing of wide edges.
	detailReach = 6
	// mostDetail bounds the detail: white beside black is to count for no more than five other edges.
	mostDetail = 0.5
	// darkest is added to a gray before its logarithm is taken, so that the noise of what is black stays small.
	darkest = 12
)

var logOf = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(math.Log(float64(i) + darkest))
	}
	return t
}()

// grayOf puts a picture's gray into g.
func grayOf(p Picture, g *Gray) {
	g.Width, g.Height = p.Width, p.Height
	g.Pix = sized(g.Pix, p.Width*p.Height)
	for i := range g.Pix {
		q := p.Pix[3*i : 3*i+3 : 3*i+3]
		g.Pix[i] = uint8((int(q[0]) + 2*int(q[1]) + int(q[2]) + 2) / 4)
	}
}

// Gray is a picture without color, row by row.
type Gray struct {
	Pix           []byte
	Width, Height int
}

// halve puts the picture at half its size into h.
func (g *Gray) halve(h *Gray) {
	h.Width, h.Height = g.Width/2, g.Height/2
	h.Pix = sized(h.Pix, h.Width*h.Height)
	for y := range h.Height {
		up, down := g.Pix[2*y*g.Width:(2*y+1)*g.Width], g.Pix[(2*y+1)*g.Width:(2*y+2)*g.Width]
		row := h.Pix[y*h.Width : (y+1)*h.Width]
		for x := range row {
			row[x] = uint8((int(up[2*x]) + int(up[2*x+1]) + int(down[2*x]) + int(down[2*x+1]) + 2) / 4)
		}
	}
}

// of makes the plane a picture's detail.
func (d *plane) of(g *Gray) {
	w, h := g.Width, g.Height
	d.width, d.height = w, h
	d.v, d.sums = sized(d.v, w*h), sized(d.sums, (w+1)*(h+1))
	stride := w + 1
	clear(d.sums[:stride])
	for y := range h {
		var row float32
		above, sums := d.sums[y*stride:(y+1)*stride], d.sums[(y+1)*stride:(y+2)*stride]
		sums[0] = 0
		for x := range w {
			l := logOf[g.Pix[y*w+x]] - logMiddle
			d.v[y*w+x] = l
			row += l
			sums[x+1] = above[x+1] + row
		}
	}
	for y := range h {
		y0, y1 := max(y-detailReach, 0), min(y+detailReach+1, h)
		up, down := d.sums[y0*stride:(y0+1)*stride], d.sums[y1*stride:(y1+1)*stride]
		v := d.v[y*w : (y+1)*w]
		for x := range v {
			x0, x1 := max(x-detailReach, 0), min(x+detailReach+1, w)
			mean := (down[x1] - down[x0] - up[x1] + up[x0]) / float32((y1-y0)*(x1-x0))
			v[x] = min(max(v[x]-mean, -mostDetail), mostDetail)
		}
	}
}

// logMiddle keeps the sums small, and so exact.
var logMiddle = logOf[100]

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
