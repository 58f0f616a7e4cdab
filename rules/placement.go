package rules

import "diceref/table"

// Around is the squares that touch one, by a corner, too.
func Around(sq table.Square) (list []table.Square) {
	for r := -1; r <= 1; r++ {
		for c := -1; c <= 1; c++ {
			if n := (table.Square{Row: sq.Row + r, Col: sq.Col + c}); n.On() && n != sq {
				list = append(list, n)
			}
		}
	}
	return list
}

// Placement is a move that may change which dice lie beside a board.
type Placement interface {
	Move
	// Places is the die that it brings onto the board, as it lay beside it; false: none.
	Places() (table.Die, bool)
	// Leaves is the square of the board that it takes a die from; false: none.
	Leaves() (table.Square, bool)
	// Choices is about how many acts of its kind a player can choose from at a position, by the rules or against them.
	Choices(at State, breach bool) float64
	// Disturbs says whether it is nobody's act: a die on the board has been knocked about.
	Disturbs() bool
	// Owned says whether the dice beside the board lie before the players whose they are.
	Owned() bool
	// Rolls says whether the dice of a player beside the board are rolled.
	Rolls() bool
}

// Unwatched is a state in which the player whose turn it is may act without a trace that a camera could see.
type Unwatched interface {
	// Traceless lists those acts, as far as they are known.
	Traceless() []Traceless
}

// Traceless is an act of which a camera may see nothing.
type Traceless struct {
	Move Move
	None float64 // how likely it leaves no trace
}

// Roller is a state of a game in which dice beside the board are rolled.
type Roller interface {
	// Roll is the roll by the player whose turn it is, after passes that the rules demand; nil: nobody may.
	Roll() []Move
	// RollAfter is a roll by the player who has acted last, against the rules; nil: nobody has.
	RollAfter() Move
}

// Compelling is a state of a game in which a player who has a die that fits must place it.
type Compelling interface {
	// Fits says whether a die may be placed if a player has it.
	Fits(by Player, d table.Die) bool
	// Left is how many dice of a color a player has left; false: that is not known.
	Left(by Player, c table.Color) (int, bool)
	// Though is an act instead of which a die that fits should have been placed.
	Though(mv Move, d table.Die) Move
}
