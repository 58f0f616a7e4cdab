package belief

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// possible says whether a board has no more dice of a color than the game.
func (f *follower) possible(board rules.Board) bool {
	var n [10]int
	for _, d := range board {
		if n[d.Color]++; d.Color != table.NoColor && n[d.Color] > f.sight.kit[d.Color] {
			return false
		}
	}
	return true
}

// Misfit is how well the look of the board fits a way, and that of the whole table.
func (f *follower) misfit(w way) (squares, all float64) {
	cost := 0.0
	s, board := f.sight, w.world.board
	var missing uint32 // dice that are not read
	for i, is := range board {
		if s.Squares[i].read() && is.Color != table.NoColor && w.world.Hides(i) {
			is = table.Die{} // if it were here it would not be hidden
		}
		comes := s.Before != nil && s.Before.hides(i) && w.world.Hides(i) // into view, if it lies there
		c := s.Misfit(i, is, comes || is != f.start[i] && w.same>>i&1 == 0)
		if c > 0 && is.Color != table.NoColor && !s.Squares[i].read() && !w.world.Hides(i) {
			missing |= 1 << i
		}
		cost += c
	}
	for i, is := range board { // what is read beside the square of a die that is not read may be that
		if is.Color != table.NoColor || !s.Squares[i].read() || missing == 0 {
			continue
		}
		for _, j := range around(i) {
			if missing>>j&1 == 0 || s.Squares[i].Die != board[j] {
				continue
			}
			apart := s.Misfit(i, is, is != f.start[i]) + s.Misfit(j, board[j], board[j] != f.start[j])
			if c := s.misplaced(i, j); c < apart {
				cost += c - apart
				missing &^= 1 << j
				break
			}
		}
	}
	return -cost, -cost - f.beside(w) - f.sides(w) - f.order(w)
}

// order is how little the acts of a way fit the order in which squares were seen to change.
func (f *follower) order(w way) (cost float64) {
	for _, o := range f.sight.Sooner {
		first, then := w.when[o.First.Index()], w.when[o.Then.Index()]
		switch {
		case then == 0 || first <= then:
		case o.Plain:
			cost -= math.Log(model.Order)
		default:
			cost -= math.Log(model.HalfOrder)
		}
	}
	return cost
}

// around is the squares that touch one, by a corner, too.
func around(i int) []int { return touching[i] }

var touching = func() (list [table.Size * table.Size][]int) {
	for i := range list {
		for _, n := range rules.Around(table.SquareAt(i)) {
			list[i] = append(list[i], n.Index())
		}
	}
	return list
}()

// differences are the squares on which a board differs from what is seen: dice have come there, are gone, or are others. One whose
// die is another is gone as well.
type differences struct{ come, gone, changed []int }

// mostDiffer is on how many squares a board may differ; with more it is another table, or a hand.
const mostDiffer = 10

// differ tells where a way's board differs from what is seen. Dice on squares that cannot be seen may be gone, for all that is known.
func (f *follower) differ(w *way) (by differences, ok bool) {
	s, board := f.sight, &w.world.board
	for i, is := range board {
		if s.Misfit(i, is, is != f.start[i]) < .1 {
			continue
		}
		switch {
		case w.world.Hides(i):
		case is.Color == table.NoColor:
			by.come = append(by.come, i)
		case s.Squares[i].read():
			by.changed = append(by.changed, i)
			by.gone = append(by.gone, i)
		default:
			by.gone = append(by.gone, i)
		}
	}
	if len(by.come)+len(by.gone) > mostDiffer {
		return by, false
	}
	for i, is := range board {
		if s.hides(i) && is.Color != table.NoColor {
			by.gone = append(by.gone, i)
		}
	}
	return by, true
}

// propose lists acts that would make the board look more as it does.
func (f *follower) propose(w *way) (lines [][]rules.Move) {
	by, ok := f.differ(w)
	if !ok {
		return nil
	}
	s, board := f.sight, w.world.board
	look := func(b rules.Board) {
		lines = append(lines, w.world.now.Propose(f.view(&b))...)
	}
	put := func(i int, d table.Die) { // on a square, from nowhere or from another one
		b := board
		b[i] = d
		look(b)
		for _, j := range by.gone {
			b := b
			b[j] = table.Die{}
			look(b)
		}
	}
	left, out := f.vanished(w), f.allOn(&board)
	for _, i := range by.gone { // which may have come to another square
		out = out.without(board[i].Color)
	}
	for _, i := range by.come {
		for _, d := range union(s.likely(i, out), left) {
			put(i, d)
			for _, k := range around(i) {
				if board[k].Color == table.NoColor && !s.Squares[k].read() && s.misplaced(i, k) <= worst/2 {
					put(k, d)
				}
			}
		}
	}
	for _, i := range by.changed {
		for _, d := range s.likely(i, out) {
			if d != board[i] {
				b := board
				b[i] = d
				look(b)
			}
		}
	}
	return lines
}

// union is a list and what another one has besides.
func union(list, more []table.Die) []table.Die {
	for _, d := range more {
		if !slices.Contains(list, d) {
			list = append(list[:len(list):len(list)], d)
		}
	}
	return list
}

// view is a board that is seen as it is; it holds until the next one.
func (f *follower) view(b *rules.Board) table.Observation {
	if f.shown.Dice == nil {
		f.shown = table.Observation{Game: f.sight.Game, Dice: make([]table.Reading, len(b), len(b)+len(f.sight.Beside))}
		for i := range b {
			sq := table.SquareAt(i)
			f.shown.Dice[i] = table.Reading{Square: &sq, Confidence: 1, Sure: true}
		}
		f.shown.Dice = append(f.shown.Dice, f.sight.Beside...)
	}
	for i, d := range b {
		f.shown.Dice[i].Die = d
	}
	return f.shown
}

// colors is a set of colors.
type colors uint16

func (c colors) has(k table.Color) bool { return c>>k&1 != 0 }

func (c colors) without(k table.Color) colors { return c &^ (1 << k) }

// allOn is the colors of which a board has all dice of the game.
func (f *follower) allOn(board *rules.Board) (all colors) {
	var n [10]int
	for _, d := range board {
		n[d.Color]++
	}
	for _, c := range table.Colors {
		if n[c] >= f.sight.kit[c] {
			all |= 1 << c
		}
	}
	return all
}

// Likely lists the dice that what is read on a square may be, but for such as are far less likely than the likeliest.
func (s *Sight) Likely(square int) (list []table.Die) {
	if s.could[square] == nil {
		s.could[square] = s.likely(square, 0)
	}
	return s.could[square]
}

// likely is Likely if it can be of none of some colors.
func (s *Sight) likely(square int, out colors) (list []table.Die) {
	const hardly, most = 7.0, 6
	if out == 0 && s.could[square] != nil {
		return s.could[square]
	}
	for c, n := range s.kit {
		for f := s.least; f <= 6 && n > 0 && !out.has(table.Color(c)); f++ {
			if d := (table.Die{Color: table.Color(c), Face: f}); s.Game.Kit().Has(d) {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(a, b table.Die) int {
		if x, y := s.log(square, a), s.log(square, b); x != y {
			return sign(y - x)
		}
		return int(a.Color)*7 + a.Face - int(b.Color)*7 - b.Face
	})
	best := s.best[square]
	for n, d := range list {
		if n == 0 && out != 0 {
			best = s.log(square, d)
		}
		if n == most || s.log(square, d) <= best-hardly {
			return list[:n]
		}
	}
	return list
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}
