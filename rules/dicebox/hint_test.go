package dicebox

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestHints(t *testing.T) {
	const hands = "seed 4; hand A R1 R3 R5 Y5 Y5 Y5 B1 B1 B1 W1 W1 W1; hand B R6 R6 R6 Y6 Y6 Y6 B6 B6 B6 W6 W6 W6"
	for _, c := range []struct{ acts, want string }{
		{hands, `fits 5: red 5 fits on b3, c2, c4 and d3
			fits 3: red 3 fits on b3, c2, c4 and d3
			fits: yellow 5 fits on b3, c2, c4 and d3`},
		{hands + "; A place R3 c2", "reroll: none of your dice fits: reroll all of them"},
		{"seed 6", "open: a 5 fits on c2, b3, d3 and c4"},
		{"seed 4; A place R5 c2; B place R6 c1; A place R3 b3; B place R2 a3; A place R1 a2", `open: a 1 fits on a4
			open: a 2 fits on a1 and b4
			open: a 3 fits on d3, a4 and c4
			open: a 4 fits on d2 and b4
			open: a 5 fits on b1, d1, d3 and c4
			open: a 6 fits on d2
			dead: nothing can ever fit on b2`},
	} {
		rulestest.Hints(t, played(t, 2, c.acts), c.want)
	}
	rulestest.Hints(t, played(t, 4, "A draft R"), "") // before the Seed
}
