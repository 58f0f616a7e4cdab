package match

import (
	"errors"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
)

// What players say is observed like what is seen. It is told at once if it cannot mean anything else, and else waits in the journal
// (actSaid) until it is known.

// word is an act that was said as it is believed.
func (s *saidAct) word() *belief.Word {
	return &belief.Word{ID: s.seq, Means: func(now rules.Zoned) (rules.Move, bool) {
		mv, err := s.mean(now)
		if err != nil {
			return nil, errors.Is(err, errEnded)
		}
		return mv, false
	}}
}

// awaitNoMore has no world await what the journal tells to wait no more.
func (m *Match) awaitNoMore() {
	b := &m.course
	for _, set := range []*belief.Beliefs{&b.set, &b.earlier, &b.tried, &b.maybe} {
		list := slices.Clone(layoutsOf(*set).Hypotheses())
		for i := range list {
			w := list[i].World.(*belief.Zones)
			list[i].World = w.Awaiting(slices.DeleteFunc(slices.Clone(w.Awaits()), func(said *belief.Word) bool {
				return !slices.ContainsFunc(m.line.said, func(e entry) bool { return e.seq == said.ID })
			}))
		}
		if is, ok := layoutsOf(*set).Of(list); ok {
			*set = is
		}
	}
}

// errEnded: the turn whose end is said has ended already.
var errEnded = errors.New("match: the turn has ended already")

// hear takes in an act that a player says.
func (m *Match) hear(d Declaration) error {
	m.syncCourse()
	b, mean := &m.course, m.meaningOf(d)
	now := m.line.now()
	mv, err := mean(now)
	allowed := err == nil && now.Check(mv) == nil
	switch {
	case errors.Is(err, errEnded) && m.nothingOpen():
		return nil
	case m.nothingOpen() && !m.mayBeUnseen(allowed) && (allowed || b.made() >= stillSure): // else it says that what is told was otherwise
		if err != nil {
			return err
		}
		return m.playSaid(d, mv)
	}
	if err := m.keepSaid(d); err != nil {
		return err
	}
	b.nextView()
	said := m.waiting()
	if set, ok := layoutsOf(b.set).Observe(&belief.Layout{Said: said[len(said)-1].word()}); ok {
		b.set, b.earlier = set, set
	}
	b.words = len(said)
	m.putBoardRight()
	if m.tellBoard(beyondDoubt) && b.made() >= beyondDoubt*b.set.Began(b.acts()) && m.trouble == nil {
		m.forget()
		if len(b.best().World.(*belief.Zones).Awaits()) == 0 { // else the next view tells
			m.unheardOf()
		}
		m.setPhase(m.restPhase())
	}
	m.outdate()
	return m.trouble
}

// nothingOpen says whether all that has happened was told.
func (m *Match) nothingOpen() bool {
	b := &m.course
	return len(m.line.said) == 0 && !b.lost && b.odd == 0 && (m.ask == "" || m.about > 0) && b.made() >= beyondDoubt*b.set.Began(b.acts())
}

// mayBeUnseen says whether an act that is said may come after others that no view has shown yet: if the rules do not allow it as yet.
func (m *Match) mayBeUnseen(allowed bool) bool {
	if allowed || m.ended {
		return false
	}
	return m.line.now().ToMove() == rules.Nature || m.seen.ok && m.seen.obs.Posed && m.frame > m.seen.obs.Frame
}

// playSaid tells an act that a player has said.
func (m *Match) playSaid(d Declaration, mv rules.Move) error {
	b := &m.course
	b.nextView()
	told := b.acts()
	set, ok := belief.Beliefs(nil), false
	if heard, is := layoutsOf(b.set).Observe(&belief.Layout{Said: &belief.Word{Means: func(rules.Zoned) (rules.Move, bool) { return mv, false }}}); is {
		set, ok = heard.Where(func(w belief.Way) bool {
			return w.Begins(append(told[:len(told):len(told)], mv))
		})
	}
	b.telling = ok
	defer func() { b.telling = false }()
	if err := m.playOne(d.by(), mv); err != nil {
		return err
	}
	if ok {
		b.set, b.earlier = set, set
		b.told = append(b.told[:len(b.told):len(b.told)], toldMove{move: mv, seq: m.seq})
	}
	m.outdate()
	return m.tellForced(len(m.line.acts))
}

// tellForced plays what the rules demand, which is told as well.
func (m *Match) tellForced(acts int) error {
	b := &m.course
	if err := m.followUp(); err != nil {
		return err
	}
	for _, e := range m.line.acts[acts:] {
		for _, mv := range e.moves {
			b.told = append(b.told, toldMove{move: mv, seq: e.seq})
		}
	}
	return nil
}

// whoTold is who has told of a move: who said it, if it is the first that waits.
func (m *Match) whoTold(mv rules.Move) string {
	if m.followsZones() && m.hears(Act{Kind: actPlay, Moves: []string{mv.String()}}) {
		return m.line.said[0].said.by()
	}
	return ByCamera
}

// unheardOf ends the wait of what was said and has not happened, now that all is known.
func (m *Match) unheardOf() {
	b := &m.course
	for n := len(m.line.said); n > 0; n = len(m.line.said) {
		d := m.line.said[0].said
		mv, err := m.meaningOf(d)(m.line.now())
		if err == nil {
			err = m.line.now().Check(mv)
		}
		if err == nil || errors.Is(err, errEnded) {
			_ = m.emit(ByRules, Act{Kind: actUnheard, Heard: true}, nil, "") // Err says what kept it out of the journal
		} else {
			m.refused(d, err, Act{Kind: actUnheard, Heard: true})
		}
		if len(m.line.said) == n {
			return // it could not be written, and waits on
		}
	}
	b.words = 0
}

// outdate: what is said after a picture that was taken on purpose makes it old. It is
// not looked at again, lest it seem that the act was taken back.
func (m *Match) outdate() {
	if n := len(m.ballot.reads); n > 0 && m.ballot.reads[n-1].Posed && m.followsZones() {
		m.ballot.clear()
		m.settled = true
		if m.about == 0 {
			m.forget()
		}
	}
}
