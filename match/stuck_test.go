package match

import (
	"testing"

	"diceref/table"
)

// TestStuck: where nothing can be taken in for long it is said why, not before, and no more once it can.
func TestStuck(t *testing.T) {
	red := map[string]table.Die{"b2": {Color: table.Red, Face: 2}}
	hidden := []table.Warning{{Code: "hand", Text: "something is covering the board"}}
	for name, c := range map[string]struct {
		pushed   table.Point
		dice     map[string]table.Die // that are seen meanwhile
		warnings []table.Warning
		want     string
	}{
		"nothing is wrong":                      {dice: red},
		"it is elsewhere, and nothing tells":    {pushed: table.Point{X: 300, Y: 60}, want: "turned"},
		"a box lies over the board":             {dice: nil, warnings: hidden, want: "hand"},
		"it is moved a little":                  {pushed: table.Point{X: 40, Y: 20}, dice: red},
		"elsewhere, and several dice know it":   {pushed: table.Point{X: 300, Y: 60}, dice: arena("b2 R2 c4 G5 d1 Y3")},
		"elsewhere, and one die is no evidence": {pushed: table.Point{X: 300, Y: 60}, dice: red, want: "turned"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			a := &arenaViews{views{m: m, pictures: 30}}
			told := func(want string) {
				t.Helper()
				code := ""
				if w := m.Stuck(); w != nil {
					code = w.Code
				}
				if code != want {
					t.Errorf("after %.1f s %q is told, want %q", m.t, code, want)
				}
				if got := m.Warned(table.Observation{}).Warnings; len(got) != len([]byte(want))/max(len(want), 1) {
					t.Errorf("the page is warned of %v, want %q", got, want)
				}
			}
			a.show(nil)
			a.show(arena("b2 R2"))
			a.show(arena("b2 R2 c4 G5"))
			a.show(arena("b2 R2 c4 G5 d1 Y3"))
			told("")
			a.pushed, a.warnings = c.pushed, c.warnings
			for range 3 { // of 3.1 seconds each
				a.show(c.dice)
				told("")
			}
			a.show(c.dice)
			told(c.want)
			a.pushed, a.warnings = table.Point{}, nil
			a.show(arena("b2 R2 c4 G5 d1 Y3"))
			told("")
		})
	}
}
