package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// Cell is a number on the notepad of DICE Flick.
type Cell struct {
	Player int `json:"player"` // seat, from 0
	Round  int `json:"round"`  // from 1
}

// learned is a score of which players have said whose it is.
type learned struct {
	taking
	is     scored   // Nobody's: the dice were knocked out
	others []taking // what else was told then
	after  int      // so much was seen before (past.seen)
}

// on is the number in the cell; nil: none is written yet.
func (c Cell) on(s *diceflick.State) *int { return s.Notepad().Rounds[c.Round-1][c.Player] }

// cells is the cells in the order in which they are written.
func (m *Match) cells() (list []Cell) {
	for round := range diceflick.Rounds {
		for player := range m.setting.Players {
			list = append(list, Cell{player, round + 1})
		}
	}
	return list
}

// agrees says whether a way in which the turns may have gone agrees with an answer, or, if begun, may still come to.
func agrees(h belief.Hypothesis[diceflick.View], a learned, begun bool) bool {
	if a.took == 0 && a.is.player != rules.Nobody { // a number was asked for
		n := a.is.cell().on(arenaOf(h).State())
		return n == nil && begun || n != nil && *n == a.is.points
	}
	s := sameTaking(h, a.taking, a.others)
	if begun && s.player == rules.Nobody && a.is.player != rules.Nobody {
		n := a.is.cell().on(arenaOf(h).State())
		return n == nil || *n == a.is.points
	}
	return s == a.is
}

// provisional is the cells of the notepad of which the number may be another: where another way in which the turns may have
// gone has another one, where a question was never answered, and all since the turns could not be followed any more.
func (m *Match) provisional() (list []Cell) {
	state, is := m.line.now().(*diceflick.State)
	if a := &m.turns; is && a.on {
		asked, _ := m.leftOpen()
		for i, c := range m.cells() {
			if c.on(state) != nil && (a.marks[c] || slices.Contains(asked, c) || a.lost && i >= a.lostAt || a.odd.chance > mostPruned && a.odd.in == c || a.chance(c, state) < beyondDoubt) {
				list = append(list, c)
			}
		}
	}
	return list
}

// cellNames names cells of the notepad.
func (m *Match) cellNames(list []Cell) string {
	var names []string
	for _, c := range list {
		names = append(names, fmt.Sprintf("round %d of %s", c.Round, m.name(rules.Player(c.Player))))
	}
	return strings.Join(names, ", ")
}

// chance is how likely the number that is told in a cell is right.
func (a *turns) chance(c Cell, told *diceflick.State) float64 {
	n := c.on(told)
	return a.set.Overall(func(h belief.Hypothesis[diceflick.View]) bool {
		other := c.on(arenaOf(h).State())
		return other != nil && n != nil && *other == *n
	})
}

// markProvisional keeps the cells that are provisional so, whatever is believed from now on.
func (m *Match) markProvisional() {
	state, _ := m.line.now().(*diceflick.State)
	m.turns.unmark(state)
	for _, c := range m.provisional() {
		m.doubtCell(c)
	}
}

// keepProvisional keeps those so whose numbers are told as they were believed to be. Others players have given since.
func (m *Match) keepProvisional() {
	a := &m.turns
	state, is := m.line.now().(*diceflick.State)
	if !a.on || !is {
		return
	}
	a.unmark(state)
	believed := arenaOf(a.set.Best()).State()
	for _, c := range m.provisional() {
		if n := c.on(believed); n != nil && *n == *c.on(state) {
			m.doubtCell(c)
		}
	}
}

// unmark forgets the marks of turns that have not begun, as others were taken back.
func (a *turns) unmark(s *diceflick.State) {
	maps.DeleteFunc(a.marks, func(c Cell, _ bool) bool {
		underWay := s.ToMove() == rules.Player(c.Player) && s.Round() == c.Round
		return c.on(s) == nil && !underWay
	})
}

func (m *Match) doubtCell(c Cell) {
	if m.turns.marks == nil {
		m.turns.marks = map[Cell]bool{}
	}
	m.turns.marks[c] = true
}

// loseTrack: nothing that is believed explains what was seen. What is told from now on is provisional, until a player says
// whose turn it is.
func (m *Match) loseTrack() {
	m.markProvisional()
	a := &m.turns
	if !a.lost {
		a.lost, a.lostAt = true, turnOf(m.line.now().(*diceflick.State), len(m.setting.Players))
	}
}

// turnOf is the number of the turn that is being played, from 0.
func turnOf(s *diceflick.State, players int) int {
	if s.ToMove() < 0 {
		return diceflick.Rounds * players
	}
	return (s.Round()-1)*players + int(s.ToMove())
}

// leaveUnanswered notes what a question leaves open that nobody has answered: the cells in which its answers differ, and whose
// turn it is.
func (m *Match) leaveUnanswered() {
	if m.turns.open {
		return
	}
	cells, turn := m.leftOpen()
	for _, c := range cells {
		m.doubtCell(c)
	}
	if turn {
		m.loseTrack()
	}
}

// leftOpen is the cells in which the answers to the open question differ, and whether they differ in whose turn it is then.
func (m *Match) leftOpen() (cells []Cell, turn bool) {
	if m.setting.Game != table.DiceFlick || m.ask == "" || len(m.offers) < 2 {
		return nil, false
	}
	var first *diceflick.State
	for _, o := range m.offers {
		_, end := m.foresee(o)
		s, is := end.(*diceflick.State)
		switch {
		case !is || o.weak:
			continue
		case first == nil:
			first = s
			continue
		}
		for _, c := range m.cells() {
			if was, is := c.on(first), c.on(s); was != nil && is != nil && *was != *is {
				cells = append(cells, c)
			}
		}
		must, may := first.FlicksLeft()
		if n, most := s.FlicksLeft(); s.Round() != first.Round() || s.ToMove() != first.ToMove() || n != must || most != may {
			turn = true
		}
	}
	return cells, turn
}

// changedCells is the cells that have another number than before.
func (m *Match) changedCells(before rules.State) (list []Cell) {
	was, _ := before.(*diceflick.State)
	is, ok := m.line.now().(*diceflick.State)
	for _, c := range m.cells() {
		if a, b := c.on(was), c.on(is); ok && b != nil && (a == nil || *a != *b) {
			list = append(list, c)
		}
	}
	return list
}

// settle takes the number in a cell for certain.
func (a *turns) settle(c Cell) { delete(a.marks, c) }
