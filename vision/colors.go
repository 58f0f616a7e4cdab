package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// One picture has one light, and dice of one color come from one maker: what the
// face network takes two neighboring colors for by halves (orange under a warm
// lamp, yellow in the shade) is told apart by which other dice of the picture
// look alike.

// body is what the plain part of a top looks like.
type body struct {
	hue    hue
	bright float64 // logarithm
	ok     bool
}

const (
	bodyHue    = 0.13 // usual spread of one color's hue within a picture
	bodyBright = 0.3  // and of the logarithm of its brightness: shade differs across a table
	bodyInset  = 0.08 // sides inside the outline
	rimAlong   = 11   // samples along each side
	rimLeast   = 22   // of which so many must be in the picture
	alone      = 1.0  // what a color costs that no other die shows, in half squares of sigmas
	alikeness  = 0.6  // how much looking alike counts against the network's word
	unlikeMost = 6.0  // what looking like no other die of a color costs at most, in half squares of sigmas
)

// surface is what a top looks like, apart from its face.
type surface struct {
	body
	blown, sharp float64 // see topLook
}

// surfaces looks at every top.
func surfaces(px *pixels.Picture, dice []placed) []surface {
	out := make([]surface, len(dice))
	for i := range dice {
		out[i].body = bodyOf(px, dice[i].Outline)
		out[i].blown, out[i].sharp = topLook(px, dice[i].Outline)
	}
	return out
}

// bodyOf looks at a top's rim.
func bodyOf(px *pixels.Picture, outline [4]table.Point) body {
	p := rim(px, &outline)
	if len(p.r) < rimLeast {
		return body{}
	}
	return newBody(geometry.Median(p.r), geometry.Median(p.g), geometry.Median(p.b))
}

// rim samples a top along its four sides, just inside: there is no pip there, however
// large a maker makes them.
func rim(px *pixels.Picture, outline *[4]table.Point) (p patch) {
	for k := range outline {
		p.edge(px, outline, k, bodyInset)
	}
	return p
}

// edge samples a top along one of its sides, so many sides inside.
func (a *patch) edge(px *pixels.Picture, outline *[4]table.Point, k int, inset float64) {
	from, to, across := outline[k], outline[(k+1)%4], outline[(k+2)%4]
	inward := table.Point{X: inset * (across.X - to.X), Y: inset * (across.Y - to.Y)}
	for i := range rimAlong {
		u := 0.15 + 0.7*float64(i)/(rimAlong-1)
		a.take(px, from.X+u*(to.X-from.X)+inward.X, from.Y+u*(to.Y-from.Y)+inward.Y)
	}
}

func newBody(r, g, b float64) body {
	return body{hueOf(r, g, b), math.Log(0.3*r + 0.6*g + 0.1*b + 8), true}
}

// bodyAt is what one place of the picture looks like; false outside of it.
func bodyAt(p *pixels.Picture, at table.Point) (body, bool) {
	if at.X < 0 || at.Y < 0 || at.X > float64(p.Width) || at.Y > float64(p.Height) {
		return body{}, false
	}
	var r, g, b float64
	p.Add(at.X, at.Y, &b, &g, &r)
	return newBody(r, g, b), true
}

// plainColor is how plainly a color must be told not to be looked at in all turns.
const plainColor = 0.9

