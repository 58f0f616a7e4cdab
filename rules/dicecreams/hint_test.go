package dicecreams

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestHints(t *testing.T) {
	s := atDraft(t, 2, nil, "green4 blue4 yellow1 green1 orange2", "plain:A=blue4,blue4,-")
	rulestest.Hints(t, s, `
		serves 7: green 4 completes plain and serves Same: 7 Fame
		serves 7: blue 4 completes plain and serves Same: 7 Fame
		serves 6: orange 2 completes plain and serves Even: 6 Fame
		completes 2: green 1 completes plain: 2 Fame
		completes 2: yellow 1 completes plain: 2 Fame
		fits: green 1 fits on spare-1.0, spare-1.1, spare-1.2, spare-2.0, spare-2.1 and spare-2.2
		fits: green 4 fits on spare-1.0, spare-1.1, spare-1.2, spare-2.0, spare-2.1 and spare-2.2`)
	s = play(t, s, "A take blue4 plain.2")
	rulestest.Hints(t, s, `
		serves 5: a token on Same is worth 5
		serves 4: a token on Even is worth 4`)
	s = atDraft(t, 2, nil, "blue4 blue3 yellow1 black1 orange2", "green:A=green4,-,- spare-3:A=green1,-,-")
	rulestest.Hints(t, s, "discard: no die fits: discard one for a Sprinkle")
	s.phase, s.fridge = melting, s.fridge[:0]
	s.fridge = append(s.fridge, s.creams[s.cardIndex("green")].dice[0]) // one green die is left
	rulestest.Hints(t, s, "melts: the dice on spare-3.0 melt away")
}
