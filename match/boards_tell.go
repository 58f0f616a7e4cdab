package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// tellBoard tells the acts that so much of the probability agrees on. It is false where nothing could be written down.
func (m *Match) tellBoard(least float64) bool {
	b := &m.course
	if m.followsZones() && !m.remarkGuessed(b.set.Next(b.acts(), least)) {
		return false
	}
	for {
		next := b.set.Next(b.acts(), least)
		if len(next) == 0 || m.ended || hiddenFirst(next) { // which is told only once it was asked about
			return m.trouble == nil
		}
		if !m.tellMove(nil, next[0]) {
			return false
		}
	}
}

// tellLine tells moves, some of which the rules may demand after others.
func (m *Match) tellLine(line []rules.Move) bool {
	before := len(m.course.acts())
	for {
		n := len(m.course.acts()) - before
		first := n
		for n < len(line) && hiddenFirst(line[n:]) {
			n++
		}
		if n >= len(line) || m.ended {
			return true // nobody's turn is over without a trace
		}
		if !m.tellMove(line[first:n], line[n]) {
			return false
		}
	}
}

// tellMove tells one move that is believed, after some that nobody saw, and what the rules demand after it.
func (m *Match) tellMove(unseen []rules.Move, mv rules.Move) bool {
	b := &m.course
	b.telling = true
	defer func() { b.telling = false }()
	m.aside = b.misreadBefore(mv)
	defer func() { m.aside = "" }()
	for _, u := range unseen {
		if m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{m.written(u).String()}}, nil, "") != nil {
			return false
		}
		b.told = append(b.told[:len(b.told):len(b.told)], toldMove{move: u, seq: m.seq})
	}
	if !m.makeRoom(mv) {
		return false
	}
	acts, forces := len(m.line.acts), true
	var err error
	switch a := mv.(type) {
	case belief.TakenBack:
		err = m.takeBack(ByCamera)
		forces = false
	case rules.Afresh:
		err = m.standsAnew(a)
	default:
		if p, ok := m.line.now().(rules.Passer); ok {
			if pass, must := p.MustPass(); must && pass.String() == a.String() {
				err = m.followUp()
				break
			}
		}
		err = m.playAfter(m.disturbedBefore(mv), mv)
	}
	if err != nil || len(m.line.acts) == acts {
		return false
	}
	b.told = append(b.told[:len(b.told):len(b.told)], toldMove{move: mv, seq: m.line.acts[acts].seq})
	return !forces || m.tellForced(acts+1) == nil
}

// disturbedBefore is how dice were knocked about before an act that is told next, where the match does not know of it.
func (m *Match) disturbedBefore(mv rules.Move) (list []rules.Move) {
	b := &m.course
	told := b.acts()
	h, ok := belief.LikeliestWay(b.set, append(told[:len(told):len(told)], mv))
	if !ok || m.followsZones() {
		return nil
	}
	at := m.worldNow(0, [4][4]uint8{}).At(h.World.(*belief.Board))
	if at == nil {
		return nil
	}
	now, view := m.line.now(), table.Observation{Game: m.setting.Game}
	lies := at.State().Expect().Squares
	for sq := range lies {
		if at.Hides(sq.Index()) {
			return nil
		}
	}
	if equalBoards(lies, now.Expect().Squares) {
		return nil
	}
	for sq, d := range lies {
		view.Dice = append(view.Dice, certain(table.Reading{Square: &sq}, d))
	}
	for _, line := range now.Propose(view) {
		if len(belief.Acts(line)) == 0 {
			return line
		}
	}
	return nil
}

// playAfter records an act, and before it in the same record what nobody's act has changed.
func (m *Match) playAfter(before []rules.Move, mv rules.Move) error {
	now := m.line.now()
	for _, o := range before {
		next, err := now.Apply(o)
		if err != nil {
			return m.playOne(ByCamera, mv)
		}
		now = next
	}
	if len(before) == 0 || mv.Actor() == rules.Nature {
		return m.playOne(m.whoTold(mv), mv)
	}
	e, text := m.eventAt(now, mv)
	return m.emit(ByCamera, Act{Kind: actPlay, Moves: append(wordsOf(before), mv.String())}, e, text)
}

// putBoardRight corrects what was told where hardly anything speaks for it any more.
func (m *Match) putBoardRight() bool {
	b := &m.course
	if b.set.Began(b.acts()) >= refuted {
		return true
	}
	best := belief.Acts(b.best().Line)
	n := len(best)
	for n > 0 && b.set.Began(best[:n]) < enoughToAsk {
		n--
	}
	return m.retellBoard(traced(best[:n]))
}

