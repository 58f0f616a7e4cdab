package calibration

import (
	"math"

	"diceref/table"
)

// Camera is a pinhole camera over a grid, with square pixels, its principal
// point in the picture's middle, and one term of radial distortion. Places are
// measured in squares of the grid: x along the columns, y along the rows, (0,0)
// the outer corner of square [0,0], (5,5) the one opposite; height is above the
// plane of the grid.
type Camera struct {
	Width  float64    `json:"width"` // of the picture, pixels
	Height float64    `json:"height"`
	F      float64    `json:"f"`  // focal length over half the picture's longer side
	K1     float64    `json:"k1"` // ideal = seen·(1 + k1·r²), r over half the longer side
	R      [9]float64 `json:"r"`  // from the grid's axes to the camera's, row by row
	T      [3]float64 `json:"t"`  // the grid's origin, seen from the camera, in squares
}

// half is the unit of ideal coordinates, in pixels.
func (c *Camera) half() float64 { return max(c.Width, c.Height) / 2 }

// ideal takes the lens's bending out of a pixel: picture middle 0, unit half the longer side.
func (c *Camera) ideal(p table.Point) (float64, float64) {
	u := c.half()
	x, y := (p.X-c.Width/2)/u, (p.Y-c.Height/2)/u
	s := 1 + c.K1*(x*x+y*y)
	return x * s, y * s
}

// bend is the inverse of ideal.
func (c *Camera) bend(x, y float64) table.Point {
	qx, qy := x, y
	if c.K1 != 0 {
		for i := 0; i < 8; i++ {
			s := 1 + c.K1*(qx*qx+qy*qy)
			if s < 0.3 {
				s = 0.3
			}
			qx, qy = x/s, y/s
		}
	}
	u := c.half()
	return table.Point{X: qx*u + c.Width/2, Y: qy*u + c.Height/2}
}

// Project says where a place appears, in pixels; height in squares above the
// grid. A place behind the camera gives NaN.
func (c *Camera) Project(x, y, height float64) table.Point {
	z := -height // the third axis points into the table
	r := &c.R
	zc := r[6]*x + r[7]*y + r[8]*z + c.T[2]
	if zc <= 1e-6 {
		return table.Point{X: math.NaN(), Y: math.NaN()}
	}
	xc := r[0]*x + r[1]*y + r[2]*z + c.T[0]
	yc := r[3]*x + r[4]*y + r[5]*z + c.T[1]
	return c.bend(c.F*xc/zc, c.F*yc/zc)
}

// Place says which place at the given height above the grid a pixel shows;
// false when the pixel looks over the horizon.
func (c *Camera) Place(p table.Point, height float64) (x, y float64, ok bool) {
	px, py := c.ideal(p)
	r := &c.R
	// The ray through the pixel, turned into the grid's axes.
	dx, dy, dz := px/c.F, py/c.F, 1.0
	gx, gy, gz := r[0]*dx+r[3]*dy+r[6]*dz, r[1]*dx+r[4]*dy+r[7]*dz, r[2]*dx+r[5]*dy+r[8]*dz
	ox, oy, oz := c.eye()
	if math.Abs(gz) < 1e-9 {
		return 0, 0, false
	}
	t := (-height - oz) / gz
	if t <= 0 {
		return 0, 0, false
	}
	return ox + t*gx, oy + t*gy, true
}

// eye is the camera's own place in the grid's axes (third axis into the table).
func (c *Camera) eye() (x, y, z float64) {
	r, t := &c.R, &c.T
	return -(r[0]*t[0] + r[3]*t[1] + r[6]*t[2]), -(r[1]*t[0] + r[4]*t[1] + r[7]*t[2]), -(r[2]*t[0] + r[5]*t[1] + r[8]*t[2])
}

// Above is the place of the grid's plane that the camera stands above.
func (c *Camera) Above() (x, y float64) {
	x, y, _ = c.eye()
	return x, y
}

