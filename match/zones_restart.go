package match

import (
	"slices"

	"diceref/rules"
)

// Where a view was not clear enough to say what happened in it, what the match holds possible is kept from view to view; whichever
// of it later views bear out is what play goes on from.

const (
	// enoughBorne is how many clear views in a row bear out what happened in an unclear one before them.
	enoughBorne = 2
	longBorne   = 4 // after so many nothing will say what else it may have been
)

// bornBy is by how many clear views in a row a tale is borne out with the present one, in which just what
// the rules allow has to happen. One in which nothing happens tells nothing.
func (t *hypothesis) bornBy() int {
	switch {
	case t.Verdict == rules.Unchanged && t.Misfit <= clearly:
		return t.borne
	case t.Verdict != rules.Explained || t.Misfit > clearly:
		return 0
	}
	return t.borne + 1
}

// borneOut says whether what has happened since fits so well on what was not clearly seen, and on nothing
// else, that it is known by now: that was asked, and play goes on from there.
func (r *ruling) borneOut() bool {
	return r.ahead >= leastLead && r.Verdict == rules.Explained && r.bornBy() >= enoughBorne
}

// stands says whether the most likely of several tales that accuses nobody is taken for what happened: so many
// clear views have gone by that none will tell them apart.
func (r *ruling) stands() bool {
	i := slices.IndexFunc(r.tales, func(t hypothesis) bool { return !t.shaky() && t.bornBy() >= longBorne })
	if i < 0 {
		return false
	}
	r.hypothesis = r.tales[i]
	return true
}

// guessed says whether a tale tells of an act that was taken back, in a view that alone would not have told it:
// none after that has shown it either.
func (t *hypothesis) guessed() bool {
	for i, s := range t.before {
		if s.Misfit > maxMisfit && t.backAfter(i) {
			return true
		}
	}
	return false
}

// backAfter says whether the story of a view before this one was taken back in the next.
func (t *hypothesis) backAfter(i int) bool {
	if i+1 < len(t.before) {
		return t.before[i+1].Back > 0
	}
	return t.Back > 0
}

// shaky says whether a tale is not told before it is borne out.
func (t *hypothesis) shaky() bool { return t.accuses() }

// liveBefore records what a tale tells of the views before the present one.
func (m *Match) liveBefore(t *hypothesis) bool { return m.liveAll(t.before, ByCamera) }
