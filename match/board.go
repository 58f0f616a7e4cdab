package match

import (
	"diceref/rules"
	"diceref/table"
)

// concludeBoard compares a settled board with what ought to lie on it, and
// records what happened: moves, legal or not, a takeback, or a reroll beside it.
func (m *Match) concludeBoard(obs table.Observation) bool {
	stack := m.line.stack()
	now := stack[len(stack)-1]
	f := reconcile(stack, obs)
	switch f.verdict {
	case unchanged:
		return m.besideBoard(obs)
	case explained:
		if !m.play(ByCamera, f.line) {
			return false
		}
		m.beside.placed(f.line, obs, m.seen.obs)
		return true
	case takenBack:
		return m.takeBack(ByCamera) == nil
	case ambiguous:
		return m.doubtful(f.ask, f.offers)
	}
	ask := "What happened on the table? " + boardWords(now.Expect().Squares, boardOf(obs)) + "."
	return m.doubtful(ask, nil)
}

// takeBack records that the last play in force was taken back at the table.
func (m *Match) takeBack(by string) error {
	who := m.lastActor()
	e := Event{Type: TypeTakeback, Player: m.name(who)}
	return m.emit(by, Act{Kind: actTakeback}, &e, e.Player+" takes the last move back.")
}

// lastActor is who made the last play that no takeback has removed.
func (m *Match) lastActor() rules.Player {
	back := 0
	for i := len(m.line.acts) - 1; i >= 0; i-- {
		e := m.line.acts[i]
		switch {
		case e.kind == actTakeback:
			back++
		case e.nature():
		case back > 0:
			back--
		default:
			return e.moves[len(e.moves)-1].Actor()
		}
	}
	return rules.Nobody
}

// besideBoard looks at the dice beside an unchanged board.
func (m *Match) besideBoard(obs table.Observation) bool {
	if m.setting.Game == table.DiceBox {
		return m.watchHands(obs)
	}
	return true
}

// The verdicts of a comparison of what was seen with what the rules allow.
type verdict int

const (
	unexplained verdict = iota
	unchanged
	explained // by a line of moves, legal or not
	ambiguous
	takenBack
)

type finding struct {
	verdict verdict
	line    []rules.Move
	ask     string
	offers  []offer
}
