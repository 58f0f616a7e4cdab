package vision

import (
	"testing"

	"diceref/table"
)

// TestPlayArea: what matters is the grid with a square around it, and dice beside it.
func TestPlayArea(t *testing.T) {
	corners := [4]table.Point{{X: 200, Y: 200}, {X: 400, Y: 200}, {X: 400, Y: 400}, {X: 200, Y: 400}} // squares of 40
	on := table.Square{Row: 2, Col: 2}
	die := func(x, y float64, sq *table.Square) table.Reading {
		return table.Reading{Square: sq, At: table.Point{X: x, Y: y}, Outline: [4]table.Point{{X: x - 20, Y: y}, {X: x, Y: y - 20}, {X: x + 20, Y: y}, {X: x, Y: y + 20}}}
	}
	const width, height, scale = 160, 120, 0.2
	area := playArea(corners, []table.Reading{die(300, 300, &on), die(620, 100, nil), die(10, 590, nil)}, scale, width, height)
	for _, c := range []struct {
		what string
		x, y float64
		want bool
	}{
		{"the middle of the grid", 300, 300, true},
		{"a square beside the grid", 230, 430, true},
		{"two squares beside it", 300, 480, false},
		{"a die beside it", 620, 100, true},
		{"what is about that", 655, 100, true},
		{"and farther away", 690, 100, false},
		{"a die that is half out of view", 5, 595, true},
		{"a corner of the picture", 795, 595, false},
	} {
		if got := area[int(c.y*scale)*width+int(c.x*scale)]; got != c.want {
			t.Errorf("%s matters: %v", c.what, got)
		}
	}
}
