package match

import (
	"testing"

	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// TestInferredBreach: dice that were seen to be gone, and that no scoring takes, are no breach of anybody's; that it may have been
// misread is told. Dice that a player has named are, and so are all where no camera watches.
func TestInferredBreach(t *testing.T) {
	hole := scoring.HoleSet(table.Square{Row: 1, Col: 1})
	for _, c := range []struct {
		what    string
		watched bool
		inFull  bool
		accused bool
	}{
		{"seen to be gone", true, false, false},
		{"declared before a camera", true, true, true},
		{"declared, no camera", false, false, true},
	} {
		m, err := New(Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		m.began, m.inFull = c.watched, c.inFull
		for _, mv := range []diceflick.Flick{{Die: table.Die{Color: table.Blue, Face: 3}, Rests: true, To: hole.Squares()[0]}, {}} {
			if err := m.playOne(ByCamera, mv); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.playOne(ByPlayer, diceflick.Score{Seen: true, Removed: hole}); err != nil {
			t.Fatal(err)
		}
		e := m.Events()[len(m.Events())-1]
		if accused := e.Legal != nil && !*e.Legal && e.Code == "DF-REMOVE"; accused != c.accused || (e.Open == "DF-REMOVE") == c.accused || e.Why == "" {
			t.Errorf("%s: %q, legal %v, code %q, open %q", c.what, e.Text, e.Legal, e.Code, e.Open)
		}
		m.inFull = false
		m.rejudge()
		if again := m.Events()[len(m.Events())-1]; again.Open != e.Open || again.Code != e.Code {
			t.Errorf("%s: judged again: code %q, open %q", c.what, again.Code, again.Open)
		}
	}
}
