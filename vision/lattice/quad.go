package lattice

import (
	"math"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// blob is the largest connected part of the maps' inside mask.
type blob struct {
	border []table.Point // in cells, where the mask's logit crosses zero
	area   int           // cells
	sides  int           // how many sides of the picture it touches
}

// leastInside is the fewest cells a grid may fill; a smaller one cannot be read.
const leastInside = 80

// field is the find network's maps as they tell of a grid, and the parts of their mask.
type field struct {
	*detect.Maps
	mask parts
}

// fieldOf is the maps with their mask in parts.
func fieldOf(m *detect.Maps) *field {
	f := &field{Maps: m}
	f.mask = f.partsOfMask()
	return f
}

// parts are what hangs together of the maps' inside mask.
type parts struct {
	of   []int32 // of every cell the number of its part, 0 where the mask is not
	area []int   // of every part its cells
}

// partsOfMask tells the mask's parts within the picture; what a network says of the padding beside it does not count.
func (m *field) partsOfMask() parts {
	ch := m.Channel(detect.ChInside)
	p := parts{of: make([]int32, m.W*m.H), area: []int{0}}
	var stack []int
	within := func(x, y int) bool { return x >= 0 && y >= 0 && x < m.In[0] && y < m.In[1] }
	for start, v := range ch {
		if v <= 0 || p.of[start] != 0 || !within(start%m.W, start/m.W) {
			continue
		}
		which := int32(len(p.area))
		p.area = append(p.area, 0)
		stack = append(stack[:0], start)
		p.of[start] = which
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			p.area[which]++
			x, y := i%m.W, i/m.W
			for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if j := n[1]*m.W + n[0]; within(n[0], n[1]) && p.of[j] == 0 && ch[j] > 0 {
					p.of[j] = which
					stack = append(stack, j)
				}
			}
		}
	}
	return p
}

// largest is the number of the largest part.
func (p *parts) largest() int32 {
	best := 0
	for i, n := range p.area {
		if n > p.area[best] {
			best = i
		}
	}
	return int32(best)
}

// insideBlob is the largest part of the mask; false when there is none to speak of.
func (m *field) insideBlob() (blob, bool) {
	best := m.mask.largest()
	if m.mask.area[best] < leastInside {
		return blob{}, false
	}
	return m.outline(m.mask.of, best, m.mask.area[best]), true
}

// outline collects where the mask's border runs, between cells.
func (m *field) outline(label []int32, which int32, area int) blob {
	ch := m.Channel(detect.ChInside)
	b := blob{area: area}
	var touched [4]bool
	for y := 0; y < m.In[1]; y++ {
		for x := 0; x < m.In[0]; x++ {
			i := y*m.W + x
			if label[i] != which {
				continue
			}
			for k, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				p := table.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}
				if n[0] < 0 || n[1] < 0 || n[0] >= m.In[0] || n[1] >= m.In[1] {
					touched[k] = true
					b.border = append(b.border, table.Point{X: p.X + 0.5*float64(n[0]-x), Y: p.Y + 0.5*float64(n[1]-y)})
				} else if v := ch[n[1]*m.W+n[0]]; v <= 0 {
					f := float64(ch[i] / (ch[i] - v))
					b.border = append(b.border, table.Point{X: p.X + f*float64(n[0]-x), Y: p.Y + f*float64(n[1]-y)})
				}
			}
		}
	}
	for _, t := range touched {
		if t {
			b.sides++
		}
	}
	return b
}

// quad fits a quadrilateral to the blob's border, clockwise, in cells: the hull,
// whose sides are dropped until four are left, each then laid through the border.
func (b *blob) quad() ([4]table.Point, bool) {
	hull := geometry.ConvexHull(b.border)
	for len(hull) > 4 {
		best, cost, at := -1, math.Inf(1), table.Point{}
		n := len(hull)
		for i := range hull { // drop the side from i to i+1: its neighbors meet further out
			p, q := hull[(i+n-1)%n], hull[i]
			r, s := hull[(i+1)%n], hull[(i+2)%n]
			x, ok := geometry.Meet(p, q, s, r)
			if !ok || (x.X-q.X)*(q.X-p.X)+(x.Y-q.Y)*(q.Y-p.Y) < 0 {
				continue
			}
			if a := math.Abs(geometry.Area2(q, x, r)); a < cost {
				best, cost, at = i, a, x
			}
		}
		if best < 0 {
			return [4]table.Point{}, false
		}
		hull[best] = at
		hull = append(hull[:(best+1)%n], hull[(best+1)%n+1:]...)
	}
	if len(hull) != 4 {
		return [4]table.Point{}, false
	}
	q := [4]table.Point{hull[0], hull[1], hull[2], hull[3]}
	for range 2 {
		if next, ok := settle(q, b.border); ok {
			q = next
		}
	}
	return q, true
}

