package calibration

import "math"

// Solve solves the n×n system a·x = b by Gaussian elimination with partial
// pivoting; a (row by row) and b are overwritten. It reports false when the
// system is singular.
func Solve(a []float64, b []float64) bool {
	n := len(b)
	for c := 0; c < n; c++ {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r*n+c]) > math.Abs(a[p*n+c]) {
				p = r
			}
		}
		if !(math.Abs(a[p*n+c]) > 1e-14) {
			return false
		}
		if p != c {
			for k := 0; k < n; k++ {
				a[p*n+k], a[c*n+k] = a[c*n+k], a[p*n+k]
			}
			b[p], b[c] = b[c], b[p]
		}
		for r := c + 1; r < n; r++ {
			f := a[r*n+c] / a[c*n+c]
			if f == 0 {
				continue
			}
			for k := c; k < n; k++ {
				a[r*n+k] -= f * a[c*n+k]
			}
			b[r] -= f * b[c]
		}
	}
	for r := n - 1; r >= 0; r-- {
		for k := r + 1; k < n; k++ {
			b[r] -= a[r*n+k] * b[k]
		}
		b[r] /= a[r*n+r]
	}
	return true
}
