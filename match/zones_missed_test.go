package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// isDoubt says whether a line of what was told is a question.
func isDoubt(line string) bool { return strings.HasPrefix(line, "doubt") }

// newcomers are the dice of a picture where nothing lay in the one before, nor lies in the one after
// if they leave.
func (l *laidOut) newcomers(i int, leave bool) (list []table.Reading) {
	others := slices.Clone(l.views[i-1].Dice)
	if leave {
		others = append(others, l.views[i+1].Dice...)
	}
	return passing(l.views[i].Dice, others, 1)
}

// TestMissedOnce hides one die in a single picture that shows it where it has just come to. All is
// told all the same, as the picture after tells more.
func TestMissedOnce(t *testing.T) {
	for _, c := range []struct {
		what string
		game table.Game
		seed uint64
		hide func(l *laidOut, i int) []table.Reading // in a picture; the first is hidden, if there is one
		most int                                     // questions more than if nothing is hidden
	}{
		{"one of the dice that are drawn, before another is taken", table.DiceCreams, 9104, func(l *laidOut, i int) []table.Reading {
			if l.Truth.Steps[i].Note != "The Fridge is filled." || l.saysOf(i) || len(l.newcomers(i, true)) != 1 {
				return nil
			}
			return slices.DeleteFunc(l.newcomers(i, false), func(r table.Reading) bool { return r.At == l.newcomers(i, true)[0].At })
		}, 1},
		{"a stolen die, before points are said for it", table.FromageATrois, 9108, func(l *laidOut, i int) []table.Reading {
			if !l.saysOf(i) {
				return nil
			}
			return slices.DeleteFunc(l.newcomers(i, false), func(r table.Reading) bool { return !l.inPlace(r.At, l.views[i]) })
		}, 3},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := layOut(t, c.game, c.seed)
			want, _ := l.watch(t, l.views)
			usual := len(want)
			want = slices.DeleteFunc(want, isDoubt)
			usual -= len(want)
			hidden := 0
			for i := 1; i+1 < len(l.views); i++ {
				list := c.hide(l, i)
				if len(list) == 0 {
					continue
				}
				hidden++
				views := slices.Clone(l.views)
				views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool { return r.At == list[0].At })
				got, _ := l.watch(t, views)
				asked := len(got)
				got = slices.DeleteFunc(got, isDoubt)
				if asked -= len(got); asked > usual+c.most {
					t.Errorf("picture %d: asked %d times, else %d", i, asked, usual)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("picture %d (- wanted, + told):\n%s", i, d)
				}
			}
			if hidden == 0 {
				t.Error("nothing is hidden")
			}
			t.Logf("in %d pictures", hidden)
		})
	}
}

// saysOf says whether a player says something of a picture.
func (l *laidOut) saysOf(picture int) bool {
	for _, s := range l.Says {
		if s.Frame == picture {
			return true
		}
	}
	return false
}
