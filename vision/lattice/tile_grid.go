package lattice

import (
	"cmp"
	"slices"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/pixels"
)

// window is five by five squares of a tiling, and in which state the gaps in them and those that would go on beyond are.
type window struct {
	row, col       int
	within, beyond [gapOut + 1]int
	least          int // gaps seen on the border row or column that has the fewest
}

func (w *window) score() int {
	return w.within[GapSeen] - w.within[gapPlain] - w.beyond[GapSeen] + w.beyond[gapPlain]
}

const (
	foundGaps   = 18 // gaps seen in a grid that they alone tell
	plainShare  = 8  // gaps seen for each one that should be and is not
	chanceShare = 8  // gaps seen for each one that is seen where none can be
	borderGaps  = 2  // seen at each border row and column
	beyondGaps  = 1  // seen beyond the border by chance
	outGaps     = 4  // beyond it out of the picture
	windowAhead = 4  // by which score it must be ahead of the next
	looksTried  = 2  // that gaps may have
	windowFar   = 2 * table.Size
)

// states are those of all gaps about a tiling.
type states [2][2 * windowFar][2 * windowFar]gapState

func (t *tiling) states(v *view) *states {
	var s states
	for d := range s {
		for r := range s[d] {
			for c := range s[d][r] {
				g := Gap{Row: r - windowFar, Col: c - windowFar, Down: d == 1}
				if s[d][r][c] = gapOut; v.Sample(&g, t.h.Apply) {
					s[d][r][c], _ = g.Run.State(&t.usual)
				}
			}
		}
	}
	return &s
}

// windows counts for all fives by fives, best first.
func (t *tiling) windows(v *view) (out []window) {
	s := t.states(v)
	for r := 1; r+table.Size+1 < 2*windowFar; r++ {
		for c := 1; c+table.Size+1 < 2*windowFar; c++ {
			out = append(out, s.window(r, c))
		}
	}
	slices.SortStableFunc(out, func(a, b window) int { return cmp.Compare(b.score(), a.score()) })
	return out
}

func (s *states) window(r, c int) window {
	const n = table.Size
	w := window{row: r - windowFar, col: c - windowFar}
	var border [4]int // top, bottom, left, right
	for i := range n {
		for j := range n - 1 {
			across, down := s[0][r+i][c+j], s[1][r+j][c+i]
			w.within[across]++
			w.within[down]++
			for k, at := range [4]bool{i == 0, i == n-1, j == 0, j == n-2} {
				if at && across == GapSeen {
					border[k]++
				}
				if at && down == GapSeen {
					border[(k+2)%4]++
				}
			}
		}
	}
	for j := range n - 1 {
		for _, state := range [4]gapState{s[0][r-1][c+j], s[0][r+n][c+j], s[1][r+j][c-1], s[1][r+j][c+n]} {
			w.beyond[state]++
		}
	}
	w.least = slices.Min(border[:])
	return w
}

// chance is how many of the gaps of a window seem to be seen where none can be: half a square off, in the middles of squares.
func (t *tiling) chance(v *view, w *window) (n int) {
	for r := range table.Size {
		for c := range table.Size {
			for _, down := range [2]bool{false, true} {
				g := Gap{Row: w.row + r, Col: w.col + c, Down: down}
				off := g.place(0, 0)
				off = minus(off, g.place(0.5, 0))
				if !v.Sample(&g, func(p table.Point) table.Point { return t.h.Apply(table.Point{X: p.X + off.X, Y: p.Y + off.Y}) }) {
					continue
				}
				if state, _ := g.Run.State(&t.usual); state == GapSeen {
					n++
				}
			}
		}
	}
	return n
}

// elsewhere is how many gaps are seen between squares of which neither is in a window.
func (t *tiling) elsewhere(w *window) (n int) {
	in := func(r, c int) bool {
		return r >= w.row && c >= w.col && r < w.row+table.Size && c < w.col+table.Size
	}
	for i := range t.seen {
		g := &t.seen[i]
		if next := g.Next(); !in(g.Row, g.Col) && !in(next[0], next[1]) {
			n++
		}
	}
	return n
}

// grid is a window's grid, and whether it is one beyond doubt.
func (t *tiling) grid(v *view, width, height int, all []window) (Grid, bool) {
	w := &all[0]
	seen, plain := w.within[GapSeen], w.within[gapPlain]
	if seen < foundGaps || plain*plainShare > seen || w.least < borderGaps || w.beyond[GapSeen] > beyondGaps ||
		w.beyond[gapOut] > outGaps || w.score() < all[1].score()+windowAhead {
		return Grid{}, false
	}
	if chanceShare*(t.chance(v, w)+t.elsewhere(w)) > seen {
		return Grid{}, false
	}
	inPicture := func(p table.Point) table.Point { return table.Point{X: p.X * v.far, Y: p.Y * v.far} }
	var q [4]table.Point
	for k, at := range [4][2]int{{0, 0}, {table.Size, 0}, {table.Size, table.Size}, {0, table.Size}} {
		q[k] = inPicture(t.h.Apply(table.Point{X: float64(w.col + at[0]), Y: float64(w.row + at[1])}))
	}
	cam, err := calibration.FromQuad(width, height, q)
	if err != nil {
		return Grid{}, false
	}
	g := Grid{Camera: cam, Tiled: true}
	src, dst := t.points()
	for i := range src {
		x, y := src[i].X-float64(w.col), src[i].Y-float64(w.row)
		if x < 0 || y < 0 || x > table.Size || y > table.Size {
			continue
		}
		_, pitch := LatticePoint(&cam, int(y), int(x))
		g.Sights = append(g.Sights, calibration.Sight{X: x, Y: y, At: inPicture(dst[i]), Sigma: gapError * pitch})
	}
	g.Camera = calibration.Refine(cam, g.Sights).Camera
	g.number()
	return g, true
}

const gapError = 0.05 // usual error of a gap's or a tile's place, in squares

// ByTiles finds the grid of a board of tiles.
func ByTiles(px *pixels.Picture) (best Grid, ok bool) {
	v, made := NewView(px)
	if !made {
		return best, false
	}
	defer v.Close()
	most := 0
	for _, t := range tilings(v.tiles()) {
		if g, score := t.find(v, px.Width, px.Height); score > most {
			best, ok, most = g, true, score
		}
	}
	return best, ok
}

// find looks for the grid of a lattice of tiles, and what speaks for it; 0 if there is none.
func (t *tiling) find(v *view, width, height int) (g Grid, score int) {
	var other *gapLook
	for range looksTried {
		u := *t
		if !u.follow(v, other) {
			break
		}
		all := u.windows(v)
		if g, ok := u.grid(v, width, height, all); ok {
			return g, all[0].score()
		}
		other = &u.usual
	}
	return g, 0
}
