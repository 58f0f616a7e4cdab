package vision

import (
	"math"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/lattice"
)

// What is over a grid hides its lattice.
const (
	hiddenShare = 0.15 // of the lattice points that nothing known hides
	hiddenLeast = 3    // such points at least
	unseenBelow = -0.5 // logit of the lattice's heat
	aboutPoint  = 0.15 // squares from a lattice point to what is about it
	sameGround  = 0.01 // of a color, by which the ground may differ from point to point
	gapsTell    = 6    // gaps of a board of tiles that say how its lattice looks
)

// covered says whether many lattice points are unseen that no die can hide: a hand or another thing
// lies over the grid. Where it looks there as it does about those that are seen, the lines are only faint.
func (s *scene) covered(m *detect.Maps, dice []placed) bool {
	if s.grid == nil {
		return false
	}
	lines, seen, unseen := s.latticeInView(m, dice, nil)
	if s.kit.Layout == table.Board && 2*lines < len(seen)+len(unseen) && hidesMany(seen, unseen) {
		_, seen, unseen = s.latticeInView(m, dice, s.betweenTiles())
	}
	if !hidesMany(seen, unseen) {
		return false
	}
	var off []float64
	for _, u := range unseen {
		least := math.Inf(1)
		for _, c := range seen {
			least = min(least, u.OffFrom(c))
		}
		off = append(off, least)
	}
	return geometry.Median(off) > sameGround
}

func hidesMany(seen, unseen []classify.RGB) bool {
	n := len(unseen)
	return n >= hiddenLeast && float64(n) > hiddenShare*float64(n+len(seen))
}

// latticeInView is what the ground looks like about the lattice points that no die hides: those that
// are seen, by the network (lines of them) or between tiles, or look as ever, and the others. Where there
// are tiles, a point between none is left out.
func (s *scene) latticeInView(m *detect.Maps, dice []placed, between map[[2]int]bool) (lines int, seen, unseen []classify.RGB) {
	for i := range lattice.Points {
		for j := range lattice.Points {
			p := s.grid.Camera.Project(float64(j), float64(i), 0)
			x, y := m.Cell(p)
			sees, told := between[[2]int{i, j}]
			switch {
			case x < 1 || y < 1 || x > float64(m.In[0]-1) || y > float64(m.In[1]-1) || s.hiddenPoint(i, j) || s.near(p, dice):
			case seesLattice(m, p):
				lines++
				seen = append(seen, s.groundAbout(i, j))
			case sees || s.asEver(i, j):
				seen = append(seen, s.groundAbout(i, j))
			case told || between == nil:
				unseen = append(unseen, s.groundAbout(i, j))
			}
		}
	}
	return lines, seen, unseen
}

// betweenTiles tells at which lattice points most gaps between tiles are seen and look alike, and at which
// most are not; nil if there are none to speak of.
func (s *scene) betweenTiles() map[[2]int]bool {
	v, ok := lattice.NewView(s.px)
	if !ok {
		return nil
	}
	defer v.Close()
	var gaps []lattice.Gap
	for r := range table.Size {
		for c := range table.Size {
			for _, g := range [2]lattice.Gap{{Row: r, Col: c}, {Row: r, Col: c, Down: true}} {
				if next := g.Next(); next[0] < table.Size && next[1] < table.Size && v.Sample(&g, v.Over(&s.grid.Camera)) {
					gaps = append(gaps, g)
				}
			}
		}
	}
	most := lattice.LikeMost(gaps)
	if len(most) < gapsTell {
		return nil
	}
	usual, votes := lattice.UsualLook(most), map[[2]int]int{}
	for i := range gaps {
		vote := -1
		if state, _ := gaps[i].Run.State(&usual); state == lattice.GapSeen {
			vote = 1
		}
		votes[gaps[i].Next()] += vote
		votes[[2]int{gaps[i].Row + 1, gaps[i].Col + 1}] += vote
	}
	points := map[[2]int]bool{}
	for p, n := range votes {
		if n != 0 {
			points[p] = n > 0
		}
	}
	return points
}

// groundAbout is the mean color about a lattice point.
func (s *scene) groundAbout(row, col int) (mean classify.RGB) {
	const around = 8
	for k := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
		p := s.grid.Camera.Project(float64(col)+aboutPoint*cos, float64(row)+aboutPoint*sin, 0)
		var b, g, r float64
		s.px.Add(p.X, p.Y, &b, &g, &r)
		for i, v := range [...]float64{b, g, r} {
			mean[i] += float32(v) / around
		}
	}
	return mean
}

// seesLattice says whether the network sees a lattice point about there.
func seesLattice(m *detect.Maps, p table.Point) bool {
	ch := m.Channel(detect.ChLattice)
	x, y := m.Cell(p)
	most := math.Inf(-1)
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			most = max(most, m.At(ch, x+dx, y+dy))
		}
	}
	return most >= unseenBelow
}

// near says whether a die's body may hide a pixel: anywhere within a top and the
// way down to its foot.
func (s *scene) near(p table.Point, dice []placed) bool {
	for i := range dice {
		d := &dice[i]
		foot := d.At
		if x, y, ok := s.grid.Camera.Place(d.At, topHeight(s.kit.Layout, s.side)); ok {
			foot = s.grid.Camera.Project(x, y, 0)
		}
		// Distance from the line between the middles of top and foot.
		dx, dy := foot.X-d.At.X, foot.Y-d.At.Y
		t := ((p.X-d.At.X)*dx + (p.Y-d.At.Y)*dy) / max(dx*dx+dy*dy, 1e-9)
		t = min(max(t, 0), 1)
		if math.Hypot(p.X-d.At.X-t*dx, p.Y-d.At.Y-t*dy) < 1.25*d.Size {
			return true
		}
	}
	return false
}
