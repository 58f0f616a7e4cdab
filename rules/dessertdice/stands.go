package dessertdice

import (
	"diceref/rules"
	"diceref/table"
)

// stand takes a board over as the players say that it stands. How dice lie that were
// not there before, and what the supply holds, is not known from then on.
func (s *State) stand(m rules.Stands) (rules.State, error) {
	if err := m.Check(table.DessertDice, s.players); err != nil {
		return nil, err
	}
	next := *s
	for i, d := range m.Dice {
		switch b := s.board[i]; {
		case d.Color == table.NoColor:
			next.board[i] = die{}
		case b.color != d.Color || int(b.top) != d.Face:
			next.board[i] = s.fresh(d.Color, d.Face)
		}
	}
	next.supply, next.lastBy = nil, rules.Nobody
	next.seen = nil
	next.remember()
	if m.Next != rules.Nobody {
		next.turn = m.Next
	}
	return &next, nil
}
