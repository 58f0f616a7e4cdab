package belief

import (
	"math"
	"slices"

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
	cost = f.extra(w) + f.outOfView(w)
	if s.Before == nil || len(s.Before.Beside)+len(s.Before.spares) == 0 {
		return cost
	}
	was, is := s.Before.countBeside(), s.countBeside()
	w.onto, w.off = apart(w.onto, w.off)
	cost += s.leftFor(w.onto, &was, &is) + f.cameBack(&w, &was, &is)
	if w.rolled {
		s.Before.rolledBack(&was, &is)
	}
	for _, c := range table.Colors {
		cost += f.otherThan(&w, c, &was[c], &is[c])
	}
	const most = 20.0 // something has become of all of them
	return min(cost, most)
}

// leftFor is how little it fits that dice lie on the board now that lay beside it, and takes them out of what lay there.
func (s *Sight) leftFor(onto []table.Die, was, is *counts) (cost float64) {
	for _, d := range onto {
		if n := &was[d.Color][d.Face]; *n > is[d.Color][d.Face] {
			*n--
		} else if f := oneLess(was[d.Color], is[d.Color]); f > 0 {
			was[d.Color][f]--
			cost -= math.Log(model.Turned)
		} else if s.Before.missing(d) == 0 {
			cost -= math.Log(model.Stays)
		}
	}
	return cost
}

// cameBack is how little it fits that dice lie beside the board now that lay on it, and takes them out of what lies there.
// Dice that change places otherwise are known by their color alone.
func (f *follower) cameBack(w *way, was, is *counts) (cost float64) {
	s := f.sight
	onto, off := f.otherwise(w)
	for _, d := range w.off {
		if n := &is[d.Color][d.Face]; *n > was[d.Color][d.Face] {
			*n--
		} else {
			cost -= math.Log(s.notBack(d.Color, f.start))
		}
	}
	for c, n := range off { // what has left the board otherwise
		for range n {
			if !take(&is[c], &was[c]) {
				cost -= math.Log(s.notBack(table.Color(c), f.start))
			}
		}
		for range onto[c] {
			if !take(&was[c], &is[c]) {
				cost -= math.Log(model.Stays)
			}
		}
	}
	return cost
}

// otherThan is how little the dice of a color that lie beside the board fit those that lay there, by face: some are out of view,
// others have come, others again are misread.
func (f *follower) otherThan(w *way, c table.Color, was, is *[7]int) (cost float64) {
	s := f.sight
	gone, come, back := 0, 0, 0
	var left []float64 // how likely each is just not read
	for face := range was {
		n := was[face] - is[face]
		gone += max(n, 0)
		come += max(-n, 0)
		back += min(max(-n, 0), s.Before.missing(table.Die{Color: c, Face: face}))
		for i := range n {
			left = append(left, at(s.gone[c][face], i, model.Gone))
		}
	}
	wrong := min(gone, come)
	other := max(s.misread[c], s.Before.misread[c])
	if w.rolled { // every die comes up as it does by chance
		other = max(other, 1./6)
	}
	slices.SortFunc(left, func(a, b float64) int { return sign(b - a) })
	for _, p := range left[:gone-wrong] {
		cost -= math.Log(p)
	}
	cost -= float64(wrong)*math.Log(other) + float64(come-wrong)*math.Log(model.Come)
	if w.rolled {
		cost -= f.sameAgain(w, c, wrong)
	}
	cost -= float64(min(back, come-wrong)) * math.Log(model.Back/model.Come)
	// That a die is away again is no likelier than that one on the board is missed again.
	away := min(s.Before.away(c, w.world.board, s.Beside), s.Before.away(c, f.start, s.Before.Beside))
	covered := s.cameCovered(c, &w.world.board) // those beside it are the likeliest not to be read
	for i := range away {
		cost -= math.Log(at(s.still[c], covered+i, model.Again))
	}
	return cost
}

// rolledBack has dice that were not read any more lie where they lay, as far as more of their color are read now: they may be those, rolled
// meanwhile.
func (s *Sight) rolledBack(was, is *counts) {
	for _, o := range s.spares {
		if o.away == 0 {
			continue
		}
		c, more := o.die.Color, 0
		for f := range is[c] {
			more += is[c][f] - was[c][f]
		}
		if more > 0 {
			was[c][min(max(o.die.Face, 0), 6)]++
		}
	}
}

