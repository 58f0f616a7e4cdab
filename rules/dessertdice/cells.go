package dessertdice

import (
	"diceref/scoring"
	"diceref/table"
)

// cells are the squares of each dessert's largest cluster, by its letter.
func (s *State) cells() map[string][]table.Square {
	m := make(map[string][]table.Square, len(scoring.DessertLetters))
	for b := range scoring.DessertLetters {
		set := uint32(0)
		for i, d := range s.board {
			if d.color != table.NoColor && s.profile[d.color][d.top]&(1<<b) != 0 {
				set |= 1 << i
			}
		}
		m[scoring.DessertLetters[b:b+1]] = scoring.ClusterSquares(set, s.cluster)
	}
	return m
}
