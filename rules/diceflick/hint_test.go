package diceflick_test

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestHints(t *testing.T) {
	s := play(t, start(t, 2, nil), setMarkers)
	rulestest.Hints(t, s, `
		bonus: a die on e1 brings a bonus flick
		aim 12: one more pink die on c3 would add at least 12 points
		aim 2: one more blue die on c3 would add at least 2 points
		aim 2: one more green die on c3 would add at least 2 points`)
	s = play(t, s, "A flick W4 c3", "A miss B")
	rulestest.Hints(t, s, "center 8: the center of c3 is worth 8")
	s = play(t, s, "arena B1 B2 .. .. .. / .. .. .. .. .. / .. .. W4 .. .. / .. .. .. .. P* / .. .. .. .. ..")
	rulestest.Hints(t, s, `
		combo 5: the combination of a1, b1 and b2 is worth 5
		center 8: the center of c3 is worth 8
		blast 10: the blast line of b4, d4 and e4 is worth 10`)
}
