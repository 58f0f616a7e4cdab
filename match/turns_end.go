package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules/diceflick"
	"diceref/table"
)

// restful is how many seconds nothing moves in the last round until players are asked whether the game is over.
const restful = 20.0

// noteBusy notes that something moves over the table.
func (m *Match) noteBusy(t float64) { m.turns.busy, m.turns.rested = t, false }

// askOver asks whether the game is over, where that may be and nothing has moved for a while: nobody may say when the last turn
// is.
func (m *Match) askOver() {
	a := &m.turns
	if m.setting.Game != table.DiceFlick || !a.on || a.rested || m.ended || m.line.paused || !m.settled || m.t-a.busy < restful || m.nextToCome() {
		return
	}
	if m.ask != "" && len(m.offers) > 0 || !m.maybeLast() {
		return
	}
	_, line := m.wholeGame(false)
	if line == nil {
		return
	}
	a.rested = true
	ask := phrase("is-it-over")
	offers := []offer{{says: phrase("yes"), amend: line, ends: true}, {says: phrase("no-go-on"), ends: true}}
	if _, right := m.wholeGame(true); right != nil && len(m.provisional()) > 0 {
		offers = slices.Insert(offers, 1, offer{says: phrase("yes-all-right"), amend: right, ends: true, right: true})
	}
	e := Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask, Choices: words(offers)}
	if m.emit(ByCamera, Act{}, &e, e.Ask) != nil {
		return
	}
	m.putQuestion(ask, offers, m.seq)
	m.setPhase(m.restPhase())
	m.wake()
}

// maybeLast says whether the last round may be under way.
func (m *Match) maybeLast() bool {
	const worth = 0.05
	return m.turns.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		return arenaOf(h).State().Round() == diceflick.Rounds
	}) > worth
}

// wholeGame is what is believed if the game is over, and what it puts right of what was told; nil: it cannot be. right: the
// numbers that are told are right, too.
func (m *Match) wholeGame(right bool) (over belief.Set[diceflick.View], line *amendment) {
	set, ok := m.turns.set, true
	if right {
		set, ok = set.Condition(m.asTold)
	}
	if ok {
		over, ok = set.Observe(diceflick.Word(m.t, diceflick.SayOver, 0))
	}
	if !ok {
		return over, nil
	}
	return over, m.otherTurns(over.Best().Line)
}

// asTold says whether a way in which the turns may have gone agrees with all numbers that are told.
func (m *Match) asTold(h belief.Hypothesis[diceflick.View]) bool {
	told, is := m.line.now().(*diceflick.State)
	return is && !slices.ContainsFunc(m.cells(), func(c Cell) bool {
		n, other := c.on(told), c.on(arenaOf(h).State())
		return n != nil && other != nil && *n != *other
	})
}

// answerOver takes the answer to whether the game is over.
func (m *Match) answerOver(d Declaration, o offer) error {
	m.forget()
	if o.amend == nil {
		m.setPhase(m.restPhase())
		m.wake()
		return nil
	}
	over, line := m.wholeGame(o.right)
	told, _ := m.line.now().(*diceflick.State)
	if err := m.emit(d.by(), o.amend.act(), &Event{Type: TypeCorrect}, "Corrected: the game is over."); err != nil {
		return err
	}
	if line != nil {
		m.turns.set = over
	}
	if o.right {
		m.turns.lost = false
	}
	m.markProvisional()
	for _, c := range m.cells() {
		if o.right && c.on(told) != nil {
			m.turns.settle(c)
		}
	}
	m.turnsAnew()
	return m.followUp()
}
