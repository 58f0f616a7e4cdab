package vision

import (
	"math"
	"sort"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// placed is a top with its place on the table.
type placed struct {
	detect.Top
	square *table.Square
	off    float64 // how far its middle lies from the square's middle, in squares (larger coordinate)
	// refitted: the outline is not the find network's, see refit.
	refitted bool
	side     bool    // it may be the side of a better seen die
	blown    float64 // share of it that is blown out, and
	sharp    float64 // how steep its edges are, see topLook
	// sideFits: its outline is just what a side's would be that may be seen there.
	sideFits bool
	// contested: it may be the side of another die, or a loose die whose side that one is.
	contested bool
	// unlike is how far its size is off the other dice's, as a logarithm; infinite where they do
	// not tell. Of tops on no square.
	unlike float64
	// short is by how much less plainly it stands than a die among print must, see markShort; below 0 it need less, see markAlone.
	short float64
	// half: it may be half of a domino, see markHalves.
	half bool
	// unbacked: neither the find network nor the stand network plainly takes it for a die's top, only the judge does.
	unbacked bool
	// twin is what a die that looks like it says for its being one, see markTwins.
	twin float64
}

// usualSide is the side of a die in squares where no die tells it: boards' squares
// are a fifth to a half larger than the dice; an arena's holes lie 1.75 dice apart.
func usualSide(l table.Layout) float64 {
	if l == table.Arena {
		return 1 / 1.75
	}
	return 0.75
}

// topHeight is the height of tops above the grid, in squares, for dice of that side.
// Dice stand on a board, but in an arena they stand in holes: the plate reaches up
// to a little less than half of them.
func topHeight(l table.Layout, side float64) float64 {
	if l == table.Arena {
		return 0.56 * side
	}
	return side
}

// dieSide estimates the side of the dice, in squares, from the outlines of the tops that
// have a vote: seen at the height that follows from it, an outline has that very side.
func dieSide(cam *calibration.Camera, l table.Layout, tops []detect.Top) float64 {
	side := usualSide(l)
	for range 4 {
		h := topHeight(l, side)
		var sides []float64
		for i := range tops {
			if s, ok := sideAt(cam, &tops[i], h); ok && votes(&tops[i]) {
				sides = append(sides, s)
			}
		}
		if len(sides) == 0 {
			return side
		}
		sort.Float64s(sides)
		m := sides[len(sides)/2]
		// A few outlines weigh less than what is usual.
		k := float64(len(sides)) / (float64(len(sides)) + 1)
		m = math.Exp(k*math.Log(m) + (1-k)*math.Log(usualSide(l)))
		side = min(max(m, 0.45), 0.97)
	}
	return side
}

// sideAt is the side of the square with the outline's area at height h over the grid, if that may be a die's.
func sideAt(cam *calibration.Camera, t *detect.Top, h float64) (float64, bool) {
	side, ok := anySideAt(cam, t, h)
	return side, ok && side > leastSquared
}

// anySideAt is the same of anything.
func anySideAt(cam *calibration.Camera, t *detect.Top, h float64) (float64, bool) {
	if t.Cut {
		return 0, false
	}
	var p [4]table.Point
	for i, o := range t.Outline {
		x, y, ok := cam.Place(o, h)
		if !ok || x < -2 || y < -2 || x > table.Size+2 || y > table.Size+2 {
			return 0, false
		}
		p[i] = table.Point{X: x, Y: y}
	}
	a := math.Abs(geometry.Area2(p[0], p[1], p[2])+geometry.Area2(p[2], p[3], p[0])) / 2
	return math.Sqrt(a), a > 0
}

// sizedFor tells tops that have the dice's size as the camera of a sure grid sees them. Far off and near dice of one
// picture may differ more than a few of them can tell. It is nil without such a grid.
func (s *scene) sizedFor(tops []detect.Top) func(*detect.Top) bool {
	if s.grid == nil || !s.grid.Sure() {
		return nil
	}
	cam, l := &s.grid.Camera, s.kit.Layout
	usual := dieSide(cam, l, tops)
	return func(t *detect.Top) bool {
		side, ok := sideAt(cam, t, topHeight(l, usual))
		return ok && math.Abs(math.Log(side/usual)) < detect.SizeSpread
	}
}

// edge is how far past the grid's border a die's middle may lie and still count as on it, in squares.
const edge = 0.2

func onGrid(x, y float64) bool {
	return x >= -edge && y >= -edge && x <= table.Size+edge && y <= table.Size+edge
}

// placeTops says how large the dice are and assigns tops to squares: first as dice usually
// are, then as those that stand there tell it.
func (s *scene) placeTops(tops []detect.Top) []placed {
	cam, l := &s.grid.Camera, s.kit.Layout
	s.markLow(usualSide(l), tops)
	s.side = dieSide(cam, l, tops)
	dice := place(cam, l, s.side, tops)
	drawnByDice(s.grid, dice, topHeight(l, s.side))
	s.markLow(s.side, tops)
	s.side = dieSide(cam, l, tops)
	return place(cam, l, s.side, tops)
}

// place assigns tops to squares: each middle is brought down along the line of
// sight from the height of the tops. What is left of a common error (a camera a
// little off) is taken out, as dice lie about the middles of their squares.
func place(cam *calibration.Camera, l table.Layout, side float64, tops []detect.Top) []placed {
	h := topHeight(l, side)
	out := make([]placed, len(tops))
	at := make([]table.Point, len(tops))
	on := make([]bool, len(tops))
	var near []table.Point
	for i, t := range tops {
		out[i].Top = t
		x, y, ok := cam.Place(t.At, h)
		at[i], on[i] = table.Point{X: x, Y: y}, ok
		if ok && !likelyPrint(&t) && x > 0 && y > 0 && x < table.Size && y < table.Size {
			near = append(near, at[i])
		}
	}
	dx, dy := commonOffset(near)
	taken := map[table.Square]int{}
	for i := range out {
		x, y := at[i].X-dx, at[i].Y-dy
		if !on[i] || !onGrid(x, y) {
			continue
		}
		s := table.Square{Row: min(max(int(math.Floor(y)), 0), table.Size-1), Col: min(max(int(math.Floor(x)), 0), table.Size-1)}
		out[i].off = math.Max(math.Abs(x-float64(s.Col)-0.5), math.Abs(y-float64(s.Row)-0.5))
		if j, ok := taken[s]; ok { // a square holds one die: the better one
			if better(&out[j], &out[i]) {
				out[i].square = nil
				out[i].Score = 0
				continue
			}
			out[j].square, out[j].Score = nil, 0
		}
		taken[s] = i
		out[i].square = &s
	}
	kept := out[:0]
	for _, p := range out {
		if p.Score > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

func better(a, b *placed) bool { return a.Score-0.5*a.off >= b.Score-0.5*b.off }

// commonOffset is the middle, by parts, of how far dice are off their squares'
// middles; held back where few dice tell it.
func commonOffset(p []table.Point) (dx, dy float64) {
	if len(p) < 3 {
		return 0, 0
	}
	mean := func(get func(table.Point) float64) float64 {
		var s, c float64
		for _, q := range p {
			a := 2 * math.Pi * (get(q) - 0.5)
			s, c = s+math.Sin(a), c+math.Cos(a)
		}
		n := float64(len(p))
		return math.Atan2(s, c) / (2 * math.Pi) * n / (n + 3)
	}
	limit := func(v float64) float64 { return min(max(v, -0.4), 0.4) }
	return limit(mean(func(q table.Point) float64 { return q.X })), limit(mean(func(q table.Point) float64 { return q.Y }))
}
