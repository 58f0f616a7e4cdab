package rules_test

import (
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// TestStands: a board is taken over as it stands, with the player who is next.
func TestStands(t *testing.T) {
	for _, g := range []rules.Game{dessertdice.Game, dicebox.Game} {
		s, err := g.New(rules.Setup{Players: 3})
		if err != nil {
			t.Fatal(err)
		}
		const text = "stands b2=red4 c3=black5 next=C"
		m, err := g.ParseMove(text)
		if err != nil || m.String() != text {
			t.Fatalf("%s reads it as %v, %v", g.Name(), m, err)
		}
		if err := s.Check(m); err != nil {
			t.Errorf("%s: %v", g.Name(), err)
		}
		next, err := s.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		want := map[table.Square]table.Die{{Row: 1, Col: 1}: {Color: table.Red, Face: 4}, {Row: 2, Col: 2}: {Color: table.Black, Face: 5}}
		got := next.Expect().Squares
		if len(got) != 2 || got[table.Square{Row: 1, Col: 1}] != want[table.Square{Row: 1, Col: 1}] || next.ToMove() != 2 {
			t.Errorf("%s stands as %v, %v to move", g.Name(), got, next.ToMove())
		}
		for bad, why := range map[string]string{
			"stands b2=red":              "expected one such as red4",
			"stands b2=mauve3":           "unknown color",
			"stands f2=red3":             "f2",
			"stands b2=red3 b2=red4":     "two dice",
			"stands b2=red3 next=D":      "not a player",
			"stands a1=black1 b1=black2": "2 black dice",
		} {
			m, err := g.ParseMove(bad)
			if err == nil {
				_, err = s.Apply(m)
			}
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %q gives %v, want %q", g.Name(), bad, err, why)
			}
		}
	}
}
