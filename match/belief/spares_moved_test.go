package belief

import (
	"testing"

	"diceref/table"
)

// TestBesideWhileMoving: a die beside the board is one die, though the camera has moved between two readings of a view that
// disagree on its face.
func TestBesideWhileMoving(t *testing.T) {
	frame := func(dx, dy float64, face int, sure bool) table.Observation {
		at := func(x, y float64) table.Point { return table.Point{X: x + dx, Y: y + dy} }
		o := table.Observation{Game: table.DessertDice, Width: 800, Height: 600, Look: table.LookStill, Read: true}
		o.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{at(269, 286), at(399, 201), at(506, 305), at(369, 410)}}
		o.Dice = []table.Reading{
			{Die: table.Die{Color: table.Red, Face: face}, At: at(219, 307), Sure: sure, Confidence: .6},
			{Die: table.Die{Color: table.Red, Face: 6}, At: at(244, 328), Sure: true, Confidence: .99},
		}
		return o
	}
	for _, c := range []struct{ dx, dy float64 }{{0, 0}, {9, 4}, {-14, 11}, {40, 25}} {
		list := besideOf([]table.Observation{frame(0, 0, 5, true), frame(c.dx, c.dy, 4, false)})
		if len(list) != 2 {
			t.Errorf("moved by %v: %d dice beside the board, want 2: %v", c, len(list), list)
			continue
		}
		if want := (table.Point{X: 219 + c.dx, Y: 307 + c.dy}); dist(list[0].At, want) > 1 {
			t.Errorf("moved by %v: a die at %v, want %v", c, list[0].At, want)
		}
	}
}

func dist(a, b table.Point) float64 { return max(a.X-b.X, b.X-a.X, a.Y-b.Y, b.Y-a.Y) }
