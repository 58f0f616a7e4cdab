package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/pixels"
)

// Seen aslant, the side of a die shows a face too, and by itself it looks like
// any other. It lies where the die's top says that a side must be seen; another
// die's top seldom does.

// sideReach is how far a false top may lie from where a side is expected, in its
// own half diagonals.
const sideReach = 0.4

// sight is where the middle of a die's visible side appears, and how far down in
// the picture a die's height reaches there.
type sight struct {
	at, down table.Point
	outline  [4]table.Point // of the side; on a grid only
}

// markSides marks tops that lie where the side of another is seen as contested. Colors decide where they can: a side has its
// die's, and below it lies the table. What is still contested is a side unless it plainly stands, see sideStands. On a grid, where it
// is known what outline a side has, one that has just that is a side, however well it is seen.
func (s *scene) markSides(dice []placed) {
	tilt, ok := s.lean(dice)
	inHoles := s.kit.Layout == table.Arena // there the plate hides the sides
	for i := range dice {
		var sides []sight
		switch {
		case s.grid != nil:
			sides = s.sidesOnGrid(&dice[i])
		case ok:
			sides = tilt.sides(&dice[i])
		}
		for _, side := range sides {
			for j := range dice {
				d := &dice[j]
				if i == j || inHoles && d.square != nil || !d.liesAt(side) {
					continue
				}
				contest(s.px, &dice[i], d, side, s.grid != nil)
			}
		}
	}
}

// contest marks a top d that lies where a side of another is seen, unless its colors tell that it is none. Of two loose ones either
// may be the other's side.
func contest(px *pixels.Picture, of, d *placed, side sight, onGrid bool) {
	switch stands(px, of, d, side.down) {
	case another:
	case onItsOwn:
		d.contested = d.contested || d.Score < plainTop
	default:
		d.contested, d.sideFits = true, d.sideFits || onGrid && d.outlineOff(&side.outline) < fitsSide
		d.side = d.side || d.sideFits
		of.contested = of.contested || !onGrid
	}
}

// liesAt says whether a top is what would be seen of a side.
func (d *placed) liesAt(side sight) bool {
	return math.Hypot(d.At.X-side.at.X, d.At.Y-side.at.Y) < sideReach*d.Size
}

// outlineOff is how far a top's corners lie off those of an outline, the root of the mean square in half diagonals.
func (d *placed) outlineOff(o *[4]table.Point) float64 {
	least := math.Inf(1)
	for turn := range o {
		for _, way := range [2]int{1, 3} {
			sum := 0.0
			for k, p := range d.Outline {
				q := o[(turn+k*way)%4]
				sum += (p.X-q.X)*(p.X-q.X) + (p.Y-q.Y)*(p.Y-q.Y)
			}
			least = math.Min(least, sum)
		}
	}
	return math.Sqrt(least/4) / d.Size
}

// stance is what the picture says of a top that lies where another's side would.
type stance uint8

const (
	perhaps stance = iota
	another        // its color is plainly not the top's
	onItsOwn
)

const (
	fitsSide    = 0.16 // half diagonals that a top's corners may be off a side's on a grid to be just that: of 28 dice none is, of 35 sides 11
	anotherHue  = 1.3  // difference of hues from which on a top and a side are not one die's
	sideHue     = 1.0  // difference of hues within which a top and a side may be one die's
	footHue     = 0.5  // and what is seen just below an outline may be the same die
	plainTop    = 0.7  // score of the find network above which a top is none's side
	alikeBright = 1.3  // and of their brightness: sides lie in the shade
	footShare   = 0.16 // of a die's height, how far below the outline to look
)

// stands looks at the colors of top and candidate, and just below the candidate.
func stands(px *pixels.Picture, top, candidate *placed, down table.Point) stance {
	a, b := bodyOf(px, top.Outline), bodyOf(px, candidate.Outline)
	seen, same := 0, 0
	if !a.ok || !b.ok {
		return perhaps
	}
	for k := range candidate.Outline {
		p, q := candidate.Outline[k], candidate.Outline[(k+1)%4]
		ox, oy := (p.X+q.X)/2-candidate.At.X, (p.Y+q.Y)/2-candidate.At.Y
		if ox*down.X+oy*down.Y < 0.3*math.Hypot(ox, oy)*math.Hypot(down.X, down.Y) {
			continue
		}
		for n := range 9 {
			u := 0.15 + 0.7*float64(n)/8
			at := table.Point{X: p.X + u*(q.X-p.X) + footShare*down.X, Y: p.Y + u*(q.Y-p.Y) + footShare*down.Y}
			if c, ok := bodyAt(px, at); ok {
				seen++
				if b.like(c, footHue) {
					same++
				}
			}
		}
	}
	switch share := float64(same) / float64(max(seen, 1)); {
	case seen < 5:
		return perhaps
	case math.Hypot(a.hue.r-b.hue.r, a.hue.b-b.hue.b) > anotherHue:
		return another
	case share > 0.75 || !a.like(b, sideHue):
		return onItsOwn
	}
	return perhaps
}

