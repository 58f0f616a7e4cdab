package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// saidAct is an act that a player told of and that could not have happened in the position
// that is known: something before it has not been seen yet. The next view tells. The
// journal has it: a timeline lists those that wait.
type saidAct struct {
	seq  int64 // of the record that tells that it waits
	said Declaration
	mean meaning
}

// meaning is the act that was said, in a position.
type meaning func(rules.State) (rules.Move, error)

// waiting is the acts that were said and are not known to have happened.
func (m *Match) waiting() (list []saidAct) {
	for _, e := range m.line.said {
		list = append(list, saidAct{e.seq, e.said, m.meaningOf(e.said)})
	}
	return list
}

// Waiting is an act that a player declared. It counts once the camera has seen what happened
// before it.
type Waiting struct {
	Say string `json:"say"` // the word: play, next, points or pass
	// Act is the act in the game's notation, and Event how it would be told; both are missing
	// where the word alone does not say yet what it will mean.
	Act   string `json:"act,omitempty"`
	Event *Event `json:"event,omitempty"`
}

// stillWaiting is the acts that were said and wait, for those who look at the match.
func (m *Match) stillWaiting() (list []Waiting) {
	at := []rules.State{m.line.now()}
	if m.followsZones() && m.course.on {
		for w := m.course.best().World.(*belief.Zones); w != nil; w = w.Before() {
			at = append(at, w.State())
		}
	}
	for _, s := range m.waiting() {
		w := Waiting{Say: s.said.Say}
		for _, now := range at {
			if mv, err := s.mean(now); err == nil {
				w.Act = mv.String()
				w.Event, _ = m.told(now, mv)
				break
			}
		}
		list = append(list, w)
	}
	return list
}

// meaningOf is the act that a declaration tells of.
func (m *Match) meaningOf(d Declaration) meaning {
	switch d.Say {
	case SayNext:
		return endOf
	case SayPoints, SayPass:
		return func(s rules.State) (rules.Move, error) { return answerOf(s, d.Say == SayPoints) }
	}
	mv, err := m.game.ParseMove(d.Move)
	return func(rules.State) (rules.Move, error) { return mv, err }
}

// toldAlready says whether an act that a player says is one that the last view has told of,
// and that cannot be done again: who says it is only late.
func (m *Match) toldAlready(mv rules.Move) bool {
	if !m.followsZones() || len(m.line.said) > 0 || m.line.now().Check(mv) == nil {
		return false
	}
	view := -1
	for _, e := range slices.Backward(m.log) {
		switch {
		case e.By != ByCamera || len(e.Acts) == 0:
			continue
		case view < 0:
			view = e.Frame
		case e.Frame != view:
			return false
		}
		if !e.Undone && slices.Contains(e.Acts, mv.String()) {
			return true
		}
	}
	return false
}

// keepSaid writes down an act that waits.
func (m *Match) keepSaid(d Declaration) error {
	return m.emit(d.by(), Act{Kind: actSaid, Said: &Declaration{Say: d.Say, By: d.By, Move: d.Move}}, nil, "")
}

// hears says whether a record of moves tells of the first act that waits.
func (m *Match) hears(act Act) bool {
	if act.Kind != actPlay || len(m.line.said) == 0 || len(act.Moves) == 0 {
		return false
	}
	mv, err := m.meaningOf(m.line.said[0].said)(m.line.now())
	return err == nil && mv.String() == act.Moves[0]
}

// saidAnew: what waits has been undone, or said again. The view is looked at once more.
func (m *Match) saidAnew() {
	b := &m.course
	b.stray, b.read, b.lies, b.lain = true, 0, nil, nil
	m.settled = false
	m.flush()
	m.setPhase(m.restPhase())
}

// answerByActs takes an answer that is none of the choices for the acts that it names;
// false where it names none.
func (m *Match) answerByActs(d Declaration) (bool, error) {
	if !m.followsZones() || m.setting.Game != table.DiceCreams && m.setting.Game != table.FromageATrois {
		return false, nil
	}
	var moves []rules.Move
	for _, words := range splitActs(d.Choice) {
		mv, err := m.game.ParseMove(words)
		if err != nil {
			return false, nil
		}
		moves = append(moves, mv)
	}
	for i, mv := range moves {
		if i > 0 && m.line.now().Check(mv) != nil {
			break // it was forced, and has been played
		}
		if err := m.declared(d, mv); err != nil {
			return true, rejected("not-the-answer", err)
		}
	}
	return true, nil
}
