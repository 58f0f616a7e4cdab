package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// asAnswered is a view in which what was read otherwise than it was told lies as in another position: either
// overrules the reading.
func (m *Match) asAnswered(obs table.Observation, s rules.State) table.Observation {
	want := s.Expect().Squares
	obs.Dice = slices.Clone(obs.Dice)
	for i, r := range obs.Dice {
		if r.Square == nil {
			continue
		}
		f, fixed := m.fix[*r.Square]
		if d, lies := want[*r.Square]; fixed && lies && f.To == r.Die {
			obs.Dice[i] = certain(r, d)
		}
	}
	return obs
}

// legalAfterAll corrects an act against the rules that was told under doubt: nobody has taken it
// back when the next one is played, and by another answer to the same question all was legal, and is
// explained as well. It reports whether there is such an answer.
func (m *Match) legalAfterAll(r rules.Result, obs table.Observation) bool {
	if !m.toldAsking() || !m.lastIllegal() || r.Back > 0 || len(r.Line) == 0 {
		return false
	}
	for _, o := range m.offers[1:] {
		stack := m.line.before(o.amend.first)
		s, legal := stack[len(stack)-1], true
		for _, mv := range o.amend.moves {
			next, err := s.Apply(mv)
			if legal = legal && err == nil && s.Check(mv) == nil; !legal {
				break
			}
			s = next
		}
		if !legal {
			continue
		}
		then := rules.Reconcile(s, onGrid(m.asAnswered(obs, s)), rules.ReconcileOptions{})
		if (then.Verdict == r.Verdict || then.Verdict == rules.Explained) && len(then.Line) == len(r.Line) && then.Misfit <= r.Misfit {
			return m.amend(o.amend)
		}
	}
	return false
}

// toldAsking says whether the open question was told as a doubt, and the first of its answers right
// after it; the others say what was otherwise.
func (m *Match) toldAsking() bool {
	if m.ask == "" || m.about == 0 || m.about != m.seq || slices.ContainsFunc(m.offers, func(o offer) bool { return o.amend == nil }) {
		return false
	}
	i := slices.IndexFunc(m.log, func(e EventView) bool { return len(m.offers) > 0 && e.Seq == m.offers[0].amend.first })
	return i > 0 && m.log[i-1].Type == TypeDoubt
}
