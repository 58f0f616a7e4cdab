package match

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// turns shows the arena with such dice, one view after the other; SayNext among them is said.
func (a *arenaViews) turns(t *testing.T, list ...string) {
	t.Helper()
	for _, dice := range list {
		if dice == SayNext {
			a.say(t, SayNext)
		} else {
			a.show(arena(dice))
		}
	}
}

// TestOdd: a turn in which something has happened that no way of the rules explains well is not certain, and neither is what follows.
func TestOdd(t *testing.T) {
	for name, c := range map[string]struct {
		left string
		odd  bool
	}{
		"all dice stay":                      {"a1 Y3 c1 G5 e5 W1 b2 B6 d4 W2", false},
		"one was knocked out by a miss":      {"a1 Y3 c1 G5 e5 W1 d4 W2", false},
		"three vanish that do not score":     {"b2 B6 d4 W2", true},
		"so do all but the one that came in": {"d4 W2", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := atArena(t)
			a.turns(t, "a1 Y3", "a1 Y3 c1 G5", SayNext, "a1 Y3 c1 G5 e5 W1", "a1 Y3 c1 G5 e5 W1 b2 B6", SayNext)
			a.turns(t, "a1 Y3 c1 G5 e5 W1 b2 B6 d4 W2", c.left, SayNext)
			a.hands(1)
			if got := slices.Contains(a.m.provisional(), Cell{Player: 0, Round: 2}); got != c.odd {
				t.Errorf("round 2 of A is not certain: %t, want %t; told %q", got, c.odd, wordsOf(a.m.movesSince(0)))
			}
		})
	}
}

// TestNewsIsNoCorrection: a score that was not told yet is told as a score, also where what was told before it is put right with
// the same view: that a miss has knocked a die out of the arena.
func TestNewsIsNoCorrection(t *testing.T) {
	for name, left := range map[string]string{
		"two dice are scored": "d4 W2 e5 Y1",
		"none is":             "d4 W2 e5 Y1 a1 P a3 B3",
	} {
		t.Run(name, func(t *testing.T) {
			a := atArena(t)
			a.turns(t, "b2 G4", "b2 G4 d4 W2", SayNext, "b2 G4 d4 W2 a1 P", "b2 G4 d4 W2 a1 P a3 B3", SayNext)
			a.turns(t, "b2 G4 d4 W2 a1 P a3 B3 e5 Y1")
			before := len(a.m.Events())
			for _, then := range []struct {
				word, left string
				pictures   int
			}{{SayMiss, "d4 W2 e5 Y1 a1 P a3 B3", 2}, {SayNext, left, 5}} {
				a.hands(5)
				frame := a.frame + 3
				declare(t, a.m, Declaration{Frame: &frame, Say: then.word})
				a.pictures = then.pictures
				a.show(arena(then.left))
			}
			a.show(arena(left))
			var told []string
			for _, e := range a.m.Events()[before:] {
				told = append(told, e.Type)
			}
			if diff := cmp.Diff([]string{TypeMiss, TypeCorrect, TypeScore}, told); diff != "" {
				t.Errorf("told (- wanted, + told):\n%s", diff)
			}
		})
	}
}
