package lattice

import (
	"math"
	"sort"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// Where the mask tells no good outline (a hand over a corner, a strange board),
// the lattice points alone do: from three neighbors on, the lattice is grown step
// by step, and the six by six of it that fit best make the grid.

const (
	seedMarks     = 14   // the strongest marks to grow from
	seedNeighbors = 6    // of each
	stepError     = 0.28 // how far a mark may lie off where it is expected, in steps
	leastGrown    = 9    // lattice points that make a start worth fitting
)

// grown is a piece of lattice: which mark lies at which row and column.
type grown map[[2]int]int

// growLattice returns cameras to start from, most lattice points first.
func (m *field) growLattice(width, height int, marks []mark) []calibration.Camera {
	order := make([]int, len(marks))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return marks[order[a]].heat > marks[order[b]].heat })
	var best []grown
	for _, i := range order[:min(seedMarks, len(order))] {
		near := nearestMarks(marks, i, seedNeighbors)
		for _, j := range near {
			for _, k := range near {
				if g := grow(marks, i, j, k); len(g) >= leastGrown {
					best = append(best, g)
				}
			}
		}
	}
	// A slanting basis grows as far, but not over as many points of six by six.
	full := make([]int, len(best))
	for i, g := range best {
		_, full[i] = g.fullest()
	}
	order = order[:0]
	for i := range best {
		order = append(order, i)
	}
	sort.SliceStable(order, func(a, b int) bool { return full[order[a]] > full[order[b]] })
	var out []calibration.Camera
	for _, i := range order {
		if full[i] < full[order[0]]*3/4 || len(out) >= 4 {
			break
		}
		if cam, ok := m.window(width, height, marks, best[i]); ok && !SameGrid(out, &cam) {
			out = append(out, cam)
		}
	}
	return out
}

// fullest is the corner of the six by six that holds most of the grown points, and how many.
func (g grown) fullest() (at [2]int, most int) {
	for r := -table.Size; r <= 0; r++ {
		for c := -table.Size; c <= 0; c++ {
			if n := g.count(r, c); n > most {
				at, most = [2]int{r, c}, n
			}
		}
	}
	return at, most
}

// count is how many grown points lie in the six by six from row r and column c on.
func (g grown) count(r, c int) (n int) {
	for at := range g {
		if at[0] >= r && at[0] <= r+table.Size && at[1] >= c && at[1] <= c+table.Size {
			n++
		}
	}
	return n
}

func nearestMarks(marks []mark, i, n int) []int {
	var near []int
	for j := range marks {
		if j != i {
			near = append(near, j)
		}
	}
	away := func(j int) float64 { return math.Hypot(marks[j].at.X-marks[i].at.X, marks[j].at.Y-marks[i].at.Y) }
	sort.Slice(near, func(a, b int) bool { return away(near[a]) < away(near[b]) })
	return near[:min(n, len(near))]
}

// grow spreads a lattice over the marks from a corner: j lies one column on from
// i, k one row on. It returns nil for three marks that make no corner.
func grow(marks []mark, i, j, k int) grown {
	u := table.Point{X: marks[j].at.X - marks[i].at.X, Y: marks[j].at.Y - marks[i].at.Y}
	v := table.Point{X: marks[k].at.X - marks[i].at.X, Y: marks[k].at.Y - marks[i].at.Y}
	lu, lv := math.Hypot(u.X, u.Y), math.Hypot(v.X, v.Y)
	if cross := u.X*v.Y - u.Y*v.X; cross < 0.5*lu*lv || lu > 2*lv || lv > 2*lu {
		return nil
	}
	g := grown{{0, 0}: i, {0, 1}: j, {1, 0}: k}
	used := map[int]bool{i: true, j: true, k: true}
	queue := [][2]int{{0, 0}, {0, 1}, {1, 0}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, d := range [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
			next := [2]int{at[0] + d[0], at[1] + d[1]}
			if _, known := g[next]; known || max(next[0], -next[0], next[1], -next[1]) > table.Size {
				continue
			}
			step, ok := g.step(marks, at, d)
			if !ok {
				continue
			}
			p := table.Point{X: marks[g[at]].at.X + step.X, Y: marks[g[at]].at.Y + step.Y}
			reach := stepError * math.Hypot(step.X, step.Y)
			best := -1
			for n := range marks {
				if e := math.Hypot(marks[n].at.X-p.X, marks[n].at.Y-p.Y); e < reach && !used[n] {
					best, reach = n, e
				}
			}
			if best >= 0 {
				g[next], used[best] = best, true
				queue = append(queue, next)
			}
		}
	}
	return g
}

