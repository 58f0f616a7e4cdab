package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// A top shines under a lamp, and where it is bright the camera clips it: a plain orange one
// passes for yellow then. The die's side lies in the shade and does neither, and of the top's rounded
// edges the one that is turned away from the lamp does least. The color network is told how
// the plain parts of all of them look.

const (
	edgeInset  = 0.03 // sides inside the outline: where edges are rounded
	gamma      = 2.2  // from a picture's values to linear light
	tintDark   = 0.02 // keeps noise in the dark from passing for color, of 1
	clippedAt  = 244  // of 255, between pixels of 250 and less
	sideShows  = 0.12 // area of a side in shares of the top's below which it is not looked at
	mostSide   = 1.5
	leastSeen  = 12 // samples of a side that must be seen, of 45
	alongSide  = 9
	besideEdge = 0.12 // ends of an edge that are rounded, in shares of it
)

// downSide are the places on a side, in shares of its height from the top's edge.
var downSide = [...]float64{0.15, 0.3, 0.45, 0.6, 0.75}

// patch is samples of a picture, 0 to 255.
type patch struct{ r, g, b []float64 }

// take adds what is at a place, if it is in the picture.
func (a *patch) take(px *pixels.Picture, x, y float64) {
	if x < 0 || y < 0 || x > float64(px.Width) || y > float64(px.Height) {
		return
	}
	var r, g, b float64
	px.Add(x, y, &b, &g, &r)
	a.r, a.g, a.b = append(a.r, r), append(a.g, g), append(a.b, b)
}

// clipped is the share of the samples that are as bright as a picture can tell.
func (a *patch) clipped() float64 {
	n := 0
	for i := range a.r {
		if max(a.r[i], a.g[i], a.b[i]) >= clippedAt {
			n++
		}
	}
	return float64(n) / float64(max(len(a.r), 1))
}

// put writes the two hues and the brightness of the patch's middle.
func (a *patch) put(to []float32) {
	r, g, b := toLinear(geometry.Median(a.r)), toLinear(geometry.Median(a.g)), toLinear(geometry.Median(a.b))
	to[0] = float32(math.Log((r + tintDark) / (g + tintDark)))
	to[1] = float32(math.Log((b + tintDark) / (g + tintDark)))
	to[2] = float32(math.Log((r+g+b)/3 + tintDark))
}

func toLinear(v float64) float64 { return math.Pow(v/255, gamma) }

// tints looks at the dice that are told; down is where down is in a picture of loose dice
// (see downOf).
func (s *scene) tints(dice []placed, told []int, down table.Point) []classify.Tint {
	out := make([]classify.Tint, len(told))
	pixels.Each(len(told), func(k int) {
		i := told[k]
		d := &dice[i]
		top := rim(s.px, &d.Outline)
		out[k][3] = float32(top.clipped())
		top.put(out[k][:3])
		edges(s.px, &d.Outline, out[k][classify.EdgesFrom:])
		side, area := s.widestSide(dice, i, s.toFoot(d, down))
		if len(side.r) >= leastSeen {
			side.put(out[k][classify.SideFrom : classify.SideFrom+3])
			out[k][7], out[k][8] = 1, float32(min(area, mostSide))
		}
	})
	return out
}

// edges says how a top's darkest and its brightest edge look: see tint.
func edges(px *pixels.Picture, outline *[4]table.Point, to []float32) {
	for n, inset := range [...]float64{edgeInset, bodyInset} {
		dark, bright := [4]float32{2: math.MaxFloat32}, [4]float32{2: -math.MaxFloat32}
		for k := range outline {
			var seen patch
			seen.edge(px, outline, k, inset)
			if len(seen.r) == 0 {
				continue
			}
			look := [4]float32{3: float32(seen.clipped())}
			seen.put(look[:3])
			if look[2] < dark[2] {
				dark = look
			}
			if look[2] > bright[2] {
				bright = look
			}
		}
		if dark[2] <= bright[2] { // otherwise none is in the picture
			copy(to[4*n:], dark[:])
			copy(to[8:], bright[:3])
		}
	}
}

// toFoot is how far away in the picture what a die stands on appears from its top, in
// pixels; zero where that is not known or the side is hidden.
func (s *scene) toFoot(d *placed, down table.Point) table.Point {
	switch {
	case s.grid == nil:
		return table.Point{X: math.Sqrt2 * down.X * d.Size, Y: math.Sqrt2 * down.Y * d.Size}
	case s.kit.Layout == table.Arena && d.square != nil:
		return table.Point{}
	}
	cam, h := &s.grid.Camera, topHeight(s.kit.Layout, s.side)
	x, y, ok := cam.Place(d.At, h)
	if !ok {
		return table.Point{}
	}
	head, foot := cam.Project(x, y, h), cam.Project(x, y, h-s.side)
	return table.Point{X: foot.X - head.X, Y: foot.Y - head.Y}
}

// widestSide samples the side of die i that shows most, as far as no other die's top hides
// it, and tells its area in shares of the top's.
func (s *scene) widestSide(dice []placed, i int, foot table.Point) (seen patch, area float64) {
	o := &dice[i].Outline
	widest, whole := -1, math.Abs(geometry.Cross(o[0], o[2], o[1], o[3]))/2
	for k := range o {
		p, q := o[k], o[(k+1)%4]
		edge := table.Point{X: q.X - p.X, Y: q.Y - p.Y}
		shows := edge.X*foot.Y - edge.Y*foot.X
		if outside := edge.X*(p.Y-dice[i].At.Y) - edge.Y*(p.X-dice[i].At.X); outside < 0 {
			shows = -shows
		}
		if a := shows / whole; a >= sideShows && a > area {
			widest, area = k, a
		}
	}
	if widest < 0 {
		return seen, 0
	}
	p, q := o[widest], o[(widest+1)%4]
	for _, w := range downSide {
		for n := range alongSide {
			u := besideEdge + (1-2*besideEdge)*float64(n)/(alongSide-1)
			at := table.Point{X: p.X + u*(q.X-p.X) + w*foot.X, Y: p.Y + u*(q.Y-p.Y) + w*foot.Y}
			if !underTop(at, dice, i) {
				seen.take(s.px, at.X, at.Y)
			}
		}
	}
	return seen, area
}

// underTop says whether another die's top hides a place.
func underTop(at table.Point, dice []placed, but int) bool {
	for j := range dice {
		d := &dice[j]
		if j == but || math.Abs(at.X-d.At.X) > 1.5*d.Size || math.Abs(at.Y-d.At.Y) > 1.5*d.Size {
			continue
		}
		left, right := 0, 0
		for k := range d.Outline {
			if geometry.Cross(d.Outline[k], d.Outline[(k+1)%4], d.Outline[k], at) > 0 {
				left++
			} else {
				right++
			}
		}
		if left == 0 || right == 0 {
			return true
		}
	}
	return false
}
