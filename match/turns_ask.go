package match

import (
	"cmp"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
)

// SomethingElse is the Choice of a question whose answers are all wrong. With a Player, a Round and a Score it says whose the
// score is; without a player it is nobody's.
const SomethingElse = "something else"

// When a player is asked whose a score is: as soon as so many scores are provisional, or one is since so many turns of each
// player. What has been seen until then has mostly settled those that it can.
const (
	mostOpen   = 3
	mostRounds = 2
)

// leastRight is how likely a score must be right that is older than the last of which players have said whose it is: else it is asked,
// and not left to their look at the notepad, where it is marked.
const leastRight = 0.5

// leftMarked says whether a score is left to the players' look at the notepad.
func (m *Match) leftMarked(t taking) bool {
	a := &m.turns
	older := slices.ContainsFunc(a.answered, func(o taking) bool { return o.rested > t.rested })
	return older && !a.lost && a.chance(t.cell(), m.line.now().(*diceflick.State)) > leastRight
}

// askTurns asks whose the last of the scores is that are told and provisional. The answer mostly settles those before it, too.
func (m *Match) askTurns() {
	a := &m.turns
	if m.ask != "" && !a.open && len(m.offers) > 0 || m.ended {
		return // one question at a time
	}
	var open []taking
	provisional := m.provisional()
	for _, t := range m.scoresOf(m.movesSince(a.from)) {
		answered := slices.ContainsFunc(a.answered, t.same)
		if slices.Contains(provisional, t.cell()) && !answered && (t.points > 0 || m.nothingTells(t.cell())) {
			open = append(open, t)
		}
	}
	if a.open {
		if i := slices.IndexFunc(open, a.about.same); i >= 0 {
			m.askWhoScored(open[i])
			return
		}
		a.open = false
		m.forget() // it has settled itself
	}
	players := len(m.setting.Players)
	state := m.line.now().(*diceflick.State)
	for _, t := range open {
		if _, says := m.whichDieScored(m.likelyWays(t)); says != nil || m.nothingTells(t.cell()) {
			m.askWhoScored(t) // the dice are gone
			return
		}
	}
	open = slices.DeleteFunc(open, m.leftMarked)
	if n := len(open); n >= mostOpen || n > 0 && turnOf(state, players)-open[0].turn(players) >= mostRounds*players {
		m.askWhoScored(open[n-1])
	}
}

// nothingTells says whether another number in a cell is likely though all else is as it is told, so that nothing that will be seen
// can tell which it is.
func (m *Match) nothingTells(c Cell) bool {
	const likely = 0.1
	told := m.line.now().(*diceflick.State)
	must, may := told.FlicksLeft()
	return m.turns.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		s := arenaOf(h).State()
		needs, leaves := s.FlicksLeft()
		if s.ToMove() != told.ToMove() || needs != must || leaves != may || s.Arena().Dice != told.Arena().Dice {
			return false
		}
		differ := slices.DeleteFunc(m.cells(), func(o Cell) bool { return sameNumber(o.on(s), o.on(told)) })
		return len(differ) == 1 && differ[0] == c
	}) > likely
}

