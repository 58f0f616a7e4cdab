package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// slippedTable is a table on which the first die was placed and never read, while others are read less surely; two others
// came after it.
func slippedTable(t *testing.T) *supplyTable {
	x := newSupplyTable(t)
	x.dim[table.Die{Color: table.Red, Face: 3}], x.hidden[onSquare("d4")] = true, true
	x.place(table.Purple, 1, "d4")
	x.place(table.Yellow, 6, "e1")
	x.place(table.Green, 2, "c3")
	return x
}

// A die that was seen once, and is the only one that is not seen two views later, may have been played by the player before: that is
// asked, and put right by the answer, or once the die is found.
func TestSlipped(t *testing.T) {
	tell := func(what string, x *supplyTable, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, x.said()); d != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", what, d)
		}
	}
	const ask = "doubt purple 1 is gone. Did A play it?"
	tell("not known", slippedTable(t), "move A places yellow 6 on e1.", "move B places green 2 on c3.", ask)
	x := slippedTable(t)
	if err := x.m.Declare(Declaration{Say: SayAnswer, Choice: "yes", Ask: "red 3 is gone. Did B play it?"}); err == nil {
		t.Error("a yes to another question was taken for one to this")
	}
	if err := x.m.Declare(Declaration{Say: SayAnswer, Choice: "yes", Ask: x.m.Snapshot().Ask}); err != nil {
		t.Fatal(err)
	}
	x.place(table.Green, 5, "a5")
	tell("answered", x, "move B places yellow 6 on e1.", "move C places green 2 on c3.", ask,
		"correct B places yellow 6 on e1.", "move A places green 5 on a5.")
	x = slippedTable(t)
	delete(x.hidden, onSquare("d4"))
	x.place(table.Green, 5, "a5")
	tell("found", x, "move A places purple 1 on d4.", "move B places yellow 6 on e1.", ask,
		"correct A places purple 1 on d4.", "move C places green 2 on c3.", "move A places green 5 on a5.")
}

// One that comes back has not been played.
func TestNotSlipped(t *testing.T) {
	x := newSupplyTable(t)
	p1 := table.Die{Color: table.Purple, Face: 1}
	x.dim[table.Die{Color: table.Red, Face: 3}], x.unseen[p1] = true, true
	x.look()
	x.place(table.Yellow, 6, "e1")
	delete(x.unseen, p1)
	x.place(table.Green, 2, "c3")
	x.unseen[p1] = true
	x.place(table.Green, 5, "a5")
	want := []string{"move A places yellow 6 on e1.", "move B places green 2 on c3.", "move C places green 5 on a5."}
	x.tells(want)
}

// Nobody is accused of what a die shows whose way was told under doubt: it came the way by which all is right.
func TestHangsOnGuess(t *testing.T) {
	x := newSupplyTable(t)
	x.hidden[onSquare("e2")] = true
	x.place(table.Purple, 1, "e2")
	x.place(table.Yellow, 6, "a1")
	x.tip("e2", "d2", 2) // it may come from any square beside d2
	x.tip("d2", "d3", 3)
	x.place(table.Green, 5, "a5")
	want := []string{
		"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on a1.",
		"doubt purple 1 is gone, and now: C places purple 2 on d2. Was it moved first?",
		"correct A places purple 1 on d1.", "move C moves purple 2 from c2 to d2.",
		"correct A places purple 1 on c2.", "move A moves purple 3 from d2 to d3.",
		"move B places green 5 on a5.",
	}
	x.tells(want)
}
