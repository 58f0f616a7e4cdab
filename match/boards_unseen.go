package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// An act of which nobody has seen where its die came to (belief.Unseen) is asked about, and stands in the journal as a turn
// that nobody saw, in the record of the act after it. Once the die is seen that record is put right.

// hiddenFirst says whether moves begin with an act that nobody saw.
func hiddenFirst(line []rules.Move) bool {
	if len(line) == 0 {
		return false
	}
	_, unseen := line[0].(belief.Unseen)
	return unseen
}

// written is a move as it stands in the journal.
func (m *Match) written(mv rules.Move) rules.Move {
	if _, unseen := mv.(belief.Unseen); !unseen {
		return mv
	}
	if m.setting.Game == table.DiceBox {
		return dicebox.Act{By: mv.Actor(), Kind: dicebox.Pass}
	}
	return dessertdice.Act{By: mv.Actor(), Kind: dessertdice.Pass}
}

// writtenLine is the same of several. Where another die has come to the square that one has left, the die has to lie somewhere.
func (m *Match) writtenLine(line []rules.Move) (list []rules.Move) {
	for i, mv := range line {
		if u, unseen := mv.(belief.Unseen); unseen && slices.ContainsFunc(line[i+1:], func(mv rules.Move) bool { return comesWhere(mv, u) }) {
			mv = u.Move
		}
		list = append(list, m.written(mv))
	}
	return list
}

// comesWhere says whether a move brings a die to the square that another one has left unseen.
func comesWhere(mv rules.Move, u belief.Unseen) bool {
	from, leaves := u.From()
	to := actOf(ofGame(mv)).To
	return leaves && to != nil && *to == from
}

// ofGame is a move of the game.
func ofGame(mv rules.Move) rules.Move {
	if u, unseen := mv.(belief.Unseen); unseen {
		return u.Move
	}
	return mv
}

// makeRoom says of dice that were moved where nobody saw it where they may be, if another one comes to the square that they have
// left.
func (m *Match) makeRoom(mv rules.Move) bool {
	for i, t := range m.course.told {
		if u, unseen := t.move.(belief.Unseen); unseen && t.as == nil && comesWhere(mv, u) {
			if !m.tellFound(i, u.Move) {
				return false
			}
			m.course.told[i].move, m.course.told[i].as = u, u.Move
		}
	}
	return true
}

// isUnseen says whether an act that nobody saw may have been a move.
func isUnseen(mv, was rules.Move) bool {
	u, unseen := mv.(belief.Unseen)
	return unseen && u.May(was)
}

// locate says where a die came to with an act that nobody saw, once that is known.
func (m *Match) locate() bool {
	b := &m.course
	for i, t := range b.told {
		u, unseen := t.move.(belief.Unseen)
		best, ok := belief.LikeliestWay(b.set, b.acts())
		n := len(belief.Acts(b.moves()[:i]))
		if !unseen || !ok || belief.Acts(best.Line)[n].String() == u.String() {
			continue
		}
		known := b.acts()
		known[n] = belief.Acts(best.Line)[n]
		if b.set.Began(known) >= enoughAtLast*b.set.Began(b.acts()) && !m.tellFound(i, known[n]) {
			return false
		}
	}
	return true
}

// tellFound corrects the record of an act that nobody saw.
func (m *Match) tellFound(told int, mv rules.Move) bool {
	b := &m.course
	seq, was := b.told[told].seq, m.written(b.told[told].move)
	if b.told[told].as != nil {
		was = b.told[told].as
	}
	i := slices.IndexFunc(m.line.acts, func(e entry) bool { return e.seq == seq })
	if i < 0 {
		return true // it was taken back before anything was told of it
	}
	moves := slices.Clone(m.line.acts[i].moves)
	k := slices.IndexFunc(moves, func(o rules.Move) bool { return o.String() == was.String() })
	if k < 0 {
		return true
	}
	moves[k] = mv
	stack := m.line.before(seq)
	now := played(stack[len(stack)-1], moves[:k])
	if now == nil {
		return true
	}
	e, words := m.eventAt(now, mv)
	e.Type, e.Corrects = TypeCorrect, seq
	b.telling = true
	err := m.emit(ByCamera, Act{Kind: actCorrect, Ref: seq, Moves: wordsOf(moves)}, e, words)
	b.telling = false
	if err != nil {
		return false
	}
	b.told = slices.Clone(b.told)
	b.told[told].move, b.told[told].as = mv, nil
	return true
}

// traced is moves but for those at the end that nobody saw: nothing is told of them as long as nothing follows.
func traced(line []rules.Move) []rules.Move {
	for len(line) > 0 && hiddenFirst(line[len(line)-1:]) {
		line = line[:len(line)-1]
	}
	return line
}

// made is the probability that what was told is all that has happened that can be told, but for what was taken back since.
func (b *course) made() float64 {
	acts := b.acts()
	return b.chance(func(h belief.Way) bool {
		return h.Begins(acts) && len(outcome(traced(belief.Acts(h.Line)[len(acts):]))) == 0
	})
}

