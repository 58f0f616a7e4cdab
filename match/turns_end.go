package match

import (
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
	line := m.wholeLine()
	if line == nil {
		return
	}
	a.rested = true
	ask := phrase("is-it-over")
	offers := []offer{{says: phrase("yes"), amend: line, ends: true}, {says: phrase("no-go-on"), ends: true}}
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
	return m.turns.set.Chance(func(h belief.Hypothesis[diceflick.Glimpse]) bool {
		return h.World.(*diceflick.Turns).State.Round() == diceflick.Rounds
	}) > worth
}

// wholeLine is what has happened if the game is over. nil: it cannot be.
func (m *Match) wholeLine() *amendment {
	over, ok := m.turns.set.Observe(diceflick.Glimpse{At: m.t, Took: m.flick.gone, Say: diceflick.SayOver})
	if !ok {
		return nil
	}
	return m.otherTurns(over.Best().Line)
}

// answerOver takes the answer to whether the game is over.
func (m *Match) answerOver(d Declaration, o offer) error {
	m.forget()
	if o.amend == nil {
		m.setPhase(m.restPhase())
		m.wake()
		return nil
	}
	over, ok := m.turns.set.Observe(diceflick.Glimpse{At: m.t, Took: m.flick.gone, Say: diceflick.SayOver})
	if err := m.emit(d.by(), o.amend.act(), &Event{Type: TypeCorrect}, "Corrected: the game is over."); err != nil {
		return err
	}
	m.flick = flickTurn{}
	if ok {
		m.turns.set = over
	}
	m.markProvisional()
	m.turnsAnew()
	m.turns.told = nil
	return m.followUp()
}
