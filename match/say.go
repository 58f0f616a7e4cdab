package match

import (
	"errors"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Declare applies a declaration, once: one whose key is that of an earlier one changes nothing. If its frame (or time)
// is in the future, it waits for that frame, and errors only appear as questions.
func (m *Match) Declare(d Declaration) error {
	if err := d.Check(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	d = d.onward(m.before.frame, m.before.t)
	if (d.Frame != nil || d.T != nil) && (!m.began || !d.due(m.frame, m.t)) {
		m.await(d)
		return nil
	}
	if m.applied[d.Key] {
		return nil // it was sent again
	}
	m.saying = d.Source
	defer func() { m.saying = Source{} }()
	err := m.say(d)
	m.followTurns()
	m.keepFacts()
	if err == nil && m.trouble != nil {
		err = m.trouble
	}
	return err
}

// await puts a declaration among those that wait, in the order of their frames; of equal ones
// the one that was said first comes first.
func (m *Match) await(d Declaration) {
	at := len(m.queue)
	for i, o := range slices.Backward(m.queue) {
		if !d.before(o) {
			break
		}
		at = i
	}
	m.queue = slices.Insert(m.queue, at, d)
}

// nextDue is the first of the waiting declarations for frames before this one; -1: there is none.
// Cards wait for the end.
func (m *Match) nextDue(frame int, t float64) int {
	return slices.IndexFunc(m.queue, func(d Declaration) bool { return d.due(frame, t) && (d.Say != SayCard || m.ended) })
}

// applyDue applies the waiting declarations for frames before this one.
func (m *Match) applyDue(frame int, t float64) {
	for i := m.nextDue(frame, t); i >= 0; i = m.nextDue(frame, t) {
		d, queue := m.queue[i], m.queue
		m.queue = slices.Delete(slices.Clone(queue), i, i+1)
		if m.hidden(d) && m.nextDue(frame, t) < 0 {
			m.queue = queue
			return
		}
		m.flush()
		m.missed(d)
		was, at := m.frame, m.t
		if d.Frame != nil {
			m.frame = max(*d.Frame, m.lastFrame())
			if *d.Frame != was && was > 0 { // a frame that was not shown: its time by those before
				m.t = at * float64(m.frame) / float64(was)
			}
		}
		m.sayWaited(d)
		m.frame, m.t = was, at
	}
}

// sayWaited applies a declaration that has waited. That it cannot be applied is told, unless the
// match is over: then the table was quicker than the word.
func (m *Match) sayWaited(d Declaration) {
	if err := m.say(d); err != nil && m.trouble == nil && !errors.Is(err, ErrOver) {
		m.refused(d, err, Act{})
	}
}

// Done reports whether the match is over and no declaration is waiting that may come after the
// end, such as a card, a correction or a rematch.
func (m *Match) Done() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended && !slices.ContainsFunc(m.queue, func(d Declaration) bool {
		return d.Say == SayAct || !d.acts() && d.Say != SayAnswer && d.Say != SayKeep
	})
}

// hidden says whether the end of a turn was declared while hands lay over the arena: which
// dice were scored shows once they are gone.
func (m *Match) hidden(d Declaration) bool {
	return d.Say == SayNext && d.Frame != nil && d.Score == nil && m.setting.Game == table.DiceFlick && m.seen.ok &&
		!m.settled && m.turns.on && arenaOf(m.turns.set.Best()).Gone() == 0 && (len(m.ballot.reads) == 0 || m.ballot.first > *d.Frame)
}

// gap is how many frames after it was seen still the table is out of view.
const gap = 6

// missed tells of a turn that ended while the table was out of view, so that nobody
// saw how.
func (m *Match) missed(d Declaration) {
	if d.Frame == nil || d.Say != SayNext || !m.began {
		return
	}
	if away := *d.Frame - m.frame; away >= gap || away < 0 { // a view was waited for in vain
		if err := m.remark(phrase("out-of-view")); err != nil {
			m.trouble = err
		}
	}
}

// refused says that something declared for a frame, or that waited, could not be applied.
func (m *Match) refused(d Declaration, err error, act Act) {
	ask := because("refused", err, "say", d.Say)
	if e := m.emit(ByRules, act, &Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask}, ask.String()); e != nil {
		m.trouble = e
	}
}

