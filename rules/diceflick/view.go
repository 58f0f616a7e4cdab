package diceflick

import (
	"diceref/rules"
	"diceref/table"
)

// View is what a still view of the arena shows, or a word that was said.
type View struct {
	At    float64      // seconds since the table was first seen
	Holes Holes        // nil: a word
	Say   string       // SayMiss, SayNext or SayOver
	Shown rules.Player // whose turn the page showed when it was said
	First bool         // nobody has looked at the arena before
	Score *Score       // of SayNext, as it is told; By and Removed do not count
	// Hidden is for how many seconds nobody saw the arena before.
	Hidden float64
	// Before is a word that was said since the view before, while the arena was hidden; nil: none was.
	Before *View

	maybe map[scene][]arena // what may lie in the arena, by what lay there before
	times times
}

// Look is a view of the arena.
func Look(at float64, holes Holes) View {
	return View{At: at, Holes: holes, maybe: map[scene][]arena{}, times: times{}}
}

// Word is a word that was said while the page showed that player's turn.
func Word(at float64, say string, shown rules.Player) View {
	return View{At: at, Say: say, Shown: shown, times: times{}}
}

// Anew is the same view or word, of which nothing has been worked out yet.
func (v View) Anew() View {
	v.maybe, v.times = map[scene][]arena{}, times{}
	if v.Before != nil {
		before := v.Before.Anew()
		v.Before = &before
	}
	return v
}

// Holes is how a still view of the arena was read.
type Holes interface {
	// Misfit is how much less likely the look of a hole is, as a natural logarithm, than if what fits it best lay there.
	// changed: something else lay there in the view before.
	Misfit(hole int, is table.Die, changed bool) float64
	// Sure says whether what lies in a hole was surely read.
	Sure(hole table.Square) bool
	// Likely lists the dice that may lie in a hole.
	Likely(hole int) []table.Die
}
