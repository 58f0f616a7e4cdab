package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// priceUnheard is the price of a story in which an act that a player told of did not happen.
const priceUnheard = 6.0

// saidAct is an act that a player told of and that could not have happened in the position
// that is known: something before it has not been seen yet. The next view tells. The
// journal has it: a timeline lists those that wait.
type saidAct struct {
	said Declaration
	mean meaning
}

// meaning is the act that was said, in a position.
type meaning func(rules.State) (rules.Move, error)

// waiting is the acts that were said and are not known to have happened.
func (m *Match) waiting() (list []saidAct) {
	for _, e := range m.line.said {
		list = append(list, saidAct{e.said, m.meaningOf(e.said)})
	}
	return list
}

// Waiting is an act that a player declared. It counts once the camera has seen what happened
// before it.
type Waiting struct {
	Say string `json:"say"` // the word: play, next, points or pass
	// Act is the act in the game's notation, and Event how it would be told; both are missing
	// where the word alone does not say yet what it will mean.
	Act   string `json:"act,omitempty"`
	Event *Event `json:"event,omitempty"`
}

// stillWaiting is the acts that were said and wait, for those who look at the match.
func (m *Match) stillWaiting() (list []Waiting) {
	at := []rules.State{m.line.now()}
	if tales := m.openTales(); len(tales) > 0 { // what a word means says what has most likely happened
		at = append(at, tales[0].stack...)
	}
	if m.followsZones() && m.course.on {
		for w := m.course.best().World.(*belief.Zones); w != nil; w = w.Before() {
			at = append(at, w.State())
		}
	}
	for _, s := range m.waiting() {
		w := Waiting{Say: s.said.Say}
		for _, now := range at {
			if mv, err := s.mean(now); err == nil {
				w.Act = mv.String()
				w.Event, _ = m.told(now, mv)
				break
			}
		}
		list = append(list, w)
	}
	return list
}

// meaningOf is the act that a declaration tells of.
func (m *Match) meaningOf(d Declaration) meaning {
	switch d.Say {
	case SayNext:
		return endOf
	case SayPoints, SayPass:
		return func(s rules.State) (rules.Move, error) { return answerOf(s, d.Say == SayPoints) }
	}
	mv, err := m.game.ParseMove(d.Move)
	return func(rules.State) (rules.Move, error) { return mv, err }
}

// mayWait keeps an act that was said until a view says what happened before it; false
// where all is known, so that it is judged at once. Play is the act, or a word of
// Fromage á Trois.
func (m *Match) mayWait(d Declaration) (bool, error) {
	if m.byZones() == nil || m.ended {
		return false, nil
	}
	mean := m.meaningOf(d)
	if tales := m.talesWith(mean); len(tales) > 0 {
		return true, m.declaredMaybe(d, tales)
	}
	z := &m.zones
	if len(m.line.said) == 0 {
		mv, err := mean(m.line.now())
		if err == nil && m.line.now().Check(mv) == nil {
			return false, nil
		}
		open := m.ask != "" && m.about == 0 || m.openTales() != nil || z.undecided()
		if !open && !(z.posed && m.frame > z.frame) && !m.byZones().unrolled(m.line.now()) {
			return false, nil
		}
	}
	return true, m.keepSaid(d)
}

// toldAlready says whether an act that a player says is one that the last view has told of,
// and that cannot be done again: who says it is only late.
func (m *Match) toldAlready(mv rules.Move) bool {
	if !m.hasZones() || len(m.line.said) > 0 || m.line.now().Check(mv) == nil {
		return false
	}
	view := -1
	for _, e := range slices.Backward(m.log) {
		switch {
		case e.By != ByCamera || len(e.Acts) == 0:
			continue
		case view < 0:
			view = e.Frame
		case e.Frame != view:
			return false
		}
		if !e.Undone && slices.Contains(e.Acts, mv.String()) {
			return true
		}
	}
	return false
}

// keepSaid writes down an act that waits.
func (m *Match) keepSaid(d Declaration) error {
	return m.emit(d.by(), Act{Kind: actSaid, Said: &Declaration{Say: d.Say, By: d.By, Move: d.Move}}, nil, "")
}

// hears says whether a record of moves tells of the first act that waits.
func (m *Match) hears(act Act) bool {
	if act.Kind != actPlay || len(m.line.said) == 0 || len(act.Moves) == 0 {
		return false
	}
	mv, err := m.meaningOf(m.line.said[0].said)(m.line.now())
	return err == nil && mv.String() == act.Moves[0]
}

// saidMoves is the acts that were said and are not known to have happened.
func (m *Match) saidMoves() (list []rules.Move) {
	for _, s := range m.waiting() {
		if mv, err := s.mean(m.line.now()); err == nil {
			list = append(list, mv)
		}
	}
	return list
}

