package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
)

// withAnybody adds every player to the answers: where the turns could not be followed any more it may be any of them.
func (m *Match) withAnybody(ways []whoScored, t taking) []whoScored {
	players := len(m.setting.Players)
	turn := ways[0].turn(players)
	if ways[0].player == rules.Nobody {
		return ways
	}
	for away := 1; away < players; away++ {
		for _, to := range []int{turn + away, turn - away} {
			s := scored{rules.Player((to%players + players) % players), to/players + 1, t.points}
			known := slices.ContainsFunc(ways, func(w whoScored) bool { return w.player == s.player })
			if to < 0 || s.round > diceflick.Rounds || known {
				continue
			}
			if line := m.givenTo(t, s); line != nil {
				ways = append(ways, whoScored{scored: s, line: line})
			}
		}
	}
	return ways
}

// givenTo is what is told with a score given to somebody else, or made in another round: turns before it are left out, or put in,
// and those after it go on from there. nil: it cannot be.
func (m *Match) givenTo(t taking, to scored) []rules.Move {
	told := m.movesSince(m.turns.from)
	i := slices.IndexFunc(m.takingsOf(told), t.same)
	if i < 0 {
		return nil
	}
	at := m.takingsOf(told)[i].move
	players := len(m.setting.Players)
	w := writer{now: m.certainTurn().(*diceflick.State)}
	if turnOf(w.now, players) > to.turn(players) {
		return nil // it is before all that may be otherwise
	}
	for _, mv := range told[:at] {
		if _, ends := mv.(diceflick.Score); ends && turnOf(w.now, players) == to.turn(players) {
			break
		}
		w.play(mv)
	}
	before, _ := played(m.certainTurn(), told[:at]).(*diceflick.State)
	after, _ := played(m.certainTurn(), told[:at+1]).(*diceflick.State)
	if before == nil || after == nil {
		return nil
	}
	zero := 0
	for turnOf(w.now, players) < to.turn(players) && !w.failed {
		w.play(diceflick.Amend{Player: w.now.ToMove(), Round: w.now.Round(), Score: &zero})
	}
	w.play(diceflick.Arrange{Dice: before.Arena().Dice})
	score := diceflick.Score{By: to.player, Seen: true, Removed: t.took}
	if w.now.Points(score) == to.points && w.now.Explain(t.took).Legal() {
		w.play(score)
	} else {
		w.play(diceflick.Arrange{Dice: after.Arena().Dice})
		w.play(diceflick.Amend{Player: to.player, Round: to.round, Score: &to.points})
	}
	for _, mv := range told[at+1:] {
		switch v := mv.(type) {
		case diceflick.Flick:
			v.By = w.now.ToMove()
			mv = v
		case diceflick.Score:
			v.By = w.now.ToMove()
			mv = v
		}
		w.play(mv)
	}
	if w.failed {
		return nil
	}
	return w.line
}

// writer plays moves one after the other.
type writer struct {
	now    *diceflick.State
	line   []rules.Move
	failed bool
}

func (w *writer) play(mv rules.Move) {
	next, err := w.now.Apply(mv)
	if err != nil || w.failed {
		w.failed = true
		return
	}
	w.now, w.line = next.(*diceflick.State), append(w.line, mv)
}

// answerElse takes an answer to who scored that is none of those that were offered.
func (m *Match) answerElse(d Declaration) error {
	a := &m.turns
	t, to := a.about, scored{player: rules.Nobody}
	if t.took == 0 { // it is a number that is asked for
		to = scored{player: t.player, round: t.round}
	}
	if d.Player != "" {
		seat := slices.Index(m.setting.Players, d.Player)
		if seat < 0 {
			return reject("no-such-player", "player", d.Player)
		}
		to = scored{rules.Player(seat), d.Round, t.points}
		if d.Score != nil {
			to.points = *d.Score
		}
	}
	ways := m.whoMayHave(t)
	i := slices.IndexFunc(ways, func(w whoScored) bool {
		return w.player == to.player && (to.player == rules.Nobody || w.points == to.points && (w.round == to.round || to.round == 0))
	})
	if i >= 0 {
		w := ways[i]
		o := offer{says: m.whoAndWhen(ways[i : i+1])[0], amend: m.otherTurns(w.line), whose: &w.scored}
		return m.answerTurns(d, o, false)
	}
	if to.player == rules.Nobody {
		return m.answerTurns(d, offer{says: phrase("nobody-scored"), amend: m.otherTurns(m.movesSince(a.from)), whose: &to}, true)
	}
	if to.round == 0 {
		to.round = t.round
	}
	line := m.givenTo(t, to)
	if line == nil { // it is on the notepad all the same
		a.answered = append(a.answered, t)
		return m.writeScore(d)
	}
	before := m.line.now()
	if err := m.emit(d.by(), m.otherTurns(line).act(), &Event{Type: TypeCorrect}, "Corrected: "+m.whoAndWhen([]whoScored{{scored: to}})[0].String()+"."); err != nil {
		return err
	}
	m.forget()
	for _, c := range m.changedCells(before) { // what was told of them went by another order
		m.doubtCell(c)
	}
	m.turnsAnew()
	a.settle(to.cell())
	a.answered = append(a.answered, t)
	// It was none of what was believed, so what has come after it is not certain either, until the next answer.
	a.lost, a.lostAt = true, to.turn(len(m.setting.Players))+1
	return m.answeredTurns()
}

// writeScore writes a score on the notepad that a player gives as the answer to what was scored. Nobody's: nothing was.
func (m *Match) writeScore(d Declaration) error {
	if d.Player == "" {
		m.forget()
		return nil
	}
	seat := slices.Index(m.setting.Players, d.Player)
	if seat < 0 || d.Score == nil {
		return reject("no-such-player", "player", d.Player)
	}
	if d.Round == 0 {
		d.Round = max(1, m.line.now().(*diceflick.State).Notepad().Filled(seat))
	}
	m.markProvisional()
	m.forget()
	return m.tapped(d.by(), diceflick.Amend{Player: rules.Player(seat), Round: d.Round, Score: d.Score}, false)
}
