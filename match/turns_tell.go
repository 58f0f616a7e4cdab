package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
)

// scored is one score that is not 0, on the notepad.
type scored struct {
	player rules.Player
	round  int
	points int
}

// muchLess is how many times less likely than another way one that goes on from what was told may be, so that this is not put
// right.
const muchLess = 2

// tellArena tells the likeliest way, or one that goes on from what was told and is not much less likely.
func (m *Match) tellArena() bool {
	line, ok := m.nextTold()
	a := &m.turns
	a.telling = true
	defer func() { a.telling = false }()
	return ok && (len(line) == 0 || m.play(ByCamera, line))
}

// nextTold is what is told next. Where what was told is much less likely than another way, it is put right first; false: that could
// not be written down.
func (m *Match) nextTold() (next []rules.Move, ok bool) {
	a := &m.turns
	told, best := m.toldSince(a.from), a.set.Best()
	for _, h := range a.set.Hypotheses() {
		if n := len(told); h.Chance*muchLess >= best.Chance && len(h.Line) >= n && slices.Equal(wordsOf(h.Line[:n]), told) {
			return h.Line[n:], true
		}
	}
	n := 0 // so much of it was believed before
	for _, h := range a.earlier.Hypotheses() {
		if k := len(h.Line); k > n && k <= len(best.Line) && slices.Equal(wordsOf(h.Line), wordsOf(best.Line[:k])) {
			n = k
		}
	}
	n = m.upToNews(best.Line, max(n, min(len(told), len(best.Line))))
	if n == 0 || !m.tellTurns(best.Line[:n]) {
		return nil, m.tellTurns(best.Line)
	}
	return best.Line[n:], true
}

// upToNews is how much of the first moves of a line comes before the first score that was not told yet, which is no correction:
// one more than were told, and none of those.
func (m *Match) upToNews(line []rules.Move, n int) int {
	told := m.scoresOf(m.movesSince(m.turns.from))
	list := m.scoresOf(line[:n])
	if k := len(told); len(list) > k && !slices.ContainsFunc(told, list[k].same) {
		return list[k].move
	}
	return n
}

// movesSince is the moves of the acts from a number on.
func (m *Match) movesSince(from int) (line []rules.Move) {
	for _, e := range m.line.acts[min(from, len(m.line.acts)):] {
		line = append(line, e.moves...)
	}
	return line
}

// toldSince is the same in their notation.
func (m *Match) toldSince(from int) []string { return wordsOf(m.movesSince(from)) }

// taking is a score and the dice that were taken out for it.
type taking struct {
	scored
	took   scoring.Holes
	rested int // so many dice had come to rest before
	move   int // the number of its move
}

// takingsOf is the scores of a line that are not 0, in the order in which they came.
func (m *Match) takingsOf(line []rules.Move) []taking { return notZero(m.scoresOf(line)) }

func notZero(list []taking) []taking {
	return slices.DeleteFunc(list, func(t taking) bool { return t.points == 0 })
}

// scoresOf is all of its scores.
func (m *Match) scoresOf(line []rules.Move) []taking {
	now, rested := m.certainTurn(), 0
	for _, e := range m.line.acts[:min(m.turns.from, len(m.line.acts))] {
		for _, mv := range e.moves {
			if f, is := mv.(diceflick.Flick); is && f.Rests {
				rested++
			}
		}
	}
	return scoresFrom(now, rested, line)
}

// scoresFrom is the same of a line from a position before which so many dice had come to rest.
func scoresFrom(now rules.State, rested int, line []rules.Move) (list []taking) {
	for i, mv := range line {
		s := now.(*diceflick.State)
		switch mv := mv.(type) {
		case diceflick.Score:
			list = append(list, taking{scored{mv.By, s.Round(), s.Points(mv)}, mv.Removed, rested, i})
		case diceflick.Flick:
			if mv.Rests {
				rested++
			}
		}
		next, err := now.Apply(mv)
		if err != nil {
			return list
		}
		now = next
	}
	return list
}

// tellTurns tells a way in which the turns may have gone, where another one was told.
func (m *Match) tellTurns(line []rules.Move) bool {
	a := &m.turns
	if slices.Equal(wordsOf(line), m.toldSince(a.from)) {
		return true
	}
	o := m.otherTurns(line)
	open := a.open
	a.telling = true
	ok := o != nil && m.amend(o)
	a.telling = false
	if !ok {
		return false
	}
	a.open = open
	return true
}

// otherTurns is what puts right what was told, where the turns have gone as a line has them.
func (m *Match) otherTurns(line []rules.Move) *amendment {
	acts, i := m.line.acts[m.turns.from:], 0
	for n, e := range acts {
		same := i+len(e.moves) <= len(line) && slices.Equal(wordsOf(e.moves), wordsOf(line[i:i+len(e.moves)]))
		if !same || n == len(acts)-1 {
			return &amendment{first: e.seq, last: m.seq, moves: line[i:]}
		}
		i += len(e.moves)
	}
	return nil
}
