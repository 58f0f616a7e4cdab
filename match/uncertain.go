package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// A die that is told under doubt goes in as the most likely. What else it may be is shaky until it leaves
// its hole or its square: later views, counts and what is scored may tell.

// doubted is a die that was told under doubt.
type doubted struct {
	told   table.Die
	others []table.Die // what else it may be
	seen   bool        // it was read once as it was told
}

// noteShaky notes what else may lie in the holes, or on the squares, that the first of several answers
// fills. What was surely read there is known, whatever it was told as.
func (m *Match) noteShaky(offers []offer, obs table.Observation) {
	for _, mv := range offers[0].story.Line {
		at, die, ok := rests(mv)
		if !ok || slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == at && r.Sure }) {
			continue
		}
		d := doubted{told: die}
		for _, o := range offers[1:] {
			for _, mv := range o.story.Line {
				if to, other, ok := rests(mv); ok && to == at && other != die {
					d.others = append(d.others, other)
				}
			}
		}
		m.shaky[at] = d
	}
}

// doubtLanded notes what else a die may be that was told as flicked. One that was clearly read is no other that comes there.
func (m *Match) doubtLanded(l diceflick.Placed, obs table.Observation) bool {
	if d, unsure := m.turns.doubts[l.At]; unsure {
		shaky := doubted{told: l.Die, seen: m.unsureAt(obs, []diceflick.Placed{l}) == nil}
		for _, o := range othersThan(l.Die, d.others) {
			shaky.others = append(shaky.others, o.Die)
		}
		m.shaky[l.At] = shaky
	}
	return true
}

// rests is the die that an act brings to rest, and where.
func rests(mv rules.Move) (at table.Square, die table.Die, ok bool) {
	if f, is := mv.(diceflick.Flick); is {
		return f.To, f.Die, f.Rests
	}
	a := actOf(mv)
	if a.To == nil || a.Color == table.NoColor {
		return at, die, false
	}
	return *a.To, table.Die{Color: a.Color, Face: a.Face}, true
}

// dropSettled forgets doubts about dice that lie no longer where they were told.
func (m *Match) dropSettled() {
	now := m.line.now().Expect().Squares
	maps.DeleteFunc(m.shaky, func(at table.Square, d doubted) bool { return now[at] != d.told })
}

// clearUp puts flicks right that were told under doubt, once their dice are read surely and
// as others. One that was read surely as it was told may still be of another color that was in doubt.
func (m *Match) clearUp(obs table.Observation) {
	m.dropSettled()
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || !m.isClear(r) {
			continue
		}
		d, doubted := m.shaky[*r.Square]
		if !doubted {
			continue
		}
		die := r.Die
		if die.Color == m.setting.Game.Kit().Blast {
			die.Face = 0
		}
		if die == d.told {
			d.seen = true
			m.shaky[*r.Square] = d
			m.turns.clearly(*r.Square, die)
			continue
		}
		delete(m.shaky, *r.Square)
		if d.seen && (die.Face != d.told.Face || !slices.Contains(d.others, die)) {
			continue
		}
		moves, seq := m.otherwise(*r.Square, die)
		if seq == 0 {
			continue
		}
		if !m.dieIs(*r.Square, die, moves, seq, "as I can see now") {
			return // the match has stopped
		}
	}
}

// dieIs puts the act of a record right that brought another die to a hole, and says why.
func (m *Match) dieIs(at table.Square, die table.Die, moves []string, seq int64, why string) bool {
	delete(m.shaky, at)
	e := Event{Type: TypeCorrect, To: &at, Color: die.Color, Face: &die.Face}
	return m.emit(ByCamera, Act{Kind: actCorrect, Ref: seq, Moves: moves}, &e, fmt.Sprintf("%[2]s is on %[1]v, %[3]s.", at, dieWords(die), why)) == nil
}

// knownByScoring puts a flick right whose die was told under doubt, where no scoring takes
// the dice that left unless it was one certain other die. It reports whether there was one.
func (m *Match) knownByScoring(state *diceflick.State, removed scoring.Holes) bool {
	if removed == 0 || state.Explain(removed).Legal() {
		return false
	}
	type other struct {
		at    table.Square
		die   table.Die
		moves []string
		seq   int64
	}
	var fit []other
	for _, at := range removed.Squares() {
		for _, die := range m.shaky[at].others {
			moves, seq := m.otherwise(at, die)
			if die == state.Arena().Dice[at.Index()] || seq == 0 {
				continue
			}
			if after, ok := m.replayed(seq, moves).(*diceflick.State); ok && after.Explain(removed).Legal() {
				fit = append(fit, other{at, die, moves, seq})
			}
		}
	}
	if len(fit) != 1 {
		return false
	}
	return m.dieIs(fit[0].at, fit[0].die, fit[0].moves, fit[0].seq, "going by what was scored")
}

// knownByCount puts a flick right whose die was told under doubt, where more dice of its color lie in
// the arena than there are unless it was of another. Of several it is the one that looks most like
// another now: that is asked. It reports whether there was such a flick.
func (m *Match) knownByCount(after [25]table.Die, obs table.Observation) bool {
	n, kit := map[table.Color]int{}, m.setting.Game.Kit().Dice
	for _, d := range after {
		n[d.Color]++
	}
	type other struct {
		at   table.Square
		told table.Color
		die  table.Die
		like float64 // how much likelier it looks than what was told
	}
	var fit []other
	for at, d := range m.shaky {
		i := slices.IndexFunc(d.others, func(o table.Die) bool { return o.Color != d.told.Color })
		if i < 0 || n[d.told.Color] <= kit[d.told.Color] || after[at.Index()] != d.told {
			continue
		}
		o := other{at: at, told: d.told.Color, die: d.others[i]}
		for _, r := range obs.Dice {
			if r.Square != nil && *r.Square == at {
				o.like = r.Colors[o.die.Color] - r.Colors[o.told]
			}
		}
		fit = append(fit, o)
	}
	if len(fit) == 0 {
		return false
	}
	slices.SortFunc(fit, func(a, b other) int { return cmp.Or(cmp.Compare(b.like, a.like), a.at.Index()-b.at.Index()) })
	o := fit[0]
	moves, seq := m.otherwise(o.at, o.die)
	if seq == 0 || m.replayed(seq, moves) == nil {
		return false
	}
	if len(fit) > 1 && m.remark(phrase("too-many", "count", n[o.told], "color", o.told, "of", kit[o.told])) != nil {
		return false
	}
	return m.dieIs(o.at, o.die, moves, seq, "because there are no more "+o.told.String()+" dice")
}

// replayed is the position if the act of a record were these moves; nil where what followed
// cannot have happened then.
func (m *Match) replayed(seq int64, moves []string) rules.State {
	stack := m.line.before(seq)
	line := m.since(seq, moves)
	if line == nil {
		return nil
	}
	return played(stack[len(stack)-1], line)
}

// since is all moves from a record on if its act were these; nil where they are none.
func (m *Match) since(seq int64, moves []string) (line []rules.Move) {
	for _, words := range moves {
		mv, err := m.game.ParseMove(words)
		if err != nil {
			return nil
		}
		line = append(line, mv)
	}
	for _, e := range m.line.acts {
		if e.seq > seq {
			line = append(line, e.moves...)
		}
	}
	return line
}
