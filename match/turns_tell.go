package match

import (
	"slices"

	"diceref/match/belief"
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

// likeliestTurn is what is told as something is seen or said after a turn whose end nobody declared: the likeliest of the ways
// that begin with what was told. Where others are much likelier, what was told is put right first. nil: none of them does.
func (m *Match) likeliestTurn(g diceflick.Glimpse) []rules.Move {
	a := &m.turns
	if !a.on {
		return nil
	}
	told := m.toldSince(a.from)
	g.At, g.Awaited = m.t, m.nextToCome()
	if g.Flick != nil && g.Say == "" {
		d := a.doubts[g.Flick.To]
		g.Doubt, g.Others = d.none, othersThan(g.Flick.Die, d.others)
	}
	next, ok := a.set.Observe(g)
	if !ok {
		return nil
	}
	a.came = &g
	best := next.Best()
	var tail []rules.Move
	share := 0.0
	for _, h := range next.Hypotheses() {
		if n := len(told); len(h.Line) > n && slices.Equal(wordsOf(h.Line[:n]), told) {
			if sameTurn(h, best) && slices.Equal(m.scoresOf(h.Line), m.scoresOf(best.Line)) {
				return h.Line[n:]
			}
			if tail == nil {
				tail, share = h.Line[n:], h.Chance
			}
		}
	}
	if len(a.new) == 0 && g.Say == "" && share*muchLess < best.Chance {
		for _, h := range a.set.Hypotheses() {
			if n := len(h.Line); n < len(best.Line) && slices.Equal(wordsOf(h.Line), wordsOf(best.Line[:n])) && m.tellTurns(h.Line) {
				return best.Line[n:]
			}
		}
	}
	return tail
}

// sameTurn says whether in two ways the same player's same turn is under way.
func sameTurn(a, b belief.Hypothesis[diceflick.Glimpse]) bool {
	s, o := a.World.(*diceflick.Turns).State, b.World.(*diceflick.Turns).State
	return s.ToMove() == o.ToMove() && s.Round() == o.Round()
}

// said plays what has happened until a word was said, which is the last of the moves.
func (m *Match) said(d Declaration, line []rules.Move) error {
	for _, mv := range line[:len(line)-1] {
		if err := m.playOne(ByCamera, mv); err != nil {
			return err
		}
	}
	return m.declared(d, line[len(line)-1])
}

// quiet says whether a turn may well be over though nobody has said so.
func (m *Match) quiet() bool {
	const well = 0.5 // as if nothing were known of them
	return m.turns.on && !m.nextToCome() && m.turns.set.Best().World.(*diceflick.Turns).Quiet() > well
}

// missesUnsaid says whether these people mostly do not say that a flick missed.
func (m *Match) missesUnsaid() bool {
	const mostly = 0.5 // as if nothing were known of them
	return m.turns.on && m.turns.set.Best().World.(*diceflick.Turns).MissesUnsaid() > mostly
}

// missesSaid says whether these people nearly always say that a flick missed.
func (m *Match) missesSaid() bool {
	const hardly = 0.1
	return m.turns.on && m.turns.set.Best().World.(*diceflick.Turns).MissesUnsaid() < hardly
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

// certainTurn is the position with which the lines of all that is believed begin.
func (m *Match) certainTurn() rules.State {
	if m.turns.from == 0 {
		return m.line.start
	}
	stack := m.line.acts[m.turns.from-1].stack
	return stack[len(stack)-1]
}

// taking is a score and the dice that were taken out for it.
type taking struct {
	scored
	took   scoring.Holes
	rested int // so many dice had come to rest before
	move   int // the number of its move
}

// takingsOf is the scores of a line that are not 0, in the order in which they came.
func (m *Match) takingsOf(line []rules.Move) (list []taking) {
	now, rested := m.certainTurn(), 0
	for _, e := range m.line.acts[:min(m.turns.from, len(m.line.acts))] {
		for _, mv := range e.moves {
			if f, is := mv.(diceflick.Flick); is && f.Rests {
				rested++
			}
		}
	}
	return takingsFrom(now, rested, line)
}

// takingsFrom is the same of a line from a position before which so many dice had come to rest.
func takingsFrom(now rules.State, rested int, line []rules.Move) (list []taking) {
	for i, mv := range line {
		s := now.(*diceflick.State)
		switch mv := mv.(type) {
		case diceflick.Score:
			if points := s.Points(mv); points > 0 {
				list = append(list, taking{scored{mv.By, s.Round(), points}, mv.Removed, rested, i})
			}
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

// scoresOf is the same without the dice.
func (m *Match) scoresOf(line []rules.Move) (list []scored) {
	for _, t := range m.takingsOf(line) {
		list = append(list, t.scored)
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
	if o == nil || !m.amend(o) {
		return false
	}
	a.open, a.told = open, m.toldSince(a.from)
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
