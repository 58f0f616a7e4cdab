package belief

import (
	"encoding/binary"
	"errors"

	"diceref/rules"
)

// Position is a position of a game on a board.
type Position interface {
	rules.State
	// Key is the same for two that nothing seen later can tell apart.
	Key() string
	// Final says that what has led here is not taken back.
	Final(last rules.Move) bool
}

// boarded is a state that knows its board as such.
type boarded interface{ Board() rules.Board }

func boardOf(s rules.State) rules.Board {
	if b, ok := s.(boarded); ok {
		return b.Board()
	}
	return rules.ExpectedBoard(s.Expect())
}

// Board is a world of a game on a board: the positions that the game has gone through, the present one last.
type Board struct {
	now    rules.State
	board  rules.Board // of the position
	before *Board      // nil: the first, or one that nothing leads back from
	last   rules.Move
	wrong  bool // last was against the rules
	owners owners
	hidden []*Board // of those that it has gone through: the ones of which the last move brought a die to where nobody sees it
	story  uint64   // a digest of the moves that have led here and that were not taken back
	past   uint64   // the same of all moves: what was taken back has been told, too
}

// OnBoard is the world in which a game is at a position.
func OnBoard(s rules.State) *Board { return &Board{now: s, board: boardOf(s)} }

// State is the position.
func (b *Board) State() rules.State { return b.now }

// Key implements rules.Follower. What may be taken back is part of it, and how the board looks then; and all moves, as those that
// were taken back are told as well.
func (b *Board) Key() string {
	key := binary.LittleEndian.AppendUint64([]byte(b.now.(Position).Key()), b.story)
	key = binary.LittleEndian.AppendUint64(key, b.past)
	for at, n := b.before, 0; at != nil && n < mostBack; at, n = at.before, n+1 {
		for _, d := range at.board {
			key = append(key, byte(d.Color)<<3|byte(d.Face))
		}
	}
	return string(key)
}

// after is the world once a move was made that leads to a position.
func (b *Board) after(mv rules.Move, wrong bool, now rules.State) *Board {
	next := &Board{now: now, board: boardOf(now), before: b, owners: b.owners, last: mv, wrong: wrong, story: b.story, past: b.past, hidden: b.hidden}
	if _, unseen := mv.(Unseen); unseen {
		next.hidden = append(b.hidden[:len(b.hidden):len(b.hidden)], next)
	}
	if disturbs(mv) {
		return next // when it was does not matter
	}
	next.story, next.past = digest(b.story, mv), digest(b.past, mv)
	if _, stands := mv.(rules.Stands); stands {
		next.before = nil
	}
	return next
}

// digest is that of one move more.
func digest(so uint64, mv rules.Move) uint64 { return digestOf(so, mv.String()) }

// digestOf is digest of a move in words (FNV-1a).
func digestOf(so uint64, text string) uint64 {
	const basis, prime = 14695981039346656037, 1099511628211
	h := uint64(basis)
	for i := range 8 {
		h = (h ^ so>>(8*i)&0xff) * prime
	}
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * prime
	}
	return h
}

// Beside says whether the last moves of a world were all made beside the board, and within the rules.
func (b *Board) Beside(last []rules.Move) bool {
	for at := b; len(last) > 0; at, last = at.before, last[:len(last)-1] {
		if at.before == nil || at.wrong || at.board != at.before.board || at.last.String() != last[len(last)-1].String() {
			return false // one that was taken back is not the last of any world
		}
	}
	return true
}

// takenBack is the world once the last move was taken back.
func (b *Board) takenBack(mv TakenBack) *Board {
	if mv.Disturbed {
		return b.before // when it was does not matter
	}
	if _, unseen := b.last.(Unseen); unseen {
		return b.before // nothing was told of it
	}
	return b.before.but(func(next *Board) { next.past = digest(b.past, mv) })
}

// but is the same world with something changed.
func (b *Board) but(change func(*Board)) *Board {
	next := *b
	change(&next)
	if n := len(b.hidden); n > 0 && b.hidden[n-1] == b {
		next.hidden = append(b.hidden[:n-1:n-1], &next)
	}
	return &next
}

// Before is the world before the last move; nil: there is none.
func (b *Board) Before() *Board { return b.before }

// After is the world once a move was made, which may be that the last one was taken back.
func (b *Board) After(mv rules.Move) (*Board, error) {
	if back, is := mv.(TakenBack); is {
		if b.before == nil {
			return nil, errors.New("belief: nothing leads back from here")
		}
		return b.takenBack(back), nil
	}
	next, err := b.now.Apply(plainly(mv))
	if err != nil {
		return nil, err
	}
	return b.after(mv, b.now.Check(plainly(mv)) != nil, next), nil
}

// TakenBack is the move of taking the last act back, or of putting a die back that was knocked about.
type TakenBack struct {
	By        rules.Player
	Disturbed bool
}

// Actor is whose act was taken back.
func (t TakenBack) Actor() rules.Player { return t.By }

func (t TakenBack) String() string {
	if t.Disturbed {
		return t.By.String() + " putback"
	}
	return t.By.String() + " takeback"
}

// mostActs is how many acts one view may show at once, and mostBack how many are taken back in one.
const (
	mostActs = 3
	mostBack = 2
)
