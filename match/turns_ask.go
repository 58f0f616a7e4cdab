package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
)

// askTurns asks who scored, where that is told and not certain. Of several such scores the first is asked about.
func (m *Match) askTurns() {
	a := &m.turns
	if m.ask != "" && !a.open || m.ended {
		return // one question at a time
	}
	told := m.scoresOf(m.movesSince(a.from))
	lists := make([][]scored, len(a.set.Hypotheses()))
	for i, h := range a.set.Hypotheses() {
		lists[i] = m.scoresOf(h.Line)
	}
	for k := range slices.MaxFunc(lists, func(a, b []scored) int { return len(a) - len(b) }) {
		sure := 0.0
		for i, h := range a.set.Hypotheses() {
			if slices.Equal(lists[i][:min(len(lists[i]), k+1)], told[:min(len(told), k+1)]) {
				sure += h.Chance
			}
		}
		if sure < beyondDoubt {
			m.askWhoScored(k, lists)
			return
		}
	}
	if a.open {
		a.open = false
		m.forget() // it has settled itself
	}
}

// whoScored is one answer to who scored.
type whoScored struct {
	scored
	chance float64
	line   []rules.Move // the likeliest way
}

// askWhoScored asks about the score of a number, and tells the likeliest answer meanwhile.
func (m *Match) askWhoScored(k int, lists [][]scored) {
	const worth = 0.0005 // asking
	a := &m.turns
	var ways []whoScored
	for i, h := range a.set.Hypotheses() {
		s := scored{player: rules.Nobody}
		if len(lists[i]) > k {
			s = lists[i][k]
		}
		n := slices.IndexFunc(ways, func(w whoScored) bool { return w.scored == s })
		if n < 0 {
			n, ways = len(ways), append(ways, whoScored{scored: s, line: h.Line})
		}
		ways[n].chance += h.Chance
	}
	slices.SortStableFunc(ways, func(a, b whoScored) int {
		switch {
		case a.chance > b.chance:
			return -1
		case a.chance < b.chance:
			return 1
		}
		return 0
	})
	for len(ways) > 1+mostAnswers || len(ways) > 1 && ways[len(ways)-1].chance < worth {
		ways = ways[:len(ways)-1]
	}
	if len(ways) < 2 || !m.tellTurns(ways[0].line) {
		return
	}
	count := ways[0].points
	if count == 0 {
		count = ways[1].points
	}
	ask, says := m.whichDieScored(ways)
	if says == nil {
		ask, says = phrase("who-scored", "count", count), m.whoAndWhen(ways)
	}
	var offers []offer
	for i, w := range ways {
		offers = append(offers, offer{says: says[i], amend: m.otherTurns(w.line)})
	}
	if !a.open || a.at != k || m.ask != ask.String() {
		e := Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask, Choices: words(offers)}
		if m.emit(ByCamera, Act{}, &e, e.Ask) != nil {
			return
		}
	}
	m.putQuestion(ask, offers, m.seq)
	a.open, a.at = true, k
	m.setPhase(m.restPhase())
	m.wake()
}

// whoAndWhen is the answers to who scored, and in which round.
func (m *Match) whoAndWhen(ways []whoScored) (says []Phrase) {
	for _, w := range ways {
		if w.player == rules.Nobody {
			says = append(says, phrase("nobody-scored"))
			continue
		}
		says = append(says, phrase("scored-in", "player", m.name(w.player), "round", w.round, "count", w.points))
	}
	return says
}

// whichDieScored is the question which die lay in a hole, if that is all in which the ways differ, and the answers. nil: they
// differ in more.
func (m *Match) whichDieScored(ways []whoScored) (ask Phrase, says []Phrase) {
	at := -1 // the move
	for i, mv := range ways[0].line {
		if len(ways[1].line) > i && ways[1].line[i].String() != mv.String() {
			at = i
			break
		}
	}
	if at < 0 {
		return ask, nil
	}
	first, is := ways[0].line[at].(diceflick.Flick)
	for _, w := range ways {
		if len(w.line) != len(ways[0].line) || !is {
			return ask, nil
		}
		for i, mv := range w.line {
			f, flick := mv.(diceflick.Flick)
			if i == at && flick && f.Rests && f.To == first.To && f.By == first.By {
				says = append(says, phrase("die-on", "die", f.Die, "square", f.To))
			} else if mv.String() != ways[0].line[i].String() {
				return ask, nil
			}
		}
	}
	return phrase("scored-die", "square", first.To), says
}

// answerTurns takes an answer to who scored. What is seen on the table stays as it is.
func (m *Match) answerTurns(d Declaration, o offer, inForce bool) error {
	a := &m.turns
	if !inForce {
		act := Act{Kind: actCorrect, Ref: o.amend.first, Through: o.amend.last, Each: true, Moves: wordsOf(o.amend.moves)}
		if err := m.emit(d.by(), act, &Event{Type: TypeCorrect}, "Corrected: "+o.says.String()+"."); err != nil {
			return err
		}
	}
	m.forget()
	if a.sure = a.at + 1; !m.condition(m.scoresOf(m.movesSince(a.from)), a.sure, false) {
		m.turnsAnew()
	}
	a.open, a.new, a.told = false, nil, m.toldSince(a.from)
	if m.ended {
		return m.tellResult()
	}
	m.askTurns()
	m.setPhase(m.restPhase())
	m.wake()
	return nil
}
