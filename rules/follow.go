package rules

import (
	"cmp"
	"slices"

	"diceref/table"
)

// Places is what lies on the squares of a board or in the holes of an arena, by table.Square.Index;
// no color: nothing.
type Places [table.Size * table.Size]table.Die

// Glimpse is what may have become of a table since it was last looked at: what lies where by now, and
// what the players have said meanwhile.
type Glimpse struct {
	Places
	At      float64 // seconds since the table was first seen
	Said    []Word  // in the order in which it was said
	Awaited bool    // the end of the turn is still to be declared
}

// Word is what a player says and no camera sees.
type Word struct {
	Say   string // in the words of the game, such as "miss" and "next"
	Score *int   // the points written down, if they were told
}

// Course is one way in which things may have gone on: moves, and how likely just they are.
type Course struct {
	Back  int    // so many of the moves before were otherwise, and Line stands in their place
	Line  []Move // may be empty: nothing has happened
	Log   float64
	After Follower // the game as it stands then
}

// Follower is a game as it stands in one of the ways in which things may have gone, for a program that
// only sees what lies on the table (package belief of match). It is immutable.
type Follower interface {
	// Places is what lies where, if things have gone so.
	Places() Places
	// Stickers is where something is stuck or printed that may be taken for a die.
	Stickers() [len(Places{})]bool
	// Key is the same for two that nothing seen or said later can tell apart.
	Key() string
	// Follow lists the ways in which a game may have come from here to what a glimpse shows, unlikely
	// ones and illegal ones too, with the natural logarithm of how likely each is. None: it cannot have.
	Follow(Glimpse) []Course
}

// Likeliest is the likeliest of several courses, at most so many.
func Likeliest(list []Course, most int) []Course {
	slices.SortStableFunc(list, func(a, b Course) int { return cmp.Compare(b.Log, a.Log) })
	return list[:min(len(list), most)]
}