// tellColors tells the colors of the dice that are told. A network takes a crop for a
// little another thing when it is turned, light and shade of a top too: those whose color is in
// doubt are looked at in all four turns.
func (s *scene) tellColors(dice []placed, told []int, seen []classify.Glance, tints []classify.Tint, light [2]classify.RGB) (colors [][classify.ColorKinds]float64, err error) {
	defer func() { s.r.temper(colors) }()
	colors, err = s.r.reader.Colors(seen, tints, light, s.kit)
	if err != nil || s.obs.Game == table.FromageATrois { // there colors do not matter
		return colors, err
	}
	var doubtful []int
	var outlines [][4]table.Point
	for k, i := range told {
		if slices.Max(colors[k][:]) < plainColor {
			doubtful, outlines = append(doubtful, k), append(outlines, dice[i].Outline)
		}
	}
	if len(doubtful) == 0 {
		return colors, nil
	}
	for _, k := range doubtful {
		seen[k].Look = [classify.LookSize]float32{}
	}
	looks, err := s.r.reader.Read(s.px, pixels.InTurns(outlines, 0, 1, 2, 3))
	if err != nil {
		return nil, err
	}
	for n := range looks {
		k := doubtful[n%len(doubtful)]
		for j, v := range looks[n].Look {
			seen[k].Look[j] += v / 4
		}
	}
	return s.r.reader.Colors(seen, tints, light, s.kit)
}

// agree lets the dice of a picture settle their colors together: each color's
// looks are learned from the dice that have it, by their present probabilities,
// and the probabilities from the looks, a few times over.
func agree(vs []*verdict, bodies []body) {
	if len(vs) < 3 {
		return
	}
	word := make([][classify.ColorKinds]float64, len(vs)) // the network's
	now := make([][classify.ColorKinds]float64, len(vs))
	for i, v := range vs {
		word[i] = v.colors()
		now[i] = word[i]
	}
	for range 4 {
		next := make([][classify.ColorKinds]float64, len(vs))
		for i := range vs {
			var sum float64
			for c := range next[i] {
				next[i][c] = word[i][c] * math.Exp(-alikeness*unlike(i, c, now, bodies))
				sum += next[i][c]
			}
			for c := range next[i] {
				next[i][c] /= max(sum, 1e-300)
			}
		}
		now = next
	}
	for i, v := range vs {
		v.recolor(word[i], now[i])
	}
}

// unlike is how far a die's looks are from those of the other dice of a color, in
// half squares of sigmas.
func unlike(i, c int, now [][classify.ColorKinds]float64, bodies []body) float64 {
	if !bodies[i].ok {
		return alone
	}
	var w, r, b, l float64
	for j := range now {
		if j == i || !bodies[j].ok {
			continue
		}
		p := now[j][c]
		w, r, b, l = w+p, r+p*bodies[j].hue.r, b+p*bodies[j].hue.b, l+p*bodies[j].bright
	}
	if w < 0.05 {
		return alone
	}
	r, b, l = r/w, b/w, l/w
	dr, db, dl := bodies[i].hue.r-r, bodies[i].hue.b-b, bodies[i].bright-l
	wider := bodyHue * bodyHue * (1 + 1/w) // few dice tell a color's looks less well
	d := (dr*dr+db*db)/(2*wider) + dl*dl/(2*bodyBright*bodyBright*(1+1/w))
	known := w / (w + 0.5)
	return known*min(d, unlikeMost) + (1-known)*alone
}

// recolor carries new color probabilities over to color and face together.
func (v *verdict) recolor(before, after [classify.ColorKinds]float64) {
	for c := range v.joint {
		k := after[c] / max(before[c], 1e-12)
		for f := range v.joint[c] {
			v.joint[c][f] *= k
		}
	}
	v.best()
}

// sameSet is how much likelier (natural logarithm) a die of a set has the set's color than another.
const sameSet = 5.0

// oneColor favors the color that most speaks for all dice together: a game that
// does not tell its colors is played with a set of one.
func oneColor(vs []*verdict) {
	best, most := 0, math.Inf(-1)
	for c := range classify.ColorKinds {
		var sum float64
		for _, v := range vs {
			sum += math.Log(v.ofColor(c) + 1e-3)
		}
		if sum > most {
			best, most = c, sum
		}
	}
	for _, v := range vs {
		var before, after [classify.ColorKinds]float64
		var sum float64
		for c := range before {
			before[c] = v.ofColor(c)
			after[c] = before[c]
			if c == best {
				after[c] *= math.Exp(sameSet)
			}
			sum += after[c]
		}
		for c := range after {
			after[c] /= sum
		}
		v.recolor(before, after)
	}
}