// Tilt is the angle between the line of sight to the grid's middle and the
// upright on it, in degrees: 0 straight from above.
func (c *Camera) Tilt() float64 {
	x, y, z := c.eye()
	const m = table.Size / 2.0
	return math.Atan2(math.Hypot(x-m, y-m), -z) * 180 / math.Pi
}

// Corners are the grid's outer corners in pixels, clockwise from that of [0,0].
func (c *Camera) Corners() [4]table.Point {
	const n = table.Size
	return [4]table.Point{c.Project(0, 0, 0), c.Project(n, 0, 0), c.Project(n, n, 0), c.Project(0, n, 0)}
}

// Turned returns the same camera over the same grid with squares numbered from
// the corner that is quarter·90° clockwise of the present first corner.
func (c Camera) Turned(quarter int) Camera {
	for range ((quarter % 4) + 4) % 4 {
		// New place (x,y) is old place (n-y, x).
		r := c.R
		const n = table.Size
		for i := 0; i < 3; i++ {
			c.R[i*3], c.R[i*3+1] = r[i*3+1], -r[i*3]
			c.T[i] += n * r[i*3]
		}
	}
	return c
}

// Scaled returns the camera for the same view in a picture of another size.
func (c Camera) Scaled(width, height float64) Camera {
	c.Width, c.Height = width, height
	return c
}

// fromHomography starts a camera from a mapping of grid places to ideal
// coordinates (those of ideal with k1 = 0).
func (c *Camera) fromHomography(h Homography) {
	c.F = focal(h)
	cols := [3][3]float64{}
	for j := 0; j < 3; j++ {
		cols[j] = [3]float64{h[j] / c.F, h[3+j] / c.F, h[6+j]}
	}
	s := 2 / (norm(cols[0]) + norm(cols[1]))
	const m = table.Size / 2.0
	if h[6]*m+h[7]*m+h[8] < 0 { // the grid lies in front of the camera
		s = -s
	}
	for j := range cols {
		for i := range cols[j] {
			cols[j][i] *= s
		}
	}
	// The nearest pair of upright unit vectors: share the error between both.
	a, b := cols[0], cols[1]
	d := dot(a, b) / 2
	for i := range a {
		a[i], b[i] = a[i]-d*b[i], b[i]-d*a[i]
	}
	a = unit(a)
	k := dot(a, b)
	for i := range b {
		b[i] -= k * a[i]
	}
	b = unit(b)
	z := cross(a, b)
	c.R = [9]float64{a[0], b[0], z[0], a[1], b[1], z[1], a[2], b[2], z[2]}
	c.T = cols[2]
}

// usualF is the focal length of the usual webcam or phone (field of view about 60°).
const usualF = 1.75

// focal estimates the focal length from a mapping of a square grid; views from
// straight above do not tell it, and get the usual one.
func focal(h Homography) float64 {
	a, b, c, d, e, f := h[0], h[3], h[6], h[1], h[4], h[7]
	// Two equations in w = 1/f²: p·w = q.
	p1, q1 := a*d+b*e, -c*f
	p2, q2 := a*a+b*b-d*d-e*e, f*f-c*c
	// A prior of the usual focal length, weighed so that it rules only where the
	// perspective is too weak to tell.
	scale := a*a + b*b + d*d + e*e
	w0 := 1 / (usualF * usualF)
	prior := 0.02 * scale
	w := (p1*q1 + p2*q2 + prior*prior*w0) / (p1*p1 + p2*p2 + prior*prior)
	return 1 / math.Sqrt(min(max(w, 1/(5.0*5.0)), 1/(0.8*0.8)))
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func norm(a [3]float64) float64   { return math.Sqrt(dot(a, a)) }
func unit(a [3]float64) [3]float64 {
	n := norm(a)
	return [3]float64{a[0] / n, a[1] / n, a[2] / n}
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
