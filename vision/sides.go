package vision

import (
	"math"

	"diceref/table"
)

// Seen aslant, the side of a die shows a face too, and by itself it looks like
// any other. It lies where the die's top tells that a side must be seen; another
// die's top seldom does.

// sideReach is how far a false top may lie from where a side is expected, in its
// own half diagonals.
const sideReach = 0.4

// markSides marks tops that lie where the side of a better seen one is.
func (s *scene) markSides(dice []placed) {
	tilt, ok := s.lean(dice)
	inHoles := s.kit.Layout == table.Arena // there the plate hides the sides
	for i := range dice {
		var sides []table.Point
		switch {
		case s.grid != nil:
			sides = s.sidesOnGrid(&dice[i])
		case ok:
			sides = tilt.sides(&dice[i])
		}
		for _, p := range sides {
			for j := range dice {
				d := &dice[j]
				if inHoles && d.square != nil {
					continue
				}
				if i == j || math.Hypot(d.at.X-p.X, d.at.Y-p.Y) >= sideReach*d.size {
					continue
				}
				d.side = d.side || d.score < dice[i].score
				if s.grid == nil {
					d.contested, dice[i].contested = true, true
				}
			}
		}
	}
}

// sidesOnGrid is where the middles of a die's visible sides appear.
func (s *scene) sidesOnGrid(d *placed) (out []table.Point) {
	cam := &s.grid.camera
	h := topHeight(s.kit.Layout, s.side)
	ex, ey := cam.Above()
	var c [4]table.Point
	for k, p := range d.outline {
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
			out = append(out, cam.Project(x, y, h-s.side/2))
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
	var xx, xy, yy []float64
	for _, d := range dice {
		if d.score < 0.5 || d.cut {
			continue
		}
		var a, b, c float64
		for k := range 2 {
			x, y := (d.outline[k].X-d.outline[k+2].X)/(2*d.size), (d.outline[k].Y-d.outline[k+2].Y)/(2*d.size)
			a, b, c = a+x*x, b+x*y, c+y*y
		}
		xx, xy, yy = append(xx, a), append(xy, b), append(yy, c)
	}
	if len(xx) == 0 {
		return lean{}, false
	}
	a, b, c := median(xx), median(xy), median(yy)
	mid, root := (a+c)/2, math.Sqrt((a-c)*(a-c)/4+b*b)
	long, short := mid+root, math.Max(mid-root, 0.01)
	cos2 := short / long
	if cos2 > 0.93 {
		return lean{}, false // from straight above no side shows
	}
	angle := math.Atan2(2*b, a-c)/2 + math.Pi/2 // the short axis
	// A side is as long as the long axis; uprights are foreshortened by the sine.
	side := math.Sqrt(long) // half diagonals of √½ sides: d1² + d2² along one axis is a side squared
	up := side * math.Sqrt(1-cos2)
	return lean{up * math.Cos(angle), up * math.Sin(angle)}, true
}

// sides is where a loose die's sides may appear, below it or, in a picture that is
// upside down, above it.
func (l lean) sides(d *placed) (out []table.Point) {
	for _, sign := range [2]float64{1, -1} {
		dx, dy := sign*l.dx*d.size/2, sign*l.dy*d.size/2
		for k := range d.outline {
			n := d.outline[(k+1)%4]
			ox, oy := (d.outline[k].X+n.X)/2-d.at.X, (d.outline[k].Y+n.Y)/2-d.at.Y
			if ox*dx+oy*dy > 0 {
				out = append(out, table.Point{X: d.at.X + ox + dx, Y: d.at.Y + oy + dy})
			}
		}
	}
	return out
}
