package match

import (
	"reflect"

	"diceref/rules"
)

// inquiry is all that the story of a view depends on.
type inquiry struct {
	seen    spread
	halfway *spread // a view before this one, in the middle of an act
	bases   []hypothesis
	known   rules.State // the last position that was told
	said    []entry
	setting Setting // it names the places
}

// explained is the outcome of the last search, and what it has left in its view.
type explained struct {
	inquiry
	left spread
	ruling
}

// explain looks for the most likely story of how the table came to look as it does. Of a view that
// is asked about there is another reading, and its end, which mostly show nothing new.
func (m *Match) explain(g zoneGame, seen *spread) ruling {
	seen.said = m.saidMoves()
	q := inquiry{*seen, m.zones.halfway, m.bases(g), m.line.now(), m.line.said, m.setting}
	last := &m.zones.explained
	if !reflect.DeepEqual(q, last.inquiry) {
		r := m.explainFrom(g, seen, q.bases)
		*last = explained{q, *seen, r}
	}
	*seen = last.left
	return last.ruling
}
