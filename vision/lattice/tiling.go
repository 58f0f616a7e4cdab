package lattice

import (
	"cmp"
	"math"
	"slices"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
)

// From three tiles that make a corner on, their lattice is grown as that of lattice points is; the gaps
// between them say what gaps look like, and by these it is followed on over tiles that print or dice
// hide. The five by five of it that hold most gaps make the grid: no gap may go on beyond them.

const (
	leastCell  = 0.9 // of a tile, that a square of its lattice measures
	mostCell   = 2.6
	mostLean   = 0.5 // of one side of a square along the other: a slanting lattice goes through the same tiles
	apartTiles = 0.2 // of a tile's side, between the middles of two: what is closer is the same one
	nearTiles  = 8   // of each tile, that may be its neighbors
	leastTiles = 4   // that make a lattice
	tileReach  = 0.2 // squares that a tile may lie off its square's middle
	mostGrows  = 4.0 // times that one square of a lattice appears larger than another
	tilingMost = 10  // lattices that are looked at closer
)

// tiling is a lattice of tiles.
type tiling struct {
	at    grown
	marks []mark
	sizes []float64              // of the tiles, as marks
	h     calibration.Homography // from squares to the view
	usual gapLook
	seen  []Gap
}

// tilings finds lattices of tiles, those of most tiles first.
func tilings(tiles []tile) (out []*tiling) {
	used := make([]bool, len(tiles))
	for i := range tiles {
		if used[i] {
			continue
		}
		marks, sizes, index := []mark{{tiles[i].at, 1}}, []float64{tiles[i].size}, []int{i}
		for j := range tiles {
			if j != i && tiles[i].alike(&tiles[j]) && geometry.Distance(tiles[i].at, tiles[j].at) > apartTiles*math.Sqrt(tiles[i].size) {
				marks, sizes, index = append(marks, mark{tiles[j].at, 1}), append(sizes, tiles[j].size), append(index, j)
			}
		}
		for _, t := range tilingsAt(marks, sizes) {
			for _, k := range t.at {
				used[index[k]] = true
			}
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *tiling) int { return cmp.Compare(len(b.at), len(a.at)) })
	return out[:min(len(out), tilingMost)]
}

