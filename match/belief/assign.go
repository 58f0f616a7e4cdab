package belief

import "math"

// assign is the likeliest assignment of readings to dice: for each die its reading, or -1 where it is not read. costs is by die and
// reading, miss what a die costs that is not read, extra what a reading costs that is of no die. It is the Hungarian method, with a
// column of its own for each die that is not read.
func assign(costs [][]float64, miss, extra []float64) []int {
	n, m := len(miss), len(extra)
	at := func(i, j int) float64 { // of column j, as if all readings were of no die before
		switch {
		case j < m:
			return costs[i][j] - extra[j]
		case j == m+i:
			return miss[i]
		}
		return 1e6
	}
	u, v := make([]float64, n+1), make([]float64, n+m+1)
	of, way := make([]int, n+m+1), make([]int, n+m+1) // of: the row of a column; 0: none
	for i := 1; i <= n; i++ {
		of[0] = i
		j0 := 0
		least, done := make([]float64, n+m+1), make([]bool, n+m+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		for {
			done[j0] = true
			i0, delta, j1 := of[j0], math.Inf(1), 0
			for j := 1; j <= n+m; j++ {
				if done[j] {
					continue
				}
				if c := at(i0-1, j-1) - u[i0] - v[j]; c < least[j] {
					least[j], way[j] = c, j0
				}
				if least[j] < delta {
					delta, j1 = least[j], j
				}
			}
			for j := range done {
				if done[j] {
					u[of[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			if j0 = j1; of[j0] == 0 {
				break
			}
		}
		for j0 != 0 {
			of[j0] = of[way[j0]]
			j0 = way[j0]
		}
	}
	to := make([]int, n)
	for i := range to {
		to[i] = -1
	}
	for j := 1; j <= m; j++ {
		if of[j] > 0 {
			to[of[j]-1] = j - 1
		}
	}
	return to
}
