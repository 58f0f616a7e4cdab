package dicebox

import (
	"fmt"
	"testing"

	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", Judge) }

// TestNames holds that a reason calls players by their names in the case.
func TestNames(t *testing.T) {
	for _, c := range []struct{ turn, action, why string }{
		{`"Zoë"`, `{"type":"pass","player":"Cy"}`, "It is Zoë's turn, not Cy's: turns go to the left."},
		{`"Zoë"`, `{"type":"place","die":"Y2","to":[1,2]}`, "Zoë has no yellow die."},
		{`"Bo"`, `{"type":"place","die":"R2","to":[1,2]}`, "Bo has no R2: place a die as it was rolled."},
		{`"Zoë"`, `{"type":"pass"}`, "Zoë has a die that fits (R2 on c2) and must place it."},
		{`"Bo"`, `{"type":"pass"}`, "Bo has dice, but none fits: all of them must be rerolled."},
		{`"Bo"`, `{"type":"reroll","result":["W1"]}`, "Bo must reroll all of their dice and no others: the same number of each color as before."},
		{`1`, `{"type":"reroll"}`, "B has no dice left to roll."},
	} {
		state := `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. S1 .. ..",".. .. .. .. ..",".. .. .. .. .."],
			"hands":{"Zoë":["R2"],"Bo":["R4"],"B":[]},"to_move":` + c.turn + "}"
		got, err := rulestest.Answer(t, Judge, ``, state, c.action, "")
		if err != nil {
			t.Fatal(err)
		}
		if got["why"] != c.why {
			t.Errorf("%s %s: why %q, want %q", c.turn, c.action, got["why"], c.why)
		}
	}
}

// A case with more hands than could be read at once is refused.
func TestManyHands(t *testing.T) {
	hands := `"A":[]`
	for i := range mostHands {
		hands += fmt.Sprintf(`,"p%d":[]`, i)
	}
	_, err := rulestest.Answer(t, Judge, ``, `{"hands":{`+hands+`}}`, `{"type":"pass"}`, "")
	if err == nil || err.Error() != "state: hands: 27 players are too many" {
		t.Errorf("%d hands: %v", mostHands+1, err)
	}
}
