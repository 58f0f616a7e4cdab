package detect

import (
	"math"
	"math/cmplx"
	"slices"
	"sort"

	"diceref/table"
	"diceref/vision/geometry"
)

// Top is the top face of a die as the find network sees it.
type Top struct {
	At      table.Point    // picture pixels
	Score   float64        // 0..1
	Size    float64        // half diagonal, picture pixels
	Outline [4]table.Point // clockwise in the picture
	Cut     bool           // the outline leaves the picture
	Fine    bool           // it is seen in more pixels than the first look's alone
	Odd     bool           // its size does not go with the others', see MarkOdd
	Stands  float64        // what is around it says of its being a die's top, as a logarithm of odds
	Shown   float64        // and that it shows what the dice's owner has shown, see markShown; in Stands already
	Low     float64        // and where it is seen on a grid of its lying there, see markLow
	Came    float64        // and how it looked there before of its having come, see markCame
	Again   float64        // and what other squares look like of its being print, see markRepeated
}

// Peaks lists the tops in the maps, strongest first, each once.
func (m *Maps) Peaks(width, height int) []Top {
	heat := m.Channel(ChTop)
	least := float32(math.Log(m.Least / (1 - m.Least)))
	var found []Top
	for y := 0; y < m.In[1]; y++ {
		for x := 0; x < m.In[0]; x++ {
			if v := heat[y*m.W+x]; v > least && m.Highest(heat, x, y) {
				if t, ok := m.top(x, y); ok {
					t.Cut = leaves(t.Outline, t.Size*0.08, width, height)
					found = append(found, t)
				}
			}
		}
	}
	return Once(found)
}

// Highest says whether no neighbor of a cell stands higher; of equals the first counts.
func (m *Maps) Highest(heat []float32, x, y int) bool {
	v := heat[y*m.W+x]
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			nx, ny := x+dx, y+dy
			if (dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= m.W || ny >= m.H {
				continue
			}
			n := heat[ny*m.W+nx]
			if n > v || (n == v && (dy < 0 || dy == 0 && dx < 0)) {
				return false
			}
		}
	}
	return true
}

// top reads the outline that a cell tells. The half diagonals are the roots d²
// of z² − a·z + b, which do not jump when the square turns.
func (m *Maps) top(x, y int) (Top, bool) {
	i := y*m.W + x
	get := func(c int) float64 { return float64(m.Channel(c)[i]) }
	dx, dy := min(max(get(ChTopDX), -1.5), 1.5), min(max(get(ChTopDY), -1.5), 1.5)
	at := m.Picture(float64(x)+0.5+dx, float64(y)+0.5+dy)
	s := math.Exp(min(max(get(ChLogSize), 0), 6)) / m.Scale
	a := complex(get(ChSumRe), get(ChSumIm))
	b := complex(get(ChProductRe), get(ChProductIm))
	root := cmplx.Sqrt(a*a - 4*b)
	d1, d2 := cmplx.Sqrt((a+root)/2)*complex(s, 0), cmplx.Sqrt((a-root)/2)*complex(s, 0)
	cross := real(d1)*imag(d2) - imag(d1)*real(d2)
	if cross < 0 {
		d2, cross = -d2, -cross
	}
	if !(cross > 0.15*s*s) {
		return Top{}, false // no square at all
	}
	t := Top{At: at, Score: Sigmoid(get(ChTop)), Size: s}
	for k, d := range [4]complex128{d1, d2, -d1, -d2} {
		t.Outline[k] = table.Point{X: at.X + real(d), Y: at.Y + imag(d)}
	}
	return t, true
}

// leaves says whether an outline runs out of the picture by more than some pixels.
func leaves(outline [4]table.Point, by float64, width, height int) bool {
	for _, p := range outline {
		if p.X < -by || p.Y < -by || p.X > float64(width)+by || p.Y > float64(height)+by {
			return true
		}
	}
	return false
}

// Once keeps the better seen of tops that cover each other, whichever levels they were seen on: two dice can touch but
// not stand in one another.
func Once(found []Top) []Top {
	sort.SliceStable(found, func(i, j int) bool { return found[i].Score > found[j].Score })
	kept := found[:0]
	for _, t := range found {
		free := true
		for _, k := range kept {
			if t.Covers(&k) {
				free = false
				break
			}
		}
		if free {
			kept = append(kept, t)
		}
	}
	return kept
}

// Covers says whether two tops are on the same place, or one is within the other's outline.
func (t *Top) Covers(o *Top) bool {
	return geometry.Distance(t.At, o.At) < 0.75*math.Min(t.Size, o.Size) || t.holds(o.At) || o.holds(t.At)
}

// holds says whether a point lies within the outline.
func (t *Top) holds(p table.Point) bool {
	for k, a := range t.Outline {
		if b := t.Outline[(k+1)%4]; (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) <= 0 {
			return false
		}
	}
	return true
}

// MarkOdd marks tops whose size does not go with the others': dice of one game are
// about one size, which changes evenly across a picture taken aslant. Dots and
// words on mats seldom keep to it. What is sized as a die where it lies is not odd in any case; sized may be nil.
func MarkOdd(tops []Top, sized func(*Top) bool) {
	var base []float64
	for i := range tops {
		t := &tops[i]
		t.Odd = false
		if t.Score >= 0.5 && !t.Cut {
			base = append(base, math.Log(t.Size))
		}
	}
	if len(tops) < 4 || len(base) < 3 {
		return
	}
	fit := SizePlane(tops, geometry.Median(base))
	for i := range tops {
		t := &tops[i]
		t.Odd = math.Abs(math.Log(t.Size)-fit(t.At)) >= SizeSpread && (sized == nil || !sized(t))
	}
}

// Alike leaves out the odd tops.
func Alike(tops []Top, sized func(*Top) bool) []Top {
	MarkOdd(tops, sized)
	return slices.DeleteFunc(slices.Clone(tops), func(t Top) bool { return t.Odd })
}

// SizeSpread is how far the logarithm of a top's size may lie off its neighbors'.
const SizeSpread = 0.42

// SizePlane fits the logarithm of the size as a plane over the picture, letting
// go of what lies far off; start is a first guess everywhere.
func SizePlane(tops []Top, start float64) func(table.Point) float64 {
	a, b, c := start, 0.0, 0.0
	const unit = 1000.0 // pixels
	for range 5 {
		var m [3][4]float64
		for _, t := range tops {
			if t.Cut {
				continue
			}
			x := [3]float64{1, t.At.X / unit, t.At.Y / unit}
			z := math.Log(t.Size)
			e := (z - a - b*x[1] - c*x[2]) / 0.2
			w := t.Score / (1 + e*e*e*e)
			for i := range 3 {
				for j := range 3 {
					m[i][j] += w * x[i] * x[j]
				}
				m[i][3] += w * x[i] * z
			}
		}
		m[1][1] += 0.3 // a flat view unless the sizes say otherwise
		m[2][2] += 0.3
		p, ok := Solve3(m)
		if !ok {
			break
		}
		a, b, c = p[0], p[1], p[2]
	}
	return func(p table.Point) float64 { return a + b*p.X/unit + c*p.Y/unit }
}

// Solve3 solves three equations, the right side in the last column.
func Solve3(m [3][4]float64) (x [3]float64, ok bool) {
	for c := range 3 {
		if math.Abs(m[c][c]) < 1e-9 {
			return x, false
		}
		for r := range 3 {
			if r == c {
				continue
			}
			f := m[r][c] / m[c][c]
			for k := c; k < 4; k++ {
				m[r][k] -= f * m[c][k]
			}
		}
	}
	return [3]float64{m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]}, true
}
