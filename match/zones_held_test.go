package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestHandOverWhatChanged: a hand that hides a die while the others melt is no reason to ask,
// as the next picture tells; where that one does not either, or none comes, it is asked.
func TestHandOverWhatChanged(t *testing.T) {
	const seed, note = 3, "A hand over the Fridge."
	l := layOut(t, table.DiceCreams, seed)
	i := 0
	for k, s := range l.Truth.Steps {
		if s.Note == note && i == 0 {
			i = k
		}
	}
	if i == 0 {
		t.Fatalf("seed %d: nobody's hand is over the Fridge", seed)
	}
	asked := func(views []table.Observation) (list []string) {
		told, _ := l.watch(t, views)
		return slices.DeleteFunc(told, func(e string) bool { // what is declared for later pictures makes no sense without them
			return !strings.HasPrefix(e, "doubt") || strings.Contains(e, "was declared")
		})
	}
	before := asked(l.views[:i])
	if got := asked(l.views[:i+2]); len(got) != len(before) {
		t.Errorf("a hand over a die is asked about: %q", got[len(before):])
	}
	if got := asked(l.views[:i+1]); len(got) != len(before)+1 {
		t.Errorf("nothing is asked about the last picture, which nothing explains: %q", got)
	}
	still := l.views[i]
	still.Frame, still.T = l.views[i+1].Frame, l.views[i+1].T
	if got := asked(append(slices.Clone(l.views[:i+1]), still)); len(got) != len(before)+1 {
		t.Errorf("nothing is asked about a hand that stays: %q", got)
	}
}
