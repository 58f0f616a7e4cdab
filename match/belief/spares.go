package belief

import (
	"math"
	"slices"

	"diceref/table"
)

// spare is a die beside the board, as it was read last.
type spare struct {
	die   table.Die
	u, v  float64 // where it lies, in sides of the board from its first corner
	sure  bool
	views float64 // in how many views one after the other it was read
	back  float64 // how often it came back after it had been away
	shy   float64 // what else it hangs on whether it is read, in times that it was not
	away  int     // views since it was read last
	// beyond says that where it lies is out of the picture since the camera has moved, or that something lies over it.
	beyond bool
	blink  float64 // while it is away: how likely that is only because it is not read
	dim    bool    // while it is away: others of its color were less surely read, too, when it went
}

// besideOf is the dice beside the board by all readings of a view: what half of them have, as most of those read it. They lie where they
// do in the last picture: the camera may have moved since the others.
func besideOf(readings []table.Observation) (list []table.Reading) {
	type heap struct {
		at    table.Point
		seen  int
		sure  int
		votes map[table.Die]float64
		last  map[table.Die]table.Reading
	}
	var heaps []*heap
	last := &readings[len(readings)-1]
	near := sideLength(last) / (4 * table.Size)
	for n := range readings {
		for _, r := range readings[n].Dice {
			if r.Square != nil {
				continue
			}
			r.At = moved(r.At, readings[n].Grid, last.Grid)
			i := slices.IndexFunc(heaps, func(h *heap) bool { return math.Hypot(h.at.X-r.At.X, h.at.Y-r.At.Y) < near })
			if i < 0 {
				i, heaps = len(heaps), append(heaps, &heap{at: r.At, votes: map[table.Die]float64{}, last: map[table.Die]table.Reading{}})
			}
			h := heaps[i]
			h.seen++
			if r.Sure {
				h.sure++
			}
			h.votes[r.Die] += r.Confidence + 1e-6
			h.last[r.Die] = r
		}
	}
	for _, h := range heaps {
		if 2*h.seen < len(readings) {
			continue
		}
		r := h.last[mostVoted(h.votes)]
		r.Sure = 2*h.sure > h.seen
		list = append(list, r)
	}
	return list
}

// moved is where a point of a picture lies in a later one, by where the board lies in both.
func moved(at table.Point, from, to *table.Grid) table.Point {
	if from == nil || to == nil || !from.Found || !to.Found || from.Corners == to.Corners {
		return at
	}
	u, v := onPlan(from, at)
	return inPicture(to, u, v)
}

// sideLength is the length of a side of the board in the picture.
func sideLength(o *table.Observation) float64 {
	if o.Grid == nil || !o.Grid.Found {
		return float64(o.Width) / 6
	}
	c := o.Grid.Corners
	return math.Sqrt(math.Hypot(c[2].X-c[0].X, c[2].Y-c[0].Y) * math.Hypot(c[3].X-c[1].X, c[3].Y-c[1].Y) / 2)
}

// onPlan is a point of the picture in sides of the board from its first corner.
func onPlan(g *table.Grid, at table.Point) (u, v float64) {
	if g == nil {
		return at.X, at.Y
	}
	c := g.Corners
	ux, uy, vx, vy := c[1].X-c[0].X, c[1].Y-c[0].Y, c[3].X-c[0].X, c[3].Y-c[0].Y
	det := ux*vy - uy*vx
	if det == 0 {
		return 0, 0
	}
	x, y := at.X-c[0].X, at.Y-c[0].Y
	return (x*vy - y*vx) / det, (y*ux - x*uy) / det
}

// inPicture is the reverse.
func inPicture(g *table.Grid, u, v float64) table.Point {
	if g == nil {
		return table.Point{X: u, Y: v}
	}
	c := g.Corners
	return table.Point{X: c[0].X + u*(c[1].X-c[0].X) + v*(c[3].X-c[0].X), Y: c[0].Y + u*(c[1].Y-c[0].Y) + v*(c[3].Y-c[0].Y)}
}

// followSpares goes on from the dice beside the board as they were in the view before.
func (s *Sight) followSpares(o *table.Observation) {
	s.corners = o.Grid
	now := s.sparesOf(o.Grid)
	s.countKnown(now)
	if s.Before == nil {
		s.spares = now
		return
	}
	was := slices.Clone(s.Before.spares)
	far := s.pushed(o)
	of := paired(was, now)
	dims, dimmer := dimmed(was, now, of)
	for i, k := range of {
		w := &was[i]
		if far > 1 {
			w.views, w.shy = 0, model.Afar
		}
		if k >= 0 {
			now[k].followed(w)
			continue
		}
		c, f := w.die.Color, min(max(w.die.Face, 0), 6)
		w.away++
		const trembles = .1
		w.beyond = (w.beyond || far > trembles) && outside(inPicture(o.Grid, w.u, w.v), o) || s.hiddenBeside(w.u, w.v) && !(w.away == 1 && s.Before.hiddenBeside(w.u, w.v)) // it was read beside what lies there
		switch {
		case w.beyond && w.away > 1:
			w.blink, w.views = 1, 0
			s.still[c] = append(s.still[c], 1)
		case w.beyond:
			w.blink, w.views = 1, 0
			s.gone[c][f] = append(s.gone[c][f], 1)
		case w.away > 1:
			s.still[c] = append(s.still[c], w.stays())
		default:
			w.dim = dims[c]
			s.gone[c][f] = append(s.gone[c][f], w.goes(dimmer, s.Before.known != s.kit))
		}
	}
	for i, k := range of {
		if k < 0 {
			now = append(now, was[i])
		}
	}
	s.spares = now
	s.sortGone()
}

