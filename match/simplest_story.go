package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// plainFirst puts before the answers to a view that only breaches or many acts explain, or nothing
// does, the one act that explains all that is surely read, or all but dice that seem to have turned where
// they lie, if there is one: a legal one, or that the last was taken back; a breach only where the answers
// are no likelier.
func (m *Match) plainFirst(now rules.State, obs table.Observation, offers []offer) []offer {
	opt := rules.ReconcileOptions{Earlier: m.earlier(m.line.stack()), LastIllegal: m.lastIllegal()}
	breach := len(offers) == 0 || farFetched(offers[0].story)
	want := now.Expect().Squares
	for _, view := range []table.Observation{surely(obs, want, false), surely(obs, want, true), surely(unturned(obs, want), want, false)} {
		r := rules.Reconcile(now, onGrid(view), opt)
		told := r.Verdict == rules.Explained || r.Verdict == rules.TakenBack || breach && r.Verdict == rules.IllegalAct
		if !told || r.Back+len(r.Line) != 1 || m.liesElsewhere(r.Story, offers, obs) {
			continue
		}
		first := []offer{m.asked(r.Story)}
		for _, o := range offers {
			if o.story.String() != r.Story.String() {
				first = append(first, o)
			}
		}
		return first
	}
	return offers
}

// liesElsewhere says whether a die that a story takes off the board has not come to those beside it, all of
// which are known, though by the first of the answers it is on the board.
func (m *Match) liesElsewhere(s rules.Story, offers []offer, obs table.Observation) bool {
	if !m.allKnown || s.Back == 0 || len(offers) == 0 {
		return false
	}
	_, came := m.sinceBeside(obs)
	return m.notBack(s, came) > 0 && m.notBack(offers[0].story, came) == 0
}

// farFetched says whether a story is of several acts at once, one of them a breach of the rules, or
// of more than two.
func farFetched(s rules.Story) bool {
	return s.Verdict == rules.IllegalAct && len(s.Line) > 1 || len(s.Line) > 2
}

// surely is a view in which only what is surely read differs from what should be on the board.
// What is not is as it was, if it may be, or nothing, as it is everywhere with gone.
func surely(obs table.Observation, want boardMap, gone bool) table.Observation {
	var dice []table.Reading
	for _, r := range obs.Dice {
		if r.Square != nil && !r.Sure && r.Die != want[*r.Square] {
			if gone || !mayBe(r, want[*r.Square]) {
				continue
			}
			r = certain(r, want[*r.Square])
		}
		dice = append(dice, r)
	}
	obs.Dice = dice
	return obs
}

// unturned is a view in which every die that is read where one should be is that one.
func unturned(obs table.Observation, want boardMap) table.Observation {
	obs.Dice = slices.Clone(obs.Dice)
	for i, r := range obs.Dice {
		if r.Square != nil && want[*r.Square].Color != table.NoColor {
			obs.Dice[i] = certain(r, want[*r.Square])
		}
	}
	return obs
}

// doubtsSecond says whether a story of more than one act brings a die that is not surely read to a
// square that another one has left, or to any after a takeback, or one that would be asked about if
// it had come alone: more likely it is printed there.
func doubtsSecond(now rules.State, s rules.Story, obs table.Observation) bool {
	want := now.Expect().Squares
	return s.Back+len(s.Line) > 1 && slices.ContainsFunc(s.Line, func(mv rules.Move) bool {
		to := actOf(mv).To
		return to != nil && slices.ContainsFunc(obs.Dice, func(r table.Reading) bool {
			likelyPrint := s.Back > 0 || want[*to].Color != table.NoColor || r.Confidence < enoughLegal
			return r.Square != nil && *r.Square == *to && !r.Sure && likelyPrint
		})
	})
}