// tilingsAt grows the largest lattice about the first of alike tiles: of all of them, and of every other one.
func tilingsAt(marks []mark, sizes []float64) (out []*tiling) {
	var best [2]*tiling
	near := nearestMarks(marks, 0, nearTiles)
	for _, j := range near {
		for _, k := range near {
			u, v := minus(marks[j].at, marks[0].at), minus(marks[k].at, marks[0].at)
			cell, lean := u.X*v.Y-u.Y*v.X, math.Abs(u.X*v.X+u.Y*v.Y)
			if cell < leastCell*sizes[0] || cell > 2*mostCell*sizes[0] || lean > mostLean*min(u.X*u.X+u.Y*u.Y, v.X*v.X+v.Y*v.Y) {
				continue
			}
			g := grow(marks, 0, j, k)
			if len(g) < leastTiles {
				continue
			}
			for n, at := range [2]grown{g, g.halved()} {
				t := &tiling{at: at, marks: marks, sizes: sizes}
				if t.spread() && (best[n] == nil || len(t.at) > len(best[n].at)) {
					best[n] = t
				}
			}
		}
	}
	for _, t := range best {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}

func minus(a, b table.Point) table.Point { return table.Point{X: a.X - b.X, Y: a.Y - b.Y} }

// halved is the lattice of which this one has every other point, as of a chessboard's squares one color.
func (g grown) halved() grown {
	out := grown{}
	for at, i := range g {
		out[[2]int{at[0] + at[1], at[1] - at[0]}] = i
	}
	return out
}

// spread lays the lattice through its tiles, lets go of those that do not lie on it and takes up those that do.
func (t *tiling) spread() bool {
	for range 2 * table.Size {
		before := len(t.at)
		if !t.lay() {
			return false
		}
		back, ok := t.h.Inverse()
		if !ok {
			return false
		}
		next, off := grown{}, map[[2]int]float64{}
		for k := range t.marks {
			p := back.Apply(t.marks[k].at)
			at := [2]int{int(math.Floor(p.Y)), int(math.Floor(p.X))}
			d := math.Hypot(p.X-float64(at[1])-0.5, p.Y-float64(at[0])-0.5)
			if !(d < tileReach) || !t.borders(at) || !t.suits(at, t.sizes[k]) {
				continue
			}
			if o, taken := off[at]; !taken || d < o {
				next[at], off[at] = k, d
			}
		}
		if t.at = next; len(next) < leastTiles {
			return false
		}
		if len(next) == before {
			break
		}
	}
	return t.lay()
}

// borders says whether a square has a tile of the lattice, or one beside it.
func (t *tiling) borders(at [2]int) bool {
	for r := -1; r <= 1; r++ {
		for c := -1; c <= 1; c++ {
			if _, ok := t.at[[2]int{at[0] + r, at[1] + c}]; ok {
				return true
			}
		}
	}
	return false
}

// suits says whether a tile is as large as one on that square is.
func (t *tiling) suits(at [2]int, size float64) bool {
	cell := t.cell(at)
	return cell > leastCell*size && cell < mostCell*size
}

// cell is how large a square appears.
func (t *tiling) cell(at [2]int) float64 {
	x, y := float64(at[1]), float64(at[0])
	return geometry.Area2(t.h.Apply(table.Point{X: x, Y: y}), t.h.Apply(table.Point{X: x + 1, Y: y}), t.h.Apply(table.Point{X: x, Y: y + 1}))
}

// lay fits the way from squares to the view through the middles of the tiles and the gaps that are seen;
// false if no camera sees squares like that.
func (t *tiling) lay() bool {
	src, dst := t.points()
	h, err := calibration.FitHomography(src, dst, nil)
	if err != nil {
		return false
	}
	t.h = h
	least, most := math.Inf(1), 0.0
	for at := range t.at {
		c := t.cell(at)
		least, most = min(least, c), max(most, c)
	}
	return least > 0 && most < mostGrows*least
}

// points are the middles of tiles and gaps, in squares and where they are seen.
func (t *tiling) points() (src, dst []table.Point) {
	for at, i := range t.at {
		src = append(src, table.Point{X: float64(at[1]) + 0.5, Y: float64(at[0]) + 0.5})
		dst = append(dst, t.marks[i].at)
	}
	for i := range t.seen {
		src = append(src, t.seen[i].place(0.5, 0))
		dst = append(dst, t.h.Apply(t.seen[i].seenAt()))
	}
	sortPairs(src, dst)
	return src, dst
}

// about are the gaps on all sides of squares.
func (t *tiling) about(v *view, squares map[[2]int]bool) (out []Gap) {
	for at := range squares {
		r, c := at[0], at[1]
		for _, g := range [4]Gap{{Row: r, Col: c}, {Row: r, Col: c, Down: true}, {Row: r, Col: c - 1}, {Row: r - 1, Col: c, Down: true}} {
			if from := [2]int{g.Row, g.Col}; from != at && squares[from] {
				continue // it is that square's
			}
			if v.Sample(&g, t.h.Apply) {
				out = append(out, g)
			}
		}
	}
	return inOrder(out)
}

// follow learns what is between the tiles, and follows the lattice over what looks the same; false if nothing
// does. What looks like another than the usual gap, as the edges of dice that are alike, is left out.
func (t *tiling) follow(v *view, other *gapLook) bool {
	squares := map[[2]int]bool{}
	for at := range t.at {
		squares[at] = true
	}
	for range 2 {
		gaps := t.about(v, squares)
		if other != nil {
			gaps = slices.DeleteFunc(gaps, func(g Gap) bool {
				state, _ := g.Run.State(other)
				return state == GapSeen
			})
		}
		if t.seen = LikeMost(gaps); len(t.seen) < alikeGaps || !t.lay() {
			return false
		}
	}
	t.usual = UsualLook(t.seen)
	for range 2 * table.Size {
		var seen []Gap
		for _, g := range t.about(v, squares) {
			var state gapState
			if state, g.shift = g.Run.State(&t.usual); state == GapSeen {
				seen = append(seen, g)
			}
		}
		last := *t
		if t.seen = seen; len(seen) <= len(last.seen) || !t.lay() {
			*t = last
			break
		}
		t.usual = UsualLook(seen)
		for _, g := range seen {
			squares[[2]int{g.Row, g.Col}], squares[g.Next()] = true, true
		}
	}
	return true
}
