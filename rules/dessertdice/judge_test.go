package dessertdice

import (
	"testing"

	"diceref/rules/rulestest"
)

func TestCases(t *testing.T) { rulestest.Cases(t, "testdata/cases", Judge) }

// TestNames holds that a reason calls players by their names in the case.
func TestNames(t *testing.T) {
	for _, c := range []struct{ state, action, why string }{
		{`"to_move":"Zoë"`, `{"type":"place","player":"Bo","die":"R1","to":[0,0]}`, "It is Zoë's turn, not Bo's: turns go clockwise."},
		{`"to_move":0`, `{"type":"place","player":1,"die":"R1","to":[0,0]}`, "It is A's turn, not B's: turns go clockwise."},
		{`"last_action":{"type":"move","player":"Zoë","from":[1,2],"to":[2,2]}`, `{"type":"move","from":[2,2],"to":[1,2],"top":1}`, "Zoë just tipped this die from c2 to c3: tipping it straight back is not allowed."},
		{`"last_action":{"type":"move","from":[1,2],"to":[2,2]}`, `{"type":"move","from":[2,2],"to":[1,2],"top":1}`, "The player before just tipped this die from c2 to c3: tipping it straight back is not allowed."},
	} {
		state := `{"board":[".. .. .. .. ..",".. .. .. .. ..",".. .. R3 .. ..",".. .. .. .. ..",".. .. .. .. .."],` + c.state + "}"
		got, err := rulestest.Answer(t, Judge, ``, state, c.action, "")
		if err != nil {
			t.Fatal(err)
		}
		if got["why"] != c.why {
			t.Errorf("%s: why %q, want %q", c.action, got["why"], c.why)
		}
	}
}