// sparesOf is the dice that are read beside the board now.
func (s *Sight) sparesOf(g *table.Grid) (now []spare) {
	for i := range s.Beside {
		r := &s.Beside[i]
		n := spare{die: r.Die, sure: r.Sure, views: 1}
		n.u, n.v = onPlan(g, r.At)
		if !r.Sure {
			n.shy = model.Unsure
		}
		if crowded(r, s.Beside) {
			n.shy += model.Crowded
		}
		now = append(now, n)
	}
	return now
}

// countKnown counts how many dice of each color were in view at once by now, with these beside the board.
func (s *Sight) countKnown(beside []spare) {
	var seen [10]int
	for k := range s.Squares {
		if s.Squares[k].read() && s.Squares[k].There > .5 {
			seen[s.Squares[k].Die.Color]++
		}
	}
	for i := range beside {
		seen[beside[i].die.Color]++
	}
	for c := range s.known {
		s.known[c] = min(seen[c], s.kit[c])
		if s.Before != nil {
			s.known[c] = max(s.known[c], s.Before.known[c])
		}
	}
}

// dimmed tells of which colors dice that were surely read are not surely read now, and whether there are any.
func dimmed(was, now []spare, of []int) (colors [10]bool, some bool) {
	for i, k := range of {
		if k >= 0 && was[i].away == 0 && was[i].sure && !now[k].sure {
			colors[was[i].die.Color], some = true, true
		}
	}
	return colors, some
}

// followed has a die that is read now go on from what it was in the view before.
func (d *spare) followed(was *spare) {
	d.back, d.views = was.back, was.views+1
	if was.away > 0 {
		d.back, d.views = was.back+1, 1
	}
	if was.sure && !d.sure {
		d.shy = max(d.shy, was.shy)
	} else if was.away == 0 { // it has been read like this before
		d.shy = was.shy / 2
	}
}

// goes is how likely a die that was read in the view before is not read now, whether it is still there or not.
func (d *spare) goes(dimmer, setup bool) float64 {
	blinks := model.Blink + d.back + d.shy
	if dimmer {
		blinks += model.Dimmer
	}
	if setup {
		blinks += model.Setup
	}
	blinks = min(blinks/(1+d.views), .5)
	d.blink = blinks / (blinks + model.Gone)
	return min(blinks+model.Gone, .5)
}

// stays is how likely a die that was not read in the view before is not read now either.
func (d *spare) stays() float64 {
	blinks := model.Blinks
	if d.dim {
		blinks = model.Again
	}
	p := d.blink*blinks + (1-d.blink)*model.Again
	d.blink *= blinks / p
	return p
}

// sortGone has what is the likeliest not to be read come first.
func (s *Sight) sortGone() {
	down := func(a, b float64) int { return sign(b - a) }
	for c := range s.gone {
		for f := range s.gone[c] {
			slices.SortFunc(s.gone[c][f], down)
		}
		slices.SortFunc(s.still[c], down)
	}
}

// pushed is how far the board is elsewhere in the picture than in the view before, in halves of a square.
func (s *Sight) pushed(o *table.Observation) (far float64) {
	a, b := s.Before.corners, o.Grid
	if a == nil || b == nil {
		return 0
	}
	for i := range a.Corners {
		far = max(far, math.Hypot(a.Corners[i].X-b.Corners[i].X, a.Corners[i].Y-b.Corners[i].Y))
	}
	return far / (sideLength(o) / (2 * table.Size))
}

// outside says whether a die is cut by the border of the picture, or lies beyond it.
func outside(at table.Point, o *table.Observation) bool {
	reach := sideLength(o) / (2 * table.Size)
	return at.X < reach || at.Y < reach || at.X > float64(o.Width)-reach || at.Y > float64(o.Height)-reach
}

// crowded says whether another die lies closer than dice do that a hand has set side by side.
func crowded(r *table.Reading, all []table.Reading) bool {
	const near = 1.15 // sides of its top in the picture
	q := r.Outline
	side := math.Sqrt(math.Hypot(q[0].X-q[2].X, q[0].Y-q[2].Y) * math.Hypot(q[1].X-q[3].X, q[1].Y-q[3].Y) / 2)
	return slices.ContainsFunc(all, func(o table.Reading) bool {
		d := math.Hypot(o.At.X-r.At.X, o.At.Y-r.At.Y)
		return d > 0 && d < near*side
	})
}

// paired finds for each die beside the board the one that is read now, -1 if there is none: one like it where it lay, or else
// anywhere.
func paired(was, now []spare) []int {
	const near = 1. / (2 * table.Size)
	of, taken := make([]int, len(was)), make([]bool, len(now))
	for i := range of {
		of[i] = -1
	}
	for _, pass := range []struct {
		most float64
		like func(a, b table.Die) bool
	}{
		{near, func(a, b table.Die) bool { return a == b }},
		{math.Inf(1), func(a, b table.Die) bool { return a == b }},
		{near, func(a, b table.Die) bool { return a.Color == b.Color }}, // turned, or misread
	} {
		for _, away := range []bool{false, true} {
			for i := range was {
				if of[i] >= 0 || was[i].away > 0 != away {
					continue
				}
				best := pass.most
				for k := range now {
					if d := math.Hypot(was[i].u-now[k].u, was[i].v-now[k].v); !taken[k] && pass.like(was[i].die, now[k].die) && d < best {
						best, of[i] = d, k
					}
				}
				if of[i] >= 0 {
					taken[of[i]] = true
				}
			}
		}
	}
	return of
}
