package vision

import (
	"math"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/geometry"
)

// How far around what is played with hands and other things matter.
const (
	aroundBoard = 1.0 // squares beside a grid: dice stand up to its edge, and hide what is behind them
	aroundDie   = 2.5 // half diagonals of a die's top, from its middle
)

// heed tells the judge where on the table something is played with, as a reading has it: on the grid, and about dice beside
// a board; beside an arena they are nobody's yet. While the grid is not plainly seen it matters all over.
func (s *session) heed(o table.Observation) {
	if s.follow.view == nil {
		return
	}
	t := &s.follow.view.Thumb
	layout, dice := s.what.Game.Kit().Layout, o.Dice
	if layout == table.Loose || doubtful(o) {
		s.judge.Heed(nil, t.Width)
		return
	}
	if layout == table.Arena {
		dice = nil
	}
	back, scale := s.follow.back(), float64(t.Width)/s.follow.width
	s.judge.Heed(playArea(movedCorners(back, o.Grid.Corners), movedDice(back, dice), scale, t.Width, t.Height), t.Width)
}

// covers tells of places of the present frame, which a mapping takes to the reference, whether something rests over them, and
// whether that moves.
func (s *session) covers(back calibration.Homography) func(table.Point) (covers, moves bool) {
	scale := float64(s.follow.view.Thumb.Width) / s.follow.width
	return func(p table.Point) (covers, moves bool) {
		q := back.Apply(p)
		return s.judge.Covers(q.X*scale, q.Y*scale)
	}
}

// uncover has dice that were read where something seems to rest be a part of the table.
func (s *session) uncover(back calibration.Homography, dice []table.Reading) {
	scale := float64(s.follow.view.Thumb.Width) / s.follow.width
	for _, d := range dice {
		at := back.Apply(d.At)
		s.judge.Uncover(at.X*scale, at.Y*scale, halfDiagonal(d)*scale)
	}
}

// overGrid says whether something rests over the middle of one of a grid's squares.
func overGrid(g *table.Grid, over func(table.Point) (covers, moves bool)) bool {
	if g == nil || !g.Found {
		return false
	}
	h, err := calibration.QuadTo(g.Corners)
	if err != nil {
		return false
	}
	for i := range table.Size * table.Size {
		middle := table.Point{X: (float64(i%table.Size) + 0.5) / table.Size, Y: (float64(i/table.Size) + 0.5) / table.Size}
		if is, _ := over(h.Apply(middle)); is {
			return true
		}
	}
	return false
}

// playArea is where a grid and dice lie, by pixels of a small picture of that scale, with some room around them.
func playArea(corners [4]table.Point, dice []table.Reading, scale float64, width, height int) []bool {
	var middle table.Point
	for _, c := range corners {
		middle.X, middle.Y = middle.X+c.X/4, middle.Y+c.Y/4
	}
	const wider = 1 + 2*aroundBoard/table.Size
	board := make([]table.Point, len(corners))
	for i, c := range corners {
		board[i] = table.Point{X: (middle.X + wider*(c.X-middle.X)) * scale, Y: (middle.Y + wider*(c.Y-middle.Y)) * scale}
	}
	hull := geometry.ConvexHull(board)
	area := make([]bool, width*height)
	mark := func(x0, y0, x1, y1 float64, in func(p table.Point) bool) {
		for y := max(int(y0), 0); y < min(int(y1)+1, height); y++ {
			for x := max(int(x0), 0); x < min(int(x1)+1, width); x++ {
				area[y*width+x] = area[y*width+x] || in(table.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})
			}
		}
	}
	mark(0, 0, float64(width), float64(height), func(p table.Point) bool { return geometry.Within(hull, p) })
	for _, d := range dice {
		if x, y, r := d.At.X*scale, d.At.Y*scale, aroundDie*halfDiagonal(d)*scale; d.Square == nil {
			mark(x-r, y-r, x+r, y+r, func(p table.Point) bool { return math.Hypot(x-p.X, y-p.Y) < r })
		}
	}
	return area
}
