package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// Of two turns in one view the one that was seen first is told first. What was only half seen is asked.
func TestInOrder(t *testing.T) {
	e1, c3 := onSquare("e1"), onSquare("c3")
	tests := []struct {
		name string
		seen []table.Sooner
		want []string
	}{
		{"seen", []table.Sooner{{First: c3, Then: e1, Plain: true}}, []string{"move A places green 2 on c3.", "move B places yellow 6 on e1."}},
		{"the other first", []table.Sooner{{First: e1, Then: c3, Plain: true}}, []string{"move A places yellow 6 on e1.", "move B places green 2 on c3."}},
		{"half seen", []table.Sooner{{First: c3, Then: e1}}, []string{
			"doubt What happened: A places green 2 on c3, then B places yellow 6 on e1, or A places yellow 6 on e1, then B places green 2 on c3?",
			"move A places green 2 on c3.", "move B places yellow 6 on e1.", "move C places purple 3 on a5.",
		}},
		{"half seen, the other first", []table.Sooner{{First: e1, Then: c3}}, []string{
			"doubt What happened: A places yellow 6 on e1, then B places green 2 on c3, or A places green 2 on c3, then B places yellow 6 on e1?",
			"move A places yellow 6 on e1.", "move B places green 2 on c3.", "move C places purple 3 on a5.",
		}},
		{"against itself", []table.Sooner{{First: e1, Then: c3, Plain: true}, {First: c3, Then: e1, Plain: true}}, []string{
			"doubt What happened: A places yellow 6 on e1, then B places green 2 on c3, or A places green 2 on c3, then B places yellow 6 on e1?",
			"move A places yellow 6 on e1.", "move B places green 2 on c3.", "move C places purple 3 on a5.",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSupplyTable(t)
			x.sooner = tt.seen
			x.board[e1], x.board[c3] = x.take(table.Die{Color: table.Yellow, Face: 6}), x.take(table.Die{Color: table.Green, Face: 2})
			x.look()
			x.sooner = nil
			want := tt.want
			if len(want) > 2 {
				x.place(table.Purple, 3, "a5")
			}
			if d := cmp.Diff(want, x.said()); d != "" {
				t.Errorf("told otherwise (-want +got):\n%s", d)
			}
		})
	}
}
