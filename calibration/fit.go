package calibration

import (
	"math"

	"diceref/table"
)

// Sight is a place of the grid as it was seen in the picture.
type Sight struct {
	X, Y, Height float64     // the place, in squares
	At           table.Point // where it was seen, in pixels
	Sigma        float64     // how far off it may usually be, in pixels
}

// Fit is a camera and how well it explains what was seen.
type Fit struct {
	Camera  Camera
	Inliers int     // sights within three sigmas
	RMS     float64 // of the inliers, in sigmas
}

// FromQuad starts a camera from the grid's outer corners in pixels, clockwise.
func FromQuad(width, height int, q [4]table.Point) (Camera, error) {
	cam := Camera{Width: float64(width), Height: float64(height), F: usualF}
	const n = table.Size
	src := []table.Point{{X: 0, Y: 0}, {X: n, Y: 0}, {X: n, Y: n}, {X: 0, Y: n}}
	dst := make([]table.Point, 4)
	for i, p := range q {
		dst[i].X, dst[i].Y = cam.ideal(p)
	}
	h, err := FitHomography(src, dst, nil)
	if err != nil {
		return Camera{}, err
	}
	cam.fromHomography(h)
	for _, v := range append(cam.R[:], cam.T[:]...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Camera{}, ErrDegenerate
		}
	}
	return cam, nil
}

// What cameras are like, before anything is seen.
const (
	sigmaLogF = 0.28
	meanK1    = -0.015
	sigmaK1   = 0.05
)

const params = 8 // three of rotation, three of place, log f, k1

// Refine moves the camera so that it explains the sights best, by
// Levenberg-Marquardt with weights that let go of outliers (Geman-McClure),
// from a generous to a strict scale.
func Refine(cam Camera, sights []Sight) Fit {
	for _, loose := range []float64{4, 2, 1.3} {
		cam = refineAt(cam, sights, loose)
	}
	fit := Fit{Camera: cam}
	var sum float64
	for _, s := range sights {
		if d := offBy(&cam, s); d < 3 {
			fit.Inliers++
			sum += d * d
		}
	}
	if fit.Inliers > 0 {
		fit.RMS = math.Sqrt(sum / float64(2*fit.Inliers))
	}
	return fit
}

// offBy is the distance between where the camera puts a sight and where it was seen, in sigmas.
func offBy(c *Camera, s Sight) float64 {
	p := c.Project(s.X, s.Y, s.Height)
	d := math.Hypot(p.X-s.At.X, p.Y-s.At.Y) / s.Sigma
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}

func refineAt(cam Camera, sights []Sight, loose float64) Camera {
	lambda := 1e-3
	cost := totalCost(&cam, sights, loose)
	for iter := 0; iter < 12; iter++ {
		a, b := normalEquations(&cam, sights, loose)
		better := false
		for try := 0; try < 5; try++ {
			m, v := a, b
			for i := 0; i < params; i++ {
				m[i*params+i] *= 1 + lambda
				m[i*params+i] += 1e-9
			}
			if !Solve(m[:], v[:]) {
				lambda *= 10
				continue
			}
			next := cam.moved(v)
			if c := totalCost(&next, sights, loose); c < cost {
				better = cost-c > 1e-5*cost
				cam, cost, lambda = next, c, lambda*0.2
				break
			}
			lambda *= 8
		}
		if !better {
			break
		}
	}
	return cam
}

func totalCost(c *Camera, sights []Sight, loose float64) float64 {
	var sum float64
	k := 3 * loose
	for _, s := range sights {
		d := offBy(c, s)
		if math.IsInf(d, 0) {
			sum += k * k
			continue
		}
		sum += d * d / (1 + d*d/(k*k))
	}
	lf, k1 := math.Log(c.F/usualF)/sigmaLogF, (c.K1-meanK1)/sigmaK1
	return sum + lf*lf + k1*k1
}

func normalEquations(c *Camera, sights []Sight, loose float64) (a [params * params]float64, b [params]float64) {
	const eps = 1e-6
	var moved [params]Camera
	for i := range moved {
		var d [params]float64
		d[i] = eps
		moved[i] = c.moved(d)
	}
	k := 3 * loose
	for _, s := range sights {
		p := c.Project(s.X, s.Y, s.Height)
		if math.IsNaN(p.X) {
			continue
		}
		rx, ry := (s.At.X-p.X)/s.Sigma, (s.At.Y-p.Y)/s.Sigma
		g := 1 + (rx*rx+ry*ry)/(k*k)
		w := 1 / (g * g)
		var jx, jy [params]float64
		for i := range moved {
			q := moved[i].Project(s.X, s.Y, s.Height)
			jx[i], jy[i] = (q.X-p.X)/eps/s.Sigma, (q.Y-p.Y)/eps/s.Sigma
		}
		for i := 0; i < params; i++ {
			for j := 0; j < params; j++ {
				a[i*params+j] += w * (jx[i]*jx[j] + jy[i]*jy[j])
			}
			b[i] += w * (jx[i]*rx + jy[i]*ry)
		}
	}
	a[6*params+6] += 1 / (sigmaLogF * sigmaLogF)
	b[6] -= math.Log(c.F/usualF) / (sigmaLogF * sigmaLogF)
	a[7*params+7] += 1 / (sigmaK1 * sigmaK1)
	b[7] -= (c.K1 - meanK1) / (sigmaK1 * sigmaK1)
	return a, b
}

// moved returns the camera after a small step: rotated about the grid's middle,
// which keeps rotation and place nearly independent.
func (c Camera) moved(d [params]float64) Camera {
	q := rotation(d[0], d[1], d[2])
	const m = table.Size / 2.0
	r, t := c.R, c.T
	var mid [3]float64 // the grid's middle seen from the camera
	for i := 0; i < 3; i++ {
		mid[i] = r[i*3]*m + r[i*3+1]*m + t[i]
	}
	for i := 0; i < 3; i++ {
		for j := 0; j < 3; j++ {
			c.R[i*3+j] = q[i*3]*r[j] + q[i*3+1]*r[3+j] + q[i*3+2]*r[6+j]
		}
	}
	// Steps along the view are steps of the logarithm of the distance.
	mid[0], mid[1] = mid[0]+d[3], mid[1]+d[4]
	s := math.Exp(d[5])
	for i := range mid {
		mid[i] *= s
	}
	for i := 0; i < 3; i++ {
		c.T[i] = mid[i] - c.R[i*3]*m - c.R[i*3+1]*m
	}
	c.F *= math.Exp(d[6])
	c.F = min(max(c.F, 0.5), 12)
	c.K1 = min(max(c.K1+d[7], -0.35), 0.25)
	return c
}

// rotation is the matrix of a rotation vector (Rodrigues' formula).
func rotation(x, y, z float64) [9]float64 {
	th := math.Sqrt(x*x + y*y + z*z)
	if th < 1e-12 {
		return [9]float64{1, -z, y, z, 1, -x, -y, x, 1}
	}
	s, c := math.Sincos(th)
	x, y, z = x/th, y/th, z/th
	k := 1 - c
	return [9]float64{
		c + x*x*k, x*y*k - z*s, x*z*k + y*s,
		y*x*k + z*s, c + y*y*k, y*z*k - x*s,
		z*x*k - y*s, z*y*k + x*s, c + z*z*k,
	}
}
