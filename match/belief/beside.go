package belief

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// counts is dice by color and face.
type counts [10][7]int

func countOf(list []table.Reading) (n counts) {
	for _, r := range list {
		n[r.Color][min(max(r.Face, 0), 6)]++
	}
	return n
}

// beside is how little the dice beside the board fit a way: those that it brings onto the board left them, those that it takes
// off came to them, and the others lie as they lay, but for such as are out of view or misread.
func (f *follower) beside(w way) (cost float64) {
	s := f.sight
	if s.Before == nil || len(s.Before.Beside) == 0 {
		return 0
	}
	was, is := countOf(s.Before.Beside), countOf(s.Beside)
	if rolled(w.line) {
		return 0
	}
	after := rules.ExpectedBoard(w.world.now.Expect())
	var left [10]int // by color: how many more have come onto the board than have left it
	for i := range after {
		left[after[i].Color]++
		left[f.start[i].Color]--
	}
	for _, c := range table.Colors {
		for _, mv := range w.line {
			if p, ok := mv.(rules.Placement); ok {
				if d, places := p.Places(); places && d.Color == c && was[c][d.Face] > 0 && left[c] > 0 {
					if was[c][d.Face] > is[c][d.Face] {
						was[c][d.Face]--
						left[c]--
					} else {
						cost -= math.Log(model.Stays)
						left[c]--
					}
				}
			}
		}
		gone, come := 0, 0
		for f := range was[c] {
			gone += max(was[c][f]-is[c][f], 0)
			come += max(is[c][f]-was[c][f], 0)
		}
		come -= min(come, max(-left[c], 0)) // taken back
		misread := min(gone, come)
		cost -= float64(misread)*math.Log(model.Misread) + float64(gone-misread)*math.Log(model.Gone) + float64(come-misread)*math.Log(model.Come)
	}
	const most = 10.0 // something has become of all of them
	return min(cost, most)
}

// rolled says whether dice beside the board were rolled.
func rolled(line []rules.Move) bool {
	for _, mv := range line {
		if r, ok := mv.(rules.Placement); ok && r.Rolls() {
			return true
		}
	}
	return false
}
