package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// TestSurplus: more dice of a color are read than the game has. Where only one of them is not
// surely read, can hardly be of another color, and the board is explained without it, it is no
// die; else that is asked.
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
		"hardly seen, and too much": {ghost(.1, .3, .45), true, "doubt too-many"},
		"another color, rather":     {ghost(.9, .3, .45), false, "doubt too-many"},
		"likelier there than not":   {ghost(.7, .1, .65), false, "doubt too-many"},
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
					list = append(list, sureReading(d, &sq, onBoard(sq)))
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
