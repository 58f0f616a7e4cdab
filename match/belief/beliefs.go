package belief

import (
	"slices"

	"diceref/rules"
)

// Beliefs is a set, whatever is observed: what telling, correcting and asking need of one.
type Beliefs interface {
	// Ways is the hypotheses, the likeliest first.
	Ways() []Way
	// Began, Made and Next are as of a Set.
	Began(acts []rules.Move) float64
	Made(acts []rules.Move) float64
	Next(told []rules.Move, least float64) []rules.Move
	// Without is Forget.
	Without(acts []rules.Move) Beliefs
	// Net is without acts, after those that were told, that were taken back again.
	Net(told []rules.Move) Beliefs
	// Afresh is without acts after so many that do not matter, as it was seen afterwards how the table stood.
	Afresh(after int) Beliefs
	// Where is Condition.
	Where(holds func(Way) bool) (Beliefs, bool)
}

// Way is a hypothesis as far as it does not matter what is observed.
type Way struct {
	Line   []rules.Move
	Chance float64
	Fits   float64
	World  any
}

// Begins says whether its acts begin with these.
func (w Way) Begins(acts []rules.Move) bool { return begins(Acts(w.Line), acts) }

func wayOf[S any](h Hypothesis[S]) Way { return Way{h.Line, h.Chance, h.Fits, h.World} }

// Ways implements Beliefs.
func (s Set[S]) Ways() []Way {
	list := make([]Way, len(s.list))
	for i, h := range s.list {
		list[i] = wayOf(h)
	}
	return list
}

// Without implements Beliefs.
func (s Set[S]) Without(acts []rules.Move) Beliefs { return s.Forget(acts) }

// Net implements Beliefs. Hypotheses that have come to the same but for what was taken back have the same line: the shortest of those that
// begin as it was told.
func (s Set[S]) Net(told []rules.Move) Beliefs {
	list, shortest := slices.Clone(s.list), map[string][]rules.Move{}
	for i := range list {
		h := &list[i]
		h.Line = net(h.Line, len(told))
		w, can := h.World.(settled)
		if !can || !begins(Acts(h.Line), told) {
			continue
		}
		if line, known := shortest[w.Course()]; !known || len(Acts(h.Line)) < len(Acts(line)) {
			shortest[w.Course()] = h.Line
		}
	}
	for i := range list {
		if w, can := list[i].World.(settled); can {
			if line, known := shortest[w.Course()]; known {
				list[i].Line = line
			}
		}
	}
	return Set[S]{list: list, pruned: s.pruned, most: s.most}
}

// settled is a world that tells what it has come to, but for what was taken back.
type settled interface{ Course() string }

// net is a line without what was taken back again of the acts after the first ones.
func net(line []rules.Move, after int) (left []rules.Move) {
	acts := 0
	for _, mv := range line {
		_, back := mv.(TakenBack)
		switch {
		case disturbs(mv):
			left = append(left, mv)
		case back && acts > after:
			for n := len(left) - 1; ; n-- {
				if !disturbs(left[n]) {
					left, acts = slices.Delete(left, n, n+1), acts-1
					break
				}
			}
		default:
			left, acts = append(left, mv), acts+1
		}
	}
	return left
}

// Afresh implements Beliefs.
func (s Set[S]) Afresh(after int) Beliefs {
	list := slices.Clone(s.list)
	for i := range list {
		line, acts := list[i].Line, 0
		from := len(line)
		for k, mv := range line {
			if acts == after {
				from = min(from, k)
			}
			if afresh(mv) && k > from {
				list[i].Line = slices.Concat(line[:from], line[k:])
			}
			if !disturbs(mv) {
				acts++
			}
		}
	}
	return Set[S]{list: list, pruned: s.pruned, most: s.most}
}

func afresh(mv rules.Move) bool {
	_, is := mv.(rules.Afresh)
	return is
}

// Where implements Beliefs.
func (s Set[S]) Where(holds func(Way) bool) (Beliefs, bool) {
	return s.Condition(func(h Hypothesis[S]) bool { return holds(wayOf(h)) })
}

// LikeliestWay is the likeliest hypothesis of a set that begins with these acts; false: there is none.
func LikeliestWay(s Beliefs, acts []rules.Move) (w Way, ok bool) {
	list := s.Ways()
	i := slices.IndexFunc(list, func(w Way) bool { return w.Begins(acts) })
	if i < 0 {
		return w, false
	}
	return list[i], true
}
