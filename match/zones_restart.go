package match

import (
	"fmt"
	"slices"

	"diceref/rules"
)

// Where a view was not clear enough to say what happened in it, the match may lose its way. What it
// holds possible is kept from view to view, together with that nothing is known but what is on the
// table; whichever of it later views bear out is what play goes on from.

const (
	priceAnew  = 18.0 // nothing explains a view, but how all lies is known
	priceAgain = 7.0  // the same where that was so already
	priceStray = 4.0  // more for an illegal act after that: more likely it was another's turn
	// enoughBorne is how many clear views in a row bear out what happened in an unclear one before them.
	enoughBorne = 2
	longBorne   = 4 // after so many nothing will say what else it may have been
)

// anewer is a game in which play can go on from what is on the table alone.
type anewer interface {
	// lies lists how the table may stand as it is seen, with what was said and not shown.
	lies(s rules.State, seen *spread, said []rules.Move) []rules.Move
	// alike says whether two positions differ at most in what is scored.
	alike(a, b rules.State) bool
}

// again adds the stories in which nothing is known but how the table stands now.
func (z *zoneSearch) anew(bases []hypothesis) {
	g, ok := z.g.(anewer)
	if !ok {
		return
	}
	price := bases[0].sofar + priceAnew
	for _, b := range bases {
		if b.anew {
			price = min(price, b.sofar+priceAgain)
		}
	}
	z.seen.lost = nil
	price += costUnseen * float64(max(0, allDice(z.g.piles(z.known))-z.seen.total-z.seen.hiding()))
	for _, mv := range g.lies(z.known, z.seen, z.seen.said) {
		if after, err := z.known.Apply(mv); err == nil {
			s := rules.Story{Verdict: rules.Unexplained, Line: []rules.Move{mv}, After: after, Cost: price}
			z.stories = append(z.stories, hypothesis{Story: s, begin: z.known, start: z.known, stack: []rules.State{after}, acts: []rules.Move{nil}, said: len(z.said), swallows: len(z.said), anew: true})
		}
	}
}

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

// standsOut is the most likely tale that accuses nobody and that clear views have borne out, if play goes on alike
// from all that are about as likely: how it came to that is not known.
func (z *zoneSearch) standsOut(least float64) (hypothesis, bool) {
	g, ok := z.g.(anewer)
	if !ok {
		return hypothesis{}, false
	}
	for _, t := range z.stories {
		if t.Cost < least+leastLead && t.Verdict == rules.Explained && !t.accuses() && t.bornBy() >= enoughBorne {
			return t, !slices.ContainsFunc(z.stories, func(o hypothesis) bool { return o.Cost < t.Cost+leastLead && !g.alike(o.After, t.After) })
		}
	}
	return hypothesis{}, false
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
func (t *hypothesis) shaky() bool { return t.anew || t.accuses() }

// liveBefore records what a tale tells of the views before the present one.
func (m *Match) liveBefore(t *hypothesis) bool {
	stories := t.before
	if t.anew {
		if !m.liveAnew(t) {
			return false
		}
		stories = stories[1:]
	}
	return m.liveAll(stories, ByCamera)
}

// liveAnew records that play goes on from how the table stood. What was said before is taken in by that.
func (m *Match) liveAnew(t *hypothesis) bool {
	for range min(t.swallows, len(m.line.said)) {
		if m.emit(ByRules, Act{Kind: actUnheard, Heard: true}, nil, "") != nil {
			return false
		}
	}
	mv := t.before[0].Line[0]
	next := t.before[0].After.ToMove()
	e := &Event{Type: TypeStands, Player: m.name(next)}
	text := fmt.Sprintf("I missed how this happened. The game goes on from what is on the table, and it is %s's turn.", e.Player)
	return m.emit(ByCamera, Act{Kind: actPlay, Moves: []string{mv.String()}}, e, text) == nil
}
