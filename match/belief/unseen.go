package belief

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"diceref/rules"
	"diceref/table"
)

// Unseen is an act that brought a die to a square of the board where nobody saw it: to one of so many, which are not told apart.
// The move is one of those ways, for all of them.
type Unseen struct {
	rules.Move
	Ways int
}

// String says who has played which die; it is the same for all of the ways.
func (u Unseen) String() string {
	p, _ := u.Move.(rules.Placement)
	if from, leaves := p.Leaves(); leaves {
		return fmt.Sprintf("%v unseen %v", u.Actor(), from)
	}
	d, _ := p.Places()
	return fmt.Sprintf("%v unseen %v %d", u.Actor(), d.Color, d.Face)
}

// May says whether a move is one of the ways.
func (u Unseen) May(mv rules.Move) bool {
	p, ok := mv.(rules.Placement)
	q, _ := u.Move.(rules.Placement)
	if !ok || mv.Actor() != u.Actor() {
		return false
	}
	from, leaves := q.Leaves()
	of, goes := p.Leaves()
	d, places := q.Places()
	e, comes := p.Places()
	return leaves == goes && places == comes && (!leaves || from == of) && (!places || d == e)
}

// Die is the die that was played, as it lay before; no color: it was on a square of the board.
func (u Unseen) Die() table.Die {
	d, _ := u.Move.(rules.Placement).Places()
	return d
}

// From is the square that the die has left; false: it lay beside the board.
func (u Unseen) From() (table.Square, bool) { return u.Move.(rules.Placement).Leaves() }

// Found says where the die of an unseen act is, or was.
type Found struct {
	rules.Move
	Of Unseen
}

func (f Found) String() string { return "found " + f.Move.String() }

// plainly is a move of the game.
func plainly(mv rules.Move) rules.Move {
	if u, ok := mv.(Unseen); ok {
		return u.Move
	}
	return mv
}

// extended is a line that goes on with more, in which what was found is told where it was played.
func extended(line, more []rules.Move) []rules.Move {
	line = line[:len(line):len(line)]
	for _, mv := range more {
		f, found := mv.(Found)
		if !found {
			line = append(line, mv)
			continue
		}
		i := slices.IndexFunc(line, func(a rules.Move) bool { u, ok := a.(Unseen); return ok && u.String() == f.Of.String() })
		if i >= 0 {
			line = slices.Clone(line)
			line[i] = f.Move
		}
	}
	return line
}

// Text is a move of a line as ParseMove reads it.
func Text(mv rules.Move) string {
	if u, ok := mv.(Unseen); ok {
		return fmt.Sprintf("unseen %d %v", u.Ways, u.Move)
	}
	return mv.String()
}

// parseUnseen is the reverse for an act that nobody saw.
func parseUnseen(g rules.Game, text string) (rules.Move, error) {
	ways, text, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(ways)
	if err != nil {
		return nil, fmt.Errorf("belief: %w", err)
	}
	mv, err := g.ParseMove(text)
	if err != nil {
		return nil, fmt.Errorf("belief: %w", err)
	}
	if _, ok := mv.(rules.Placement); !ok {
		return nil, fmt.Errorf("belief: %v brings no die onto the board", mv)
	}
	return Unseen{mv, n}, nil
}

// landsOn is the square on which a world has the die of its last move.
func (b *Board) landsOn() int {
	for i, d := range b.board {
		if d.Color != table.NoColor && d != b.before.board[i] {
			return i
		}
	}
	return -1
}

// Hides says whether a world has a die on a square of which nobody knows that it is there.
func (b *Board) Hides(square int) bool {
	return slices.ContainsFunc(b.hidden, func(h *Board) bool { return h.landsOn() == square })
}

// unseenAct adds the ways in which one act more has brought a die to where nobody sees it.
func (f *follower) unseenAct(w way) {
	if w.needs != nil || len(w.world.hidden) > 1 {
		return
	}
	s, board := f.sight, w.world.board
	for _, d := range f.vanished(&w) {
		f.hide(w, -1, []table.Die{d}, false)
	}
	for _, d := range f.underCover(&w) {
		f.hide(w, -1, []table.Die{d}, true)
	}
	if w.acts > 0 {
		return
	}
	var gone []int
	for i, is := range board {
		if is.Color != table.NoColor && !s.Squares[i].read() && s.Before != nil && s.Before.Squares[i].read() && !w.world.Hides(i) {
			gone = append(gone, i)
		}
	}
	const most = 2 // else it is a hand
	if len(gone) > most {
		return
	}
	for _, i := range gone {
		var dice []table.Die
		for face := 1; face <= 6; face++ {
			dice = append(dice, table.Die{Color: board[i].Color, Face: face})
		}
		f.hide(w, i, dice, false)
	}
}

// hide adds the way in which one act more has brought a die to where nobody sees it: from a square, or -1 from beside the board, as one
// of some dice. It is under what covers the board if any is where it may be, as it would hardly be missed elsewhere; covered: it can
// only be there.
func (f *follower) hide(w way, from int, dice []table.Die, covered bool) {
	s, board := f.sight, w.world.board
	var legal, under []rules.Move
	for k := range board {
		if board[k].Color != table.NoColor || s.Squares[k].read() && !s.Squares[k].printed || from >= 0 && !slices.Contains(rules.Neighbors(from), k) {
			continue
		}
		for _, d := range dice {
			b := board
			if b[k] = d; from >= 0 {
				b[from] = table.Die{}
			}
			for _, line := range w.world.now.Propose(f.view(&b)) {
				if len(line) == 1 && w.world.now.Check(line[0]) == nil {
					legal = append(legal, line[0])
					if s.hides(k) {
						under = append(under, line[0])
					}
				}
			}
		}
	}
	if len(under) > 0 || covered {
		legal = under
	}
	if len(legal) == 0 {
		return
	}
	next, ok := w.play([]rules.Move{Unseen{legal[0], len(legal)}})
	if next.log += math.Log(float64(len(legal))); ok && next.log > f.best-worst {
		f.add(next)
	}
}

