package match

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// glimpse shows the table as it is in so few pictures, after a hand was over it.
func (x *supplyTable) glimpse(pictures int) {
	x.pictures = pictures
	x.look()
	x.pictures = 0
}

// Two acts in a view of which there are one or two pictures are asked about all the same, and play
// goes on: nothing else tells of them.
func TestGlanced(t *testing.T) {
	for pictures := 1; pictures <= 2; pictures++ {
		x := newSupplyTable(t)
		for to, d := range map[string]table.Die{"b2": {Color: table.Purple, Face: 4}, "c2": {Color: table.Red, Face: 2}} {
			x.board[onSquare(to)] = x.take(d)
		}
		x.glimpse(pictures)
		x.tip("b2", "b1", 1)
		x.place(table.Green, 1, "e1")
		want := []string{
			"doubt What happened: A places purple 4 on b2, then B places red 2 on c2, or A places red 2 on c2, then B places purple 4 on b2?",
			"move A places purple 4 on b2.", "move B places red 2 on c2.", "move C moves purple 1 from b2 to b1.", "move A places green 1 on e1.",
		}
		if d := cmp.Diff(want, x.said()); d != "" {
			t.Errorf("%d pictures: told otherwise (-want +got):\n%s", pictures, d)
		}
	}
}

// A die that is overlooked while another comes is not taken for the one that moved, also where
// some dice beside the board are never seen.
func TestOverlookedMeanwhile(t *testing.T) {
	tests := []struct {
		name string
		play func(*supplyTable)
		want []string
	}{
		{"while one is placed", func(x *supplyTable) {
			x.place(table.Red, 2, "c2")
			x.place(table.Yellow, 4, "a1")
			x.place(table.Yellow, 5, "a3")
			x.hidden[onSquare("c2")] = true
			x.place(table.Green, 1, "e1")
			x.place(table.Yellow, 1, "a5")
		}, []string{
			"move A places red 2 on c2.", "move B places yellow 4 on a1.", "move C places yellow 5 on a3.",
			"move A places green 1 on e1.", "move B places yellow 1 on a5.",
		}},
		{"while one is moved against the rules", func(x *supplyTable) {
			x.place(table.Purple, 4, "d5")
			x.place(table.Yellow, 1, "c4")
			x.place(table.Red, 2, "a1")
			x.place(table.Red, 4, "e1")
			x.hidden[onSquare("d5")] = true
			x.tip("c4", "b4", 1)
			delete(x.hidden, onSquare("d5"))
			x.tip("b4", "c4", 1)
			x.place(table.Green, 4, "b5")
		}, []string{
			"move A places purple 4 on d5.", "move B places yellow 1 on c4.", "move C places red 2 on a1.", "move A places red 4 on e1.",
			"DD-MOVE-SLIDE B moves yellow 1 from c4 to b4.", "takeback B takes the last move back.", "move B places green 4 on b5.",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSupplyTable(t)
			i := slices.Index(x.supply, table.Die{Color: table.Purple, Face: 6})
			x.supply[i] = table.Die{} // never seen
			x.m, x.frame = dessertMatch(t), 0
			x.look()
			tt.play(x)
			x.tells(tt.want)
		})
	}
}

// Dice beside the board are known once each was in view, be it one after the other.
func TestAllKnown(t *testing.T) {
	x := newSupplyTable(t)
	x.m, x.frame = dessertMatch(t), 0
	blinks := table.Die{Color: table.Red, Face: 3}
	late := table.Die{Color: table.Green, Face: 6}
	x.unseen[late] = true
	x.look()
	delete(x.unseen, late)
	x.unseen[blinks] = true
	x.look()
	x.hidden[onSquare("d4")] = true
	x.place(table.Purple, 1, "d4")
	x.place(table.Yellow, 6, "e1")
	want := []string{"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on e1."}
	x.tells(want)
}

// TestNotTakenBack: a die that is not read for one view leaves its square empty, as if it had been
// taken back; where it had moved on, as if the one beside it had been and it had slid there. Where all
// dice beside the board are known, and none has come, that is not asked: the next view tells.
func TestNotTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*supplyTable)
		want []string
	}{
		"one that moved on": {func(x *supplyTable) {
			x.place(table.Purple, 4, "d4")
			x.tip("d4", "d5", 5)
			x.place(table.Purple, 5, "e5")
			x.hidden[onSquare("c5")] = true
			x.tip("d5", "c5", 1)
		}, []string{"move A places purple 4 on d4.", "move B moves purple 5 from d4 to d5.", "move C places purple 5 on e5.", "move A moves purple 1 from d5 to c5."}},
		"the last one, while another comes": {func(x *supplyTable) {
			x.place(table.Purple, 4, "d4")
			x.place(table.Red, 2, "c2")
			x.place(table.Red, 5, "b2")
			x.hidden[onSquare("b2")] = true
			x.place(table.Red, 1, "e1")
		}, []string{"move A places purple 4 on d4.", "move B places red 2 on c2.", "move C places red 5 on b2.", "move A places red 1 on e1."}},
	} {
		x := newSupplyTable(t)
		c.play(x)
		x.hidden = map[table.Square]bool{}
		x.place(table.Yellow, 3, "a1")
		if d := cmp.Diff(append(c.want, "move B places yellow 3 on a1."), x.said()); d != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, d)
		}
	}
}

// TestSlidAway: a die was placed, and not moved from a square where one is still read, though hardly, whether or not one like it has
// left those beside the board.
func TestSlidAway(t *testing.T) {
	for _, left := range []bool{true, false} {
		x := unseenTable(t)
		x.unseen[table.Die{Color: table.Red, Face: 1}] = !left
		x.look()
		x.place(table.Red, 2, "b2")
		x.place(table.Green, 1, "e1")
		x.doubtful, x.glance[onSquare("b2")] = true, .9
		x.place(table.Red, 1, "b3")
		want := []string{"move A places red 2 on b2.", "move B places green 1 on e1.", "move C places red 1 on b3."}
		if diff := cmp.Diff(want, x.said()); diff != "" {
			t.Errorf("left those beside the board: %v; told otherwise (-want +got):\n%s", left, diff)
		}
	}
}

// TestAllInView: something seems to lie over a table that holds still. Where all dice of the game are in
// view it hides none, and is not a hand.
func TestAllInView(t *testing.T) {
	for hidden, want := range map[bool][]string{
		false: {"move A places red 2 on a1.", "move B places green 1 on e1."},
		true:  {"move A places red 2 on a1."},
	} {
		x := newSupplyTable(t)
		x.place(table.Red, 2, "a1")
		x.warnings = []table.Warning{{Code: "hand"}}
		x.unseen[table.Die{Color: table.Purple, Face: 6}] = hidden
		x.place(table.Green, 1, "e1")
		if diff := cmp.Diff(want, x.said()); diff != "" {
			t.Errorf("one is hidden: %v; told otherwise (-want +got):\n%s", hidden, diff)
		}
	}
}
