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
	if len(hidden) == 0 {
		return false
	}
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

// hardlySeen says whether none of the dice that a story takes to be hidden was surely read in the view before.
func (m *Match) hardlySeen(hidden rules.Story, obs table.Observation) bool {
	read := boardOf(obs)
	for sq := range hidden.After.Expect().Squares {
		if read[sq].Color == table.NoColor && slices.ContainsFunc(m.seen.obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == sq && r.Sure }) {
			return false
		}
	}
	return true
}

// fewerBack is another story for one that takes several acts back: a die that it takes off the board
// and that has not come to those beside it, all of which are known, is only not seen. nil: there is none.
func (m *Match) fewerBack(now rules.State, s rules.Story, opt rules.ReconcileOptions, obs table.Observation) *rules.Story {
	_, came := m.sinceBeside(obs)
	if s.Back < 2 || !m.allKnown || m.notBack(s, came) == 0 {
		return nil
	}
	read, is, after := boardOf(obs), now.Expect().Squares, s.After.Expect().Squares
	for sq, d := range is {
		off := countColor(is, d.Color) - countColor(after, d.Color) - len(ofColor(came, d.Color))
		if read[sq].Color == table.NoColor && after[sq].Color == table.NoColor && off > 0 {
			obs = withDie(obs, sq, d)
		}
	}
	r := rules.Reconcile(now, onGrid(obs), opt)
	if r.Verdict != rules.TakenBack || r.Back >= s.Back {
		return nil
	}
	return &r.Story
}

// countColor counts the dice of a color on a board.
func countColor(board boardMap, c table.Color) (n int) {
	for _, d := range board {
		if d.Color == c {
			n++
		}
	}
	return n
}
