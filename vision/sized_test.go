package vision

import (
	"testing"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// TestSizedFor lays a few dice far off on a board that is seen aslant from near by, and one close to the camera: it is
// far larger than they tell, and kept as its size is a die's there. A dot in its place is not.
func TestSizedFor(t *testing.T) {
	cam, err := calibration.FromQuad(1280, 720, [4]table.Point{{X: 560, Y: 150}, {X: 830, Y: 150}, {X: 1250, Y: 690}, {X: 80, Y: 690}})
	if err != nil {
		t.Fatal(err)
	}
	side := usualSide(table.Board)
	height := topHeight(table.Board, side)
	var far []detect.Top
	for i := range 5 {
		far = append(far, topAt(&cam, float64(i)+0.5, 0.5, side, height))
	}
	sure := &scene{kit: table.DessertDice.Kit(), grid: &lattice.Grid{Camera: cam, Tiled: true}}
	unsure := &scene{kit: table.DessertDice.Kit(), grid: &lattice.Grid{Camera: cam}}
	for _, c := range []struct {
		name string
		s    *scene
		side float64
		want bool
	}{
		{"a die", sure, side, true},
		{"a die on a grid that is not sure", unsure, side, false},
		{"a dot", sure, side / 4, false},
	} {
		tops := append(far[:len(far):len(far)], topAt(&cam, 2.5, 4.5, c.side, height))
		if got := len(detect.Alike(tops, c.s.sizedFor(tops))) == len(tops); got != c.want {
			t.Errorf("%s close to the camera, %.0f pixels among %.0f: kept: %v", c.name, tops[5].Size, far[0].Size, got)
		}
	}
}
