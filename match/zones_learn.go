package match

import (
	"slices"

	"diceref/rules"
)

// learner is a game of which a view may tell something that is not an act: what a die is that lay there
// before, and that nobody had seen.
type learner interface {
	// learned lists what a view may tell of a position.
	learned(s rules.State, seen *spread) []rules.Move
	// vain says whether a line tells of something that was learned and that nothing in it has to do with.
	vain(line []rules.Move) bool
}

// learn goes on from a node with what the view tells of dice that lay there before.
func (z *zoneSearch) learn(n *node, acts int) {
	how := learning
	if n.why != nil {
		how = relearning
	}
	var before []*way // what could have been learned before the last act was
	if k := len(n.path); k > 0 {
		before = z.ways(n.path[k-1], how)
	}
	for _, w := range z.ways(n.at, how) {
		if slices.ContainsFunc(before, func(was *way) bool { return was.mv == w.mv }) {
			continue
		}
		next := *n
		next.price += w.price
		next.seen++
		next.fit = min(n.fit, z.fit(n.at))
		if z.play(&next, w) {
			z.deepen(&next, acts)
		}
	}
}
