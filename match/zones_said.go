package match

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// priceUnheard is the price of a story in which an act that a player told of did not happen.
const priceUnheard = 6.0

// saidAct is an act that a player told of and that could not have happened in the position
// that is known: something before it has not been seen yet. The next view tells.
type saidAct struct {
	said Declaration
	mean meaning
}

// meaning is the act that was said, in a position.
type meaning func(rules.State) (rules.Move, error)

// await keeps an act that was said until a view tells what happened before it; false where
// all is known, so that it is judged at once.
func (m *Match) await(d Declaration, mean meaning) bool {
	if m.byZones() == nil || m.ended {
		return false
	}
	z := &m.zones
	if len(z.said) == 0 {
		mv, err := mean(m.line.now())
		if err == nil && m.line.now().Check(mv) == nil {
			return false
		}
		open := m.ask != "" && m.about == 0 || m.openTales() != nil
		if !open && !(z.posed && m.frame > z.frame) {
			return false
		}
		z.saidSince = m.seq
	}
	z.said = append(z.said, saidAct{d, mean})
	return true
}

// saidMoves is the acts that were said and are not known to have happened.
func (m *Match) saidMoves() (list []rules.Move) {
	for _, s := range m.zones.said {
		if mv, err := s.mean(m.line.now()); err == nil {
			list = append(list, mv)
		}
	}
	return list
}

// unheard judges what was said and what the views since then have not shown to be true.
func (m *Match) unheard() {
	said := m.zones.said
	m.zones.said = nil
	before := m.line.start
	for _, e := range m.line.acts {
		if e.seq > m.zones.saidSince && len(said) > 0 && len(e.moves) > 0 {
			if mv, err := said[0].mean(before); err == nil && mv.String() == e.moves[0].String() {
				said = said[1:]
			}
		}
		before = e.stack[len(e.stack)-1]
	}
	for _, s := range said {
		mv, err := s.mean(m.line.now())
		if err == nil {
			err = m.playOne(s.said.by(), mv)
		}
		if err != nil && s.said.Say != SayNext {
			m.refused(s.said, err)
		}
	}
}

// answerByActs takes an answer that is none of the choices for the acts that it names;
// false where it names none.
func (m *Match) answerByActs(d Declaration) (bool, error) {
	if m.byZones() == nil || m.setting.Game != table.DiceCreams && m.setting.Game != table.FromageATrois {
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
			return true, fmt.Errorf("match: %.60q cannot be the answer: %w", d.Choice, err)
		}
	}
	return true, nil
}

// heard goes on from a node with the next act that was said, legal or not.
func (z *zoneSearch) heard(n *node, acts int) {
	if n.said >= len(z.said) {
		return
	}
	mv, err := z.said[n.said].mean(n.at)
	if err != nil {
		return
	}
	next := *n
	next.said++
	if z.judge(&next, mv) && next.play(z.g, mv) {
		z.deepen(&next, acts)
	}
}

// declaredMaybe adds what a player says to what may have happened. What it contradicts is
// unlikely now, unless something came before it that no view has shown yet. False where
// nothing is open, or it contradicts everything.
func (m *Match) declaredMaybe(d Declaration, mean meaning) bool {
	z := &m.zones
	var list, others []tale
	for _, t := range m.openTales() {
		if t, ok := t.and(m.byZones(), mean, len(z.said)); ok {
			list = append(list, t)
		} else {
			others = append(others, t)
		}
	}
	if len(list) == 0 {
		return false
	}
	if len(z.said) == 0 {
		z.saidSince = m.seq
	}
	z.said = append(z.said, saidAct{d, mean})
	z.maybe, z.next = append(slices.Clone(list), others...), nil
	if list[0].clear(z.maybe) && m.liveAll(list[0].before, ByCamera) {
		m.forget()
		m.unheard()
		m.zones.doubtless(m.line.now())
		m.setPhase(m.restPhase())
	}
	m.outdate()
	return true
}

// and is the tale with an act that was said after so many others; false where it could not
// have happened now.
func (t tale) and(g zoneGame, mean meaning, said int) (tale, bool) {
	mv, err := mean(t.at())
	if err != nil || t.said != said || t.at().Check(mv) != nil {
		return t, false
	}
	after, err := t.at().Apply(mv)
	if err != nil {
		return t, false
	}
	after, line := follow(g, after, []rules.Move{mv})
	t.before = append(t.before[:len(t.before):len(t.before)], rules.Story{Verdict: rules.Explained, Line: line, After: after})
	t.stack = append(t.stack[:len(t.stack):len(t.stack)], after)
	t.acts = append(t.acts[:len(t.acts):len(t.acts)], mv)
	t.said, t.told = t.said+1, true
	return t, true
}