// step is how far it is from a lattice point to the next in a direction, as its
// own last step or a neighboring row's tells.
func (g grown) step(marks []mark, at, d [2]int) (table.Point, bool) {
	between := func(a, b [2]int) (table.Point, bool) {
		i, ok1 := g[a]
		j, ok2 := g[b]
		if !ok1 || !ok2 {
			return table.Point{}, false
		}
		return table.Point{X: marks[j].at.X - marks[i].at.X, Y: marks[j].at.Y - marks[i].at.Y}, true
	}
	add := func(a, b [2]int) [2]int { return [2]int{a[0] + b[0], a[1] + b[1]} }
	back := [2]int{-d[0], -d[1]}
	if s, ok := between(add(at, back), at); ok {
		return s, true
	}
	side := [2]int{d[1], d[0]}
	for _, e := range [][2]int{side, {-side[0], -side[1]}} {
		row := add(at, e)
		if s, ok := between(row, add(row, d)); ok {
			return s, true
		}
		if s, ok := between(add(row, back), row); ok {
			return s, true
		}
	}
	return table.Point{}, false
}

// window picks the six by six of a grown lattice that the mask and the marks
// speak for, and makes a camera of it.
func (m *field) window(width, height int, marks []mark, g grown) (calibration.Camera, bool) {
	var src, dst []table.Point
	for at, i := range g {
		src = append(src, table.Point{X: float64(at[1]), Y: float64(at[0])})
		dst = append(dst, marks[i].at)
	}
	sortPairs(src, dst)
	h, err := calibration.FitHomography(src, dst, nil)
	if err != nil {
		return calibration.Camera{}, false
	}
	inside := m.Channel(detect.ChInside)
	best, score := [2]int{}, math.Inf(-1)
	for r := -table.Size; r <= 0; r++ {
		for c := -table.Size; c <= 0; c++ {
			s := float64(g.count(r, c))
			for i := 0; i < table.Size*table.Size; i++ {
				p := h.Apply(table.Point{X: float64(c+i%table.Size) + 0.5, Y: float64(r+i/table.Size) + 0.5})
				x, y := m.Cell(p)
				s += 1.5 * detect.Sigmoid(m.At(inside, x, y))
			}
			if s > score+1e-9 {
				best, score = [2]int{r, c}, s
			}
		}
	}
	var q [4]table.Point
	for k, at := range [4][2]float64{{0, 0}, {table.Size, 0}, {table.Size, table.Size}, {0, table.Size}} {
		q[k] = h.Apply(table.Point{X: float64(best[1]) + at[0], Y: float64(best[0]) + at[1]})
	}
	if geometry.Area2(q[0], q[1], q[2]) <= 0 || geometry.Area2(q[2], q[3], q[0]) <= 0 {
		return calibration.Camera{}, false
	}
	cam, err := calibration.FromQuad(width, height, clampQuad(q, width, height, 0.5))
	return cam, err == nil
}

// sortPairs puts pairs in a fixed order, as a map has none and sums must not
// depend on it.
func sortPairs(src, dst []table.Point) {
	order := make([]int, len(src))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool {
		p, q := src[order[a]], src[order[b]]
		return p.Y < q.Y || p.Y == q.Y && p.X < q.X
	})
	s, d := make([]table.Point, len(src)), make([]table.Point, len(src))
	for i, k := range order {
		s[i], d[i] = src[k], dst[k]
	}
	copy(src, s)
	copy(dst, d)
}

// SameGrid says whether a camera shows the same grid as one of those before, however numbered.
func SameGrid(before []calibration.Camera, cam *calibration.Camera) bool {
	c := cam.Corners()
	side := math.Hypot(c[0].X-c[1].X, c[0].Y-c[1].Y)
	for i := range before {
		near := 0
		for _, p := range before[i].Corners() {
			for _, q := range c {
				if math.Hypot(p.X-q.X, p.Y-q.Y) < 0.08*side {
					near++
					break
				}
			}
		}
		if near == 4 {
			return true
		}
	}
	return false
}
