package register

import (
	"cmp"
	"math"
	"slices"

	"diceref/calibration"
)

// How a frame is laid on the reference.
const (
	// markRows is how many blocks lie along a picture's width; each gives the place with its steepest edge.
	// Fewer marks are faster, more stand it better that a part is covered.
	markRows = 40
	// leastEdge is the detail's step per pixel below which an edge may be noise; overNoise is by how many times it must
	// be steeper than half of the picture is, which in a dim room is noise. fewMarks are kept though they are not.
	leastEdge = 0.03
	overNoise = 4
	fewMarks  = 100
	// agreeWithin is how far, in pixels of its level, a mark may seem to be off where it agrees.
	agreeWithin = 0.75
	// agreeEdge is how steep at least an edge must be that agrees with a mark's, and how much in the same way; more
	// takes a blurred frame for another table.
	agreeEdge = 0.4
	// usualBend is how far a view differs from a turned, scaled and moved one, per picture width: what a hand
	// that holds the camera tilts. Where the marks tell, they overrule it.
	usualBend = 0.012
	// usualScale is by which share a view usually grows or shrinks; as usualBend.
	usualScale = 0.1
)

// mark is a place of the reference that tells where it is in a frame: in shares of the picture's width
// from its middle, the detail there, how steep it is per pixel, and how it changes along x and y per width.
type mark struct{ x, y, v, edge, gx, gy float64 }

// Motion takes a place of the reference to where it is in a frame. Places are in shares of the picture's
// width from its middle.
type Motion = calibration.Homography

// Still is the motion of a camera that has not moved.
var Still = Motion{1, 0, 0, 0, 1, 0, 0, 0, 1}

// marksOf finds the places of a plane that tell most, spread over it, the steepest first. Outside of where it is allowed to look
// (nil: everywhere) there are none.
func marksOf(d *plane, in func(x, y float64) bool) (list []mark) {
	w, h := d.width, d.height
	block := max(w/markRows, 2)
	var steps [256]int
	for by := 1; by < h-1; by += block {
		for bx := 1; bx < w-1; bx += block {
			k := d.steepest(bx, by, min(bx+block, w-1), min(by+block, h-1), &steps)
			if k.edge >= leastEdge && (in == nil || in(k.x, k.y)) {
				list = append(list, k)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b mark) int { return cmp.Compare(b.edge, a.edge) })
	noise := float64(middleStep(&steps)) / 256
	for n := range list {
		if n >= fewMarks && list[n].edge < overNoise*noise {
			return list[:n]
		}
	}
	return list
}

// steepest is the place in a part of the plane where it is steepest. It counts how steep all places are, in 256ths.
func (d *plane) steepest(x0, y0, x1, y1 int, steps *[256]int) mark {
	best, at := float32(-1), 0
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			i := y*d.width + x
			gx, gy := (d.v[i+1]-d.v[i-1])/2, (d.v[i+d.width]-d.v[i-d.width])/2
			g := gx*gx + gy*gy
			steps[min(int(256*math.Sqrt(float64(g))), 255)]++
			if g > best {
				best, at = g, i
			}
		}
	}
	x, y := d.place(at%d.width, at/d.width)
	wide := float64(d.width)
	gx, gy := float64(d.v[at+1]-d.v[at-1])/2, float64(d.v[at+d.width]-d.v[at-d.width])/2
	return mark{x, y, float64(d.v[at]), math.Hypot(gx, gy), gx * wide, gy * wide}
}

// middleStep is the median of what was counted.
func middleStep(steps *[256]int) int {
	all := 0
	for _, n := range steps {
		all += n
	}
	left := all
	for v, n := range steps {
		if left -= n; 2*left <= all {
			return v
		}
	}
	return 0
}

func (d *plane) place(x, y int) (float64, float64) {
	w := float64(d.width)
	return (float64(x) + 0.5 - w/2) / w, (float64(y) + 0.5 - float64(d.height)/2) / w
}

