package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/table"
)

// TestSurplus: more dice of a color are read than the game has. Where only one of them is not
// surely read, and the board is explained without it, it is no die; where more has changed, what has happened is asked.
func TestSurplus(t *testing.T) {
	ghost := func(faces, other float64, conf float64) table.Reading {
		r := table.Reading{Die: table.Die{Color: table.Purple, Face: 1}, Confidence: conf}
		r.Faces[1], r.Colors[table.Purple], r.Colors[table.Red] = faces, 1-other, other
		return r
	}
	for name, c := range map[string]struct {
		seventh table.Reading
		extra   bool   // two other dice have come as well
		told    string // the last event, or what is asked
	}{
		"hardly seen":               {ghost(.1, .3, .45), false, "move C c1 c2 purple 4 legal=true"},
		"hardly seen, and too much": {ghost(.1, .3, .45), true, "doubt which"},
		"another color, rather":     {ghost(.9, .3, .45), false, "move C c1 c2 purple 4 legal=true"},
		"likelier there than not":   {ghost(.7, .1, .65), false, "move C c1 c2 purple 4 legal=true"},
	} {
		m, err := New(Config{Game: table.DessertDice, Players: []string{"A", "B", "C", "D"}})
		if err != nil {
			t.Fatal(err)
		}
		v := &views{m: m}
		board := map[table.Square]table.Die{}
		show := func(more ...table.Reading) {
			v.see(func(int) []table.Reading {
				list := slices.Clone(more)
				for sq, d := range board {
					list = append(list, readings.Sure(d, &sq, onBoard(sq)))
				}
				return list
			})
		}
		show()
		for i, at := range []table.Square{{Row: 4, Col: 0}, {Row: 4, Col: 1}, {Row: 4, Col: 2}, {Row: 4, Col: 3}, {Row: 4, Col: 4}, {Row: 0, Col: 2}} {
			board[at] = table.Die{Color: table.Purple, Face: 1 + i}
			show()
		}
		from, to := table.Square{Row: 0, Col: 2}, table.Square{Row: 1, Col: 2}
		delete(board, from)
		board[to] = table.Die{Color: table.Purple, Face: 4}
		if c.extra {
			board[table.Square{Row: 2, Col: 0}], board[table.Square{Row: 2, Col: 4}] = table.Die{Color: table.Red, Face: 2}, table.Die{Color: table.Red, Face: 3}
		}
		c.seventh.Square, c.seventh.At = &from, onBoard(from)
		show(c.seventh)
		list := m.Events()
		got := told(list[len(list)-1].Event)
		if q := list[len(list)-1].Question; q != nil {
			got = fmt.Sprintf("doubt %s", q.Kind)
		}
		if !strings.HasPrefix(got, c.told) {
			t.Errorf("%s: told %q, want %q", name, got, c.told)
		}
		m.Close()
	}
}

// TestWithinKit: the only black die is on the board, so that another that is not surely read is of the
// other color that it may be.
func TestWithinKit(t *testing.T) {
	for name, c := range map[string]struct {
		black, sure bool // the black die is there; the other is surely read
		green       float64
		want        string
	}{
		"of another color":         {black: true, green: .03, want: "doubt What happened: B places green 4 on c3, or nothing has changed? move B places green 4 on c3."},
		"of any other color":       {black: true, green: .00001, want: "doubt What happened: A places black 1 on a1, or A places black 4 on c3, or A places black 1 on a1, then B places red 4 on c3, or A places black 1 on a1, then B places yellow 4 on c3?"},
		"surely read":              {black: true, sure: true, green: .03, want: "move B places green 4 on c3."},
		"no other black one there": {green: .03, want: "move B places black 4 on c3."},
	} {
		m := dessertMatch(t)
		v := &views{m: m}
		v.see(func(int) []table.Reading { return nil })
		first, at := onSquare("a1"), onSquare("c3")
		board := []table.Reading{readings.Sure(table.Die{Color: table.Black, Face: 1}, &first, onBoard(first))}
		if !c.black {
			board[0] = readings.Sure(table.Die{Color: table.Red, Face: 1}, &first, onBoard(first))
		}
		v.see(func(int) []table.Reading { return board })
		r := readings.Sure(table.Die{Color: table.Black, Face: 4}, &at, onBoard(at))
		r.Sure, r.Colors[table.Black], r.Colors[table.Green], r.Confidence = c.sure, 1-c.green, c.green, 1-c.green
		for range 3 {
			v.see(func(int) []table.Reading { return append(slices.Clone(board), r) })
		}
		x := supplyTable{views: *v}
		if got := strings.Join(x.said()[1:], " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestDoubles: what shows on a square that a die has left is not a die where all of its color are seen
// without it, be it that one of them is not sure, but much surer; it is where one of them is missing.
func TestDoubles(t *testing.T) {
	green, purple := table.Die{Color: table.Green, Face: 5}, table.Die{Color: table.Purple, Face: 6}
	for name, c := range map[string]struct {
		taken  bool // a green die is missing beside the board
		print  table.Die
		surely float64
		want   string
	}{
		"another color":               {false, green, .97, "move C moves purple 5 from c5 to d5."},
		"another color, one missing":  {true, green, .97, "move C moves purple 5 from c5 to d5. move A places green 5 on c5."},
		"its color, much less surely": {false, purple, .5, "move C moves purple 5 from c5 to d5."},
	} {
		x := newSupplyTable(t)
		x.place(table.Purple, 4, "c5")
		x.place(table.Red, 2, "a1")
		if c.taken {
			x.take(green)
		}
		x.doubtful, x.glance[onSquare("c5")], x.glance[onSquare("d5")] = true, c.surely, .97
		x.board[onSquare("c5")], x.board[onSquare("d5")] = c.print, table.Die{Color: table.Purple, Face: 5}
		x.look()
		x.look()
		x.look()
		if got := strings.Join(x.said()[2:], " "); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}
