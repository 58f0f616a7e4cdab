package dessertdice

import (
	"diceref/scoring"
	"diceref/table"
)

// cells are the squares of each dessert's largest cluster, by its letter.
func (s *State) cells() map[string][]table.Square {
	m := make(map[string][]table.Square, len(scoring.DessertLetters))
	for k, set := range s.shows() {
		m[scoring.DessertLetters[k:k+1]] = scoring.ClusterSquares(set, s.cluster)
	}
	return m
}

// shows is which squares show each dessert, one bit each.
func (s *State) shows() (sets [4]uint32) {
	for i, d := range s.board {
		if d.color == table.NoColor {
			continue
		}
		for k := range sets {
			sets[k] |= uint32(s.profile[d.color][d.top]>>k&1) << i
		}
	}
	return sets
}
