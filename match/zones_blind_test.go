package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestTakenUnseen: a die that was taken, and that went away with its IceCream before the next
// picture in which the Fridge is empty too, is asked about: which of those that fit it was.
func TestTakenUnseen(t *testing.T) {
	const seed, last = 2, 12 // the pictures 10 and 11, of the taking and the melting, are not taken
	l := layOut(t, table.DiceCreams, seed)
	told, _ := l.watch(t, slices.DeleteFunc(slices.Clone(l.views[:last+1]), func(o table.Observation) bool { return o.Frame == 10 || o.Frame == 11 }))
	i := slices.IndexFunc(told, func(e string) bool { return strings.Contains(e, "away liquorice-1") })
	if i < 0 {
		t.Fatalf("seed %d is told as %q", seed, told)
	}
	asks := func(e string) bool { return strings.HasPrefix(e, "doubt: What happened: A take ") }
	if !slices.ContainsFunc(told[:i], asks) {
		t.Errorf("a die that nobody saw is told without a word: %q", told[:i])
	}
	whole, _ := l.watch(t, l.views[:last+1])
	if slices.ContainsFunc(whole, asks) {
		t.Errorf("where every picture was taken it is asked which die was taken: %q", whole)
	}
}

// TestRolledThenMelted: a die that was drawn and placed in a picture that was not taken, and that
// has melted in the next, came up one higher; nobody has spent a Sprinkle on it.
func TestRolledThenMelted(t *testing.T) {
	const seed, unseen, last = 4, 21, 22
	l := layOut(t, table.DiceCreams, seed)
	told, _ := l.watch(t, slices.DeleteFunc(slices.Clone(l.views[:last+1]), func(o table.Observation) bool { return o.Frame == unseen }))
	want := "move B melt blueberry-1.1=2 blueberry-1.2=3 "
	if !slices.ContainsFunc(told, func(e string) bool { return strings.HasPrefix(e, want) }) {
		t.Errorf("seed %d: nothing is told as %q: %q", seed, want, told)
	}
	if i := slices.IndexFunc(told, func(e string) bool { return strings.Contains(e, " bump ") }); i >= 0 {
		t.Errorf("seed %d: invented: %q", seed, told[i])
	}
}

// TestSeenOnItsOwn: where a picture has shown a breach of the rules on its own, in the middle of what might
// still have become right, the next tells no more than what has happened since. Without that picture it is asked what has happened.
func TestSeenOnItsOwn(t *testing.T) {
	const seed, note = 30000, "The Cart is cleared, but a set stays in the hand."
	l := layOut(t, table.FromageATrois, seed)
	i := l.noted(t, note)
	asks := func(views []table.Observation) bool {
		events := l.seeing(t, views).Events()
		for _, e := range events {
			if e.Type == TypeMove && e.Code != "" && !slices.Contains(l.told(), lineOf(e.Type, fmt.Sprint(e.Move), e.Code)) {
				t.Errorf("seed %d: told is %q", seed, e.Text)
			}
		}
		return events[len(events)-1].Type == TypeDoubt
	}
	if asks(l.views[:i+2]) {
		t.Errorf("seed %d: what picture %d shows is asked about once more", seed, i)
	}
	if !asks(slices.Delete(slices.Clone(l.views[:i+2]), i, i+1)) {
		t.Errorf("seed %d: without picture %d it is not asked what has happened", seed, i)
	}
}
