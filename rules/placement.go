package rules

import "diceref/table"

// Placement is a move that may change which dice lie beside a board.
type Placement interface {
	Move
	// Places is the die that it brings onto the board, as it lay beside it; false: none.
	Places() (table.Die, bool)
	// Rolls says whether the dice of a player beside the board are rolled.
	Rolls() bool
}
