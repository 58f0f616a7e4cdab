package match

import (
	"slices"
	"testing"

	"diceref/table"
)

// TestWrongGridFirst: a grid that was found where none is, before anything has happened, gives way to the one that is seen from then on.
func TestWrongGridFirst(t *testing.T) {
	m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	a := &arenaViews{views{m: m}}
	for range 3 {
		o := table.Observation{Game: table.DiceFlick, Width: 800, Height: 600, Look: table.LookStill, Read: true, Frame: a.frame, T: float64(a.frame) / 10}
		o.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 2, Y: 3}, {X: 790, Y: 6}, {X: 780, Y: 590}, {X: -14, Y: 580}}}
		m.See(o)
		a.frame++
	}
	a.show(nil)
	a.show(arena("a1 Y3"))
	a.show(arena("a1 Y3 c4 G5"))
	a.hands(1)
	if got, want := wordsOf(m.movesSince(0)), []string{"A flick Y3 a1", "A flick G5 c4"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