func sameNumber(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

func (s scored) cell() Cell { return Cell{int(s.player), s.round} }

// turn is the number of the turn that a score is of, from 0.
func (s scored) turn(players int) int { return (s.round-1)*players + int(s.player) }

func (t taking) same(o taking) bool {
	return t.took == o.took && t.rested == o.rested && (t.took != 0 || t.cell() == o.cell())
}

// whoScored is one answer to who scored.
type whoScored struct {
	scored
	chance float64
	line   []rules.Move // the likeliest way
}

// whoMayHave is the answers to whose a score is, the likeliest first.
func (m *Match) whoMayHave(t taking) (ways []whoScored) {
	others := m.othersTold(t)
	for _, h := range m.turns.set.Hypotheses() {
		s := sameTaking(h, t, others)
		n := slices.IndexFunc(ways, func(w whoScored) bool { return w.scored == s })
		if n < 0 {
			n, ways = len(ways), append(ways, whoScored{scored: s, line: h.Line})
		}
		ways[n].chance += h.Chance
	}
	slices.SortStableFunc(ways, func(a, b whoScored) int { return cmp.Compare(b.chance, a.chance) })
	return ways
}

// othersTold is the other scores that are told and are not 0.
func (m *Match) othersTold(t taking) []taking {
	return slices.DeleteFunc(m.takingsOf(m.movesSince(m.turns.from)), t.same)
}

// sameTaking is whose the same dice are in another way. Nobody's: they were knocked out. Of none it is what was scored in that turn.
// others is what else is told: the same holes may have been scored before.
func sameTaking(h belief.Hypothesis[diceflick.View], t taking, others []taking) scored {
	if t.took == 0 {
		if n := t.cell().on(arenaOf(h).State()); n != nil {
			t.points = *n
		}
		return t.scored
	}
	const off = 2 // dice that came to rest there and not here, or here and not there
	best, least := scored{player: rules.Nobody}, off+1
	w := arenaOf(h)
	for o := w.Takings(); o != nil; o = o.Before {
		is := taking{scored: scored{o.By, o.Round, o.Points}, took: o.Took, rested: o.Rested}
		if away := abs(o.Rested - t.rested); o.Took&t.took != 0 && away <= least && away <= off && !slices.ContainsFunc(others, is.same) {
			best, least = is.scored, away
		}
	}
	if owed := w.Gone(); least > off && owed&t.took != 0 {
		by := w.State().ToMove()
		best = scored{by, w.State().Round(), w.State().Points(diceflick.Score{By: by, Seen: true, Removed: owed})}
	}
	return best
}

// askWhoScored asks whose a score is, and tells the likeliest answer meanwhile.
func (m *Match) askWhoScored(t taking) {
	a := &m.turns
	ways := m.likelyWays(t)
	asked := a.asked
	if !a.open || !t.same(a.about) {
		asked = ""
	}
	if len(ways) < 2 || !m.tellTurns(ways[0].line) {
		return
	}
	ask, says := m.whichDieScored(ways)
	if says == nil {
		ask, says = m.whoOrHowMany(ways), m.whoAndWhen(ways)
	}
	var offers []offer
	for i, w := range ways {
		offers = append(offers, offer{says: says[i], amend: m.otherTurns(w.line), whose: &w.scored})
	}
	if asked != ask.Kind {
		e := Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask, Choices: m.choices(offers)}
		if m.emit(ByCamera, Act{}, &e, e.Ask) != nil {
			return
		}
	}
	m.putQuestion(ask, offers, m.seq)
	a.open, a.about, a.asked = true, t, ask.Kind
	m.setPhase(m.restPhase())
	m.wake()
}

// whoOrHowMany is the question in what the ways differ: who scored, or how many points.
func (m *Match) whoOrHowMany(ways []whoScored) Phrase {
	first := ways[0]
	if !slices.ContainsFunc(ways, func(w whoScored) bool { return w.cell() != first.cell() }) {
		return phrase("scored-what", "player", m.name(first.player), "round", first.round)
	}
	return phrase("who-scored", "count", cmp.Or(first.points, ways[1].points))
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

// likelyWays is the answers that are worth asking for.
func (m *Match) likelyWays(t taking) []whoScored {
	const worth = 0.0005
	a, ways := &m.turns, m.whoMayHave(t)
	if a.lost {
		ways = m.withAnybody(ways, t)
	}
	for len(ways) > 1+mostAnswers || len(ways) > 1 && !a.lost && ways[len(ways)-1].chance < worth {
		ways = ways[:len(ways)-1]
	}
	return ways
}

// whichDieScored is the question which die lay in a hole, if that is all in which the ways differ, and the answers. nil: they
// differ in more.
func (m *Match) whichDieScored(ways []whoScored) (ask Phrase, says []Phrase) {
	at := -1 // the move
	if len(ways) < 2 {
		return ask, nil
	}
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
		a.telling = true // it is one of the ways that are believed
		err := m.emit(d.by(), o.amend.act(), &Event{Type: TypeCorrect}, "Corrected: "+o.says.String()+".")
		a.telling = false
		if err != nil {
			return err
		}
	}
	m.forget()
	a.lost, a.answered = false, append(a.answered, a.about)
	if !m.learn(learned{taking: a.about, is: *o.whose, others: m.othersTold(a.about)}) { // what is believed is wrong, so that nothing is certain until the next answer
		m.markProvisional()
		m.turnsAnew()
		m.loseTrack()
	}
	a.open = false
	return m.answeredTurns()
}

// answeredTurns goes on once it is known whose a score is.
func (m *Match) answeredTurns() error {
	if m.ended {
		return m.tellResult()
	}
	m.askTurns()
	m.setPhase(m.restPhase())
	m.wake()
	return nil
}

// mostAnswers is how many other answers are offered.
const mostAnswers = 4
