package match

import (
	"diceref/match/belief"
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
	a.nextView()
	v := diceflick.Word(m.t, d.Say, mv.Actor())
	if s, is := mv.(diceflick.Score); is {
		v.Score = &s
	}
	if _, ok := a.set.Observe(v); !ok {
		m.loseTrack()
		return m.declared(d, mv)
	}
	if !m.sighted(a.set, v) {
		return m.trouble
	}
	a.earlier = a.set
	line, ok := m.nextTold()
	if !ok {
		return m.trouble
	}
	a.telling = true
	defer func() { a.telling = false }()
	for i, mv := range line {
		if i == len(line)-1 {
			return m.declared(d, mv)
		}
		if err := m.playOne(ByCamera, mv); err != nil {
			return err
		}
	}
	return nil // it was seen before
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

var _ belief.Set[diceflick.View]