// sample is the detail at a place and how it changes along x and y, per width; not ok outside the plane.
func (d *plane) sample(x, y float64) (v, gx, gy float64, ok bool) {
	w := float64(d.width)
	fx, fy := x*w+w/2-0.5, y*w+float64(d.height)/2-0.5
	if !(fx >= 0 && fy >= 0 && fx < w-1 && fy < float64(d.height)-1) {
		return 0, 0, 0, false
	}
	x0, y0 := int(fx), int(fy)
	i := y0*d.width + x0
	ax, ay := fx-float64(x0), fy-float64(y0)
	a, b, c, e := float64(d.v[i]), float64(d.v[i+1]), float64(d.v[i+d.width]), float64(d.v[i+d.width+1])
	up, down := a+ax*(b-a), c+ax*(e-c)
	return up + ay*(down-up), ((1-ay)*(b-a) + ay*(e-c)) * w, (down - up) * w, true
}

// agreement is the share of the marks that a frame shows where a motion has them, among those that it can show;
// 0 where it can show few. By chance a tenth agree.
func agreement(d *plane, marks []mark, m *Motion) float64 {
	agree, in := 0, 0
	agreeing(d, marks, m, func(_ *mark, yes bool) {
		in++
		if yes {
			agree++
		}
	})
	if in < max(leastMarks, len(marks)/4) {
		return 0
	}
	return float64(agree) / float64(in)
}

// agreeing tells of each mark that a frame can show whether it does.
func agreeing(d *plane, marks []mark, m *Motion, f func(k *mark, yes bool)) {
	turn := turnOf(m)
	for i := range marks {
		k := &marks[i]
		x, y := apply(m, k.x, k.y)
		if v, gx, gy, ok := d.sample(x, y); ok {
			f(k, math.Abs(v-k.v) < agreeWithin*k.edge && turn.alike(k, gx, gy) > agreeEdge)
		}
	}
}

const (
	// spreadCells is into how many cells a picture is parted along its width.
	spreadCells = 6
	// cellMarks is how many marks a cell must have to tell anything.
	cellMarks = 3
)

// spread is in how many cells of the reference half of the marks agree on a motion. Marks of one thing agree
// together; a motion can be bent to lay some things on others by chance, but not many all over.
func spread(d *plane, marks []mark, m *Motion) (n int) {
	var in, agree [spreadCells * spreadCells]int
	agreeing(d, marks, m, func(k *mark, yes bool) {
		x, y := int((k.x+0.5)*spreadCells), int((k.y+0.5)*spreadCells)
		c := min(max(y, 0), spreadCells-1)*spreadCells + min(max(x, 0), spreadCells-1)
		in[c]++
		if yes {
			agree[c]++
		}
	})
	for c := range in {
		if in[c] >= cellMarks && 2*agree[c] >= in[c] {
			n++
		}
	}
	return n
}

// turn is how a motion turns the view: cosine and sine.
type turn struct{ cos, sin float64 }

func turnOf(m *Motion) turn {
	c, s := m[0]+m[4], m[3]-m[1]
	size := math.Hypot(c, s)
	return turn{c / size, s / size}
}

// alike is how far an edge is that of a mark: 1 if it is as steep, the same way; 0 if it runs across.
func (t turn) alike(k *mark, gx, gy float64) float64 {
	return (gx*(t.cos*k.gx-t.sin*k.gy) + gy*(t.sin*k.gx+t.cos*k.gy)) / (k.gx*k.gx + k.gy*k.gy)
}

// leastMarks is how many marks at least must be in view for a motion to be told.
const leastMarks = 12

func apply(m *Motion, x, y float64) (float64, float64) {
	z := m[6]*x + m[7]*y + m[8]
	return (m[0]*x + m[1]*y + m[2]) / z, (m[3]*x + m[4]*y + m[5]) / z
}

// unknowns of a motion: m[0] to m[7] less Still's.
const unknowns = 8

// align draws a motion tight, by least squares over the marks (Lucas and Kanade), those that are off by
// much counting little. With rigid it is moved, turned and scaled alone, and bends as it did.
func align(d *plane, marks []mark, m Motion, steps int, rigid bool) Motion {
	bent := Still
	if rigid {
		bent = m
	}
	for range steps {
		next, ok := alignStep(d, marks, m, bent, rigid)
		if !ok {
			return m
		}
		far := 0.0
		for _, c := range [...][2]float64{{-0.5, -0.4}, {0.5, -0.4}, {-0.5, 0.4}, {0.5, 0.4}} {
			x, y := apply(&m, c[0], c[1])
			u, v := apply(&next, c[0], c[1])
			far = max(far, math.Abs(u-x), math.Abs(v-y))
		}
		m = next
		if far*float64(d.width) < closeEnough {
			break
		}
	}
	return m
}

