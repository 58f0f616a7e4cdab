package belief

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// owners counts how often dice on a side of the board were a player's, by player and side.
type owners [4][4]uint8

// likely is the probability that dice on a side are a player's.
func (o *owners) likely(p rules.Player, side int) float64 {
	const before = .001 // a count that is thought of before anything was seen
	sum := 0.0
	for q := range o {
		sum += float64(o[q][side]) + before
	}
	return (float64(o[p][side]) + before) / sum
}

// sides is how little a way fits whose dice lie on which side of the board: those that a player places or rolls lay on a side
// where that player's dice lie. It notes what it tells of whose those are.
func (f *follower) sides(w way) (cost float64) {
	s := f.sight
	if s.Before == nil || len(w.line) == 0 {
		return 0
	}
	own, roll := f.owners, -1 // the last roll is the one that is seen
	for i, mv := range w.line {
		if p, ok := mv.(rules.Placement); ok && p.Rolls() && w.rolled {
			roll = i
		}
	}
	for i, mv := range w.line {
		p, ok := mv.(rules.Placement)
		if !ok || !p.Owned() || mv.Actor() < 0 || int(mv.Actor()) >= len(own) {
			continue
		}
		side := -1
		if d, places := p.Places(); places {
			side = s.sideThatLost(d)
		} else if i == roll {
			side = s.sideThatChanged(w.onto)
		}
		if side < 0 {
			continue
		}
		cost -= math.Log(own.likely(mv.Actor(), side))
		if own[mv.Actor()][side] < 255 {
			own[mv.Actor()][side]++
		}
	}
	if w.acts > 0 {
		w.world.owners = own
	}
	return cost
}

// bySide counts the dice beside the board by side.
func (s *Sight) bySide() (n [4]counts) {
	for i, r := range s.Beside {
		n[s.sides[i]][r.Color][min(max(r.Face, 0), 6)]++
	}
	return n
}

// sideThatLost is the only side on which there is one of such dice less than before; -1: there is none, or more than one.
func (s *Sight) sideThatLost(d table.Die) int {
	was, is := s.Before.bySide(), s.bySide()
	found := -1
	for k := range was {
		if was[k][d.Color][d.Face] > is[k][d.Color][d.Face] {
			if found >= 0 {
				return -1
			}
			found = k
		}
	}
	return found
}

// sideThatChanged is the only side on which as many dice of each color lie as before, but for those that were brought onto the board, and
// show other faces; -1: there is none, or more than one.
func (s *Sight) sideThatChanged(onto []table.Die) int {
	was, is := s.Before.bySide(), s.bySide()
	for _, d := range onto {
		if k := s.sideThatLost(d); k >= 0 {
			was[k][d.Color][d.Face]--
		}
	}
	found := -1
	for k := range was {
		if was[k] == is[k] {
			continue
		}
		for c := range was[k] {
			a, b := 0, 0
			for f := range was[k][c] {
				a, b = a+was[k][c][f], b+is[k][c][f]
			}
			if a != b {
				return -1
			}
		}
		if found >= 0 {
			return -1
		}
		found = k
	}
	return found
}
