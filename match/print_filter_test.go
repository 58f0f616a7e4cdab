package match

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// printedTable shows a board of Dessert Dice with a print on b2 that is read as a purple 4, though
// not surely, where no die is on it. The dice beside the board are out of view.
type printedTable struct {
	views
	board map[string]table.Reading
	print table.Reading
}

func newPrintedTable(m *Match) *printedTable {
	x := &printedTable{views: views{m: m}, board: map[string]table.Reading{}}
	x.print = x.reading("b2", table.Purple, 4, .25)
	x.print.Sure, x.print.Confidence = false, .7
	return x
}

// reading is a die on a square, so many squares above its middle.
func (x *printedTable) reading(at string, c table.Color, face int, above float64) table.Reading {
	sq := onSquare(at)
	p := onBoard(sq)
	p.Y -= 80 * above
	return readings.Sure(table.Die{Color: c, Face: face}, &sq, p)
}

// look shows the table with changed squares: an empty reading takes the die away.
func (x *printedTable) look(changed ...table.Reading) {
	for _, r := range changed {
		x.board[r.Square.String()] = r
	}
	x.see(func(int) (list []table.Reading) {
		for _, r := range x.board {
			if r.Color != table.NoColor {
				list = append(list, r)
			}
		}
		if r, full := x.board["b2"]; x.print.Color != table.NoColor && (!full || r.Color == table.NoColor) {
			list = append(list, x.print)
		}
		return list
	})
}

func (x *printedTable) empty(at string) table.Reading {
	sq := onSquare(at)
	return table.Reading{Square: &sq}
}

func (x *printedTable) unsure(at string, c table.Color, face int, above, confidence float64) table.Reading {
	r := x.reading(at, c, face, above)
	r.Sure, r.Confidence = false, confidence
	return r
}

