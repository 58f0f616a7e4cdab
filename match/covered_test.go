package match

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestCovered has an arm lie over squares and over dice beside the board. What happens elsewhere is told at once; what may have
// happened under it is waited for, with all that came after it.
func TestCovered(t *testing.T) {
	corner := []table.Square{onSquare("a1"), onSquare("b1")}
	placeUnderIt := func(x *supplyTable, told func(so ...string)) {
		x.look()
		x.place(table.Green, 4, "a1")
		told()
		x.place(table.Yellow, 4, "c3")
		told()
		x.covered = nil
		x.look()
	}
	for name, c := range map[string]struct {
		play func(x *supplyTable, told func(so ...string))
		want []string
	}{
		"dice lie under it": {func(x *supplyTable, told func(so ...string)) {
			x.place(table.Green, 4, "a1")
			x.covered = corner
			x.look()
			x.place(table.Yellow, 4, "c3")
			told("move A places green 4 on a1.", "move B places yellow 4 on c3.")
			x.place(table.Red, 2, "e5")
			x.covered = nil
			x.look()
		}, []string{"move A places green 4 on a1.", "move B places yellow 4 on c3.", "move C places red 2 on e5."}},
		"one is placed under it": {func(x *supplyTable, told func(so ...string)) {
			x.covered = corner
			placeUnderIt(x, told)
		}, []string{"move A places green 4 on a1.", "move B places yellow 4 on c3."}},
		"one is placed under it from under it": {func(x *supplyTable, told func(so ...string)) {
			x.covered = slices.Clone(corner)
			for row := range table.Size {
				x.covered = append(x.covered, table.Square{Row: row - 1, Col: -2})
			}
			x.unseen[table.Die{Color: table.Green, Face: 4}] = true
			placeUnderIt(x, told)
		}, []string{ // which of them came first nobody has seen
			"doubt What happened: A places yellow 4 on c3, then B places green 4 on a1, or A places green 4 on a1, then B places yellow 4 on c3?",
			"move A places yellow 4 on c3.", "move B places green 4 on a1.",
		}},
		"one is moved from under it": {func(x *supplyTable, _ func(so ...string)) {
			x.place(table.Green, 4, "a1")
			x.covered = corner
			x.look()
			x.tip("a1", "a2", 2)
		}, []string{"move A places green 4 on a1.", "move B moves green 2 from a1 to a2."}},
		"it lies over dice beside the board": {func(x *supplyTable, _ func(so ...string)) {
			for row := range table.Size {
				x.covered = append(x.covered, table.Square{Row: row - 1, Col: -2})
			}
			x.look()
			x.place(table.Purple, 4, "c3")
			x.covered = nil
			x.look()
			x.place(table.Purple, 3, "c4")
		}, []string{"move A places purple 4 on c3.", "move B places purple 3 on c4."}},
	} {
		t.Run(name, func(t *testing.T) {
			x := newSupplyTable(t)
			c.play(x, func(so ...string) {
				if d := cmp.Diff(so, x.said()); d != "" {
					t.Errorf("by then told otherwise (-want +got):\n%s", d)
				}
			})
			if d := cmp.Diff(c.want, x.said()); d != "" {
				t.Errorf("told otherwise (-want +got):\n%s", d)
			}
		})
	}
}
