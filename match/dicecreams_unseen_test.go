package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/tableplan"
	"diceref/table"
)

// drawnAndGone lists the pictures in which a die is drawn from the bag that goes away at once with the IceCream
// that it completes, each with the views of the game in which just that one does not show it.
func (l *laidOut) drawnAndGone() map[int][]table.Observation {
	list := map[int][]table.Observation{}
	for i := 1; i+1 < len(l.Truth.Steps); i++ {
		next := l.Truth.Steps[i+1].Events
		if l.Truth.Steps[i].Note != "A die is drawn and rolled." || len(next) < 2 || !strings.Contains(next[1].Text, " away ") {
			continue
		}
		views := slices.Clone(l.views)
		views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool { return l.inZone(trayKey, r.At, views[i]) })
		if len(views[i].Dice) < len(l.views[i].Dice) {
			list[i] = views
		}
	}
	return list
}

// TestDrawnAndGone: a die that is drawn from the bag and that no view shows, as it went away at once with the
// IceCream that it completed, is none that play waits for.
func TestDrawnAndGone(t *testing.T) {
	for _, seed := range []uint64{9101, 9109, 9130} {
		l := layOut(t, table.DiceCreams, seed)
		list := l.drawnAndGone()
		for i, views := range list {
			want, _ := l.watch(t, l.views)
			got, _ := l.watch(t, views)
			if got, want := slices.DeleteFunc(got, isDoubt), slices.DeleteFunc(want, isDoubt); !slices.Equal(got, want) {
				t.Errorf("seed %d, picture %d: %s", seed, i, cmp.Diff(want, got))
			}
		}
		if len(list) == 0 {
			t.Errorf("seed %d: no such die is drawn", seed)
		}
	}
}

// TestMeltedUnseen: a die that is not seen after a melting is not told to have melted too far where the dice set
// aside, among which it would lie, have gone into the pouch.
func TestMeltedUnseen(t *testing.T) {
	for _, seed := range []uint64{20001, 20013} {
		l := layOut(t, table.DiceCreams, seed)
		got, _ := l.watch(t, tableplan.FlawOf("a die not seen").Spoilt(l.zones, l.views, seed))
		want := l.told()
		for _, e := range got {
			if !isDoubt(e) && strings.HasSuffix(e, "DC-MELT") && !slices.Contains(want, e) {
				t.Errorf("seed %d: told of %q", seed, e)
			}
		}
	}
}

// TestGoneUnseen: a die that lay on the Fridge and that no view shows, as it was taken before and went away with
// the IceCream that it completed, is told of with a question, as nobody knows what it showed.
func TestGoneUnseen(t *testing.T) {
	for _, c := range []struct {
		seed     uint64
		took, as string
	}{
		{20006, "move B take black5 liquorice-2.1", "move B take black1 liquorice-2.1"},
		{23007, "move A take blue6 lagoon-3.0", "move A take blue1 lagoon-3.0"},
	} {
		l := layOut(t, table.DiceCreams, c.seed)
		got, _ := l.watch(t, tableplan.FlawOf("a die not seen").Spoilt(l.zones, l.views, c.seed))
		want := l.told()
		want[slices.Index(want, c.took)] = c.as
		if why := unannounced(got, l.told()); why != "" {
			t.Errorf("seed %d: silently wrong: %s", c.seed, why)
		}
		if got := slices.DeleteFunc(got, isDoubt); !slices.Equal(got, want) {
			t.Errorf("seed %d: %s", c.seed, cmp.Diff(want, got))
		}
	}
}
