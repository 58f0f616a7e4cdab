package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
)

// What rests over a part of the table, as an arm does, hides the squares under it and what lies beside the grid.
const (
	aroundHidden = 4    // squares beside the grid that may be told to be hidden
	hidesSquare  = 0.25 // of a square and of the top of a die on it: so much must be covered
)

// coveredPlaces is the squares that are covered, and the places beside the grid, numbered as if it went on there; and whether what
// covers them moves.
func (s *scene) coveredPlaces() (list []table.Square, moving bool) {
	if s.over == nil || s.grid == nil {
		return nil, false
	}
	const along = 3 // points
	for row := -aroundHidden; row < table.Size+aroundHidden; row++ {
		for col := -aroundHidden; col < table.Size+aroundHidden; col++ {
			covered := 0
			for i := range 2 * along * along {
				x, y := float64(col)+(float64(i%along)+0.5)/along, float64(row)+(float64(i/along%along)+0.5)/along
				is, moves := s.over(s.grid.Camera.Project(x, y, float64(i/along/along)*usualSide(s.kit.Layout)))
				if moving = moving || moves; is {
					covered++
				}
			}
			if float64(covered) >= hidesSquare*2*along*along {
				list = append(list, table.Square{Row: row, Col: col})
			}
		}
	}
	return list, moving
}

// hide notes which places are hidden, and returns the tops that are not there. What is seen through somebody's fingers is no die on
// the table; what is plainly seen where nothing moves is one that only seemed to be covered.
func (s *scene) hide(tops []detect.Top) []detect.Top {
	hidden, moving := s.coveredPlaces()
	if len(hidden) == 0 || s.ground == nil {
		return tops
	}
	if !moving && !slices.ContainsFunc(hidden, func(q table.Square) bool { return q.On() && !s.showsCorners(q) }) {
		hidden = slices.DeleteFunc(hidden, table.Square.On) // another light, or something lies there that is flat
	}
	show := func(at table.Square) {
		hidden = slices.DeleteFunc(hidden, func(q table.Square) bool { return q == at })
	}
	for i := range s.beside { // seen in a look before at the same view
		show(s.squareUnder(s.beside[i].At))
	}
	for i := range tops {
		if _, moves := s.over(tops[i].At); !moves && tops[i].Score >= sureScore && !likelyPrint(&tops[i]) {
			show(s.squareUnder(tops[i].At))
		}
	}
	hidden = s.withChanged(hidden, tops)
	s.obs.Hidden = hidden
	return slices.DeleteFunc(tops, func(t detect.Top) bool { return slices.Contains(hidden, s.squareUnder(t.At)) })
}

// squareUnder is the square, of the grid or beside it, on which the die with that top lies.
func (s *scene) squareUnder(top table.Point) table.Square {
	x, y, ok := s.grid.Camera.Place(top, topHeight(s.kit.Layout, usualSide(s.kit.Layout)))
	if !ok {
		return table.Square{Row: -table.Size, Col: -table.Size}
	}
	return table.Square{Row: int(math.Floor(y)), Col: int(math.Floor(x))}
}

// withChanged is what is hidden, and the squares beside that that do not look as they do when they are empty, though no die is seen
// there.
func (s *scene) withChanged(hidden []table.Square, tops []detect.Top) []table.Square {
	list := slices.Clone(hidden)
	for i := range table.Size * table.Size {
		q := table.SquareAt(i)
		beside := func(o table.Square) bool { return max(o.Row-q.Row, q.Row-o.Row, o.Col-q.Col, q.Col-o.Col) <= 1 }
		taken := func(t detect.Top) bool { return s.squareUnder(t.At) == q }
		if slices.Contains(hidden, q) || !slices.ContainsFunc(hidden, beside) || slices.ContainsFunc(tops, taken) {
			continue
		}
		if asEver, known := s.emptyAsEver(q); known && !asEver {
			list = append(list, q)
		}
	}
	return list
}

// showsCorners says whether all of a square's corners are seen.
func (s *scene) showsCorners(q table.Square) bool {
	for i := range 4 {
		if !seesLattice(s.maps, s.grid.Camera.Project(float64(q.Col+i%2), float64(q.Row+i/2), 0)) {
			return false
		}
	}
	return true
}

// hiddenPoint says whether a lattice point touches a square that is hidden.
func (s *scene) hiddenPoint(row, col int) bool {
	return slices.ContainsFunc(s.obs.Hidden, func(q table.Square) bool {
		return q.On() && (q.Row == row || q.Row == row-1) && (q.Col == col || q.Col == col-1)
	})
}
