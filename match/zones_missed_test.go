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

// asItIsSaid hides dice that come in pictures with such a note, of which players say more.
func asItIsSaid(note string) func(l *laidOut, i int) []table.Reading {
	return func(l *laidOut, i int) []table.Reading {
		if l.Truth.Steps[i].Note != note || !l.saysOf(i) {
			return nil
		}
		return l.newcomers(i, false)
	}
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
		{"one of the dice that are drawn, while others of them are said to be taken", table.DiceCreams, 29, asItIsSaid("The Fridge is filled."), 1},
		{"the die of which it is said, after others, that it was taken", table.DiceCreams, 1, func(l *laidOut, i int) []table.Reading {
			if list := l.newcomers(i, true); l.Truth.Steps[i].Note == "The Fridge is filled." && l.saysOf(i) && len(list) > 1 {
				return list[len(list)-1:]
			}
			return nil
		}, 1},
		{"a die that is drawn from the bag, before it is said where it was put", table.DiceCreams, 9108, asItIsSaid("A die is drawn and rolled."), 1},
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

// TestNeverShown hides a die of the Fridge in all pictures for as long as it is there. All is told
// right, with one question more at most: what the die is, is learned from what is said, from where it
// comes to lie, or from what it melts, or it never matters. What was told before stays as it was.
func TestNeverShown(t *testing.T) {
	for _, c := range []struct {
		what    string
		seed    uint64
		picture int
		die     table.Die
	}{
		{"it is said where it went", 2, 1, table.Die{Color: table.Blue, Face: 3}},
		{"it comes to a place, and nobody says so", 2, 15, table.Die{Color: table.Blue, Face: 4}},
		{"it melts others", 2, 15, table.Die{Color: table.Orange, Face: 1}},
		{"it melts none", 2, 1, table.Die{Color: table.Yellow, Face: 2}},
		{"it melts none, and goes back to the bag", 3, 1, table.Die{Color: table.Orange, Face: 1}},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := layOut(t, table.DiceCreams, c.seed)
			list := l.newcomers(c.picture, false)
			at := list[slices.IndexFunc(list, func(r table.Reading) bool { return r.Die == c.die })].At
			lies := func(r table.Reading) bool { return r.At == at && r.Die == c.die }
			views := slices.Clone(l.views)
			for i := c.picture; i < len(views) && slices.ContainsFunc(views[i].Dice, lies); i++ {
				views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), lies)
			}
			want, _ := l.watch(t, l.views)
			got, _ := l.watch(t, views)
			if why := unannounced(got, l.told()); why != "" {
				t.Errorf("silently wrong: %s", why)
			}
			asked, usual := len(got), len(want)
			want, got = slices.DeleteFunc(want, isDoubt), slices.DeleteFunc(got, isDoubt)
			if asked, usual = asked-len(got), usual-len(want); asked > usual+1 {
				t.Errorf("asked %d times, else %d", asked, usual)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(- wanted, + told):\n%s", d)
			}
		})
	}
}

// TestStackedInTheShop hides a die that came to the shop at the end of a turn with others, which show
// there, in one picture: it is on or behind them. Nobody is asked about it.
func TestStackedInTheShop(t *testing.T) {
	const together = 4 // dice that come to the shop at once
	l := layOut(t, table.FromageATrois, 9108)
	want, _ := l.watch(t, l.views)
	hidden := 0
	for i := 1; i+1 < len(l.views); i++ {
		come := slices.DeleteFunc(l.newcomers(i, false), func(r table.Reading) bool { return !l.inZone(shopKey, r.At, l.views[i]) })
		if len(come) < together || !l.onlyEnds(i) {
			continue
		}
		hidden++
		views := slices.Clone(l.views)
		views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool { return r.At == come[0].At })
		if got, _ := l.watch(t, views); !slices.Equal(got, want) {
			t.Errorf("picture %d (- wanted, + told):\n%s", i, cmp.Diff(want, got))
		}
	}
	if hidden == 0 {
		t.Error("nothing is hidden")
	}
	t.Logf("in %d pictures", hidden)
}

// onlyEnds says whether a turn ends in a picture as it may, and nothing else happens but a roll.
func (l *laidOut) onlyEnds(picture int) bool {
	events := l.Truth.Steps[picture].Events
	for _, e := range events {
		if word := strings.Fields(e.Text + " -"); e.Code != "" || word[1] != "end" && word[1] != "roll" {
			return false
		}
	}
	return len(events) > 0
}