// inWords is the question which of some ways is true, and its answers, as families would put it; told is what was told since, from
// the first act on in which they differ.
func (m *Match) inWords(ways []boardWay, offers []offer, stack []rules.State, told []rules.Move) (Phrase, []boardWay, []offer) {
	const hardly = 0.1
	likely := slices.IndexFunc(ways, func(w boardWay) bool { return w.chance < hardly })
	two := likely == 2 || len(ways) == 2
	isBack := func(w boardWay) bool { return w.story.Back == 1 && len(w.story.Line) == 0 }
	isNothing := func(w boardWay) bool { return len(w.line) == 0 }
	switch {
	case m.followsZones():
	case hiddenFirst(told) && !hiddenFirst(ways[0].line):
		if ask, lay, answers := m.layUnseen(told, ways, offers, stack); answers != nil {
			return ask, lay, answers
		}
	case two && hiddenFirst(ways[0].line) != hiddenFirst(ways[1].line):
		return m.playedUnseen(ways, offers, stack), ways[:2], offers[:2]
	case two && len(told) == 0 && (isBack(ways[0]) && isNothing(ways[1]) || isNothing(ways[0]) && isBack(ways[1])):
		for i := range offers[:2] {
			offers[i].says = phrase("no-go-on")
			if isBack(ways[i]) {
				offers[i].says = phrase("yes")
			}
		}
		return phrase("taken-back", "parts", partsOf(m.line.now().Expect().Squares, boardOf(m.ballot.count()))), ways[:2], offers[:2]
	}
	sayDifferences(offers)
	return whichOf(offers), ways, offers
}

// sayDifferences has stories say only in what they differ from each other.
func sayDifferences(offers []offer) {
	parts := make([][]string, len(offers))
	for i, o := range offers {
		if o.says.Kind != kindActs {
			return
		}
		parts[i] = splitActs(o.says.text)
	}
	for i, says := range onlyDiffering(parts) {
		offers[i].says = says
	}
}

// playedUnseen asks whether a die was played that is gone, where that is all in which two ways differ.
func (m *Match) playedUnseen(ways []boardWay, offers []offer, stack []rules.State) (ask Phrase) {
	for i := range offers[:2] {
		offers[i].says = phrase("no")
		if hiddenFirst(ways[i].line) {
			u := ways[i].line[0].(belief.Unseen)
			ask = phrase("played-unseen", "die", unseenDie(u, stack[len(stack)-1]), "player", m.name(u.Actor()))
			offers[i].says = phrase("yes")
		}
	}
	return ask
}

// layUnseen asks where a die lay that was played where nobody saw it, as was told, if that is all in which the likely ways differ.
// The last answer is that it does not matter for what was seen now.
func (m *Match) layUnseen(told []rules.Move, ways []boardWay, offers []offer, stack []rules.State) (ask Phrase, lay []boardWay, answers []offer) {
	const hardly = 0.1
	r := rules.Reconcile(m.line.now(), onGrid(m.ballot.count()), rules.ReconcileOptions{})
	if r.Verdict != rules.Explained && r.Verdict != rules.IllegalAct {
		return ask, nil, nil
	}
	u, seen := told[0].(belief.Unseen), map[string]bool{}
	for i, w := range ways {
		a := actOf(w.line[0])
		if !u.May(w.line[0]) || a.To == nil {
			if w.chance > hardly {
				return ask, nil, nil
			}
			continue
		}
		o := offers[i]
		o.says = phrase("yes-die", "die", table.Die{Color: a.Color, Face: a.Face}, "square", *a.To)
		if seen[o.says.String()] {
			return ask, nil, nil
		}
		seen[o.says.String()] = true
		lay, answers = append(lay, w), append(answers, o)
	}
	if len(answers) == 0 {
		return ask, nil, nil
	}
	line := slices.Concat(told, r.Line)
	no := offer{says: phrase("no"), story: storyOf(m.writtenLine(line)), acts: slices.Concat(m.course.acts(), r.Line)}
	return phrase("lay-unseen", "die", unseenDie(u, stack[len(stack)-1]), "acts", m.deedsOf(r.Story)),
		append(lay, boardWay{line: line, story: no.story}), append(answers, no)
}

// unseenSince is how many of the acts that were told are the same in all likely ways, but for what stands for several.
func (b *course) unseenSince(told []rules.Move) int {
	const worth = 0.01
	for n, mv := range told {
		if !hiddenFirst(told[n:]) {
			continue
		}
		if b.chance(func(h belief.Way) bool {
			return h.Begins(told) && belief.Acts(h.Line)[n].String() != mv.String()
		}) >= worth {
			return n
		}
	}
	return len(told)
}

// unseenDie is the die that was played, as it lay before.
func unseenDie(u belief.Unseen, now rules.State) table.Die {
	if from, leaves := u.From(); leaves {
		return now.Expect().Squares[from]
	}
	return u.Die()
}

// agreed takes what players say for what has happened: just those acts since the beginning of what is believed, or more.
func (m *Match) agreed(o offer) {
	b, acts := &m.course, o.acts
	if acts == nil || !b.on {
		return // what was told is what counts
	}
	set, ok := b.set.Where(func(h belief.Way) bool {
		return h.Begins(acts) && (o.more || len(belief.Acts(h.Line)) == len(acts))
	})
	if !ok {
		return
	}
	b.beginAt(set)
	for _, mv := range acts {
		b.told = append(b.told, toldMove{move: mv})
	}
	m.numberTold()
}
