package match

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// A die of Dice Box that was placed and never read lies beside what would touch no other die else; where another is read
// there, it lies elsewhere.
func TestLostUnderOthers(t *testing.T) {
	x := newBoxTable(t, "R5 R4 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1", "R1 R1 R1 Y5 Y1 Y1 B1 B1 B1 W5 W1 W1")
	d := diceOf(t, "R5")[0]
	x.hands[0] = slices.DeleteFunc(slices.Clone(x.hands[0]), func(o table.Die) bool { return o == d })
	x.look() // it is on b3, and is not seen
	x.place(1, "W5", "d3")
	x.place(0, "R4", "b2")
	x.place(1, "Y5", "c2")
	var list []string
	for _, e := range x.m.Events()[1:] {
		list = append(list, e.Text)
	}
	want := []string{
		"red 5 is gone. Did Anna play it?", "Ben places white 5 on d3.",
		"red 5 is gone, and now: Anna places red 4 on b2 (BX-ISOLATED). Was it moved first?",
		"Anna places red 5 on c2.", "Anna places red 4 on b2.",
		"Anna places red 5 on b3.", "Ben places yellow 5 on c2.",
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("told otherwise (-want +got):\n%s", d)
	}
}

// A die of Dessert Dice that was never read where it came to is the one that is read elsewhere though none has left those
// beside the board, and what lies where it lay before was placed there.
func TestLostMovedOn(t *testing.T) {
	lay := func(die, acts string) string {
		return "doubt " + die + " is gone, and now: " + acts + ". Was it moved first?"
	}
	for name, c := range map[string]struct {
		play func(*supplyTable)
		want []string
	}{
		"one that was placed is moved": {func(x *supplyTable) {
			x.hidden[onSquare("d1")] = true
			x.place(table.Purple, 1, "d1")
			x.place(table.Yellow, 6, "e1")
			x.tip("d1", "d2", 2)
			x.place(table.Green, 6, "a5")
		}, []string{
			"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on e1.",
			lay("purple 1", "C places purple 2 on d2"), "correct A places purple 1 on d1.", "move C moves purple 2 from d1 to d2.", "move A places green 6 on a5.",
		}},
		"one is moved twice": {func(x *supplyTable) {
			x.place(table.Purple, 1, "d1")
			x.hidden[onSquare("d2")] = true
			x.tip("d1", "d2", 2)
			x.tip("d2", "d3", 6)
			x.place(table.Green, 6, "a5")
		}, []string{
			"move A places purple 1 on d1.",
			"doubt What happened: B moves purple 2 from d1 to d2, or B moves purple 3 from d1 to d2, or B moves purple 4 from d1 to d2, or B moves purple 5 from d1 to d2?",
			"move B moves purple 2 from d1 to d2.", "move C moves purple 6 from d2 to d3.", "move A places green 6 on a5.",
		}},
		"another is placed where it was": {func(x *supplyTable) {
			x.place(table.Purple, 1, "a1")
			x.hidden[onSquare("a2")] = true
			x.tip("a1", "a2", 2)
			x.place(table.Yellow, 6, "e1")
			x.place(table.Green, 6, "a1")
			x.place(table.Green, 5, "a5")
		}, []string{
			"move A places purple 1 on a1.",
			"doubt purple 1 is gone. Did B play it?", "move C places yellow 6 on e1.",
			"correct B moves purple 2 from a1 to b1.", "move A places green 6 on a1.",
			"move B places green 5 on a5.",
		}},
		"one that is surely read where it came to may leave it": {func(x *supplyTable) {
			x.hidden[onSquare("d1")] = true
			x.place(table.Purple, 1, "d1")
			delete(x.hidden, onSquare("d1"))
			x.place(table.Yellow, 6, "e1")
			x.hidden[onSquare("d2")] = true
			x.tip("d1", "d2", 2)
			x.place(table.Green, 6, "a5")
		}, []string{
			"move A places purple 1 on d1.", "move B places yellow 6 on e1.",
			"doubt purple 1 is gone. Did C play it?", "move A places green 6 on a5.",
		}},
	} {
		x := newSupplyTable(t)
		c.play(x)
		if d := cmp.Diff(c.want, x.said()); d != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, d)
		}
	}
}

// That the lost die lay elsewhere, or nowhere, corrects what was told since.
func TestLostLayElsewhere(t *testing.T) {
	for answer, want := range map[string]string{"yes, purple 1 on c2": "C moves purple 2 from c2 to d2.", "no": "C places purple 2 on d2."} {
		x := newSupplyTable(t)
		x.hidden[onSquare("d1")] = true
		x.place(table.Purple, 1, "d1")
		x.place(table.Yellow, 6, "e1")
		x.tip("d1", "d2", 2)
		if err := x.m.Declare(Declaration{Say: SayAnswer, Choice: answer}); err != nil {
			t.Fatal(err)
		}
		last := x.m.line.acts[len(x.m.line.acts)-1]
		stack := x.m.line.before(last.seq)
		if _, text := x.m.eventAt(stack[len(stack)-1], last.moves[len(last.moves)-1]); text != want {
			t.Errorf("%s: %q, want %q", answer, text, want)
		}
		if to := x.m.Snapshot().ToMove; to != 0 {
			t.Errorf("%s: player %d is on turn, want 0", answer, to)
		}
	}
}
