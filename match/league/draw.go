package league

import (
	"math/rand/v2"
	"slices"
)

// draw splits the players 0, 1, ... into tables of the given sizes so that as few as possible meet again; again says how
// much that counts of two. With near, the tables are of players who follow each other, as far as that allows.
//
// A search tries the tables one after the other, with no repeated meeting, then with one, and so on, the nearest players
// first. It is complete as long as it ends within its steps. Where it does not, exchanges between tables go on from the
// nearest tables and from random ones, and the best result counts.
func draw(sizes []int, players int, again func(a, b int) int, near bool) [][]int {
	d := &drawing{sizes: sizes, again: make([][]int, players), near: near}
	for a := range d.again {
		d.again[a] = make([]int, players)
		for b := range d.again[a] {
			if a != b {
				d.again[a][b] = again(a, b)
			}
		}
	}
	for limit := 0; ; limit++ {
		s := search{drawing: d, limit: limit, steps: mostSteps, used: make([]bool, players), left: slices.Clone(sizes)}
		if s.table() {
			return s.tables
		}
		if s.steps <= 0 {
			break
		}
	}
	return d.exchange()
}

// How long a draw may take: some tenths of a second for the largest league.
const (
	mostSteps  = 100_000
	mostStarts = 12
)

type drawing struct {
	sizes []int
	again [][]int
	near  bool
}

// search fills one table after the other.
type search struct {
	*drawing
	limit, cost, steps int
	used               []bool
	left               []int // the sizes of the tables that are not begun
	tables             [][]int
}

// table begins the next table with the first player who has none. It may be of any size that is left.
func (s *search) table() bool {
	if len(s.left) == 0 {
		return true
	}
	first := slices.Index(s.used, false)
	for i, size := range s.left {
		if slices.Contains(s.left[:i], size) {
			continue
		}
		left := s.left
		s.left = slices.Delete(slices.Clone(left), i, i+1)
		s.used[first] = true
		s.tables = append(s.tables, append(make([]int, 0, size), first))
		if s.seat(size) {
			return true
		}
		s.tables = s.tables[:len(s.tables)-1]
		s.used[first] = false
		s.left = left
	}
	return false
}

// seat fills the rest of the last table, then goes on.
func (s *search) seat(size int) bool {
	t := s.tables[len(s.tables)-1]
	if len(t) == size {
		return s.table()
	}
	for p := t[len(t)-1] + 1; p < len(s.used); p++ {
		if s.used[p] {
			continue
		}
		if s.steps--; s.steps <= 0 {
			return false
		}
		cost := 0
		for _, o := range t {
			cost += s.again[p][o]
		}
		if s.cost+cost > s.limit {
			continue
		}
		s.cost += cost
		s.used[p] = true
		s.tables[len(s.tables)-1] = append(t, p)
		if s.seat(size) {
			return true
		}
		s.tables[len(s.tables)-1] = t
		s.used[p] = false
		s.cost -= cost
	}
	return false
}

// exchange improves tables by exchanging players between them, from several starts.
func (d *drawing) exchange() (best [][]int) {
	least := 0
	rng := rand.New(rand.NewPCG(1, uint64(len(d.again)))) // always the same
	for start := range mostStarts {
		order := make([]int, len(d.again))
		for i := range order {
			order[i] = i
		}
		if start > 0 {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		var tables [][]int
		for _, size := range d.sizes {
			tables = append(tables, slices.Clone(order[:size]))
			order = order[size:]
		}
		d.improve(tables)
		if cost := d.total(tables); best == nil || cost < least {
			best, least = tables, cost
		}
	}
	for _, t := range best {
		slices.Sort(t)
	}
	slices.SortFunc(best, func(a, b []int) int { return a[0] - b[0] })
	return best
}

// improve makes exchanges for as long as one is for the better.
func (d *drawing) improve(tables [][]int) {
	for better := true; better; {
		better = false
		for a := range tables {
			for b := range tables[:a] {
				for i := range tables[a] {
					for k := range tables[b] {
						before := d.costs(tables[a], i) + d.costs(tables[b], k)
						tables[a][i], tables[b][k] = tables[b][k], tables[a][i]
						if d.costs(tables[a], i)+d.costs(tables[b], k) < before {
							better = true
							continue
						}
						tables[a][i], tables[b][k] = tables[b][k], tables[a][i]
					}
				}
			}
		}
	}
}

func (d *drawing) total(tables [][]int) (sum int) {
	for _, t := range tables {
		for i := range t {
			sum += d.costs(t, i)
		}
	}
	return sum
}

// costs is what it costs that somebody sits at a table: a repeated meeting more than any distance.
func (d *drawing) costs(table []int, i int) (sum int) {
	for k, p := range table {
		if k == i {
			continue
		}
		sum += d.again[table[i]][p] << 20
		if d.near {
			sum += abs(table[i] - p)
		}
	}
	return sum
}

func abs(n int) int { return max(n, -n) }