// say applies a declaration now. Whatever the view shows by now is concluded on first,
// unless this is the answer to what was asked about it.
func (m *Match) say(d Declaration) error {
	if d.Say != SayAnswer || m.stale && m.about == 0 {
		m.flush()
	}
	m.inFull = d.Say == SayAct || d.Say == SayPlay
	defer func() { m.inFull = false }()
	switch d.Say {
	case SayUndo, SayRedo:
		return m.undo(d)
	case SayCorrect:
		return m.correct(d)
	case SayPause:
		return m.pause(d, true)
	case SayResume:
		return m.pause(d, false)
	case SayKeep, SayAnswer:
		return m.answer(d)
	}
	if m.line.paused && d.acts() {
		return ErrPaused
	}
	switch d.Say {
	case SayAct:
		return m.sayAct(d)
	case SayRoll:
		return m.sayRoll(d)
	case SayStands:
		return m.sayStands(d)
	}
	if ok, err := m.sayPeople(d); ok {
		return err
	}
	if d.Say == SayCard {
		return m.sayCard(d)
	}
	if m.ended {
		return ErrOver
	}
	if d.Say == SayEnd {
		return m.stop(d)
	}
	return m.sayMove(d)
}

// sayMove applies what players tell of their moves, in the words of a game or of any.
func (m *Match) sayMove(d Declaration) error {
	for _, say := range []func(Declaration) (bool, error){m.sayFlick, m.sayHands, m.sayFromage} {
		if ok, err := say(d); ok {
			return err
		}
	}
	switch d.Say {
	case SayPlay:
		mv, err := m.game.ParseMove(d.Move)
		if err != nil {
			return reject("unreadable", "why", err.Error())
		}
		return m.declared(d, mv)
	case SayPass:
		now := m.line.now()
		mv, err := m.game.ParseMove(now.ToMove().String() + " pass")
		if err != nil {
			return reject("no-pass")
		}
		return m.declared(d, mv)
	case SayNext:
		return nil // in games whose turns the camera sees the word changes nothing
	}
	return reject("no-use", "say", d.Say, "game", m.setting.Game.Kit().Title)
}

// declared plays a move that a player told.
func (m *Match) declared(d Declaration, mv rules.Move) error {
	if m.toldAlready(mv) {
		return nil
	}
	if m.followsZones() {
		return m.hear(Declaration{Say: SayPlay, By: d.By, Move: mv.String()})
	}
	if err := m.playOne(d.by(), mv); err != nil {
		return err
	}
	return m.followUp()
}

func (d Declaration) by() string {
	switch {
	case d.Camera:
		return ByCamera
	case d.By == "":
		return ByPlayer
	}
	return d.By
}

// afterChange follows an undo or a correction: the view on the table is accepted as it is.
func (m *Match) afterChange() {
	m.forget()
	if m.ended {
		if err := m.tellResult(); err != nil {
			m.trouble = err
		}
	}
	if m.seen.ok && m.setting.Game.Kit().Layout == table.Loose {
		m.outOfForce(m.seen.obs)
	} else if m.seen.ok {
		m.dismiss = boardOf(m.seen.obs)
		if equalBoards(m.dismiss, m.line.now().Expect().Squares) {
			m.dismiss = nil
		}
	}
	if err := m.followUp(); err != nil {
		m.trouble = err
	}
	m.setPhase(m.restPhase())
}

func (m *Match) pause(d Declaration, on bool) error {
	kind, typ, text := actPause, TypePause, "Paused."
	if !on {
		kind, typ, text = actResume, TypeResume, "The game goes on."
	}
	if m.line.paused == on {
		return nil
	}
	e := Event{Type: typ}
	if err := m.emit(d.by(), Act{Kind: kind}, &e, text); err != nil {
		return err
	}
	m.ballot.clear()
	m.settled = false
	m.setPhase(m.restPhase())
	return nil
}
