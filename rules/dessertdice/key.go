package dessertdice

import (
	"encoding/binary"

	"diceref/rules"
)

// Key is the same for two positions that nothing seen later can tell apart.
func (s *State) Key() string {
	b := make([]byte, 0, squares*9+8)
	for _, d := range s.board {
		b = append(b, byte(d.color)<<3|byte(d.top))
		b = binary.LittleEndian.AppendUint64(b, uint64(d.poses))
	}
	return string(append(b, byte(s.turn)))
}

// Final says whether an act is not taken back.
func (s *State) Final(rules.Move) bool { return false }

// Board is the dice on the grid.
func (s *State) Board() rules.Board { return s.dice() }