// closeEnough is by how many pixels the last step may still have moved a corner.
const closeEnough = 0.02

func alignStep(d *plane, marks []mark, m, bent Motion, rigid bool) (Motion, bool) {
	var a [unknowns][unknowns]float64
	var b [unknowns]float64
	n := 0
	for i := range marks {
		k := &marks[i]
		z := 1 / (m[6]*k.x + m[7]*k.y + m[8])
		x, y := (m[0]*k.x+m[1]*k.y+m[2])*z, (m[3]*k.x+m[4]*k.y+m[5])*z
		v, gx, gy, ok := d.sample(x, y)
		if !ok {
			continue
		}
		n++
		r := k.v - v
		q := r / k.edge // pixels
		weight := 1 / (1 + q*q)
		weight *= weight / (k.edge * k.edge)
		g := -(gx*x + gy*y)
		j := [unknowns]float64{gx * k.x * z, gx * k.y * z, gx * z, gy * k.x * z, gy * k.y * z, gy * z, g * k.x * z, g * k.y * z}
		for s := range j {
			ws := weight * j[s]
			for t := s; t < unknowns; t++ {
				a[s][t] += ws * j[t]
			}
			b[s] += ws * r
		}
	}
	if n < leastMarks {
		return m, false
	}
	for s := range a {
		for t := range s {
			a[s][t] = a[t][s]
		}
	}
	hold(&a, &b, &m, &bent, rigid)
	x, ok := solve(&a, &b)
	if !ok {
		return m, false
	}
	for i := range x {
		m[i] += x[i]
	}
	return m, true
}

// hold adds what is known of a motion before the marks are asked: that it mostly turns and moves the view, and bends
// it as another does.
func hold(a *[unknowns][unknowns]float64, b *[unknowns]float64, m, bent *Motion, rigid bool) {
	bend, scale := usualBend, usualScale
	if rigid {
		bend = 1e-4
	}
	// One mark that is off by a pixel weighs as much as one of these that is off by what is usual.
	add := func(j [unknowns]float64, is, usual float64) {
		w := 1 / (usual * usual)
		for s := range j {
			if j[s] == 0 {
				continue
			}
			for t := range j {
				a[s][t] += w * j[s] * j[t]
			}
			b[s] -= w * j[s] * is
		}
	}
	add([unknowns]float64{0: 1, 4: -1}, m[0]-m[4]-(bent[0]-bent[4]), bend)
	add([unknowns]float64{1: 1, 3: 1}, m[1]+m[3]-(bent[1]+bent[3]), bend)
	add([unknowns]float64{6: 1}, m[6]-bent[6], bend)
	add([unknowns]float64{7: 1}, m[7]-bent[7], bend)
	size := math.Hypot((m[0]+m[4])/2, (m[3]-m[1])/2)
	co, si := (m[0]+m[4])/2/size, (m[3]-m[1])/2/size
	add([unknowns]float64{0: co / 2, 4: co / 2, 3: si / 2, 1: -si / 2}, size-1, scale)
}

// solve solves symmetric equations by Cholesky's way.
func solve(a *[unknowns][unknowns]float64, b *[unknowns]float64) (x [unknowns]float64, ok bool) {
	var l [unknowns][unknowns]float64
	for i := range unknowns {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				if !(sum > 1e-12) {
					return x, false
				}
				l[i][i] = math.Sqrt(sum)
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	var y [unknowns]float64
	for i := range unknowns {
		sum := b[i]
		for k := range i {
			sum -= l[i][k] * y[k]
		}
		y[i] = sum / l[i][i]
	}
	for i := unknowns - 1; i >= 0; i-- {
		sum := y[i]
		for k := i + 1; k < unknowns; k++ {
			sum -= l[k][i] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	return x, true
}