// unheard judges what was said and what the views since then have not shown to be true.
func (m *Match) unheard() {
	for n := len(m.line.said); n > 0; n = len(m.line.said) {
		d := m.line.said[0].said
		mv, err := m.meaningOf(d)(m.line.now())
		if err == nil {
			err = m.playOne(d.by(), mv)
		}
		if err == nil { // what it forces comes before the next
			err = m.followUp()
		}
		switch {
		case err == nil || m.trouble != nil:
		case d.Say == SayNext: // the end of the turn was seen already
			_ = m.emit(ByRules, Act{Kind: actUnheard, Heard: true}, nil, "") // Err says what kept it out of the journal
		default:
			m.refused(d, err, Act{Kind: actUnheard, Heard: true})
		}
		if len(m.line.said) == n {
			return // it could not be written, and waits on
		}
	}
}

// saidAnew: what waits has been undone, or said again. Tales that tell of more do not hold,
// and the view is looked at once more.
func (m *Match) saidAnew() {
	z := &m.zones
	if m.followsZones() { // the view is looked at once more
		b := &m.course
		b.stray, b.read, b.lies, b.lain = true, 0, nil, nil
	}
	z.maybe, z.next = slices.DeleteFunc(z.maybe, func(t hypothesis) bool { return t.said > len(m.line.said) }), nil
	m.settled = false
	m.flush()
	m.setPhase(m.restPhase())
}

// answerByActs takes an answer that is none of the choices for the acts that it names;
// false where it names none.
func (m *Match) answerByActs(d Declaration) (bool, error) {
	if !m.hasZones() || m.setting.Game != table.DiceCreams && m.setting.Game != table.FromageATrois {
		return false, nil
	}
	var moves []rules.Move
	for _, words := range splitActs(d.Choice) {
		mv, err := m.game.ParseMove(words)
		if err != nil {
			return false, nil
		}
		moves = append(moves, mv)
	}
	for i, mv := range moves {
		if i > 0 && m.line.now().Check(mv) != nil {
			break // it was forced, and has been played
		}
		if err := m.declared(d, mv); err != nil {
			return true, rejected("not-the-answer", err)
		}
	}
	return true, nil
}

// heard goes on from a node with the next act that was said, legal or not.
func (z *zoneSearch) heard(n *node, acts int) {
	if n.said >= len(z.said) {
		return
	}
	w := z.told(n.at, n.said)
	if w == nil {
		return
	}
	next := *n
	next.said++
	if z.judge(&next, w) && z.play(&next, w) {
		z.deepen(&next, acts)
	}
}

// talesWith is what may have happened, with an act that a player says: those tales to which
// it could not have happened are left out. None where nothing is open.
func (m *Match) talesWith(mean meaning) (list []hypothesis) {
	for _, t := range m.openTales() {
		if t, ok := t.and(m.byZones(), mean, len(m.line.said)); ok {
			list = append(list, t)
		}
	}
	return list
}

// declaredMaybe adds what a player says to what may have happened, which are tales that
// tell of it. What it contradicts is unlikely now, unless something came before it that no
// view has shown yet.
func (m *Match) declaredMaybe(d Declaration, list []hypothesis) error {
	z := &m.zones
	all := slices.Clone(list)
	mean := m.meaningOf(d)
	for _, t := range m.openTales() {
		if _, ok := t.and(m.byZones(), mean, len(m.line.said)); !ok {
			all = append(all, t)
		}
	}
	if err := m.keepSaid(d); err != nil {
		return err
	}
	z.another()
	z.maybe = all
	if list[0].clear(z.maybe) && m.liveBefore(&list[0]) && m.followUp() == nil {
		m.forget()
		m.unheard()
		m.zones.doubtless(m.line.now())
		m.setPhase(m.restPhase())
	}
	m.outdate()
	return m.trouble
}

// and is the tale with an act that was said after so many others; false where it could not
// have happened now.
func (t hypothesis) and(g zoneGame, mean meaning, said int) (hypothesis, bool) {
	mv, err := mean(t.at())
	if err != nil || t.said != said || t.at().Check(mv) != nil {
		return t, false
	}
	after, err := t.at().Apply(mv)
	if err != nil {
		return t, false
	}
	after, line := follow(g, after, []rules.Move{mv})
	s := rules.Story{Verdict: rules.Explained, Line: line, After: after}
	t.before = append(t.before[:len(t.before):len(t.before)], s)
	t.stack, t.acts = retrace(t.stack, t.acts, s, g.stands) // as a restart does
	t.said, t.told = t.said+1, true
	return t, true
}
