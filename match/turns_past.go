package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
)

// A beam keeps few of the ways in which turns may have gone that nobody says anything of. An answer may leave hardly any of these: then what
// it agrees with was mostly pruned before it was given. So all that was seen is gone through once more under the answer: the beam
// holds then only what agrees with it (fixed-interval smoothing).

// past is what led to what is believed of turns.
type past struct {
	start   belief.Set[diceflick.View]
	seen    []glimpse
	earlier int // so much of it led to what was believed before the view under way
}

// glimpse is a view or a word, or a move that holds whatever has happened.
type glimpse struct {
	view diceflick.View
	fact rules.Move
}

// begin takes what is believed for all that is known.
func (a *turns) begin() {
	a.past = past{start: a.set}
	a.earlier = a.set
}

// pass ends the view under way: what is believed now, the next one goes on from.
func (a *turns) pass() { a.earlier, a.past.earlier = a.set, len(a.past.seen) }

// before is what was seen before the view under way.
func (p past) before() []glimpse {
	facts := slices.DeleteFunc(slices.Clone(p.seen[p.earlier:]), func(g glimpse) bool { return g.fact == nil })
	return slices.Concat(p.seen[:p.earlier], facts)
}

// agreeing keeps what agrees with all answers, as far as it has come, once so much was seen, and reports whether anything does.
func (a *turns) agreeing(set belief.Set[diceflick.View], seen int) (next belief.Set[diceflick.View], ok bool) {
	next, ok = set, true
	for _, w := range a.known {
		if ok {
			next, ok = next.Condition(func(h belief.Hypothesis[diceflick.View]) bool {
				if seen < w.after {
					return w.mayCome(h)
				}
				return agrees(h, w, true)
			})
		}
	}
	if !ok {
		return set, false
	}
	return next, true
}

// mayCome says whether a way may still come to what was learned, as far as the notepad goes.
func (w learned) mayCome(h belief.Hypothesis[diceflick.View]) bool {
	if w.is.player == rules.Nobody {
		return true
	}
	n := w.is.cell().on(arenaOf(h).State())
	return n == nil || *n == w.is.points
}

// learn keeps what agrees with an answer, and reports whether anything does.
func (m *Match) learn(w learned) (ok bool) {
	a := &m.turns
	if w.is.player != rules.Nobody {
		a.settle(w.is.cell())
	}
	w.after = len(a.past.seen)
	a.known = append(slices.Clone(a.known), w)
	set, ok := a.set.Condition(func(h belief.Hypothesis[diceflick.View]) bool { return agrees(h, w, false) })
	earlier, _ := a.earlier.Condition(func(h belief.Hypothesis[diceflick.View]) bool { return agrees(h, w, true) })
	if !ok || set.Pruned() > mostPruned {
		if now, before, can := a.again(w); can && (!ok || now.Pruned() < set.Pruned()) {
			set, earlier, ok = now, before, true
		}
	}
	if ok {
		a.set, a.earlier = set, earlier
	}
	return ok
}

// again is what is believed, and what was before the view under way, once all that was seen is gone through under what was learned, last of
// which is this; false: nothing explains it.
func (a *turns) again(last learned) (now, earlier belief.Set[diceflick.View], ok bool) {
	now, earlier = a.past.start, a.past.start
	for i, g := range a.past.seen {
		if g.fact != nil {
			now, ok = done(now, g.fact)
		} else if now, ok = now.Observe(g.view.Anew()); ok {
			now, ok = a.agreeing(now, i+1)
		}
		if !ok {
			return now, earlier, false
		}
		if i+1 == a.past.earlier {
			earlier = now
		}
	}
	now, ok = now.Condition(func(h belief.Hypothesis[diceflick.View]) bool { return agrees(h, last, false) })
	return now, earlier, ok
}
