package match

import (
	"diceref/rules"
)

// Finish says that the source has ended: what was seen last is concluded on,
// declarations still waiting are applied, and the match is told to be over.
func (m *Match) Finish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	over := m.ended
	if !over {
		m.flush()
		m.askHeld()
		m.finishCourse()
	}
	queue := m.queue
	m.queue = nil
	for _, d := range queue {
		if m.hidden(d) { // hands lay over the arena to the end
			_ = m.remark(phrase("out-of-view"))
		}
		m.sayWaited(d)
	}
	if over {
		return
	}
	m.followTurns()
	m.unheardOf()
	if !m.ended {
		_ = m.end(false) // Err says what kept it out of the journal
	}
}

// end reports the end with the scores; over is false where the source ended first.
func (m *Match) end(over bool) error {
	e := m.ending()
	text := "The game is over."
	if !over {
		no := false
		e.Over = &no
		text = "The table is out of view before the end of the game."
	} else {
		for _, p := range m.winners() {
			e.Winners = append(e.Winners, m.name(p))
		}
	}
	if e.Provisional = m.provisional(); len(e.Provisional) > 0 {
		text += " Not certain: " + m.cellNames(e.Provisional) + "."
	}
	return m.emit(ByRules, Act{}, &e, text)
}

// ending is an end with the tally as it stands: the scores, or, while cards are secret, the clusters.
func (m *Match) ending() Event {
	now := m.line.now()
	e := Event{Type: TypeEnd}
	if c, ok := now.(rules.Clusterer); ok {
		e.Clusters = c.Clusters()
		return e
	}
	e.Scores = map[string]int{}
	for _, s := range now.Score() {
		e.Scores[m.name(rules.Player(s.Player))] = s.Total
	}
	return e
}
