package match

import (
	"testing"

	"diceref/table"

	"pgregory.net/rapid"
)

func TestAnchorTurnsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := [4]table.Point{{X: 551, Y: 245}, {X: 477, Y: 440}, {X: 282, Y: 372}, {X: 349, Y: 174}}
		sq := table.SquareAt(rapid.IntRange(0, 24).Draw(rt, "square"))
		die := table.Die{Color: table.Red, Face: 3}
		first := table.Observation{
			Grid: &table.Grid{Found: true, Corners: c}, Dice: []table.Reading{{Die: die, Square: &sq}},
			Markers: []table.MarkerReading{{Row: sq.Row, Col: sq.Col, Marker: "bonus"}},
		}
		var a anchor
		a.turn(first, nil)
		shift := rapid.Float64Range(-25, 25).Draw(rt, "shift")
		for i := range c {
			c[i].X, c[i].Y = c[i].X+shift, c[i].Y-shift
		}
		moved := first
		moved.Grid = &table.Grid{Found: true, Corners: c}
		seen := turned(moved, rapid.IntRange(0, 3).Draw(rt, "turn"))
		got, ok := a.turn(seen, nil)
		if !ok || *got.Dice[0].Square != sq || got.Grid.Corners != c || got.Markers[0] != first.Markers[0] {
			rt.Fatalf("came back as %v at %v, want %v", ok, got.Dice[0].Square, sq)
		}
	})
}

func TestAnchorByDice(t *testing.T) {
	c := [4]table.Point{{X: 100, Y: 100}, {X: 300, Y: 100}, {X: 300, Y: 300}, {X: 100, Y: 300}}
	known := map[table.Square]table.Die{{Row: 0, Col: 1}: {Color: table.Red, Face: 1}, {Row: 3, Col: 2}: {Color: table.Blue, Face: 2}, {Row: 4, Col: 4}: {Color: table.Blue, Face: 6}}
	a := anchor{set: true, corners: c}
	obs := table.Observation{Grid: &table.Grid{Found: true, Corners: [4]table.Point{{X: 300, Y: 60}, {X: 440, Y: 200}, {X: 300, Y: 340}, {X: 160, Y: 200}}}}
	if _, ok := a.turn(obs, nil); ok {
		t.Error("a grid that jumped by half a quarter turn was believed without witnesses")
	}
	for sq, d := range known {
		s := turnSquare(sq, 3) // as a numbering that starts one corner on would say
		obs.Dice = append(obs.Dice, table.Reading{Die: d, Square: &s})
	}
	got, ok := a.turn(obs, known)
	if !ok {
		t.Fatal("three dice in place are no witness")
	}
	for _, r := range got.Dice {
		if known[*r.Square] != r.Die {
			t.Errorf("%v at %v", r.Die, r.Square)
		}
	}
}

// TestAnchorFollowed turns the camera by far in one view that the eye follows, whichever way it numbers it: that needs no
// witness. A view that was lost, or that of a source that began anew, does.
func TestAnchorFollowed(t *testing.T) {
	c := [4]table.Point{{X: 100, Y: 100}, {X: 300, Y: 100}, {X: 300, Y: 300}, {X: 100, Y: 300}}
	ring := [4]table.Point{{X: 300, Y: 60}, {X: 440, Y: 200}, {X: 300, Y: 340}, {X: 160, Y: 200}}
	sq := table.Square{Row: 1, Col: 2}
	seen := func(corners [4]table.Point, first, since, frame int) table.Observation {
		obs := table.Observation{Frame: frame, Grid: &table.Grid{Found: true, Corners: corners, Since: since}, Dice: []table.Reading{{Square: &sq}}}
		return turned(obs, first)
	}
	for first := range 4 {
		var a anchor
		a.turn(seen(c, 0, 3, 2), nil)
		if _, ok := a.turn(seen(c, first, 8, 10), nil); !ok {
			t.Fatal("a grid where it was is not known again")
		}
		if got, ok := a.turn(seen(ring, first, 8, 20), nil); !ok || *got.Dice[0].Square != sq {
			t.Errorf("numbered from corner %d and followed: %v, %v", first, ok, got.Dice[0].Square)
		}
		b := a
		if _, ok := a.turn(seen(c, first, 25, 30), nil); ok {
			t.Error("a view that was lost is believed without a witness")
		}
		if _, ok := b.turn(seen(c, first, 8, 9), nil); ok {
			t.Error("a source that began anew is taken for the one before")
		}
	}
}
