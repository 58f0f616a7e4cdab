package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestHidden: a die that is not seen while another moves is told to be hidden where all dice beside the
// board are known, and none like it has come.
func TestHidden(t *testing.T) {
	yellow := table.Die{Color: table.Yellow, Face: 6}
	for name, c := range map[string]struct {
		play func(*supplyTable)
		want []string
	}{
		"not seen while another moves": {func(x *supplyTable) {
			x.hidden[onSquare("a1")] = true
			x.tip("c3", "c4", 3)
			delete(x.hidden, onSquare("a1"))
		}, []string{"move B moves green 3 from c3 to c4.", "move C places red 5 on e5."}},
		"not seen as the act after it is taken back": {func(x *supplyTable) {
			x.tip("c3", "c4", 2)
			x.hidden[onSquare("a5")] = true
			x.tip("c4", "c3", 2)
			delete(x.hidden, onSquare("a5"))
		}, []string{"DD-MOVE-SLIDE B moves green 2 from c3 to c4.", "takeback B takes the last move back.", "move B places red 5 on e5."}},
		"hardly seen, then not while another comes": {func(x *supplyTable) {
			x.doubtful, x.glance[onSquare("a1")] = true, .5
			x.look()
			x.place(table.Red, 1, "c5")
			x.hidden[onSquare("a1")] = true
			x.place(table.Red, 2, "d5")
		}, []string{"move B places red 1 on c5.", "move C places red 2 on d5.", "move A places red 5 on e5."}},
		"not seen while one comes that it may have become": {func(x *supplyTable) {
			x.hidden[onSquare("a1")] = true
			x.place(table.Yellow, 5, "a2")
			delete(x.hidden, onSquare("a1"))
		}, []string{"move B places yellow 5 on a2.", "move C places red 5 on e5."}},
		"the same, where others of its color are hardly read": {func(x *supplyTable) {
			x.dim[table.Die{Color: table.Yellow, Face: 1}] = true
			x.hidden[onSquare("a1")] = true
			x.place(table.Yellow, 5, "a2")
			delete(x.board, onSquare("a1"))
		}, []string{"move B moves yellow 5 from a1 to a2.", "move C places red 5 on e5."}},
		"one like it has come": {func(x *supplyTable) {
			delete(x.board, onSquare("a1"))
			x.supply = append(x.supply, yellow)
			x.tip("c3", "c4", 3)
		}, []string{
			"move B moves green 3 from c3 to c4.", "move C places red 5 on e5.",
		}},
	} {
		x := newSupplyTable(t)
		x.place(yellow.Color, yellow.Face, "a1")
		x.place(table.Green, 2, "c3")
		x.place(table.Purple, 1, "e1")
		x.place(table.Purple, 2, "a5")
		c.play(x)
		x.place(table.Red, 5, "e5")
		want := append([]string{"move A places yellow 6 on a1.", "move B places green 2 on c3.", "move C places purple 1 on e1.", "move A places purple 2 on a5."}, c.want...)
		if diff := cmp.Diff(want, x.said()); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}
