package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// takeBack records that the last play in force was taken back at the table.
func (m *Match) takeBack(by string) error {
	who := m.lastActor()
	e := Event{Type: TypeTakeback, Player: m.name(who)}
	return m.emit(by, Act{Kind: actTakeback}, &e, e.Player+" takes the last move back.")
}

// lastActor is who made the last play that no takeback has removed.
func (m *Match) lastActor() rules.Player {
	back := 0
	for i := len(m.line.acts) - 1; i >= 0; i-- {
		e := m.line.acts[i]
		switch {
		case e.kind == actTakeback:
			back++
		case e.nature():
		case back > 0:
			back--
		default:
			return e.moves[len(e.moves)-1].Actor()
		}
	}
	return rules.Nobody
}

// lastIllegal says whether the latest event was an illegal act.
func (m *Match) lastIllegal() bool {
	for i := len(m.log) - 1; i >= 0; i-- {
		switch e := m.log[i]; e.Type {
		case TypeMove, TypeTakeback, TypePass:
			return e.Legal != nil && !*e.Legal
		}
	}
	return false
}

// cameBack says whether a placement that seems to have been taken back really
// was: a die that is merely covered or not read vanishes from the board just the
// same. An illegal one is believed to be taken back; a legal one if a die of its
// color has come to the others beside the board.
func (m *Match) cameBack(s rules.Story, obs table.Observation) bool {
	stack := m.line.stack()
	gone := rules.Compare(rules.ExpectedBoard(stack[len(stack)-1].Expect()), rules.SeenBoard(obs))
	back := s.After.Expect().Squares
	for _, r := range onGrid(obs).Dice {
		other := slices.Contains(gone.Come, *r.Square) || slices.Contains(gone.Changed, *r.Square)
		if is := back[*r.Square]; other && is != r.Die && (r.Sure || !mayBe(r, is)) {
			return false // what came, or what is there instead, would be a misreading
		}
	}
	if len(gone.Come) > 0 || m.lastIllegal() && s.Back == 1 || !m.seen.ok {
		return true
	}
	lost := map[table.Color]int{}
	for _, sq := range gone.Gone {
		lost[stack[len(stack)-1].Expect().Squares[sq].Color]++
	}
	for c, n := range lost {
		if len(ofColor(beside(obs), c)) < len(ofColor(beside(m.seen.obs), c))+n {
			return false
		}
	}
	return true
}

// breachTakenBack puts a die right that was told under doubt, where it has gone and one like another that
// it may have been has come elsewhere: played as that it broke a rule, and was taken back. It reports
// whether there was one.
func (m *Match) breachTakenBack(r rules.Result, obs table.Observation) bool {
	n := len(m.line.acts)
	if n == 0 || m.line.acts[n-1].kind != actPlay || len(m.line.acts[n-1].moves) != 1 || r.Verdict == rules.Unchanged {
		return false
	}
	at, die, _ := rests(m.line.acts[n-1].moves[0])
	d := m.shaky[at]
	if _, read := boardOf(obs)[at]; d.told != die || read {
		return false
	}
	for _, other := range d.others {
		t, ok := m.ifWas(at, other)
		if !ok || t.breaches() <= m.line.breaches() {
			continue
		}
		stack := t.stack()
		then := rules.Reconcile(t.now(), onGrid(obs), rules.ReconcileOptions{Earlier: stack[len(stack)-2 : len(stack)-1], LastIllegal: true})
		if then.Verdict != rules.TakenBack || len(then.Line) != 1 || then.Cost+priceBreach > r.Cost {
			continue
		}
		if _, placed, _ := rests(then.Line[0]); placed == other {
			return m.shakyIs(at, other, "because it was taken back")
		}
	}
	return false
}
