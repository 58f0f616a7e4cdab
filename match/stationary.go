package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// neverMoved asks about a die that is seen where one like it was, on the square from which
// the last act moved it, while what was moved lies where it came to: more likely the die was
// overlooked for one view, and another was placed.
func (m *Match) neverMoved(obs table.Observation) (ask Phrase, offers []offer) {
	n := len(m.line.acts)
	if n == 0 || m.line.acts[n-1].kind != actPlay || len(m.line.acts[n-1].moves) != 1 {
		return ask, nil
	}
	last := m.line.acts[n-1]
	a := actOf(last.moves[0])
	if a.Action != "move" || a.From == nil || a.To == nil {
		return ask, nil
	}
	stack := m.line.before(last.seq)
	before, now := stack[len(stack)-1], m.line.now()
	was, is := before.Expect().Squares[*a.From], now.Expect().Squares
	lies := func(r table.Reading) bool { return r.Square != nil && *r.Square == *a.From && r.Die == was && r.Sure }
	if is[*a.From].Color != table.NoColor || !slices.ContainsFunc(obs.Dice, lies) || boardOf(obs)[*a.To] != is[*a.To] {
		return ask, nil
	}
	if m.hasLeft(was, obs) {
		return ask, nil // it has just come from beside the board
	}
	line := m.otherLine(before, now, *a.From, was)
	if len(line) != 1 || before.Check(line[0]) != nil {
		return ask, nil
	}
	r := rules.Reconcile(now, onGrid(obs), rules.ReconcileOptions{})
	if !accounts(played(before, line), obs, r.Misfit) {
		return ask, nil // another die has come there, and has left its own square
	}
	offers = []offer{{says: phrase("yes"), amend: &amendment{first: last.seq, last: last.seq, moves: line}}}
	if r.Verdict == rules.Explained || r.Verdict == rules.IllegalAct {
		return phrase("all-along", "die", was, "square", *a.From), append(offers, m.asked(r.Story))
	}
	return phrase("all-along", "die", was, "square", *a.From), append(offers, offer{says: phrase("no")})
}

// accounts says whether a position accounts for a view, with no reading called more wrong than by so much.
func accounts(now rules.State, obs table.Observation, misfit float64) bool {
	if now == nil {
		return false
	}
	r := rules.Reconcile(now, onGrid(obs), rules.ReconcileOptions{})
	return r.Verdict != rules.Unexplained && r.Misfit <= misfit
}
