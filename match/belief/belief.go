// Package belief keeps track of what may have happened at a table of which a camera sees only a part.
//
// What is known is a Set of hypotheses, each a whole world: a game as it stands (rules.Follower), and the line of moves that
// has led to it. This is multiple hypothesis tracking (Reid 1979) with a beam search. Whenever something is seen or said
// (Observe), every hypothesis grows children: the ways in which its game may have come to that, weighed by how likely they
// are. Children that nothing can tell apart any more are merged, and the likeliest are kept. An answer to a question keeps
// those of which it is true (Condition).
//
// Where hypotheses differ in something that matters there is a question, and the hypotheses are its answers.
//
// For games on a board the package has the world (Board), what is seen of it (Sight), and how likely each is (ObservationModel,
// Prior). A game only proposes acts that would make its board look as it does (rules.State.Propose).
//
// The package knows no journal, no clock, no sentences and no game.
package belief

import (
	"cmp"
	"math"
	"slices"

	"diceref/rules"
)

// Hypothesis is one way in which things may have gone. S is what is seen or said at a time.
type Hypothesis[S any] struct {
	World  rules.Follower[S]
	Line   []rules.Move // since the beginning of the set
	Chance float64      // its probability; those of a set add up to one
	Fits   float64      // the logarithm of how well what was seen last fits it; 0: as well as can be, or it is not known
	log    float64
	tail   []rules.Move // of its line, until it is known that it is kept
}

// Set is what may have happened, the likeliest first. It is never changed: what is learned makes a new one. The zero value
// holds nothing.
type Set[S any] struct {
	list   []Hypothesis[S]
	pruned float64 // since the set was new
	seen   float64 // how likely what was observed last was by all of the hypotheses, as a logarithm
	most   int     // so many hypotheses are kept; 0: mostKept
}

// The beam: how many hypotheses are kept, and how much less likely than the best one may be, as a natural logarithm.
const (
	mostKept = 60
	leastLog = -12
)

// New is the set of one hypothesis that is certain.
func New[S any](w rules.Follower[S]) Set[S] {
	return Set[S]{list: []Hypothesis[S]{{World: w, Chance: 1}}}
}

// Keeping is the same set of which at most so many hypotheses are kept from now on.
func (s Set[S]) Keeping(most int) Set[S] {
	s.most = most
	return s
}

// Hypotheses is the hypotheses, the likeliest first.
func (s Set[S]) Hypotheses() []Hypothesis[S] { return s.list }

// Best is the likeliest hypothesis.
func (s Set[S]) Best() Hypothesis[S] { return s.list[0] }

// Pruned is how likely it is that what has happened was pruned since the set was new. What is left looks surer than it is by that much. An
// answer that is unlikely by what is kept speaks for what is not.
func (s Set[S]) Pruned() float64 { return s.pruned }

// Overall is the probability of what holds for some of the hypotheses, with those that were pruned: it is taken to hold for as many of them
// as of those that are kept, however likely these are.
func (s Set[S]) Overall(holds func(Hypothesis[S]) bool) float64 {
	return (1-s.pruned)*s.Chance(holds) + s.pruned*s.share(holds)
}

// share is the share of the hypotheses for which something holds.
func (s Set[S]) share(holds func(Hypothesis[S]) bool) float64 {
	n := 0
	for _, h := range s.list {
		if holds(h) {
			n++
		}
	}
	return float64(n) / float64(len(s.list))
}

// Likelihood is how likely what was observed last was by all of the hypotheses, as a natural logarithm.
func (s Set[S]) Likelihood() float64 { return s.seen }

// Chance is the probability of what holds for some of the hypotheses.
func (s Set[S]) Chance(holds func(Hypothesis[S]) bool) (p float64) {
	for _, h := range s.list {
		if holds(h) {
			p += h.Chance
		}
	}
	return p
}

// Observe is what may have happened once something more was seen or said. Where it cannot be by any of the hypotheses
// nothing is learned, and ok is false.
func (s Set[S]) Observe(seen S) (next Set[S], ok bool) {
	var grown []Hypothesis[S]
	b := bound{most: cmp.Or(s.most, mostKept), least: math.Inf(-1)}
	if len(s.list) > 0 {
		if w, ok := s.list[0].World.(narrower); ok {
			b.most = min(b.most, w.Beam())
		}
	}
	for _, h := range s.list {
		if h.log < b.least {
			break // no course is likelier than certain, so that none of it is kept
		}
		for _, c := range follow(h, seen, b.least-h.log) {
			if !(c.Log > math.Inf(-1)) {
				continue // it cannot be, or is no number
			}
			b.note(h.log + c.Log)
			grown = append(grown, Hypothesis[S]{World: c.After, Line: h.Line, Fits: c.Fits, log: h.log + c.Log, tail: c.Line})
		}
	}
	if len(grown) == 0 {
		return s, false
	}
	kept, pruned := merged(grown, b.most)
	likelihood := evidence(kept)
	for i, h := range kept {
		kept[i].Line, kept[i].tail = extended(h.Line, h.tail), nil
	}
	next = weighed(kept)
	next.pruned, next.most, next.seen = s.pruned+(1-s.pruned)*pruned, s.most, likelihood
	return next, true
}

