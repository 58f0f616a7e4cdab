package vision

import (
	"image"
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// Where the first look leaves dice or the grid in doubt, the find network sees the whole picture once more, smaller: what
// a cloth shows looks like a die at one scale, a die at both. The logits of both looks are averaged.
const (
	secondScale = 0.75 // of the first look's
	secondShare = 0.35 // of the second look's word
)

// lookTwice brings in what a second look shows where the first left doubts.
func (s *scene) lookTwice(tops []detect.Top) ([]detect.Top, error) {
	if !s.inTrouble(tops) {
		return tops, nil
	}
	m, err := s.r.finder.Look(s.px, image.Rect(0, 0, s.width, s.height), int(float64(s.firstLong())*secondScale))
	if err != nil {
		return nil, err
	}
	others := m.Peaks(s.width, s.height)
	if s.kit.Layout != table.Loose && (s.grid == nil || !s.grid.Sure()) {
		if g, ok := lattice.FindGrid(m, s.width, s.height); (ok || s.confirmed(&g, others)) && (s.grid == nil || g.Sure()) {
			s.grid = &g
		}
	}
	blend(tops, m, 1-secondShare)
	blend(others, s.maps, secondShare)
	both := detect.Once(slices.Concat(others, tops))
	return slices.DeleteFunc(both, func(t detect.Top) bool { return t.Score < detect.LeastTop }), nil
}

// inTrouble says whether a look leaves dice or the grid in doubt. A few tops on a board or beside it
// always are: sides, prints and stickers.
func (s *scene) inTrouble(tops []detect.Top) bool {
	doubts, _ := countTops(tops)
	if s.kit.Layout == table.Loose {
		return doubts > 0
	}
	return doubts > closerMost || s.grid == nil || !s.grid.Sure()
}

// blend makes of the tops' scores the mean with what other maps show there, in logits; share is that of their own.
func blend(tops []detect.Top, other *detect.Maps, share float64) {
	for i := range tops {
		t := &tops[i]
		t.Score = detect.Sigmoid(share*math.Log(t.Score/(1-t.Score)) + (1-share)*other.HeatAbout(t.At))
	}
}
