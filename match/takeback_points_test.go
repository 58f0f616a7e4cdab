package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEarlier: no view says that a roll or a pass was taken back, since the board looks the same
// after it: what was played last is.
func TestEarlier(t *testing.T) {
	tests := []struct {
		name string
		a, b string // the hands, beside dice for the opening
		play func(x *boxTable)
		want []string
	}{
		{"a breach after a roll", "W1 Y2", "W5 B1", func(x *boxTable) {
			x.roll(0, "W2 Y3")
			x.place(1, "B1", "d3")
			delete(x.board, onSquare("d3"))
			x.hands[1] = diceOf(t, "W5 B1")
			x.look()
		}, []string{"reroll Anna", "place Ben - d3 blue 1 legal=false BX-VALUE", "takeback Ben"}},
		{"nothing after a pass", "W1 Y2", "W5 B1", func(x *boxTable) {
			if err := x.m.Declare(Declaration{Say: SayPass}); err != nil {
				t.Fatal(err)
			}
			x.look()
			x.look()
		}, []string{"pass Anna BX-MUSTROLL"}},
		{"a roll after a pass", "W1 Y2", "W1 B1", func(x *boxTable) {
			if err := x.m.Declare(Declaration{Say: SayPass}); err != nil {
				t.Fatal(err)
			}
			x.roll(1, "W2 B4")
		}, []string{"pass Anna BX-MUSTROLL", "reroll Ben"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			x := opened(t, c.a, c.b)
			c.play(x)
			if diff := cmp.Diff(c.want, x.said()); diff != "" {
				t.Errorf("told otherwise (-want +got):\n%s", diff)
			}
		})
	}
}
