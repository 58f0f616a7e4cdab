package belief

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// counts is dice by color and face.
type counts [10][7]int

func (s *Sight) countBeside() (n counts) {
	for _, r := range s.Beside {
		n[r.Color][min(max(r.Face, 0), 6)]++
	}
	return n
}

// beside is how little the dice beside the board fit a way: those that it brings onto the board have left them, those that it
// takes off have come to them, and the others lie as they lay, but for such as are out of view or misread.
func (f *follower) beside(w way) (cost float64) {
	s := f.sight
	if s.Before == nil || len(s.Before.Beside) == 0 || w.rolled {
		return 0
	}
	was, is := s.Before.countBeside(), s.countBeside()
	for _, d := range w.onto {
		if n := &was[d.Color][d.Face]; *n > is[d.Color][d.Face] {
			*n--
		} else {
			cost -= math.Log(model.Stays)
		}
	}
	for _, d := range w.off {
		if n := &is[d.Color][d.Face]; *n > was[d.Color][d.Face] {
			*n--
		} else {
			cost -= math.Log(model.NotBack)
		}
	}
	misread := model.Misread
	if s.besideSure && s.Before.besideSure {
		misread = model.SurelyMisread
	}
	for _, c := range table.Colors {
		gone, come := 0, 0
		for f := range was[c] {
			gone += max(was[c][f]-is[c][f], 0)
			come += max(is[c][f]-was[c][f], 0)
		}
		changed := min(gone, come)
		cost -= float64(changed)*math.Log(misread) + float64(gone-changed)*math.Log(f.gone()) + float64(come-changed)*math.Log(model.Come)
	}
	const most = 10.0 // something has become of all of them
	return min(cost, most)
}

// gone is how likely a die beside the board is not read any more. Where all were in view before, it hardly ever goes out of it.
func (f *follower) gone() float64 {
	if f.allBeside() {
		return model.GoneOfAll
	}
	return model.Gone
}

// allBeside says whether all dice of the game that do not lie on the board were read beside it in the view before.
func (f *follower) allBeside() bool {
	n := 0
	for _, k := range f.sight.Game.Kit().Dice {
		n += k
	}
	for _, d := range f.start {
		if d.Color != table.NoColor {
			n--
		}
	}
	return f.sight.Before != nil && len(f.sight.Before.Beside) >= n
}

// vanished is the one die that is not read beside the board any more, while all others are.
func (f *follower) vanished(now rules.State) (list []table.Die) {
	if !f.allBeside() || len(f.sight.Before.Beside) != len(f.sight.Beside)+1 || rules.ExpectedBoard(now.Expect()) != f.start {
		return nil
	}
	was, is := f.sight.Before.countBeside(), f.sight.countBeside()
	for c := range was {
		for n := range was[c] {
			switch was[c][n] - is[c][n] {
			case 0:
			case 1:
				list = append(list, table.Die{Color: table.Color(c), Face: n})
			default:
				return nil
			}
		}
	}
	if len(list) > 1 {
		return nil
	}
	return list
}

// track notes which dice an act brings onto the board or rolls.
func (w *way) track(mv rules.Move) {
	p, ok := mv.(rules.Placement)
	if !ok {
		return
	}
	w.rolled = w.rolled || p.Rolls()
	if d, places := p.Places(); places {
		w.onto = append(w.onto[:len(w.onto):len(w.onto)], d)
	}
}

// untrack notes which die an act that is taken back takes off the board.
func (w *way) untrack(mv rules.Move) {
	if p, ok := mv.(rules.Placement); ok {
		if d, places := p.Places(); places {
			w.off = append(w.off[:len(w.off):len(w.off)], d)
		}
	}
}
