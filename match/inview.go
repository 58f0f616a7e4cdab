package match

import (
	"slices"

	"diceref/calibration"
	"diceref/table"
)

// A camera that is pushed has all dice elsewhere in its picture, and some of those beside the board in none. They
// lie where they lay on the table all the same.

// followCamera takes the dice beside the board to where they are in a view, and notes which of them it cannot show.
func (m *Match) followCamera(obs table.Observation) {
	if m.setting.Game.Kit().Layout != table.Board || obs.Grid == nil || !obs.Grid.Found {
		return
	}
	before, now, reach := m.spareGrid, obs.Grid.Corners, reachOf(obs)
	if before == ([4]table.Point{}) || len(m.supply) == 0 {
		m.spareGrid = now
		return
	}
	far := 0.0
	for i := range now {
		far = max(far, dist(before[i], now[i]))
	}
	if far <= trembles*reach {
		return
	}
	from, err1 := calibration.QuadTo(before)
	to, err2 := calibration.QuadTo(now)
	back, ok := from.Inverse()
	if err1 != nil || err2 != nil || !ok {
		return
	}
	m.spareGrid = now
	h := to.Mul(back)
	list := slices.Clone(m.supply)
	for i := range list {
		s := &list[i]
		s.At = h.Apply(s.At)
		for k, p := range s.Outline {
			s.Outline[k] = h.Apply(p)
		}
		if far > reach { // what is plain from one side may be hard to see from another
			s.afar, s.views, s.shy = true, 0, max(s.shy, 1)
		}
		if s.beyond = outside(s.At, obs, reach); s.beyond {
			s.away, s.views, s.shy = true, 0, shyViews
		}
	}
	m.supply = list
}

// trembles is how far, in shares of half a square, a grid's corner may be elsewhere while nothing was pushed.
const trembles = 0.1

// outside says whether a die is cut by the border of the picture, or lies beyond it.
func outside(at table.Point, obs table.Observation, reach float64) bool {
	return at.X < reach || at.Y < reach || at.X > float64(obs.Width)-reach || at.Y > float64(obs.Height)-reach
}

// beyond is how many dice are out of the picture.
func beyond(dice []spare) (n int) {
	for _, s := range dice {
		if s.beyond {
			n++
		}
	}
	return n
}
