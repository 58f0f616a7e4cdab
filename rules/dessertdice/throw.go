package dessertdice

import (
	"math/rand/v2"

	"diceref/rules"
)

// Throw is the supply as fair dice would lie after a roll of all that are not on the
// board; nil where the supply is known already, as it is rolled only once.
func (s *State) Throw(r *rand.Rand) rules.Move {
	if s.supply != nil {
		return nil
	}
	a := Act{By: rules.Nature, Kind: Supply}
	for c := range colors {
		n := kit[c]
		for i := range s.board {
			if s.board[i].color == colors[c] {
				n--
			}
		}
		for range n {
			a.Supply[c][1+r.IntN(6)]++
		}
	}
	return a
}