// bound is how likely a hypothesis must be to be kept, as a logarithm, by those that were found so far.
type bound struct {
	most  int
	least float64
	logs  []float64 // of those above it
}

// note takes in a hypothesis. Some may be merged later, so that the likeliest of twice as many as are kept decide.
func (b *bound) note(log float64) {
	if b.least = max(b.least, log+leastLog); log < b.least {
		return
	}
	if b.logs = append(b.logs, log); len(b.logs) >= 4*b.most {
		slices.SortFunc(b.logs, func(x, y float64) int { return cmp.Compare(y, x) })
		b.logs = b.logs[:2*b.most]
		b.least = max(b.least, b.logs[len(b.logs)-1])
	}
}

// bounded is a world that need not list courses less likely than a bound, as a logarithm.
type bounded[S any] interface {
	FollowAbove(seen S, least float64) []rules.Course[S]
}

// follow is how a hypothesis goes on, but for courses that would not be kept.
func follow[S any](h Hypothesis[S], seen S, least float64) []rules.Course[S] {
	if w, ok := h.World.(bounded[S]); ok {
		return w.FollowAbove(seen, least)
	}
	return h.World.Follow(seen)
}

// narrower is a world of which fewer hypotheses are kept than of others, as each takes long to follow.
type narrower interface{ Beam() int }

// joiner is a world that takes over what another one, that is merged with it, knows of the people: with this share.
type joiner[S any] interface {
	Join(other rules.Follower[S], share float64) rules.Follower[S]
}

// merged is the hypotheses without those that nothing can tell from a likelier one any more, whose probability goes to that, and
// the probability of those that are not kept.
func merged[S any](list []Hypothesis[S], most int) (kept []Hypothesis[S], pruned float64) {
	slices.SortStableFunc(list, func(a, b Hypothesis[S]) int { return cmp.Compare(b.log, a.log) })
	at, top, all := map[string]int{}, list[0].log, 0.0
	for _, h := range list {
		p := math.Exp(h.log - top)
		all += p
		if h.log < top+leastLog {
			pruned += p
			continue
		}
		k := h.World.Key()
		if i, same := at[k]; same {
			if j, can := kept[i].World.(joiner[S]); can {
				kept[i].World = j.Join(h.World, 1/(1+math.Exp(kept[i].log-h.log)))
			}
			kept[i].log += math.Log1p(math.Exp(h.log - kept[i].log))
		} else if len(kept) < most {
			at[k] = len(kept)
			kept = append(kept, h)
		} else {
			pruned += p
		}
	}
	return kept, pruned / all
}

// weighed is the set of these hypotheses, whose probabilities add up to one.
func weighed[S any](list []Hypothesis[S]) Set[S] {
	slices.SortStableFunc(list, func(a, b Hypothesis[S]) int { return cmp.Compare(b.log, a.log) })
	sum, top := 0.0, list[0].log
	for _, h := range list {
		sum += math.Exp(h.log - top)
	}
	for i := range list {
		list[i].log -= top + math.Log(sum)
		list[i].Chance = math.Exp(list[i].log)
	}
	return Set[S]{list: list}
}

// Condition is what may have happened if something is known to be so. Where it holds for no hypothesis nothing is learned,
// and ok is false.
func (s Set[S]) Condition(holds func(Hypothesis[S]) bool) (next Set[S], ok bool) {
	next, ok = s.Of(slices.DeleteFunc(slices.Clone(s.list), func(h Hypothesis[S]) bool { return !holds(h) }))
	if ok && s.pruned > 0 {
		next.pruned = s.pruned * s.share(holds) / s.Overall(holds)
	}
	return next, ok
}

// Of is the set of hypotheses that were made of those of this one: what is learned holds for all of them. None: nothing is
// learned, and ok is false.
func (s Set[S]) Of(list []Hypothesis[S]) (next Set[S], ok bool) {
	if len(list) == 0 {
		return s, false
	}
	next = weighed(list)
	next.most, next.pruned = s.most, s.pruned
	return next, true
}

// evidence is the sum of the likelihoods, as a logarithm.
func evidence[S any](list []Hypothesis[S]) float64 {
	top, sum := list[0].log, 0.0
	for _, h := range list {
		top = max(top, h.log)
	}
	for _, h := range list {
		sum += math.Exp(h.log - top)
	}
	return top + math.Log(sum)
}
