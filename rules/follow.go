package rules

// Follower is a game as it stands in one of the ways in which things may have gone, for a program that sees only a part of
// what happens (package belief of match). S is what is seen or said at a time. A Follower is immutable.
type Follower[S any] interface {
	// Key is the same for two that nothing seen or said later can tell apart.
	Key() string
	// Follow lists the ways in which a game may have gone on from here, with something seen or said as the last of it. None:
	// it cannot have.
	Follow(seen S) []Course[S]
}

// Course is one way in which a game may have gone on.
type Course[S any] struct {
	Line  []Move
	Log   float64 // the natural logarithm of how likely it is, up to a constant that all courses of one time share
	After Follower[S]
	Fits  float64 // of Log, how well what was seen fits; 0: as well as can be, or it is not known
}
