package dicebox

import (
	"errors"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// TestHad: a die that was seen in a hand whose others are not known decides whether its
// owner had to play.
func TestHad(t *testing.T) {
	s, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	play := func(act string) {
		t.Helper()
		m, err := Game.ParseMove(act)
		if err == nil {
			s, err = s.Apply(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	play("seed 3")
	for _, c := range []struct{ act, code string }{
		{"A reroll", ""},
		{"A reroll had Y5", ""}, // fits nowhere beside a 3
		{"A reroll had Y4", "BX-MUSTPLAY"},
		{"A reroll had Y4 to R1 R1 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1", "BX-MUSTPLAY"},
		{"A pass", "BX-MUSTROLL"},
		{"A pass had Y5", "BX-MUSTROLL"},
		{"A pass had W2", "BX-MUSTPLAY"},
	} {
		m, err := Game.ParseMove(c.act)
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != c.act {
			t.Errorf("%q is written as %q", c.act, m)
		}
		var why rules.Illegal
		if errors.As(s.Check(m), &why); why.Code() != c.code {
			t.Errorf("%s: %q, want %q", c.act, why.Code(), c.code)
		}
	}
	for _, bad := range []string{"A reroll had", "A reroll had Q4", "A pass had S4 now", "A pass Y4"} {
		if m, err := Game.ParseMove(bad); err == nil {
			t.Errorf("%q was read as %v", bad, m)
		}
	}
	if m, err := Game.ParseMove("A reroll had S4"); err == nil && s.Check(m) == nil {
		t.Error("the Seed was seen in a hand")
	}
	play("A place Y4 c4")
	play("B reroll")
	play("A place Y5 c5")
	play("B reroll")
	play("A place Y3 d4")
	play("B reroll")
	if n, known := s.(*State).Left(0, table.Yellow); n != 0 || !known {
		t.Errorf("A has %d yellow dice left (known: %v)", n, known)
	}
	m, _ := Game.ParseMove("A reroll had Y4")
	if _, err := s.Apply(m); err == nil {
		t.Error("a die was seen that the player has placed")
	}
}