// settle lays each side of q through the border points that lie along it.
func settle(q [4]table.Point, border []table.Point) ([4]table.Point, bool) {
	var lines [4][2]table.Point
	for k := range q {
		a, c := q[k], q[(k+1)%4]
		dx, dy := c.X-a.X, c.Y-a.Y
		long := math.Hypot(dx, dy)
		if long < 3 {
			return q, false
		}
		dx, dy = dx/long, dy/long
		var near []table.Point // along the side, off it
		for _, p := range border {
			t, d := (p.X-a.X)*dx+(p.Y-a.Y)*dy, (p.Y-a.Y)*dx-(p.X-a.X)*dy
			if t > 0.08*long && t < 0.92*long && math.Abs(d) < 0.09*long+0.7 {
				near = append(near, table.Point{X: t, Y: d})
			}
		}
		if len(near) < 5 {
			lines[k] = [2]table.Point{a, c}
			continue
		}
		u, v := robustLine(near)
		lines[k] = [2]table.Point{{X: a.X - u*dy, Y: a.Y + u*dx}, {X: a.X + long*dx - (u+v*long)*dy, Y: a.Y + long*dy + (u+v*long)*dx}}
	}
	var out [4]table.Point
	for k := range out {
		p, ok := geometry.Meet(lines[(k+3)%4][0], lines[(k+3)%4][1], lines[k][0], lines[k][1])
		if !ok {
			return q, false
		}
		out[k] = p
	}
	return out, geometry.Area2(out[0], out[1], out[2]) > 0 && geometry.Area2(out[2], out[3], out[0]) > 0
}

// robustLine fits y = u + v·x, letting go of points that lie far off.
func robustLine(p []table.Point) (u, v float64) {
	w := make([]float64, len(p))
	for i := range w {
		w[i] = 1
	}
	for range 4 {
		var s, sx, sy, sxx, sxy float64
		for i, q := range p {
			s, sx, sy, sxx, sxy = s+w[i], sx+w[i]*q.X, sy+w[i]*q.Y, sxx+w[i]*q.X*q.X, sxy+w[i]*q.X*q.Y
		}
		det := s*sxx - sx*sx
		if det <= 1e-9 {
			return sy / max(s, 1e-9), 0
		}
		u, v = (sy*sxx-sx*sxy)/det, (s*sxy-sx*sy)/det
		for i, q := range p {
			r := (q.Y - u - v*q.X) / 0.6
			w[i] = 1 / (1 + r*r)
		}
	}
	return u, v
}

// besideGrid is how far from a grid, in shares of its side, what the mask shows is about it.
const besideGrid = 0.1

// overlap is the share that a grid's outline, in cells, and the mask have in common, of what either
// covers. Something far off that looks like squares too, a dotted cloth, tells nothing
// about the grid, unless it is what the mask shows most of.
func (m *field) overlap(q [4]table.Point) float64 {
	wide, largest := widened(q, 1+2*besideGrid), m.mask.largest()
	beyond, about := make([]int, len(m.mask.area)), make([]bool, len(m.mask.area))
	about[largest] = true
	both, either := 0, 0
	for y := 0; y < m.In[1]; y++ {
		for x := 0; x < m.In[0]; x++ {
			p, part := table.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}, m.mask.of[y*m.W+x]
			switch in := geometry.Within(q[:], p); {
			case in && part != 0:
				both++
				either++
				about[part] = true
			case in:
				either++
			case part != 0:
				beyond[part]++
				about[part] = about[part] || geometry.Within(wide[:], p)
			}
		}
	}
	for part, n := range beyond {
		if about[part] {
			either += n
		}
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

// widened is a quadrilateral drawn larger about its middle.
func widened(q [4]table.Point, by float64) (out [4]table.Point) {
	var mid table.Point
	for _, p := range q {
		mid.X, mid.Y = mid.X+p.X/4, mid.Y+p.Y/4
	}
	for i, p := range q {
		out[i] = table.Point{X: mid.X + by*(p.X-mid.X), Y: mid.Y + by*(p.Y-mid.Y)}
	}
	return out
}
