package vision

import (
	"image"
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// Where the grid is known, the find network looks at the board alone, at the scale
// that suits its dice: less than half the work of looking for it. What is beside it
// is looked for less often, over the whole picture and at a smaller scale.
const (
	knownTop  = 18.0 // half diagonal of tops on it, network pixels; smaller, dark dice are overlooked
	besideTop = 17.0 // and beside it
	// A picture no wider than the network's is blurred more often than not: its dice are looked
	// at up to this size rather than made smaller.
	knownTopSmall = 24.0
	aroundGrid    = 0.8  // squares beside the grid that are looked at with it
	headRoom      = 0.85 // and above it: the height of dice, and a little
	roundDown     = 0.05 // share of its sides by which a view may shrink to suit the network
)

// lookAround reads a picture whose grid is known at the scale that suits its dice.
func (s *scene) lookAround(k Known) ([]detect.Top, error) {
	cam := k.Profile.Camera.Scaled(float64(s.width), float64(s.height))
	s.grid = &lattice.Grid{Camera: cam, Shared: 1, Nodes: lattice.Points * lattice.Points, Speaks: lattice.Points * lattice.Points}
	box, scale := s.around()
	m, err := s.finder.LookAt(s.px, box, scale)
	if err != nil {
		return nil, err
	}
	s.maps = m
	if len(s.marks) == 0 { // a printed board's marks tell it better
		s.grid.Settle(m)
	}
	tops := m.Peaks(s.width, s.height)
	if k.BoardOnly {
		s.remember(k.Before, box)
		return tops, nil
	}
	whole := s.whole()
	if long := max(s.width, s.height); box != whole {
		scale = math.Min(scale*besideTop/knownTop, float64(s.firstLong())/float64(long))
		if m, err = s.finder.LookAt(s.px, whole, scale); err != nil {
			return nil, err
		}
		tops = s.merge(m.Peaks(s.width, s.height), tops, box)
	}
	if len(s.marks) == 0 {
		s.grid.Moved = s.contradicted(s.grid, tops) || s.grid.HasMoved(m, s.width, s.height, fitting(tops))
	}
	return tops, nil
}

// remember keeps the dice of an earlier reading that a look at the box cannot see.
func (s *scene) remember(before []table.Reading, box image.Rectangle) {
	for _, r := range before {
		if r.Square == nil && s.beyond(r.At, halfDiagonal(r), box) {
			s.beside = append(s.beside, r)
		}
	}
}

// forgetSeen drops remembered dice that this look tells itself: those at the edge of its box.
func (s *scene) forgetSeen(dice []placed, told []int) {
	s.beside = slices.DeleteFunc(s.beside, func(r table.Reading) bool {
		return slices.ContainsFunc(told, func(i int) bool {
			d := &dice[i]
			return math.Hypot(d.At.X-r.At.X, d.At.Y-r.At.Y) < max(d.Size, halfDiagonal(r))/2
		})
	})
}

// around is the part of the picture that shows the known grid and what stands on it, as
// wide and high as the network's strides have it anyway, and the scale to look at it.
func (s *scene) around() (image.Rectangle, float64) {
	cam := &s.grid.Camera
	const lo, hi = -aroundGrid, table.Size + aroundGrid
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, at := range [4][2]float64{{lo, lo}, {hi, lo}, {hi, hi}, {lo, hi}} {
		for _, height := range [2]float64{0, headRoom} {
			p := cam.Project(at[0], at[1], height)
			x0, y0, x1, y1 = math.Min(x0, p.X), math.Min(y0, p.Y), math.Max(x1, p.X), math.Max(y1, p.Y)
		}
	}
	w, h := float64(s.width), float64(s.height)
	x0, y0, x1, y1 = math.Max(x0, 0), math.Max(y0, 0), math.Min(x1, w), math.Min(y1, h)
	size := s.topOnGrid()
	if math.IsNaN(x0+y0+x1+y1) || size < 1 || x1-x0 < 16 || y1-y0 < 16 { // the grid is hardly in the picture
		return s.whole(), float64(firstLong) / math.Max(w, h)
	}
	scale := knownTop / size
	if math.Max(w, h) <= firstLong {
		scale = math.Max(scale, math.Min(1, knownTopSmall/size))
	}
	scale = math.Min(scale, firstLong/math.Max(x1-x0, y1-y0))
	x0, x1 = fill(x0, x1, w, scale)
	y0, y1 = fill(y0, y1, h, scale)
	return image.Rect(int(math.Ceil(x0)), int(math.Ceil(y0)), int(x1), int(y1)), scale
}

// topOnGrid is the usual half diagonal of a top in the middle of the grid, in pixels.
func (s *scene) topOnGrid() float64 {
	a, b := s.grid.Camera.Project(2, 2, 0.5), s.grid.Camera.Project(3, 3, 0.5)
	return math.Hypot(a.X-b.X, a.Y-b.Y) / 2 * usualSide(s.kit.Layout)
}

// fill widens (or, by a little, narrows) a range of pixels, within 0 to most, until the
// network's stride divides it.
func fill(from, to, most, scale float64) (float64, float64) {
	const stride = detect.NetStride
	want := math.Ceil((to-from)*scale*(1-roundDown)/stride) * stride / scale
	more := (want - (to - from)) / 2
	from, to = from-more, to+more
	if from < 0 {
		from, to = 0, to-from
	}
	if to > most {
		from, to = math.Max(from-(to-most), 0), most
	}
	return from, to
}

// halfDiagonal is half the way across a reading's top, in pixels.
func halfDiagonal(r table.Reading) float64 {
	return math.Hypot(r.Outline[0].X-r.Outline[2].X, r.Outline[0].Y-r.Outline[2].Y) / 2
}
