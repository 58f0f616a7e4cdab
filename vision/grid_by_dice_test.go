package vision

import (
	"testing"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// TestConfirm reads a board nearly full of tall dice, in whose border the mask runs on: its grid is found by the
// dice that stand on it, in all turns.
func TestConfirm(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "confirm", 1) {
		for quarters := range 4 {
			if m := readTurned(t, r, p, "", quarters); !m.GridOK || m.Right < m.Dice {
				t.Errorf("%s, turned by %d quarters: grid found: %v, %d of %d dice right", p.Path, quarters, m.GridOK, m.Right, m.Dice)
			}
		}
	}
}

// TestStoodOn lays tops on a grid that is seen aslant: those in the middles of squares confirm it, those half a square
// off contradict it, few say nothing.
func TestStoodOn(t *testing.T) {
	cam, err := calibration.FromQuad(1280, 720, [4]table.Point{{X: 420, Y: 130}, {X: 860, Y: 130}, {X: 1010, Y: 600}, {X: 270, Y: 600}})
	if err != nil {
		t.Fatal(err)
	}
	height := topHeight(table.Board, usualSide(table.Board))
	for _, c := range []struct {
		name                    string
		dice                    int
		off                     float64
		confirmed, contradicted bool
	}{
		{"in the middles", 12, 0, true, false},
		{"a little off", 12, 0.1, true, false},
		{"off as by chance", 12, 0.17, false, false},
		{"half a square off", 12, 0.45, false, true},
		{"few in the middles", confirmFrom - 1, 0, false, false},
		{"few half a square off", confirmFrom - 1, 0.45, false, false},
	} {
		s := &scene{kit: table.DessertDice.Kit()}
		var tops []detect.Top
		for i := range c.dice {
			tops = append(tops, topAt(&cam, float64(i%5)+0.5+c.off, float64(i/5)+0.5, usualSide(table.Board), height))
		}
		g := &lattice.Grid{Camera: cam, Nodes: confirmNodes, Speaks: lattice.FoundSpeaks}
		if got := s.confirmed(g, tops); got != c.confirmed {
			t.Errorf("%s: confirmed: %v", c.name, got)
		}
		if got := s.contradicted(g, tops); got != c.contradicted {
			t.Errorf("%s: contradicted: %v", c.name, got)
		}
		g.Nodes--
		if s.confirmed(g, tops) {
			t.Errorf("%s: confirmed with too few lattice points", c.name)
		}
	}
}

// TestFitsDice lays dice of a size on a grid, some of them beside it: none has a grid of which its dice are specks, or
// cover several squares, and few dice say nothing.
func TestFitsDice(t *testing.T) {
	cam, err := calibration.FromQuad(1280, 720, [4]table.Point{{X: 420, Y: 130}, {X: 860, Y: 130}, {X: 1010, Y: 600}, {X: 270, Y: 600}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dice int
		side float64
		want bool
	}{
		{12, 0.2, false},
		{12, 0.45, true},
		{12, 0.75, true},
		{12, 0.95, true},
		{12, 1.6, false},
		{confirmFrom - 1, 0.2, true},
		{0, 0, true},
	} {
		var tops []detect.Top
		for i := range c.dice {
			tops = append(tops, topAt(&cam, float64(i%6)-0.3, float64(i/6)+0.5, c.side, usualSide(table.Board)))
		}
		if got := fitsDice(&cam, tops); got != c.want {
			t.Errorf("%d dice of %v squares fit: %v", c.dice, c.side, got)
		}
	}
}
