package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/dicebox"
)

// mostBack is how many acts may be found taken back at once.
const mostBack = 2

// earlier are the positions that a takeback may lead to, the latest first. A roll, once seen,
// stands (RULES.md 0.3), and so does all that came before it. Of a pass no view says that it
// was taken back: nil stands for the position before it.
func (m *Match) earlier(stack []rules.State) (list []rules.State) {
	plays := m.line.plays()
	for back := 1; back <= min(mostBack, len(plays), len(stack)-1); back++ {
		switch last := plays[len(plays)-back]; {
		case last.has(dicebox.Reroll):
			return list
		case last.has(dicebox.Pass):
			list = append(list, nil)
		default:
			list = append(list, stack[len(stack)-1-back])
		}
	}
	return list
}

// plays is the players' acts that no takeback has removed.
func (t *timeline) plays() (list []entry) {
	for _, e := range t.acts {
		switch {
		case e.kind == actTakeback && len(list) > 0:
			list = list[:len(list)-1]
		case e.kind == actPlay && !e.nature():
			list = append(list, e)
		}
	}
	return list
}

// has says whether an act of Dice Box is, or holds, one of a kind.
func (e entry) has(kind dicebox.Kind) bool {
	return slices.ContainsFunc(e.moves, func(mv rules.Move) bool {
		a, ok := mv.(dicebox.Act)
		return ok && a.Kind == kind
	})
}