// retellBoard has other acts in the place of those that were told.
func (m *Match) retellBoard(line []rules.Move) bool {
	b := &m.course
	same := 0
	for same < len(b.told) && same < len(line) && b.told[same].move.String() == line[same].String() {
		same++
	}
	if same < len(b.told) && same < len(line) {
		if u, unseen := b.told[same].move.(belief.Unseen); unseen && u.May(line[same]) {
			return m.tellFound(same, line[same]) && b.told[same].move == line[same] && m.retellBoard(line)
		}
	}
	if same == len(b.told) {
		return m.tellLine(line[same:])
	}
	first, kept := m.rewound(same)
	play := slices.Clone(kept)
	for _, mv := range line[same:] {
		if _, back := mv.(belief.TakenBack); !back {
			play = append(play, mv)
			continue
		}
		if len(play) == 0 {
			e := m.playBefore(first)
			if e == nil {
				return false
			}
			first, play = e.seq, append(play, e.moves...)
		}
		play = play[:len(play)-1]
	}
	last := m.room(first, play)
	b.telling = true
	ok := m.amend(&amendment{first: first, last: m.seq, moves: m.writtenLine(play[:last])})
	b.telling = false
	if !ok {
		return false
	}
	b.told = b.told[:0:0]
	for _, mv := range line {
		b.told = append(b.told, toldMove{move: mv})
	}
	m.numberTold()
	if last < len(play) {
		// What is left is told as it is for the first time.
		b.told = b.told[:len(b.told)-(len(play)-last)]
		return m.tellLine(play[last:])
	}
	return true
}

// room is how many moves the records from one on take, each one act and what nobody saw before it: so each is taken back by itself.
func (m *Match) room(first int64, play []rules.Move) (moves int) {
	n := 0
	for _, e := range m.line.acts {
		if e.seq >= first && e.kind == actPlay && (e.seq == first || len(e.moves) > 0) {
			n++
		}
	}
	for ; moves < len(play) && n > 0; moves++ {
		if !hiddenFirst(play[moves:]) {
			n--
		}
	}
	return moves
}

// rewound is the record from which on what was told since a move is put right, and the moves from there on that stay.
func (m *Match) rewound(same int) (first int64, kept []rules.Move) {
	b := &m.course
	var net []toldMove
	for _, t := range b.told[:same] {
		if _, back := t.move.(belief.TakenBack); !back {
			net = append(net, t)
		} else if len(net) > 0 {
			net = net[:len(net)-1]
		}
	}
	t := b.told[same]
	if _, back := t.move.(belief.TakenBack); !back && t.seq > 0 {
		for i := len(net) - 1; i >= 0 && net[i].seq == t.seq; i-- { // what nobody saw stands in the same record
			kept = append([]rules.Move{net[i].move}, kept...)
		}
		return t.seq, kept
	}
	if n := len(net); n > 0 && net[n-1].seq > 0 {
		return net[n-1].seq, []rules.Move{net[n-1].move}
	}
	if e := m.playBefore(t.seq); e != nil {
		return e.seq, e.moves
	}
	return t.seq, nil
}

// playBefore is the last play in force before a record; nil: there is none.
func (m *Match) playBefore(seq int64) *entry {
	var net []*entry
	for i := range m.line.acts {
		e := &m.line.acts[i]
		if seq > 0 && e.seq >= seq {
			break
		}
		switch {
		case e.kind == actTakeback && len(net) > 0:
			net = net[:len(net)-1]
		case e.kind == actPlay && !e.nature() && len(e.moves) > 0:
			net = append(net, e)
		}
	}
	if len(net) == 0 {
		return nil
	}
	return net[len(net)-1]
}

// numberTold finds the records that tell what was told, as they are by now: the last of them are those of the last acts in force.
func (m *Match) numberTold() {
	b := &m.course
	records := m.toldRecords()
	for i, skip := len(b.told)-1, 0; i >= 0; i-- {
		t := &b.told[i]
		_, back := t.move.(belief.TakenBack)
		if t.seq = 0; !back && skip > 0 {
			skip--
			continue
		}
		records = telling(records, back)
		n := len(records)
		switch {
		case back && (n == 0 || records[n-1].move != nil):
			skip++ // what was taken back was not told
		case n > 0 && (back || records[n-1].move.String() == m.written(t.move).String() || isUnseen(t.move, records[n-1].move)):
			t.seq, t.as = records[n-1].seq, nil
			if hiddenFirst([]rules.Move{t.move}) {
				t.as = records[n-1].move
			}
			records = records[:n-1]
		}
	}
}

// toldRecords is the moves in force and the records that tell them; a nil move takes the one before back.
func (m *Match) toldRecords() (records []toldMove) {
	for _, e := range m.line.acts {
		if e.kind == actTakeback {
			records = append(records, toldMove{seq: e.seq})
		}
		for _, mv := range e.moves {
			records = append(records, toldMove{move: mv, seq: e.seq})
		}
	}
	return records
}

// telling is records without those at the end that tell no act: what is nobody's, and, unless one is taken back next, what was taken
// back, with that.
func telling(records []toldMove, back bool) []toldMove {
	for n, skip := len(records), 0; n > 0; n-- {
		switch is := records[n-1].move; {
		case is == nil && back:
			return records[:n]
		case is == nil:
			skip++
		case len(belief.Acts([]rules.Move{is})) == 0:
		case skip > 0:
			skip--
		default:
			return records[:n]
		}
	}
	return nil
}
