package match

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules/fromage"
	"diceref/table"
)

// lacking is a picture in which the dice at some places are not seen.
func lacking(o table.Observation, at ...table.Point) table.Observation {
	o.Dice = slices.DeleteFunc(slices.Clone(o.Dice), func(r table.Reading) bool { return slices.Contains(at, r.At) })
	return o
}

// rolled is the dice that a picture shows in the Cart and the one before did not, if they were rolled and
// nothing but the end of a turn came before.
func (l *laidOut) rolled(i int) (dice []table.Reading) {
	events := l.Truth.Steps[i].Events
	for k, e := range events {
		mv, err := fromage.Game.ParseMove(e.Text)
		if err != nil || e.Code != "" && k < len(events)-1 {
			return nil
		}
		if act := mv.(fromage.Move); (act.Kind == fromage.Roll) != (k == len(events)-1) || act.Kind != fromage.Roll && act.Kind != fromage.End {
			return nil
		}
	}
	for _, e := range l.Truth.Steps[i-1].Events {
		if e.Code != "" {
			return nil // what is wrong is told with the next act, or asked about
		}
	}
	if len(events) == 0 {
		return nil
	}
	return slices.DeleteFunc(l.newcomers(i, false), func(r table.Reading) bool { return !l.inZone(cartKey, r.At, l.views[i]) })
}

// lyingInShop is a die that is in the shop in a picture, and in those beside it.
func (l *laidOut) lyingInShop(i int) (at table.Point, ok bool) {
	for _, r := range l.views[i].Dice {
		same := func(o table.Reading) bool { return o.At == r.At && o.Die == r.Die }
		if l.inZone(shopKey, r.At, l.views[i]) && slices.ContainsFunc(l.views[i-1].Dice, same) && slices.ContainsFunc(l.views[i+1].Dice, same) {
			return r.At, true
		}
	}
	return at, false
}

// TestAnotherIsHidden: a die of the shop does not show in one picture, and the next shows it but not one of those
// that were rolled. That is not taken for the same die, which would make it a roll of fewer. Where it is the same
// nothing is asked, after a restart either.
func TestAnotherIsHidden(t *testing.T) {
	l := layOut(t, table.FromageATrois, 9108)
	want, _ := l.watch(t, l.views)
	pictures := 0
	for i := 2; i+1 < len(l.views); i++ {
		dice := l.rolled(i)
		at, ok := l.lyingInShop(i)
		if !ok || len(dice) < 2 || len(dice) >= fromage.MaxRoll || l.Truth.Steps[i-1].Hand {
			continue
		}
		pictures++
		views := slices.Clone(l.views)
		views[i-1], views[i] = lacking(views[i-1], at), lacking(views[i], dice[0].At)
		got, _ := l.watch(t, views)
		if why := unannounced(got, l.told()); why != "" {
			t.Errorf("picture %d: silently wrong: %s", i, why)
		}
		for _, e := range l.seeing(t, views[:i+1]).Events() {
			if e.Type == TypeMove && !slices.Contains(l.told(), lineOf(e.Type, fmt.Sprint(e.Move), e.Code)) {
				t.Errorf("picture %d: told is %q", i, e.Text)
			}
		}
		views[i] = lacking(l.views[i], at)
		if got, _ := l.watch(t, views); !slices.Equal(got, want) {
			t.Errorf("picture %d: the same die (- wanted, + told):\n%s", i, cmp.Diff(want, got))
		}
		l.compareRestart(t, views, i)
	}
	if pictures == 0 {
		t.Error("no picture shows such a roll")
	}
	t.Logf("in %d pictures", pictures)
}

// asked counts the questions.
func asked(told []string) (n int) {
	for _, e := range told {
		if isDoubt(e) {
			n++
		}
	}
	return n
}

// TestOneTooManyIsUnseen: of six dice that are rolled, one too many, any may not be seen. It is not told
// as a roll of five, and once the die is seen all is told right. Where a die of the shop is not seen once,
// and five are rolled, nothing is asked.
func TestOneTooManyIsUnseen(t *testing.T) {
	l := layOut(t, table.FromageATrois, 60022)
	want, _ := l.watch(t, l.views)
	six, five := 0, 0
	for i := 2; i+1 < len(l.views); i++ {
		dice := l.rolled(i)
		views := slices.Clone(l.views)
		switch at, ok := l.lyingInShop(i); {
		case len(dice) == fromage.MaxRoll+1:
			for _, r := range dice {
				six++
				views[i] = lacking(l.views[i], r.At)
				got, _ := l.watch(t, views)
				if told, want := slices.DeleteFunc(slices.Clone(got), isDoubt), l.told(); !slices.Equal(told, want) {
					t.Errorf("picture %d: (- wanted, + told):\n%s", i, cmp.Diff(want, told))
				}
				if asked(got) <= asked(want) {
					t.Errorf("picture %d: nothing is asked", i)
				}
			}
		case len(dice) == fromage.MaxRoll && ok:
			five++
			views[i] = lacking(views[i], at)
			if got, _ := l.watch(t, views); !slices.Equal(got, want) {
				t.Errorf("picture %d: (- wanted, + told):\n%s", i, cmp.Diff(want, got))
			}
		}
	}
	if six == 0 || five == 0 {
		t.Errorf("%d dice of six were hidden, and %d of the shop", six, five)
	}
	t.Logf("%d dice of six were hidden, and %d of the shop", six, five)
}
