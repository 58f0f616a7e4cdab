package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// A die on a board that was told under doubt is shaky as well: that it is surely read as another later, or
// that what is played breaks a rule unless it is another, puts it right.

// clearUpBoard puts dice right that are surely read otherwise than they were told under doubt. It reports
// whether there was one.
func (m *Match) clearUpBoard(obs table.Observation) bool {
	m.dropSettled()
	for _, r := range onGrid(obs).Dice {
		d, doubted := m.shaky[*r.Square]
		if _, overruled := m.fix[*r.Square]; !doubted || !r.Sure || overruled && r.Die == d.told {
			continue
		}
		delete(m.shaky, *r.Square)
		if r.Die == d.told || r.Color != d.told.Color && !slices.Contains(d.others, r.Die) {
			continue
		}
		before := m.line.breaches()
		moves, seq := m.otherwise(*r.Square, r.Die)
		if seq == 0 || !m.dieIs(*r.Square, r.Die, moves, seq, "as I can see now") {
			continue
		}
		if m.line.breaches() > before {
			m.mustBe(func(t *timeline, _ table.Square, _ table.Die) bool { return t.breaches() <= before })
		}
		return true
	}
	return false
}

// toldWrong puts a die right that was told under doubt, where what is played now breaks a rule unless it is
// another. It reports whether there was one.
func (m *Match) toldWrong(r rules.Result, obs table.Observation) bool {
	if r.Verdict != rules.IllegalAct || r.Back > 0 {
		return false
	}
	return m.mustBe(func(t *timeline, at table.Square, die table.Die) bool {
		if _, read := boardOf(obs)[at]; !read {
			return false // it has gone on
		}
		then := rules.Reconcile(t.now(), onGrid(withDie(obs, at, die)), rules.ReconcileOptions{})
		return t.breaches() <= m.line.breaches() && then.Verdict == rules.Explained && len(then.Line) == len(r.Line)
	})
}

// mustBe puts the one die told under doubt right that must have been another for something to hold, as the
// most likely that it may be. It reports whether there was just one.
func (m *Match) mustBe(holds func(t *timeline, at table.Square, die table.Die) bool) bool {
	var at table.Square
	var die table.Die
	for sq, d := range m.shaky {
		i := slices.IndexFunc(d.others, func(other table.Die) bool {
			t, ok := m.ifWas(sq, other)
			return ok && holds(&t, sq, other)
		})
		if i >= 0 && die.Color != table.NoColor {
			return false
		}
		if i >= 0 {
			at, die = sq, d.others[i]
		}
	}
	return die.Color != table.NoColor && m.shakyIs(at, die, "going by the dice next to it")
}

// ifWas is what has happened if a die that was told is another. Not ok: then something else cannot have.
func (m *Match) ifWas(at table.Square, die table.Die) (t timeline, ok bool) {
	moves, seq := m.otherwise(at, die)
	t = m.line
	return t, seq > 0 && t.apply(Record{Act: Act{Kind: actCorrect, Ref: seq, Moves: moves}}) == nil
}

// shakyIs puts a die right that was told under doubt, and says why. What else it may be stays open.
func (m *Match) shakyIs(at table.Square, die table.Die, why string) bool {
	d := m.shaky[at]
	moves, seq := m.otherwise(at, die)
	if seq == 0 || !m.dieIs(at, die, moves, seq, why) {
		return false
	}
	m.shaky[at] = doubted{told: die, others: slices.DeleteFunc(slices.Clone(d.others), func(o table.Die) bool { return o == die })}
	return true
}

// breaches counts the acts that broke a rule as they were played.
func (t *timeline) breaches() (n int) {
	now := t.start
	for _, e := range t.acts {
		for _, mv := range e.moves {
			if reasonsOf(now.Check(mv)) != nil {
				n++
			}
			if next, err := now.Apply(mv); err == nil {
				now = next
			}
		}
		now = e.stack[len(e.stack)-1]
	}
	return n
}
