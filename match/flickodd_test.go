package match

import (
	"slices"
	"testing"
)

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
			a.show(arena("a1 Y3"))
			a.show(arena("a1 Y3 c1 G5"))
			a.say(t, SayNext)
			a.show(arena("a1 Y3 c1 G5 e5 W1"))
			a.show(arena("a1 Y3 c1 G5 e5 W1 b2 B6"))
			a.say(t, SayNext)
			a.show(arena("a1 Y3 c1 G5 e5 W1 b2 B6 d4 W2"))
			a.show(arena(c.left))
			a.say(t, SayNext)
			a.hands(1)
			if got := slices.Contains(a.m.provisional(), Cell{Player: 0, Round: 2}); got != c.odd {
				t.Errorf("round 2 of A is not certain: %t, want %t; told %q", got, c.odd, wordsOf(a.m.movesSince(0)))
			}
		})
	}
}
