package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"diceref/table"
)

// The abilities below are optional: a State has them where its game needs them.

// Winner is a state that can say who has won; before the end, who would.
type Winner interface {
	// Winners lists the winning seats in ascending order; empty while nothing counts.
	Winners() []Player
}

// Concealer is a state in which players hold secret cards that decide who wins.
type Concealer interface {
	// Concealed lists the seats whose cards are still face down, in ascending order.
	Concealed() []Player
}

// Passer is a state that knows when its player has nothing to do but pass, which no camera sees.
type Passer interface {
	MustPass() (Move, bool)
}

// Chancer is a state that can roll (or draw) for itself the way fair dice would;
// asked only while ToMove is Nature.
type Chancer interface {
	Chance(*rand.Rand) Move
}

// LooseWatcher is a state in which a change among the dice beside the grid can be
// an act even where the rules do not know which dice those are.
type LooseWatcher interface {
	ProposeLoose(before, now []table.Reading) []Move
}

// Clusterer is a state that scores for cards it does not know: points by card.
type Clusterer interface {
	Clusters() map[string]int
}

// String is the seat's letter in every notation: A for the first; other players have names.
func (p Player) String() string {
	switch {
	case p == Nature:
		return "nature"
	case p == Nobody:
		return "nobody"
	case p < 0:
		return "an unknown player"
	case p < 26:
		return string(rune('A' + p))
	}
	return fmt.Sprintf("player(%d)", int(p))
}

// ParsePlayer reads a seat's letter, A to H.
func ParsePlayer(s string) (Player, error) {
	if len(s) != 1 || s[0] < 'A' || s[0] > 'H' {
		return 0, fmt.Errorf("%.20q is not a player (expected a letter from A)", s)
	}
	return Player(s[0] - 'A'), nil
}

// ParseSquare reads what table.Square.String writes: b3, or [-1,2] for a place off the board.
func ParseSquare(s string) (table.Square, error) {
	if len(s) == 2 {
		sq := table.Square{Row: int(s[1]) - '1', Col: int(s[0]) - 'a'}
		if sq.On() {
			return sq, nil
		}
	}
	if in, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(in, "]") {
		row, col, _ := strings.Cut(in[:len(in)-1], ",")
		r, err1 := strconv.Atoi(row)
		c, err2 := strconv.Atoi(col)
		if err1 == nil && err2 == nil {
			return table.Square{Row: r, Col: c}, nil
		}
	}
	return table.Square{}, fmt.Errorf("%.20q is not a square (expected a1 to e5)", s)
}

// SortMoves puts moves in the order of their notation, the order Legal gives, and returns them.
func SortMoves(moves []Move) []Move {
	type keyed struct {
		key  string
		move Move
	}
	ks := make([]keyed, len(moves))
	for i, m := range moves {
		ks[i] = keyed{m.String(), m}
	}
	slices.SortStableFunc(ks, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i := range ks {
		moves[i] = ks[i].move
	}
	return moves
}

// neighbors lists, for every square's index, those that share an edge with it.
var neighbors = func() (n [table.Size * table.Size][]int) {
	for i := range n {
		sq := table.SquareAt(i)
		for _, d := range [4]table.Square{{Row: -1}, {Row: 1}, {Col: -1}, {Col: 1}} {
			if to := (table.Square{Row: sq.Row + d.Row, Col: sq.Col + d.Col}); to.On() {
				n[i] = append(n[i], to.Index())
			}
		}
	}
	return n
}()

// Neighbors lists the indices of the squares that share an edge with the square of
// that index (RULES.md 0.1). The slice is shared: do not change it.
func Neighbors(index int) []int { return neighbors[index] }
