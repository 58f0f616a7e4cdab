package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// onlyHidden is the answers to a board that nothing explains while dice are missing: that
// some of them are there and only not seen, rather few than many.
func (m *Match) onlyHidden(now rules.State, obs table.Observation) []offer {
	const most = 3
	want := now.Expect().Squares
	gone := rules.Compare(rules.ExpectedBoard(now.Expect()), rules.SeenBoard(obs)).Gone
	if len(gone) > most {
		return nil
	}
	var stories []rules.Story
	for hidden := 1; hidden < 1<<len(gone); hidden++ {
		view := onGrid(obs)
		for i, sq := range gone {
			if hidden>>i&1 == 1 {
				view.Dice = append(view.Dice, certain(table.Reading{Square: &sq}, want[sq]))
			}
		}
		r := rules.Reconcile(now, view, rules.ReconcileOptions{})
		told := func(s rules.Story) bool { return s.String() == r.Story.String() }
		if (r.Verdict == rules.Explained || r.Verdict == rules.IllegalAct) && !slices.ContainsFunc(stories, told) {
			stories = append(stories, r.Story)
		}
	}
	slices.SortStableFunc(stories, func(a, b rules.Story) int { return m.unlikely(a, obs) - m.unlikely(b, obs) })
	var offers []offer
	for _, s := range stories {
		offers = append(offers, m.asked(s))
	}
	return offers
}

// plainlyHidden says whether the first of the answers to a board on which dice are missing is plain: one
// legal act, surely read, with which what has left those beside the board agrees better than with
// the others. All of those are known, and none of the missing dice has come to them.
func (m *Match) plainlyHidden(hidden []offer, obs table.Observation) bool {
	s := hidden[0].story
	if !m.allKnown || s.Verdict != rules.Explained || len(s.Line) != 1 || len(hidden) > 1 && m.unlikely(hidden[1].story, obs) <= m.unlikely(s, obs) {
		return false
	}
	_, came := m.sinceBeside(obs)
	read := boardOf(obs)
	for sq, d := range s.After.Expect().Squares {
		if read[sq].Color == table.NoColor && len(ofColor(came, d.Color)) > 0 {
			return false
		}
	}
	to := actOf(s.Line[0]).To
	return to != nil && slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == *to && r.Sure })
}
