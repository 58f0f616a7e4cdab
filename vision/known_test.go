package vision

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
)

// knownPicture is a picture of testdata/known.
func knownPicture(t *testing.T, name string) gocv.Mat {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "known", name))
	if err != nil {
		t.Fatal(err)
	}
	img, err := camera.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { img.Close() })
	return img
}

// TestKnownGrid reads an arena whose grid was found while it was empty: two blue
// dice in the shade of their holes must be seen as they are without knowing the grid.
func TestKnownGrid(t *testing.T) {
	r := opened(t)
	read := func(name string, cal *calibration.Profile) table.Observation {
		t.Helper()
		o, err := r.ReadWith(knownPicture(t, name), table.DiceFlick, cal)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	empty := read("arena-empty.jpg", nil)
	if empty.Grid == nil || !empty.Grid.Found || len(empty.Dice) != 0 {
		t.Fatalf("the empty arena reads as grid %v, dice %v", empty.Grid, empty.Dice)
	}
	cal, err := calibration.FromGrid(table.DiceFlick, empty.Width, empty.Height, empty.Grid.Corners)
	if err != nil {
		t.Fatal(err)
	}
	want := map[table.Die]table.Point{
		{Color: table.Blue, Face: 1}: {X: 489, Y: 270},
		{Color: table.Blue, Face: 4}: {X: 435, Y: 250},
	}
	for _, c := range []*calibration.Profile{nil, cal} {
		dice := read("arena-blue.jpg", c).Dice
		if len(dice) != len(want) {
			t.Errorf("with grid %v: %d dice, want %d", c != nil, len(dice), len(want))
		}
		for _, d := range dice {
			at, ok := want[d.Die]
			if !ok || math.Hypot(d.At.X-at.X, d.At.Y-at.Y) > 8 {
				t.Errorf("with grid %v: %v %d at %.0f,%.0f", c != nil, d.Color, d.Face, d.At.X, d.At.Y)
			}
		}
	}
}
