package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/pixels"
)

// Where top and side are of one white, or all is blurred, the find network's outline
// takes some of a side in with the top. But the dice of a picture are of one size and
// lean the same way: a doubtful top is fitted again, as a square of the size and shape
// that the plainly seen ones have there, at the place where its face is read best.

const (
	fitAmong  = 4   // plainly seen dice that tell size and shape
	fitScore  = 0.5 // of the find network, above which one is plainly seen
	fitMost   = 8   // doubtful tops of a picture that are fitted again
	leastFit  = 0.9 // how plainly a die must be read to be left as it is
	fitDoubt  = 0.67
	fitStep   = 0.2  // sides that a middle may be off, either way
	fitLeast  = 0.02 // probability of a die below which it is not worth a try
	fitSpread = 0.25 // usual error of a half diagonal's logarithm, where few dice tell it
)

// shape is how squares on the table look in a picture of loose dice: with d1 and d2 a
// top's half diagonals, d1·d1ᵀ + d2·d2ᵀ does not depend on how a die is turned, and its
// size changes slowly across the picture.
type shape struct {
	xx, xy, yy float64    // of half diagonals over their size
	size       [3]float64 // the size's logarithm: constant, and per pixel of x and of y
}

// shapeOf reads the common shape from the plainly seen tops.
func shapeOf(dice []placed) (shape, bool) {
	xx, xy, yy, n := commonSpread(dice)
	if n < fitAmong {
		return shape{}, false
	}
	var sum [3][4]float64 // normal equations of the size
	for i := range dice {
		d := &dice[i]
		if !d.plainlySeen() {
			continue
		}
		a, _, c := spread(&d.Outline)
		row := [4]float64{1, d.At.X, d.At.Y, math.Log(a+c) / 2}
		for j := range 3 {
			for k := range 4 {
				sum[j][k] += row[j] * row[k]
			}
		}
	}
	s := shape{xx: xx, xy: xy, yy: yy}
	// Held to one size all over where the dice do not say how it changes.
	const far = 1000.0 // pixels
	sum[1][1] += fitSpread * fitSpread * far * far
	sum[2][2] += fitSpread * fitSpread * far * far
	var ok bool
	s.size, ok = detect.Solve3(sum)
	return s, ok && s.xx*s.yy-s.xy*s.xy > 0.01
}

// plainlySeen says whether a top may say how the others look.
func (d *placed) plainlySeen() bool { return d.Score >= fitScore && !d.Cut && !d.side }

// commonSpread is the middle of the plainly seen tops' spreads, each over the square of its
// size, and how many those are.
func commonSpread(dice []placed) (xx, xy, yy float64, n int) {
	var a, b, c []float64
	for i := range dice {
		if dice[i].plainlySeen() {
			x, y, z := spread(&dice[i].Outline)
			s := (x + z) / 2
			a, b, c = append(a, x/s), append(b, y/s), append(c, z/s)
		}
	}
	return geometry.Median(a), geometry.Median(b), geometry.Median(c), len(a)
}

// spread is d1·d1ᵀ + d2·d2ᵀ of an outline, in pixels².
func spread(o *[4]table.Point) (xx, xy, yy float64) {
	for k := range 2 {
		x, y := (o[k].X-o[k+2].X)/2, (o[k].Y-o[k+2].Y)/2
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	}
	return xx, xy, yy
}

// fits are the outlines that a top may have: turned as told, of the common size and
// shape, at its middle and a little off along its sides.
func (s *shape) fits(d *placed) (out [][4]table.Point) {
	// The square root of the shape takes a circle to how it is seen.
	det := math.Sqrt(s.xx*s.yy - s.xy*s.xy)
	t := math.Sqrt(s.xx + s.yy + 2*det)
	a, b, c := (s.xx+det)/t, s.xy/t, (s.yy+det)/t
	k := a*c - b*b
	size := math.Exp(s.size[0]+s.size[1]*d.At.X+s.size[2]*d.At.Y) / math.Sqrt2
	var re, im float64
	for _, p := range d.Outline {
		x, y := p.X-d.At.X, p.Y-d.At.Y
		w := 4 * math.Atan2((a*y-b*x)/k, (c*x-b*y)/k)
		re, im = re+math.Cos(w), im+math.Sin(w)
	}
	turn := math.Atan2(im, re) / 4
	var corner [4]table.Point
	for i := range corner {
		u, v := math.Cos(turn+float64(i)*math.Pi/2), math.Sin(turn+float64(i)*math.Pi/2)
		corner[i] = table.Point{X: size * (a*u + b*v), Y: size * (b*u + c*v)}
	}
	e := table.Point{X: corner[1].X - corner[0].X, Y: corner[1].Y - corner[0].Y}
	f := table.Point{X: corner[2].X - corner[1].X, Y: corner[2].Y - corner[1].Y}
	for _, i := range [3]float64{0, -fitStep, fitStep} {
		for _, j := range [3]float64{0, -fitStep, fitStep} {
			x, y := d.At.X+i*e.X+j*f.X, d.At.Y+i*e.Y+j*f.Y
			var o [4]table.Point
			for n, p := range corner {
				o[n] = table.Point{X: x + p.X, Y: y + p.Y}
			}
			out = append(out, o)
		}
	}
	return out
}

// refit tries the doubtful tops of loose dice in other outlines, and keeps what is read better.
func (s *scene) refit(px *pixels.Picture, dice []placed, glances []classify.Glance) error {
	if !s.judged() {
		return nil
	}
	sh, ok := shapeOf(dice)
	if !ok {
		return nil
	}
	tried := 0
	for i := range dice {
		d := &dice[i]
		was := dieOdds(&glances[i], d.Score, s.prior(d)) * glances[i].Plainest()
		if d.Cut || d.side || was > leastFit || dieOdds(&glances[i], d.Score, 0) < fitLeast || tried == fitMost {
			continue
		}
		tried++
		outlines := sh.fits(d)
		seen, err := s.faces.Read(px, outlines)
		if err != nil {
			return err
		}
		best := 0
		for k := range seen {
			if slices.Max(seen[k].Faces[:classify.NoDie]) > slices.Max(seen[best].Faces[:classify.NoDie]) {
				best = k
			}
		}
		fitted := *d
		fitted.Outline = outlines[best]
		fitted.At = middle(fitted.Outline)
		fitted.Size = sizeOf(&fitted.Outline)
		if onAnother(dice, i, &fitted.Top) {
			continue
		}
		fitted.Stands = judgedStanding(&seen[best])
		fitted.refitted = true
		// The find network's doubt was of the outline too: it counts less.
		fitted.Score = max(d.Score, detect.Sigmoid(fitDoubt*logit(d.Score)))
		now := dieOdds(&seen[best], fitted.Score, s.prior(&fitted)) * seen[best].Plainest()
		if now > was && (was < leastDie || seen[best].Face() == glances[i].Face()) { // what is read is not read otherwise
			*d, glances[i] = fitted, seen[best]
		}
	}
	return nil
}

// onAnother says whether top i, fitted again, comes to lie on another that is plainly seen.
func onAnother(dice []placed, i int, fitted *detect.Top) bool {
	for j := range dice {
		if i != j && dice[j].plainlySeen() && fitted.Covers(&dice[j].Top) {
			return true
		}
	}
	return false
}

// sizeOf is the size of an outline as the find network tells it: the mean square of its two
// half diagonals, its root.
func sizeOf(o *[4]table.Point) float64 {
	xx, _, yy := spread(o)
	return math.Sqrt((xx + yy) / 2)
}
