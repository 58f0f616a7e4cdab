package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Where a die lies that was played out of view, what is played later may tell: a die that touches no other can lie
// only beside it, and one that has not left those beside the board is the one that was out of view.

// mostPlaces is how many squares are offered on which a lost die may have lain.
const mostPlaces = 4

// hidingPlace is a square on which a lost die may lie unseen, and what has happened now if it does.
type hidingPlace struct {
	at   table.Square
	play rules.Move // how it came there
	line []rules.Move
}

// hidingPlaces is the squares on which a lost die may have come within the rules, where one legal act explains a view then: it
// stays there, or was moved from there.
func (m *Match) hidingPlaces(l *lost, stays bool, obs table.Observation) (list []hidingPlace) {
	read := boardOf(obs)
	for i := range table.Size * table.Size {
		at, view := table.SquareAt(i), withoutLost(obs, l)
		if read[at].Color != table.NoColor {
			continue
		}
		for _, mv := range m.waysTo(l, at) {
			after := m.ifPlayed(l, mv)
			if after == nil {
				continue
			}
			if stays {
				view = withDie(view, at, after.Expect().Squares[at])
			}
			if r := rules.Reconcile(after, onGrid(view), rules.ReconcileOptions{}); r.Verdict == rules.Explained && len(r.Line) == 1 {
				list = append(list, hidingPlace{at, mv, r.Line})
				break
			}
		}
	}
	return list
}

// waysTo is the acts with which a lost die may have come to a square: one that was tipped may show any face.
func (m *Match) waysTo(l *lost, at table.Square) (list []rules.Move) {
	before := m.line.now()
	if l.seq > 0 {
		stack := m.line.before(l.seq)
		before = stack[len(stack)-1]
	}
	for face := 1; face <= 6; face++ {
		d := table.Die{Color: l.die.Color, Face: face}
		if l.from == nil && d != l.die {
			continue
		}
		if mv := m.moveOf(l, before.ToMove(), table.Reading{Square: &at, Die: d}); before.Check(mv) == nil {
			list = append(list, mv)
		}
	}
	return list
}

// ifPlayed is the position now if a lost die was played so; nil where that cannot be, or something else broke a rule then.
func (m *Match) ifPlayed(l *lost, mv rules.Move) rules.State {
	t := m.line
	act := Act{Kind: actCorrect, Ref: l.seq, Moves: m.inPlaceOf(l, mv)}
	if l.seq == 0 {
		act = Act{Kind: actPlay, Moves: act.Moves}
	}
	if t.apply(Record{Seq: m.seq + 1, Act: act}) != nil || t.breaches() > m.line.breaches() {
		return nil
	}
	return t.now()
}

// withoutLost is a view without the die that was put where a lost one was before.
func withoutLost(obs table.Observation, l *lost) table.Observation {
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool {
		return r.Square != nil && l.from != nil && *r.Square == *l.from && r.Die == l.die
	})
	return obs
}

// tellsOfLost reports an act with which a die would have been placed against the rules, or come from nowhere, as the legal
// one that it is if a lost die lies, or lay, where nobody saw it: where that was is asked. It reports whether there is such
// a die.
func (m *Match) tellsOfLost(s rules.Story, obs table.Observation) bool {
	if s.Back > 0 || len(s.Line) != 1 {
		return false
	}
	a, box := actOf(s.Line[0]), m.setting.Game == table.DiceBox
	turn := a.Action == "turn"
	if a.To == nil || a.From != nil || !turn && (s.Why == nil || !box) && !m.noneTaken(a.Color, obs) {
		return false
	}
	for _, l := range m.lost {
		if l.at != nil || box && (l.seq == 0 || len(m.pending(s.Line)) > 0) || turn && (l.from == nil || *l.from != *a.To) {
			continue
		}
		if places := m.hidingPlaces(l, box || turn, obs); len(places) > 0 {
			return m.playFromHidingPlace(l, places[:min(len(places), mostPlaces)], box || turn, s, obs)
		}
	}
	return false
}

// playFromHidingPlace says that a lost die lay on the first of some squares, and what was played then. The other answers are
// the other squares, and that the story happened as it seems; there are none where something was taken back since.
func (m *Match) playFromHidingPlace(l *lost, places []hidingPlace, stays bool, s rules.Story, obs table.Observation) bool {
	ask, first := phrase("lay-unseen", "die", l.die, "acts", m.deedsOf(s)), places[0]
	offers := m.hidingAnswers(l, places, s)
	m.forget()
	m.askNow(ask, offers)
	if !m.reportHiding(l, first, stays) || !m.play(ByCamera, first.line) {
		return false
	}
	for _, o := range offers {
		o.amend.first, o.amend.last = l.seq, m.seq
	}
	if len(offers) > 0 {
		m.putQuestion(ask, offers, m.seq)
	}
	if !stays {
		m.lost = slices.DeleteFunc(slices.Clone(m.lost), func(o *lost) bool { return o == l })
	}
	m.noteTaken(first.line, obs)
	m.beside.placed(first.line, obs, m.seen.obs)
	return true
}

// hidingAnswers is the answers to where a lost die lay, each with all that has happened then since it was lost.
func (m *Match) hidingAnswers(l *lost, places []hidingPlace, s rules.Story) (offers []offer) {
	asTold := []rules.Move{}
	for _, e := range m.line.acts {
		switch {
		case l.seq == 0 || e.seq < l.seq:
		case e.kind == actTakeback:
			return nil
		case e.seq == l.seq:
			asTold = e.moves
		}
	}
	var since []rules.Move
	if len(asTold) > 0 {
		asTold, since = asTold[:1], append(slices.Clone(asTold[1:]), m.since(l.seq, nil)...)
	}
	for _, p := range places {
		a := actOf(p.play)
		says := phrase("yes-die", "die", table.Die{Color: a.Color, Face: a.Face}, "square", p.at)
		offers = append(offers, offer{says: says, amend: &amendment{moves: slices.Concat([]rules.Move{p.play}, since, p.line)}})
	}
	return append(offers, offer{says: phrase("no"), amend: &amendment{moves: slices.Concat(asTold, since, s.Line)}})
}

// reportHiding says where a lost die lies, or lay, though nobody saw it there.
func (m *Match) reportHiding(l *lost, p hidingPlace, stays bool) bool {
	if stays {
		l.at = &p.at
		m.faint = append(m.faint, p.at)
	}
	if l.seq > 0 {
		a := actOf(p.play)
		m.guess(l.seq)
		return m.tellFound(l, table.Reading{Square: a.To, Die: table.Die{Color: a.Color, Face: a.Face}})
	}
	l.seq = m.seq + 1
	m.guess(l.seq)
	return m.playOne(ByCamera, p.play) == nil
}

// notHiding corrects where a lost die lies, as another one is surely read there. It reports whether there is
// such a die.
func (m *Match) notHiding(obs table.Observation) bool {
	for _, l := range m.lost {
		if l.at == nil || !slices.ContainsFunc(obs.Dice, func(r table.Reading) bool {
			return r.Square != nil && *r.Square == *l.at && r.Sure && r.Color != l.die.Color
		}) {
			continue
		}
		if places := m.hidingPlaces(l, true, obs); len(places) > 0 {
			return m.reportHiding(l, places[0], true)
		}
	}
	return false
}
