package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// sayFlick applies what only players know in DICE Flick; ok is false for words of other games.
func (m *Match) sayFlick(d Declaration) (ok bool, err error) {
	state, is := m.line.now().(*diceflick.State)
	if !is {
		return false, nil
	}
	switch d.Say {
	case SayMiss:
		return true, m.sayTurn(d, diceflick.Flick{By: state.ToMove()})
	case SayBonus:
		return true, m.sayBonus(d, state)
	case SayNext:
		mv := diceflick.Score{By: state.ToMove(), Seen: true}
		if d.Score != nil {
			mv.Told, mv.Written = true, *d.Score
		}
		return true, m.sayTurn(d, mv)
	}
	return false, nil
}

// sayTurn takes in the word for a miss, or for the end of a turn. Without a camera it is what it says.
func (m *Match) sayTurn(d Declaration, mv rules.Move) error {
	if !m.seen.ok {
		return m.declared(d, mv)
	}
	m.syncTurns()
	a := &m.turns
	// One that is said of a frame waits for the view (takeHidden).
	hidden := d.Say == SayNext && d.Score == nil && d.Frame == nil && !m.settled && len(m.ballot.reads) == 0
	m.nextSight()
	if a.word != nil {
		a.word = nil
		a.pass()
	}
	word := m.wordOf(d, mv)
	if m.sighted(word, false); a.unexplained {
		return m.declared(d, mv)
	}
	if m.nextSight(); hidden {
		a.word = &word // which dice were scored shows in the next view
	} else {
		a.pass()
	}
	return m.tellWord(d, mv)
}

// wordOf is a word as it is believed.
func (m *Match) wordOf(d Declaration, mv rules.Move) diceflick.View {
	v := diceflick.Word(m.t, d.Say, mv.Actor())
	if s, is := mv.(diceflick.Score); is {
		v.Score = &s
	}
	return v
}

// tellWord tells what has happened, of which that word is a part.
func (m *Match) tellWord(d Declaration, said rules.Move) error {
	line, ok := m.nextTold()
	if !ok {
		return m.trouble
	}
	a := &m.turns
	a.telling = true
	defer func() { a.telling = false }()
	at := -1 // the move that was said; none: it was seen before
	for i, mv := range line {
		if isWord(mv, said) {
			at = i
		}
	}
	for i, mv := range line {
		if i == at {
			if err := m.declared(d, mv); err != nil {
				return err
			}
		} else if err := m.playOne(ByCamera, mv); err != nil {
			return err
		}
	}
	return m.followUp()
}

// isWord says whether a move may be the one that was said.
func isWord(mv, said rules.Move) bool {
	switch mv := mv.(type) {
	case diceflick.Score:
		_, is := said.(diceflick.Score)
		return is
	case diceflick.Flick:
		_, is := said.(diceflick.Flick)
		return is && !mv.Rests
	}
	return false
}

// takeHidden is the word that waits until the arena shows again, and waits no more.
func (m *Match) takeHidden() (d Declaration, waits bool) {
	i := m.nextDue(m.frame, m.t)
	if i < 0 || !m.hidden(m.queue[i]) {
		return d, false
	}
	d = m.queue[i]
	m.queue = slices.Delete(slices.Clone(m.queue), i, i+1)
	return d, true
}

// nextToCome says whether the end of this turn is still to be declared, so that
// nothing that is seen before is the next player's.
func (m *Match) nextToCome() bool {
	for _, d := range m.queue {
		if d.Say == SayNext {
			return true
		}
	}
	return false
}

// learnMarkers notes stickers that show in holes and are not known yet.
func (m *Match) learnMarkers(state *diceflick.State) {
	arena := state.Arena()
	known, news := arena.Markers, false
	for _, r := range m.ballot.markers() {
		sq := table.Square{Row: r.Row, Col: r.Col}
		if !sq.On() || holdsMarker(known, sq) || arena.Dice[sq.Index()].Color != table.NoColor {
			continue
		}
		if slot := markerSlot(&known, r.Marker); slot != nil && *slot == 0 {
			*slot, news = scoring.HoleSet(sq), true
		}
	}
	if !news {
		return
	}
	mv := diceflick.Markers{Markers: known}
	m.fact(mv)
	m.turns.telling = true
	if err := m.playOne(ByCamera, mv); err != nil {
		m.trouble = err
	}
	m.turns.telling = false
}

func holdsMarker(k scoring.Markers, sq table.Square) bool {
	return (k.Center | k.Bonus | k.Upgrade[0] | k.Upgrade[1] | k.Upgrade[2]).Has(sq)
}

// markerSlot is where a marker of that name belongs; nil for an unknown name.
func markerSlot(k *scoring.Markers, name string) *scoring.Holes {
	switch name {
	case table.CenterMarker:
		return &k.Center
	case table.BonusMarker:
		return &k.Bonus
	}
	for i, c := range scoring.Upgrades {
		if c.String() == name {
			return &k.Upgrade[i]
		}
	}
	return nil
}

// played is the position that moves lead to; nil where they cannot have happened.
func played(s rules.State, line []rules.Move) rules.State {
	for _, mv := range line {
		next, err := s.Apply(mv)
		if err != nil {
			return nil
		}
		s = next
	}
	return s
}