// apart is the dice that a way brings onto the board and that it takes off it, without those that only go elsewhere on it.
func apart(onto, off []table.Die) (come, gone []table.Die) {
	if len(onto) == 0 || len(off) == 0 {
		return onto, off
	}
	gone = slices.Clone(off)
	for _, d := range onto {
		if i := slices.Index(gone, d); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
		} else {
			come = append(come, d)
		}
	}
	return come, gone
}

// sameAgain is the logarithm of how likely the dice of a color that a player has rolled and of which so many show other faces now look
// like this, compared to those others alone: the rest have come up as before, no matter which is which, or are still out of view.
func (f *follower) sameAgain(w *way, c table.Color, others int) float64 {
	if len(w.line) == 0 {
		return 0 // nobody has rolled them
	}
	mv := w.line[len(w.line)-1]
	p, ok := plainly(mv).(rules.Placement)
	g, knows := w.world.now.(rules.Compelling)
	if !ok || !p.Rolls() || !knows {
		return 0
	}
	n, known := g.Left(mv.Actor(), c)
	if !known {
		return 0
	}
	var faces [7]int
	seen := 0
	for i, r := range f.sight.Beside {
		if r.Color == c && f.owners.may(mv.Actor(), f.sight.sides[i]) {
			faces[min(max(r.Face, 0), 6)]++
			seen++
		}
	}
	log := float64(max(n-seen, 0)) * math.Log(model.Outside)
	n = min(n, seen)
	for i := range n {
		log += math.Log(float64(i + 1)) // in any order
		if i >= others {
			log -= math.Log(6)
		}
	}
	if seen == n {
		for _, k := range faces {
			for i := range k {
				log -= math.Log(float64(i + 1)) // but for like ones
			}
		}
	}
	return log
}

