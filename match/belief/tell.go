package belief

import (
	"slices"

	"diceref/rules"
)

// Acts is a line without what is nobody's act: that a die was knocked about, or what is learned of one, may have been at any time
// between two others, and does not change whose act is whose.
func Acts(line []rules.Move) (acts []rules.Move) {
	for _, mv := range line {
		if !disturbs(mv) {
			acts = append(acts, mv)
		}
	}
	return acts
}

// Disturbances is what Acts leaves out.
func Disturbances(line []rules.Move) (list []rules.Move) {
	for _, mv := range line {
		if disturbs(mv) {
			list = append(list, mv)
		}
	}
	return list
}

func disturbs(mv rules.Move) bool {
	if b, back := mv.(TakenBack); back {
		return b.Disturbed
	}
	if l, is := mv.(rules.Learned); is && l.Learns() {
		return true
	}
	p, ok := plainly(mv).(rules.Placement)
	return ok && p.Disturbs()
}

// Began is the probability that the acts since the beginning of the set began with these.
func (s Set[S]) Began(acts []rules.Move) float64 {
	return s.Chance(func(h Hypothesis[S]) bool { return begins(Acts(h.Line), acts) })
}

// Made is the probability that the acts since the beginning of the set are these and no others.
func (s Set[S]) Made(acts []rules.Move) float64 {
	return s.Chance(func(h Hypothesis[S]) bool {
		line := Acts(h.Line)
		return len(line) == len(acts) && begins(line, acts)
	})
}

// Likeliest is the likeliest hypothesis that begins with these acts; false: there is none.
func (s Set[S]) Likeliest(acts []rules.Move) (h Hypothesis[S], ok bool) {
	i := slices.IndexFunc(s.list, func(h Hypothesis[S]) bool { return begins(Acts(h.Line), acts) })
	if i < 0 {
		return h, false
	}
	return s.list[i], true
}

// Next is the acts that are known well enough to be told after those that were told: by which the likeliest hypothesis goes on,
// as long as the hypotheses that do so have at least this share of the probability of what was told.
func (s Set[S]) Next(told []rules.Move, least float64) (next []rules.Move) {
	h, ok := s.Likeliest(told)
	if !ok {
		return nil
	}
	acts, all := Acts(h.Line), s.Began(told)
	for n := len(told) + 1; n <= len(acts) && s.Began(acts[:n]) >= least*all; n++ {
		next = acts[len(told):n]
	}
	return next
}

// Forget is the set of the hypotheses that begin with these acts, with only what is after them. It holds all that there is if
// there is none.
func (s Set[S]) Forget(acts []rules.Move) Set[S] {
	var list []Hypothesis[S]
	for _, h := range s.list {
		if !begins(Acts(h.Line), acts) {
			continue
		}
		left, n := h.Line, len(acts)
		for n > 0 {
			if !disturbs(left[0]) {
				n--
			}
			left = left[1:]
		}
		h.Line = left
		list = append(list, h)
	}
	if len(list) == 0 {
		return s
	}
	return weighed(list)
}

// begins says whether a line begins with another, in which an act that nobody saw stands for any that it may have been.
func begins(line, with []rules.Move) bool {
	return len(line) >= len(with) && slices.EqualFunc(line[:len(with)], with, func(a, b rules.Move) bool {
		u, unseen := b.(Unseen)
		return a.String() == b.String() || unseen && u.May(a)
	})
}
