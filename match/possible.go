package match

import (
	"maps"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Possibility is what an answer to a question means, so that it can be drawn.
type Possibility struct {
	Choice string `json:"choice"`         // the answer, as it is in Choices
	Answer Phrase `json:"answer"`         // the same in a form for any language; for kind "acts", see Events
	Back   int    `json:"back,omitempty"` // acts that were taken back at the table first
	// Acts is what happened in that case, in the game's notation, without the parts that all
	// answers share. Events is the same as events.
	Acts   []string `json:"acts"`
	Events []Event  `json:"events"`
	// Squares is what lies then where the answers leave different dice, or, where there
	// is one answer alone, where it leaves another die than lies there now.
	Squares []Lies `json:"squares,omitempty"`
}

// Lies is what is on a square or in a hole; no color: nothing.
type Lies struct {
	Square table.Square `json:"square"`
	Color  table.Color  `json:"color,omitempty"`
	Face   int          `json:"face,omitempty"`
}

// possible is what the answers to the open doubt mean, in their order.
func (m *Match) possible() []Possibility {
	if m.ask == "" || len(m.offers) == 0 {
		return nil
	}
	list := make([]Possibility, len(m.offers))
	ends := make([]rules.State, len(m.offers))
	for i, o := range m.offers {
		list[i], ends[i] = m.foresee(o)
	}
	withoutCommon(list)
	var boards []map[table.Square]table.Die
	for _, end := range ends {
		if end == nil {
			return list
		}
		boards = append(boards, end.Expect().Squares)
	}
	compared := slices.Clone(boards)
	if len(boards) == 1 {
		compared = append(compared, m.line.now().Expect().Squares)
	}
	squares := differing(compared)
	for i, board := range boards {
		for _, sq := range squares {
			list[i].Squares = append(list[i].Squares, Lies{sq, board[sq].Color, board[sq].Face})
		}
	}
	return list
}

// foresee is what an offer means and the position that it leads to; no position where it
// cannot be played, which the answer itself will tell.
func (m *Match) foresee(o offer) (Possibility, rules.State) {
	p := Possibility{Choice: o.says.String(), Answer: o.says, Acts: []string{}, Events: []Event{}}
	stack, stories := m.line.stack(), []rules.Story{o.story}
	if o.amend != nil {
		stack, stories = m.line.before(o.amend.first), []rules.Story{{Line: o.amend.moves}}
	}
	for _, s := range stories {
		if s.Back >= len(stack) {
			return p, nil
		}
		p.Back += s.Back
		stack = stack[:len(stack)-s.Back]
		for _, mv := range s.Line {
			now := stack[len(stack)-1]
			next, err := now.Apply(mv)
			if err != nil {
				return p, nil
			}
			e, _ := m.eventAt(now, mv)
			p.Acts, p.Events = append(p.Acts, mv.String()), append(p.Events, *e)
			stack = append(stack[:len(stack):len(stack)], next)
		}
	}
	return p, stack[len(stack)-1]
}

// before is the positions before the record of that number.
func (t *timeline) before(seq int64) []rules.State {
	stack := []rules.State{t.start}
	for _, e := range t.acts {
		if e.seq >= seq {
			break
		}
		stack = e.stack
	}
	return stack
}

// withoutCommon leaves out the acts with which all answers begin, and those with which all end.
func withoutCommon(list []Possibility) {
	alike := func(at func([]string) int) bool {
		for _, p := range list {
			if len(p.Acts) == 0 || p.Acts[at(p.Acts)] != list[0].Acts[at(list[0].Acts)] {
				return false
			}
		}
		return len(list) > 1
	}
	for alike(func([]string) int { return 0 }) {
		for i := range list {
			list[i].Acts, list[i].Events = list[i].Acts[1:], list[i].Events[1:]
		}
	}
	for alike(func(acts []string) int { return len(acts) - 1 }) {
		for i := range list {
			n := len(list[i].Acts) - 1
			list[i].Acts, list[i].Events = list[i].Acts[:n], list[i].Events[:n]
		}
	}
}

// differing is the squares on which not all boards have the same, in order.
func differing(boards []map[table.Square]table.Die) []table.Square {
	found := map[table.Square]bool{}
	for _, b := range boards {
		for sq := range b {
			if slices.ContainsFunc(boards, func(other map[table.Square]table.Die) bool { return other[sq] != b[sq] }) {
				found[sq] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b table.Square) int { return a.Index() - b.Index() })
}

// rewrite writes the acts that events stand for again, once an earlier one was corrected.
func (m *Match) rewrite() {
	written := map[int64][]string{}
	for _, e := range m.line.acts {
		for _, mv := range e.moves {
			written[e.seq] = append(written[e.seq], mv.String())
		}
	}
	for i := range m.log {
		if acts := written[m.log[i].Seq]; acts != nil {
			m.log[i].Acts = acts
		}
	}
}
