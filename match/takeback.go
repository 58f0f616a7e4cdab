package match

import (
	"diceref/rules"
)

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

// plays is the players' acts that no takeback has removed.
func (t *timeline) plays() (list []entry) {
	for _, e := range t.acts {
		switch {
		case e.kind == actTakeback && len(list) > 0:
			list = list[:len(list)-1]
		case e.kind == actPlay && !e.nature():
			list = append(list, e)
		}
	}
	return list
}

// mostBack is how many acts may be found taken back at once.
const mostBack = 2

// earlier are the positions that a takeback may lead to, the latest first.
func (m *Match) earlier(stack []rules.State) (list []rules.State) {
	for back := 1; back <= min(mostBack, len(m.line.plays()), len(stack)-1); back++ {
		list = append(list, stack[len(stack)-1-back])
	}
	return list
}