// may says whether dice on a side may be a player's: it is not known to be another's.
func (o *owners) may(p rules.Player, side int) bool {
	for q := range o {
		if o[q][side] > 0 && q != int(p) {
			return o[p][side] >= o[q][side]
		}
	}
	return true
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

// otherwise is how many dice of each color an act of a way has brought onto the board, or taken off it, that neither places nor takes
// back a die: another one arrived than the one that left.
func (f *follower) otherwise(w *way) (onto, off [10]int) {
	var n [10]int
	for i, d := range w.world.board {
		n[d.Color]++
		n[f.start[i].Color]--
	}
	for _, d := range w.onto {
		n[d.Color]--
	}
	for _, d := range w.off {
		n[d.Color]++
	}
	for _, c := range table.Colors {
		onto[c], off[c] = max(n[c], 0), max(-n[c], 0)
	}
	return onto, off
}

// take takes one die of a color of which there are more than there were.
func take(more, fewer *[7]int) bool {
	for f := range more {
		if more[f] > fewer[f] {
			more[f]--
			return true
		}
	}
	return false
}

// notBack is how likely a die of a color that was taken off the board is not read beside it.
func (s *Sight) notBack(c table.Color, board rules.Board) float64 {
	if s.Before.known[c] == s.kit[c] && s.Before.away(c, board, s.Before.Beside) <= 0 {
		return model.NotBackOf
	}
	return model.NotBack
}

// missing is how many dice like one lay beside the board and are not read there any more.
func (s *Sight) missing(d table.Die) (n int) {
	for _, o := range s.spares {
		if o.die == d && o.away > 0 {
			n++
		}
	}
	return n
}

// at is an item of a list; otherwise beyond its end.
func at(list []float64, i int, otherwise float64) float64 {
	if i < len(list) {
		return list[i]
	}
	return otherwise
}

// away is how many dice of a color that were in view at once by then lie neither on a board nor beside it.
func (s *Sight) away(c table.Color, board rules.Board, beside []table.Reading) int {
	n := s.known[c]
	for _, r := range beside {
		if r.Color == c {
			n--
		}
	}
	for _, d := range board {
		if d.Color == c {
			n--
		}
	}
	return n
}

// extra is how little a way fits that there are no more dice of a color than the game has, on the board and beside it: some of what
// is read beside it is no die then.
func (f *follower) extra(w way) (cost float64) {
	was, is := f.surplus(&f.start, f.sight.Before), f.surplus(&w.world.board, f.sight)
	for _, c := range table.Colors {
		for i := range is[c] {
			p := at(f.sight.none[c], i, model.Extra)
			if i < was[c] { // it was no die before
				p = max(p, model.Again)
			}
			cost -= math.Log(p)
		}
	}
	return cost
}

// outOfView is how little a way fits the dice of the game that are nowhere to be seen in the first view: where nearly all others are in
// view, one that is not is the likelier on the board (the beta-binomial distribution).
func (f *follower) outOfView(w way) float64 {
	s := f.sight
	if s.Before != nil {
		return 0
	}
	var on [10]int
	for _, d := range w.world.board {
		on[d.Color]++
	}
	for _, r := range s.Beside {
		on[r.Color]++
	}
	out := 0
	for c, kit := range s.kit {
		out += max(kit-on[c], 0)
	}
	gamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	in := float64(len(s.Beside))
	return gamma(model.Out+model.In+float64(out)+in) - gamma(model.Out+float64(out)) - gamma(model.In+in)
}

// surplus is how many dice of each color more than the game has lie on a board and are read beside it.
func (f *follower) surplus(board *rules.Board, s *Sight) (n [10]int) {
	if s == nil {
		return n
	}
	for _, d := range board {
		n[d.Color]++
	}
	for _, r := range s.Beside {
		n[r.Color]++
	}
	for c, kit := range f.sight.kit {
		n[c] = max(n[c]-kit, 0)
	}
	return n
}

// noteNone notes how likely what is read beside the board is no die, by color, the likeliest first.
func (s *Sight) noteNone() {
	for i, r := range s.Beside {
		p := model.Extra
		switch {
		case r.Sure && s.spares[i].views > 1:
			p = model.SteadyExtra
		case r.Sure:
			p = model.SureExtra
		}
		s.none[r.Color] = append(s.none[r.Color], p)
	}
	for c := range s.none {
		slices.SortFunc(s.none[c], func(a, b float64) int { return sign(b - a) })
	}
}

// vanished is the dice that lay beside the board plainly enough to be read now if they still did, and that a way has not brought
// onto the board.
func (f *follower) vanished(w *way) (list []table.Die) {
	const (
		shy  = .2 // so likely one that is not read has gone nowhere
		most = 2  // else something has become of all of them
	)
	s := f.sight
	if s.Before == nil {
		return nil
	}
	was, is := s.Before.countBeside(), s.countBeside()
	for _, d := range w.onto {
		was[d.Color][d.Face]--
	}
	for c := range was {
		come := 0
		for n := range was[c] {
			come += max(is[c][n]-was[c][n], 0)
		}
		for n := range was[c] {
			if k := was[c][n] - is[c][n]; k > 0 && come == 0 && at(s.gone[c][n], 0, 1) < shy {
				list = append(list, table.Die{Color: table.Color(c), Face: n})
			}
		}
	}
	if len(list) > most {
		return nil
	}
	return list
}

// underCover is the dice beside the board that nobody can see where they lay, as something covers them or they are out of the picture,
// of colors of which a way has not found all on the board by now. They may have been played under what covers a part of it.
func (f *follower) underCover(w *way) (list []table.Die) {
	s := f.sight
	if s.Before == nil || !s.Covered() {
		return nil
	}
	for _, o := range s.spares {
		if o.beyond && o.away > 0 && !slices.Contains(list, o.die) && s.away(o.die.Color, w.world.board, s.Beside) > 0 {
			list = append(list, o.die)
		}
	}
	return list
}

// cameCovered is how many dice of a color a board has under what covers it that were not seen there, as far as as many are covered
// beside it: whether they lie here or there, nobody can see them.
func (s *Sight) cameCovered(c table.Color, board *rules.Board) (n int) {
	beside := 0
	for _, o := range s.spares {
		if o.die.Color == c && o.beyond && o.away > 0 {
			beside++
		}
	}
	for k, d := range board {
		if d.Color == c && s.hides(k) && s.Squares[k].Die != d {
			n++
		}
	}
	return min(n, beside)
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