// find adds the ways in which a die that was played unseen lies where one is read now, or lay beside that. elsewhere says that one
// stands for all in which it is not there, which is among them.
func (f *follower) find(w way) (elsewhere bool) {
	if w.needs != nil {
		return false
	}
	s, board := f.sight, w.world.board
	for i, h := range w.world.hidden {
		if i >= f.hidden-w.found {
			break // it has just been played
		}
		at := h.landsOn()
		for k := range board {
			if !s.Squares[k].read() || board[k].Color != table.NoColor && k != at {
				continue
			}
			for _, mv := range f.waysTo(h, k, s.Likely(k)) {
				f.foundAt(w, h, mv, 0)
			}
			if w.acts > 0 {
				continue
			}
			for _, n := range around(k) {
				if s.Squares[n].read() || board[n].Color != table.NoColor && n != at || f.plain(at, n) {
					continue
				}
				for _, mv := range f.waysTo(h, n, nil) {
					f.foundAt(w, h, mv, 1<<n)
				}
			}
		}
		if (f.nearNew(at, &board) || f.plain(at, at)) && f.hideElsewhere(w, h) {
			return true
		}
	}
	return false
}

// plain says whether a square is in view, and the one on which a die was thought of lay under something that covers the board: it is not
// on that square if it is not read there.
func (f *follower) plain(at, square int) bool {
	s := f.sight
	return !s.hides(square) && (s.hides(at) || s.Before != nil && s.Before.hides(at))
}

// nearNew says whether a die is read on a square, or beside it, that does not lie there on a board.
func (f *follower) nearNew(square int, board *rules.Board) bool {
	s := f.sight
	return s.Squares[square].read() || slices.ContainsFunc(around(square), func(n int) bool { return s.Squares[n].read() && board[n].Color == table.NoColor })
}

// waysTo is how the die of an unseen act may have come to a square, within the rules unless it is read there as one of some dice.
func (f *follower) waysTo(h *Board, square int, as []table.Die) (list []rules.Move) {
	u, before := h.last.(Unseen), h.before
	from, leaves := u.From()
	color := u.Die().Color
	if leaves {
		color = before.board[from.Index()].Color
	}
	dice := slices.DeleteFunc(slices.Clone(as), func(d table.Die) bool { return d.Color != color })
	if leaves && as == nil {
		for face := 1; face <= 6; face++ {
			dice = append(dice, table.Die{Color: color, Face: face})
		}
	} else if as == nil {
		dice = []table.Die{u.Die()}
	}
	if before.board[square].Color != table.NoColor {
		return nil
	}
	for _, d := range dice {
		b := before.board
		if b[square] = d; leaves {
			b[from.Index()] = table.Die{}
		}
		for _, line := range before.now.Propose(f.view(&b)) {
			if len(line) == 1 && u.May(line[0]) && (as != nil || before.now.Check(line[0]) == nil) {
				list = append(list, line[0])
			}
		}
	}
	return list
}

// foundAt adds the way in which an unseen act was a certain move: its die lies there now, or it is still not seen, on a square of
// the set, and what follows tells of it.
func (f *follower) foundAt(w way, h *Board, mv rules.Move, still uint32) {
	world, more, ok := w.world.with(h, mv)
	if !ok {
		return
	}
	next, u := w, h.last.(Unseen)
	next.world = world
	if still != 0 {
		next.needs = w.world
		next.same |= still
	} else {
		next.log += math.Log(1 - model.Again)
	}
	next.found++
	next.line = append(w.line[:len(w.line):len(w.line)], Found{mv, u})
	next.log += float64(more)*math.Log(prior.Illegal/prior.Act) - math.Log(float64(u.Ways))
	f.add(next)
}

// hideElsewhere adds the way in which the die of an unseen act lies on another square than the one that stands for all, and away
// from what has come. It reports whether there is one.
func (f *follower) hideElsewhere(w way, h *Board) bool {
	u := h.last.(Unseen)
	for k, is := range w.world.board {
		if is.Color != table.NoColor || f.nearNew(k, &w.world.board) || f.plain(h.landsOn(), k) {
			continue
		}
		for _, mv := range f.waysTo(h, k, nil) {
			world, more, ok := w.world.with(h, Unseen{mv, max(u.Ways-1, 1)})
			if !ok || more > 0 {
				continue
			}
			next := w
			next.world = world
			next.same |= 1 << k
			next.log += math.Log(1 - 1/float64(u.Ways+1))
			f.add(next)
			return true
		}
	}
	return false
}

// with is the world in which another move was made than the last one of a world that it has gone through, and how many more
// acts were against the rules then; false: that cannot be.
func (b *Board) with(at *Board, mv rules.Move) (world *Board, breaches int, ok bool) {
	var since []rules.Move
	for n := b; n != at; n = n.before {
		if n == nil {
			return nil, 0, false
		}
		if since = append(since, n.last); n.wrong {
			breaches--
		}
	}
	if at.wrong {
		breaches--
	}
	world = at.before
	for i := len(since); i >= 0; i-- {
		if i < len(since) {
			mv = since[i]
		}
		next, err := world.After(mv)
		if err != nil {
			return nil, 0, false
		}
		if world = next; world.wrong {
			breaches++
		}
	}
	return world, max(breaches, 0), true
}
