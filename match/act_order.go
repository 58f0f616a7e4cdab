package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// inOrder is the stories of a view in which the acts came in the order that was seen. Those that
// agree with what was only half seen come first. All of them, if none does.
func inOrder(stories []rules.Story, seen []table.Sooner) []rules.Story {
	rest := slices.DeleteFunc(slices.Clone(stories), func(s rules.Story) bool {
		return slices.ContainsFunc(seen, func(o table.Sooner) bool { return o.Plain && reversed(s, o) })
	})
	if len(rest) == 0 {
		rest = slices.Clone(stories)
	}
	wrong := func(s rules.Story) (n int) {
		for _, o := range seen {
			if reversed(s, o) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(rest, func(a, b rules.Story) int { return wrong(a) - wrong(b) })
	return rest
}

// reversed says whether the acts of a story changed two squares the other way round.
func reversed(s rules.Story, o table.Sooner) bool {
	first, then := -1, -1
	for i, mv := range s.Line {
		a := actOf(mv)
		touches := func(sq table.Square) bool { return a.From != nil && *a.From == sq || a.To != nil && *a.To == sq }
		if touches(o.First) {
			first = i
		}
		if touches(o.Then) {
			then = i
		}
	}
	return s.Back == 0 && then >= 0 && then < first
}
