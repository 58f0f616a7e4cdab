package rules

import (
	"slices"

	"diceref/table"
)

// Zone is all zones of the table of one kind, as a calibration names it; a player's place together with whose it is.
type Zone struct {
	Kind string
	Seat int
}

// placeKind is the kind of the zones before the players.
const placeKind = "place"

// Place is the zone before a player.
func Place(p int) Zone { return Zone{Kind: placeKind, Seat: p} }

// PlaceIn is the place that a zone of that kind and seat is, of so many; false: it is none.
func PlaceIn(kind string, seat, seats int) (Zone, bool) {
	return Place(seat), kind == placeKind && seat < seats
}

// Pile is what is to be in a zone. A die without a color has any, one with face 0 shows any.
type Pile struct {
	At    Zone
	Dice  []table.Die
	Heap  bool // dice may lie on or behind one another, so that not all are seen
	Kinds int  // so many dice are told apart in it
	Plain bool // an act says what a die shows that it puts here: none is turned on its way
	// Spots is on which spot each of the dice lies, where the game knows it; no zone tells.
	Spots []int
}

// Zoned is a position of a game that is played by zones of the table: nothing but in which zone a die lies, and what it shows, counts.
type Zoned interface {
	State
	// Key is the same for two that nothing seen or said later can tell apart.
	Key() string
	// Zone is what a zone of the table is to the game; false: nothing.
	Zone(kind string, seat int) (Zone, bool)
	// Piles says what is in each zone. One in which nothing ought to lie has an empty pile.
	Piles() []Pile
	// May lists acts, legal or not, that may lead toward what is seen, and how likely each is.
	May(seen *Spread) []Likely
	// Forced is what follows by the rules alone and changes nothing that could be seen; nil: nothing does.
	Forced() Move
	// Final says whether an act is not taken back once it was made.
	Final(last Move) bool
}

// Learned is a move that may be none, but what is known by now of a die.
type Learned interface {
	Move
	Learns() bool
}

// Afresh is a move that says how the table stands, whatever has happened before.
type Afresh interface {
	Move
	// Afresh is whose turn it is then.
	Afresh() Player
}

// Knower is a game in which an act that players tell of says what a die is that nobody had seen.
type Knower interface {
	// Known is what is learned from an act that was said; nil: nothing.
	Known(said Move) Move
}

// Guesser is a game in which acts may be known to have been made although no view has shown what they were.
type Guesser interface {
	// Guessed says what of the moves that have led here since the view before was filled in by what the table shows now, and of
	// which die, if it is of one.
	Guessed(line []Move) (Guess, table.Die)
}

// Guess is what was filled in of acts that no view has shown.
type Guess int

// What may have been filled in.
const (
	NoGuess     Guess = iota
	GuessedRoll       // which dice were rolled
	GuessedTurn       // the same, in a turn that is over
	GuessedMuch       // the same, of several acts
	GuessedDie        // what a die showed that was taken
)

// Placer is a game in which the same die may come to lie on one of several spots of a zone.
type Placer interface {
	// Elsewhere says whether two acts differ in nothing but where they put a die, and perhaps in what it shows then.
	Elsewhere(a, b Move) bool
	// Turned says whether they differ in nothing but what it shows.
	Turned(a, b Move) bool
}

// Likely is an act and the natural logarithm of how likely it is at a position: of a legal one among those that the rules allow, of
// another one among those that they do not.
type Likely struct {
	Move    Move
	Log     float64
	Routine bool // it follows as a matter of course, so that nobody looks between it and the one before
}

// Spread is the dice of a view by zone.
type Spread struct {
	In    map[Zone][]table.Reading
	Out   []table.Reading // in no zone
	Drawn map[Zone]bool   // zones that there are
	Total int             // dice in zones
}

// unlikelyFace is the probability below which a doubtful die is not thought to show a face.
const unlikelyFace = 0.02

// Readings lists what the dice in a zone may be: as they were read, with doubtful ones read as whatever else is at all likely, and
// without one of these, as it may be no die.
func (s *Spread) Readings(at Zone) [][]table.Die {
	const most = 24
	list := [][]table.Die{nil}
	for i := range s.In[at] {
		r := &s.In[at][i]
		more := others(r)
		for k, l := range list[:len(list):len(list)] {
			for _, d := range more {
				if len(list) < most {
					list = append(list, append(slices.Clone(l), d))
				}
			}
			list[k] = append(l[:len(l):len(l)], r.Die)
		}
	}
	for i := range s.In[at] {
		if !s.In[at][i].Sure {
			list = append(list, slices.Delete(slices.Clone(list[0]), i, i+1))
		}
	}
	return list
}

// MayBe lists what a reading may be, first as it was read.
func MayBe(r *table.Reading) []table.Die { return append([]table.Die{r.Die}, others(r)...) }

// others lists what a doubtful reading may be besides what it was read as.
func others(r *table.Reading) (list []table.Die) {
	if r.Sure {
		return nil
	}
	for f := 1; f <= 6; f++ {
		if f != r.Face && r.Faces[f] > unlikelyFace {
			list = append(list, table.Die{Color: r.Color, Face: f})
		}
	}
	for _, c := range table.Colors {
		if c != r.Color && r.Colors[c] > unlikelyFace {
			list = append(list, table.Die{Color: c, Face: r.Face})
		}
	}
	return list
}
