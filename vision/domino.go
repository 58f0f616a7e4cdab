package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// Half of a domino looks like a die's top, and stands about as high. But a die ends at each of its four edges; behind one
// of a half's the same plain ground goes on for as long again, and ends there.

// One plain ground in one plane differs by so much from place to place. A die's side differs by more from its top, and
// mostly so does another die.
const (
	sameHue    = 0.03
	sameBright = 0.06 // of the logarithm
	endsBy     = 0.1  // by how much what lies beyond its end looks different, hue and brightness together
)

// beyondEnd are places beyond an edge, in sides of the top: right behind it, and behind what may show there of the thing's own
// side, in as bright a light. A domino is not as high as the second is far, and a die goes on farther.
var beyondEnd = [...]float64{0.14, 0.5}

// markHalves marks the loose tops that are likelier half of something than a die.
func markHalves(px *pixels.Picture, dice []placed) {
	for i := range dice {
		if d := &dice[i]; d.square == nil && !d.Cut {
			d.half = goesOnAndEnds(px, &d.Outline)
		}
	}
}

// goesOnAndEnds says whether the plain part of a top is seen again in the next square behind one of its edges, and not
// around the two.
func goesOnAndEnds(px *pixels.Picture, outline *[4]table.Point) bool {
	own := bodyOf(px, *outline)
	for k := range outline {
		next := behind(outline, k)
		if there := bodyOf(px, next); !own.ok || !there.ok || own.unlike(&there) > 1 {
			continue
		}
		ends := true
		for e := range outline {
			ends = ends && (e == k || own.ends(px, outline, e)) && (e == (k+2)%4 || own.ends(px, &next, e))
		}
		if ends {
			return true
		}
	}
	return false
}

// behind is the next square behind one of an outline's edges.
func behind(o *[4]table.Point, k int) (next [4]table.Point) {
	from, to := o[(k+2)%4], o[(k+1)%4] // across, from the edge on the other side
	out := table.Point{X: (to.X - from.X + o[k].X - o[(k+3)%4].X) / 2, Y: (to.Y - from.Y + o[k].Y - o[(k+3)%4].Y) / 2}
	for i := range o {
		next[i] = table.Point{X: o[i].X + out.X, Y: o[i].Y + out.Y}
	}
	return next
}

// unlike is by how much two looks differ; those of one plain ground do by 1 at most.
func (b *body) unlike(o *body) float64 {
	hue := math.Hypot(b.hue.r-o.hue.r, b.hue.b-o.hue.b)
	return math.Max(hue/sameHue, math.Abs(b.bright-o.bright)/sameBright)
}

// ends says whether something else is seen beyond an edge.
func (b *body) ends(px *pixels.Picture, outline *[4]table.Point, edge int) bool {
	for _, out := range beyondEnd {
		var seen patch
		seen.edge(px, outline, edge, -out)
		if len(seen.r) == 0 {
			continue
		}
		o := newBody(geometry.Median(seen.r), geometry.Median(seen.g), geometry.Median(seen.b))
		if math.Hypot(b.hue.r-o.hue.r, b.hue.b-o.hue.b)+math.Abs(b.bright-o.bright) > endsBy {
			return true
		}
	}
	return false
}
