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
	cost = f.extra(w)
	if s.Before == nil || len(s.Before.Beside) == 0 {
		return cost
	}
	if s.Before.full { // that a die is away again is no likelier than that one on the board is missed again
		const most = 3
		away := min(s.away(w.world.board, s.Beside), s.away(f.start, s.Before.Beside), most)
		cost -= float64(max(away, 0)) * math.Log(model.Again)
	}
	was, is := s.Before.countBeside(), s.countBeside()
	for _, d := range w.onto {
		if n := &was[d.Color][d.Face]; *n > is[d.Color][d.Face] {
			*n--
		} else if f := oneLess(was[d.Color], is[d.Color]); f > 0 {
			was[d.Color][f]--
			cost -= math.Log(model.Turned)
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
	for _, c := range table.Colors {
		gone, come := 0, 0
		for f := range was[c] {
			gone += max(was[c][f]-is[c][f], 0)
			come += max(is[c][f]-was[c][f], 0)
		}
		wrong := min(gone, come)
		other := max(s.misread[c], s.Before.misread[c])
		if w.rolled { // every die comes up as it does by chance
			other = max(other, 1./6)
		}
		cost -= float64(wrong)*math.Log(other) + float64(gone-wrong)*math.Log(f.gone()) + float64(come-wrong)*math.Log(model.Come)
	}
	const most = 20.0 // something has become of all of them
	return min(cost, most)
}

// oneLess is a face of which there are less dice than before; 0: none.
func oneLess(was, is [7]int) int {
	for f := range was {
		if was[f] > is[f] {
			return f
		}
	}
	return 0
}

// away is how many dice of the game lie neither on a board nor beside it.
func (s *Sight) away(board rules.Board, beside []table.Reading) int {
	n := -len(beside)
	for _, k := range s.kit {
		n += k
	}
	for _, d := range board {
		if d.Color != table.NoColor {
			n--
		}
	}
	return n
}

// extra is how little a way fits that there are no more dice of a color than the game has, on the board and beside it.
func (f *follower) extra(w way) (cost float64) {
	var n [10]int
	for _, d := range w.world.board {
		n[d.Color]++
	}
	for _, r := range f.sight.Beside {
		n[r.Color]++
	}
	for _, c := range table.Colors {
		if more := n[c] - f.sight.kit[c]; more > 0 {
			cost -= float64(more) * math.Log(model.Extra)
		}
	}
	return cost
}

// gone is how likely a die beside the board is not read any more. Where all were in view before, it hardly ever goes out of it.
func (f *follower) gone() float64 {
	if f.all {
		return model.GoneOfAll
	}
	return model.Gone
}

// allBeside says whether all dice of the game that do not lie on the board were read beside it in the view before.
func (f *follower) allBeside() bool {
	return f.sight.Before != nil && f.sight.away(f.start, f.sight.Before.Beside) <= 0
}

// vanished is the one die that is not read beside the board any more, while all others are.
func (f *follower) vanished(board rules.Board) (list []table.Die) {
	if !f.all || len(f.sight.Before.Beside) != len(f.sight.Beside)+1 || board != f.start {
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

// changed is how many dice beside the board show another face than before.
func changed(was, is counts) (n int) {
	for c := range was {
		gone, come := 0, 0
		for f := range was[c] {
			gone += max(was[c][f]-is[c][f], 0)
			come += max(is[c][f]-was[c][f], 0)
		}
		n += min(gone, come)
	}
	return n
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
	own := f.owners
	for i, mv := range w.line {
		p, ok := mv.(rules.Placement)
		if !ok || !p.Owned() || mv.Actor() < 0 || int(mv.Actor()) >= len(own) {
			continue
		}
		side := -1
		if d, places := p.Places(); places {
			side = s.sideThatLost(d)
		} else if p.Rolls() && w.rolled && i == len(w.line)-1 {
			side = s.sideThatChanged()
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

// sideThatChanged is the only side on which as many dice of each color lie as before, and show other faces; -1: there is none, or
// more than one.
func (s *Sight) sideThatChanged() int {
	was, is := s.Before.bySide(), s.bySide()
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
