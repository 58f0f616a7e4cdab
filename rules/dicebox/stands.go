package dicebox

import (
	"diceref/rules"
	"diceref/table"
)

// stand takes a grid over as the players say that it stands. What the hands hold is
// not known from then on.
func (s *State) stand(m rules.Stands) (rules.State, error) {
	if err := m.Check(table.DiceBox, s.players); err != nil {
		return nil, err
	}
	next := *s
	next.grid, next.rolled = m.Dice, m.Dice[center.Index()].Color == seedColor
	next.hands = make([]hand, len(s.hands))
	for i := range s.hands {
		next.hands[i].absent = s.hands[i].absent
	}
	next.open, next.lastBy = false, rules.Nobody
	if m.Next != rules.Nobody {
		next.turn = m.Next
	}
	return &next, nil
}