// TestPrinted: what is printed on a square is not a die, whatever happens beside it and after a die
// lay on it; a die there is told where it is surely read, and asked about where it is not.
func TestPrinted(t *testing.T) {
	tests := []struct {
		name string
		play func(x *printedTable)
		want []string
	}{
		{"never told", func(x *printedTable) {
			x.look()
			x.look(x.reading("a1", table.Red, 2, 0))
			x.look(x.reading("c2", table.Green, 3, 0))
			x.look(x.empty("c2"), x.reading("c3", table.Green, 1, 0))
		}, []string{"place A - a1 red 2 legal=true", "place B - c2 green 3 legal=true", "move C c2 c3 green 1 legal=true"}},
		{"a die comes there and goes on", func(x *printedTable) {
			x.look()
			x.look(x.reading("b2", table.Red, 2, 0))
			x.look(x.empty("b2"), x.reading("b3", table.Red, 1, 0))
			x.look(x.reading("a1", table.Green, 3, 0))
		}, []string{"place A - b2 red 2 legal=true", "move B b2 b3 red 1 legal=true", "place C - a1 green 3 legal=true"}},
		{"a die that looks like it", func(x *printedTable) {
			x.look()
			x.look(x.reading("b2", table.Purple, 4, 0))
			x.look(x.reading("a1", table.Green, 3, 0))
		}, []string{"place A - b2 purple 4 legal=true", "place B - a1 green 3 legal=true"}},
		{"a die that looks like it, not surely read", func(x *printedTable) {
			x.look()
			x.look(x.unsure("b2", table.Purple, 4, 0, .5))
		}, []string{"doubt What happened: nothing has changed, or A places purple 4 on b2? nothing has changed | A places purple 4 on b2"}},
		{"another die in its place, not surely read", func(x *printedTable) {
			x.look()
			x.look(x.unsure("b2", table.Red, 2, .25, .5))
		}, []string{"doubt What happened: nothing has changed, or A places red 2 on b2? nothing has changed | A places red 2 on b2"}},
		{"a die of its color in its place, not surely read", func(x *printedTable) {
			x.look()
			x.look(x.unsure("b2", table.Purple, 1, .25, .97))
		}, []string{"place A - b2 purple 1 legal=true"}},
		{"taken for another color, and for nothing", func(x *printedTable) {
			print := x.print
			x.look()
			x.print = x.unsure("b2", table.Yellow, 4, .27, .9)
			x.look(x.reading("a1", table.Red, 2, 0))
			x.print = table.Reading{}
			x.look(x.reading("c2", table.Green, 3, 0))
			x.print = print
			x.look(x.reading("d2", table.Green, 3, 0))
		}, []string{"place A - a1 red 2 legal=true", "place B - c2 green 3 legal=true", "place C - d2 green 3 legal=true"}},
		{"a die hardly read, twice", func(x *printedTable) {
			x.print = table.Reading{}
			x.look()
			x.look(x.reading("a1", table.Red, 2, 0))
			x.look(x.unsure("b2", table.Purple, 4, 0, .2))
			x.look()
			x.look(x.reading("b2", table.Purple, 4, 0))
		}, []string{
			"place A - a1 red 2 legal=true",
			"doubt What happened: nothing has changed, or B places purple 4 on b2? nothing has changed | B places purple 4 on b2",
			"place B - b2 purple 4 legal=true",
		}},
		{"first seen when a die goes on", func(x *printedTable) {
			print := x.print
			x.print = table.Reading{}
			x.look(x.reading("b2", table.Red, 2, 0))
			x.print = print
			x.look(x.empty("b2"), x.reading("b3", table.Red, 1, 0))
			x.look(x.reading("a1", table.Green, 3, 0))
		}, []string{
			"place A - b2 red 2 legal=true",
			"move B b2 b3 red 1 legal=true", "place C - a1 green 3 legal=true",
		}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			x := newPrintedTable(dessertMatch(t))
			c.play(x)
			x.look()
			x.look()
			if diff := cmp.Diff(c.want, events(x.m)[1:]); diff != "" {
				t.Errorf("told otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPrintedSurely: where all dice are beside the board, what is read on it is likely printed however sure it is, which is asked about
// once; a die like it that is placed is told where it lies.
func TestPrintedSurely(t *testing.T) {
	x := unseenTable(t)
	print := table.Die{Color: table.Purple, Face: 3}
	x.board[onSquare("b2")] = print
	x.look()
	x.place(table.Red, 2, "a1")
	x.place(table.Purple, 3, "d4")
	x.place(table.Green, 5, "b2")
	delete(x.board, onSquare("b2"))
	x.board[onSquare("b3")] = table.Die{Color: table.Green, Face: 4}
	x.board[onSquare("b2")] = print
	x.look()
	want := []string{
		"doubt What happened: A places red 2 on a1, or A places purple 3 on b2, then B places red 2 on a1?",
		"move A places red 2 on a1.", "move B places purple 3 on d4.", "move C places green 5 on b2.", "move A moves green 4 from b2 to b3.",
	}
	if diff := cmp.Diff(want, x.said()); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}

// TestPrintedOfKnownDice: what is surely read on an empty square while all dice are known one by one is
// printed, also when one of its color moves later.
func TestPrintedOfKnownDice(t *testing.T) {
	x := newSupplyTable(t)
	x.place(table.Yellow, 5, "a3")
	x.board[onSquare("d5")] = table.Die{Color: table.Yellow, Face: 3}
	x.place(table.Purple, 6, "d4")
	x.place(table.Red, 2, "a1")
	x.tip("a3", "c3", 5)
	want := []string{"move A places yellow 5 on a3.", "move B places purple 6 on d4.", "move C places red 2 on a1.", "DD-MOVE-FAR A moves yellow 5 from a3 to c3."}
	if diff := cmp.Diff(want, x.said()); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}

// TestPrintedCovered: a die that is hardly read, beside the board and on what is printed on it, may have been placed where
// it has just gone and the print was never taken for one of its color, which is asked, and goes into force; one that is only not seen
// was not.
func TestPrintedCovered(t *testing.T) {
	five := table.Die{Color: table.Green, Face: 5}
	for name, c := range map[string]struct {
		print  table.Die
		hidden bool
		want   []string
	}{
		"a print of another color": {print: table.Die{Color: table.Yellow, Face: 5}, want: []string{"doubt What happened: B places green 5 on b2, or nothing has changed?", "move B places green 5 on b2."}},
		"a print like it":          {print: five},
		"not seen":                 {print: table.Die{Color: table.Yellow, Face: 5}, hidden: true},
	} {
		x := unseenTable(t)
		x.doubtful, x.glance[onSquare("b2")], x.dim[five] = true, .5, true
		x.board[onSquare("b2")] = c.print
		x.look()
		x.place(table.Red, 2, "a1")
		x.take(five)
		if !c.hidden {
			x.board[onSquare("b2")], x.glance[onSquare("b2")] = five, .78
		}
		x.look()
		x.look()
		x.look()
		if diff := cmp.Diff(append([]string{"move A places red 2 on a1."}, c.want...), x.said()); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}

// TestPrintedKept: a match that goes on knows what is printed on the board.
func TestPrintedKept(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	m, err := New(Config{ID: "one", Game: table.DessertDice, Players: []string{"A", "B", "C"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	x := newPrintedTable(m)
	x.look()
	x.look(x.reading("a1", table.Red, 2, 0))
	if x.m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	x.look()
	x.look(x.reading("c2", table.Green, 3, 0))
	x.look()
	if got := strings.Join(events(x.m), "; "); got != "start; place A - a1 red 2 legal=true; place B - c2 green 3 legal=true" {
		t.Errorf("told: %s", got)
	}
}

// TestPrintedLater: what lies on the board from the match before is not taken for print: a die like it that comes there later, and
// is not surely read either, is asked about and told.
func TestPrintedLater(t *testing.T) {
	for clearing, want := range map[bool]string{false: "start", true: "place A - b2 purple 4 legal=true"} {
		x := newPrintedTable(dessertMatch(t))
		die := x.print
		x.m.clearing = clearing
		x.look()
		x.print = table.Reading{}
		x.look()
		x.print = die
		for range 4 {
			x.look()
		}
		if list := events(x.m); list[len(list)-1] != want {
			t.Errorf("clearing the table: %v; told: %s", clearing, list)
		}
	}
}

// TestPlacedBefore: what is hardly read on the board at first is asked about where it is just the die
// that is missing beside it, and what players say holds.
func TestPlacedBefore(t *testing.T) {
	for answer, want := range map[string][]string{
		"":                     {"doubt What happened: A places red 2 on b2, or nothing has changed?", "move A places red 2 on b2.", "move B places green 1 on e1."},
		"A places red 2 on b2": {"doubt What happened: A places red 2 on b2, or nothing has changed?", "move A places red 2 on b2.", "move B places green 1 on e1."},
		"nothing has changed":  {"doubt What happened: A places red 2 on b2, or nothing has changed?", "move A places red 2 on b2.", "correct Event 7 did not happen.", "move A places green 1 on e1."},
	} {
		x := unseenTable(t)
		x.board[onSquare("b2")] = x.take(table.Die{Color: table.Red, Face: 2})
		x.doubtful, x.glance[onSquare("b2")] = true, .9
		x.look()
		x.look()
		x.look()
		if answer != "" {
			declare(t, x.m, Declaration{Say: SayAnswer, Choice: answer})
		}
		x.place(table.Green, 1, "e1")
		x.look()
		if diff := cmp.Diff(want, x.said()); diff != "" {
			t.Errorf("answered %q: told otherwise (-want +got):\n%s", answer, diff)
		}
	}
}
