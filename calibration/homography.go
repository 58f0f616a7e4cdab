// Package calibration relates the pixels of a picture to places on the table:
// plane homographies, the camera's pose over a 5×5 grid (which says where the
// tops of dice of a known height appear), zones beside the grid, and profiles
// that keep all of it. It is plain Go and depends on no vision library.
package calibration

import (
	"errors"
	"math"

	"diceref/table"
)

// Homography maps one plane to another; row by row, [8] is usually 1.
type Homography [9]float64

// ErrDegenerate says that points do not determine a mapping: too few, or all on a line.
var ErrDegenerate = errors.New("calibration: the points do not define a mapping (too few, or all on one line)")

// Apply maps a point; a point on the horizon gives infinities.
func (h *Homography) Apply(p table.Point) table.Point {
	w := h[6]*p.X + h[7]*p.Y + h[8]
	return table.Point{X: (h[0]*p.X + h[1]*p.Y + h[2]) / w, Y: (h[3]*p.X + h[4]*p.Y + h[5]) / w}
}

// Mul returns the mapping that applies g first, then h.
func (h Homography) Mul(g Homography) Homography {
	var m Homography
	for r := 0; r < 3; r++ {
		for c := 0; c < 3; c++ {
			m[r*3+c] = h[r*3]*g[c] + h[r*3+1]*g[3+c] + h[r*3+2]*g[6+c]
		}
	}
	return m
}

// Inverse returns the opposite mapping; false when there is none.
func (h Homography) Inverse() (Homography, bool) {
	m := Homography{
		h[4]*h[8] - h[5]*h[7], h[2]*h[7] - h[1]*h[8], h[1]*h[5] - h[2]*h[4],
		h[5]*h[6] - h[3]*h[8], h[0]*h[8] - h[2]*h[6], h[2]*h[3] - h[0]*h[5],
		h[3]*h[7] - h[4]*h[6], h[1]*h[6] - h[0]*h[7], h[0]*h[4] - h[1]*h[3],
	}
	det := h[0]*m[0] + h[1]*m[3] + h[2]*m[6]
	if det == 0 || math.IsNaN(det) || math.IsInf(det, 0) {
		return Homography{}, false
	}
	for i := range m {
		m[i] /= det
	}
	return m, true
}

// FitHomography finds the mapping that takes src to dst with the least squared
// algebraic error, by the normalized direct linear transform; exact for four
// points. weights may be nil.
func FitHomography(src, dst []table.Point, weights []float64) (Homography, error) {
	if len(src) < 4 || len(src) != len(dst) {
		return Homography{}, ErrDegenerate
	}
	ts, ns := normalize(src)
	td, nd := normalize(dst)
	var a [64]float64
	var b [8]float64
	for i := range ns {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		x, y, u, v := ns[i].X, ns[i].Y, nd[i].X, nd[i].Y
		addRow(&a, &b, [8]float64{x, y, 1, 0, 0, 0, -u * x, -u * y}, u, w)
		addRow(&a, &b, [8]float64{0, 0, 0, x, y, 1, -v * x, -v * y}, v, w)
	}
	if !Solve(a[:], b[:]) {
		return Homography{}, ErrDegenerate
	}
	m := Homography{b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], 1}
	inv, ok := td.Inverse()
	if !ok {
		return Homography{}, ErrDegenerate
	}
	m = inv.Mul(m).Mul(ts)
	for _, v := range m {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Homography{}, ErrDegenerate
		}
	}
	if m[8] != 0 {
		for i := range m {
			m[i] /= m[8]
		}
	}
	return m, nil
}

func addRow(a *[64]float64, b *[8]float64, row [8]float64, rhs, w float64) {
	for i := 0; i < 8; i++ {
		for j := 0; j < 8; j++ {
			a[i*8+j] += w * row[i] * row[j]
		}
		b[i] += w * row[i] * rhs
	}
}

// normalize moves points to mean 0 and mean distance √2, which keeps the normal
// equations well conditioned.
func normalize(p []table.Point) (Homography, []table.Point) {
	var mx, my, d float64
	for _, q := range p {
		mx += q.X
		my += q.Y
	}
	n := float64(len(p))
	mx, my = mx/n, my/n
	for _, q := range p {
		d += math.Hypot(q.X-mx, q.Y-my)
	}
	s := 1.0
	if d > 0 {
		s = math.Sqrt2 * n / d
	}
	out := make([]table.Point, len(p))
	for i, q := range p {
		out[i] = table.Point{X: s * (q.X - mx), Y: s * (q.Y - my)}
	}
	return Homography{s, 0, -s * mx, 0, s, -s * my, 0, 0, 1}, out
}

// QuadTo returns the mapping that takes the unit square's corners (0,0), (1,0),
// (1,1), (0,1) to those of the quadrilateral q.
func QuadTo(q [4]table.Point) (Homography, error) {
	return FitHomography([]table.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}, q[:], nil)
}