// like says whether two patches may be of one color.
func (b body) like(o body, most float64) bool {
	return math.Hypot(b.hue.r-o.hue.r, b.hue.b-o.hue.b) < most && math.Abs(b.bright-o.bright) < alikeBright
}

// sidesOnGrid is where a die's visible sides appear.
func (s *scene) sidesOnGrid(d *placed) (out []sight) {
	cam := &s.grid.Camera
	h := topHeight(s.kit.Layout, s.side)
	ex, ey := cam.Above()
	var c [4]table.Point
	for k, p := range d.Outline {
		x, y, ok := cam.Place(p, h)
		if !ok {
			return nil
		}
		c[k] = table.Point{X: x, Y: y}
	}
	mx, my := (c[0].X+c[1].X+c[2].X+c[3].X)/4, (c[0].Y+c[1].Y+c[2].Y+c[3].Y)/4
	for k := range c {
		x, y := (c[k].X+c[(k+1)%4].X)/2, (c[k].Y+c[(k+1)%4].Y)/2
		if (x-mx)*(ex-x)+(y-my)*(ey-y) > 0 { // it faces the camera
			head, foot := cam.Project(x, y, h), cam.Project(x, y, h-s.side)
			from, to := c[k], c[(k+1)%4]
			out = append(out, sight{
				at: cam.Project(x, y, h-s.side/2), down: table.Point{X: foot.X - head.X, Y: foot.Y - head.Y},
				outline: [4]table.Point{cam.Project(from.X, from.Y, h), cam.Project(to.X, to.Y, h), cam.Project(to.X, to.Y, h-s.side), cam.Project(from.X, from.Y, h-s.side)},
			})
		}
	}
	return out
}

// lean is how a plane of loose dice leans away, as the tops' outlines tell: what
// is upright appears along (dx, dy), either way, in shares of a die's side.
type lean struct {
	dx, dy float64
}

// lean reads the leaning from the middle of all outlines' shapes. For half
// diagonals d1, d2 the sum d1·d1ᵀ + d2·d2ᵀ does not depend on how a die is turned.
func (s *scene) lean(dice []placed) (lean, bool) {
	a, b, c, n := commonSpread(dice)
	if n == 0 {
		return lean{}, false
	}
	mid, root := (a+c)/2, math.Sqrt((a-c)*(a-c)/4+b*b)
	long, short := mid+root, math.Max(mid-root, 0.01)
	cos2 := short / long
	if cos2 > 0.96 {
		return lean{}, false // as good as from straight above
	}
	angle := math.Atan2(2*b, a-c)/2 + math.Pi/2 // the short axis
	// A side is as long as the long axis; uprights are foreshortened by the sine.
	side := math.Sqrt(long) // half diagonals of √½ sides: d1² + d2² along one axis is a side squared
	up := side * math.Sqrt(1-cos2)
	return lean{up * math.Cos(angle), up * math.Sin(angle)}, true
}

// sides is where a loose die's sides may appear, below it or, in a picture that is
// upside down, above it.
func (l lean) sides(d *placed) []sight {
	return append(l.below(d), lean{-l.dx, -l.dy}.below(d)...)
}

// below is where its sides appear if (dx, dy) is down.
func (l lean) below(d *placed) (out []sight) {
	dx, dy := l.dx*d.Size/2, l.dy*d.Size/2
	for k := range d.Outline {
		n := d.Outline[(k+1)%4]
		ox, oy := (d.Outline[k].X+n.X)/2-d.At.X, (d.Outline[k].Y+n.Y)/2-d.At.Y
		if ox*dx+oy*dy > 0 {
			out = append(out, sight{at: table.Point{X: d.At.X + ox + dx, Y: d.At.Y + oy + dy}, down: table.Point{X: 2 * dx, Y: 2 * dy}})
		}
	}
	return out
}

// continues says how much what lies beyond a top in one direction is like the top, 0 to 1;
// false where that is not in the picture.
func continues(p *pixels.Picture, d *placed, b *body, dx, dy float64) (alike float64, ok bool) {
	seen := 0.0
	for k := range d.Outline {
		from, to := d.Outline[k], d.Outline[(k+1)%4]
		ox, oy := (from.X+to.X)/2-d.At.X, (from.Y+to.Y)/2-d.At.Y
		if ox*dx+oy*dy <= 0.3*math.Hypot(ox, oy)*math.Hypot(dx, dy) {
			continue
		}
		for i := range 5 {
			u := 0.2 + 0.15*float64(i)
			for _, f := range [3]float64{0.3, 0.55, 0.8} {
				c, ok := bodyAt(p, table.Point{X: from.X + u*(to.X-from.X) + f*dx, Y: from.Y + u*(to.Y-from.Y) + f*dy})
				if ok {
					r, e := (b.hue.r-c.hue.r)/goesOn, (b.hue.b-c.hue.b)/goesOn
					alike += math.Exp(-(r*r + e*e) / 2)
					seen++
				}
			}
		}
	}
	return alike / max(seen, 1), seen > 5
}
