package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestBreachBorneOut: a breach of the rules in a view in which a die is not seen, or before such a view,
// is asked about; once what follows bears it out, it is told, and so is all that follows.
func TestBreachBorneOut(t *testing.T) {
	const note = "The Cart is cleared, but a set stays in the hand."
	for _, seed := range []uint64{9101, 9102, 9106, 9108} {
		l := layOut(t, table.FromageATrois, seed)
		breach := l.noted(t, note)
		usual, _ := l.watch(t, l.views)
		want := slices.DeleteFunc(slices.Clone(usual), isDoubt)
		for unclear := breach; unclear <= breach+1; unclear++ {
			inShop := slices.IndexFunc(l.views[unclear].Dice, func(r table.Reading) bool { return l.inZone(shopKey, r.At, l.views[unclear]) })
			views := slices.Clone(l.views)
			views[unclear].Dice = slices.Delete(slices.Clone(views[unclear].Dice), inShop, inShop+1)
			got, _ := l.watch(t, views)
			asked := len(got)
			got = slices.DeleteFunc(got, isDoubt)
			if asked -= len(got); asked > len(usual)-len(want)+1 {
				t.Errorf("seed %d, picture %d: asked %d times, else %d", seed, unclear, asked, len(usual)-len(want))
			}
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, picture %d: told %d of %d: %q", seed, unclear, len(got), len(want), got)
			}
		}
	}
}

// TestAnew: two pictures in a row in which nothing is seen but the shop. What happened in them is
// asked about, and the rest of the game is told: play goes on from how the table stood. Nobody is told to
// have broken the rules who did not.
func TestAnew(t *testing.T) {
	for _, c := range []struct {
		seed  uint64
		blind int // the first of the pictures
		most  int // acts of the game up to the last that is not told as it was
	}{
		{9102, 10, 30},
		{9108, 20, 27},
		{9111, 20, 45},
	} {
		l := layOut(t, table.FromageATrois, c.seed)
		views := slices.Clone(l.views)
		for i := c.blind; i < c.blind+2; i++ {
			views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool { return !l.inZone(shopKey, r.At, views[i]) })
		}
		told, _ := l.watch(t, views)
		want := l.told()
		anew, same := 0, 0
		for same < min(len(told), len(want)) && told[len(told)-1-same] == want[len(want)-1-same] {
			same++
		}
		for _, e := range told {
			switch {
			case strings.HasPrefix(e, "stands"):
				anew++
			case !isDoubt(e) && strings.Contains(e, "FR-") && !slices.Contains(want, e):
				t.Errorf("seed %d: told is %q", c.seed, e)
			}
		}
		t.Logf("seed %d: %d of %d told, the last %d in a row, anew %d", c.seed, len(told), len(want), same, anew)
		if len(want)-same > c.most || anew == 0 {
			t.Errorf("seed %d: the last %d of %d are told, %d times anew", c.seed, same, len(want), anew)
		}
	}
}

// TestFaintDieKept: a die that was hardly seen in the Cart may be overlooked where it was kept, and nobody is
// told to have kept too few for that.
func TestFaintDieKept(t *testing.T) {
	for _, seed := range []uint64{9101, 9104} {
		l := layOut(t, table.FromageATrois, seed)
		want := l.told()
		tried := 0
		for i := 2; i+2 < len(l.views); i++ {
			kept := slices.DeleteFunc(l.newcomers(i, false), func(r table.Reading) bool { return !l.inPlace(r.At, l.views[i]) })
			was := slices.IndexFunc(l.views[i-1].Dice, func(r table.Reading) bool {
				return len(kept) > 0 && r.Face == kept[0].Face && l.inZone(cartKey, r.At, l.views[i-1])
			})
			if l.Truth.Steps[i].Note != "Kept or taken." || was < 0 {
				continue
			}
			tried++
			views := slices.Clone(l.views)
			views[i-1].Dice = slices.Clone(views[i-1].Dice)
			views[i-1].Dice[was].Sure, views[i-1].Dice[was].Confidence = false, 0.99
			for k := i; k < min(i+3, len(views)); k++ {
				views[k].Dice = slices.DeleteFunc(slices.Clone(views[k].Dice), func(r table.Reading) bool { return r.At == kept[0].At })
			}
			told, _ := l.watch(t, views)
			for n, e := range told {
				if strings.Contains(e, "FR-KEEP-COUNT") && !slices.Contains(want, e) && !slices.ContainsFunc(told[max(0, n-4):n], isDoubt) {
					t.Errorf("seed %d, picture %d: told is %q", seed, i, e)
				}
			}
		}
		if tried == 0 {
			t.Errorf("seed %d: nobody keeps anything", seed)
		}
	}
}
