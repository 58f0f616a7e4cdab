package vision

import (
	"math"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/measure"
)

// TestBeside reads boards whose grid is known: the dice beside it are found by a look at
// the whole table, and kept by one at the board alone.
func TestBeside(t *testing.T) {
	r := opened(t)
	var pictures []measure.Picture
	for _, group := range []string{"easy", "normal"} {
		pictures = append(pictures, picturesOf(t, group, 1)...)
	}
	there, seen := 0, 0
	for _, p := range pictures {
		if p.Corners == nil || p.Beside() == 0 {
			continue
		}
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		cal, err := calibration.FromGrid(p.Game, img.Cols(), img.Rows(), [4]table.Point(p.Corners))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := r.ReadWith(img, p.Game, cal)
		if err != nil {
			t.Fatal(err)
		}
		again, err := r.ReadKnown(img, p.Game, Known{Profile: cal, BoardOnly: true, Before: whole.Dice})
		if err != nil {
			t.Fatal(err)
		}
		img.Close()
		for _, m := range []measure.Mark{measure.Compare(&p, whole), measure.Compare(&p, again)} {
			there, seen = there+m.Beside, seen+m.BesideSeen
		}
		if a, b := loose(whole), loose(again); a != b {
			t.Errorf("%s: %d dice beside the grid, then %d", filepath.Base(p.Path), a, b)
		}
		for i, d := range again.Dice {
			for _, e := range again.Dice[:i] {
				if math.Hypot(d.At.X-e.At.X, d.At.Y-e.At.Y) < halfDiagonal(d)/2 {
					t.Errorf("%s: the die at (%.0f, %.0f) is told twice", filepath.Base(p.Path), d.At.X, d.At.Y)
				}
			}
		}
	}
	t.Logf("%d of %d dice beside grids are read right", seen, there)
	if there < 110 || seen < there*19/20 {
		t.Errorf("%d of %d dice beside grids are read right", seen, there)
	}
}

// loose counts the dice beside the grid.
func loose(o table.Observation) int {
	n := 0
	for _, d := range o.Dice {
		if d.Square == nil {
			n++
		}
	}
	return n
}

// TestLearnMarkers: an arena's stickers are learned when it is empty, all are seen, and
// two readings agree.
func TestLearnMarkers(t *testing.T) {
	all := []table.MarkerReading{{Row: 0, Col: 1, Marker: table.BlueMarker}, {Row: 1, Col: 3, Marker: table.YellowMarker}, {Row: 2, Col: 2, Marker: table.CenterMarker}, {Row: 3, Col: 2, Marker: table.GreenMarker}, {Row: 3, Col: 3, Marker: table.BonusMarker}}
	empty := table.Observation{Markers: all}
	square := table.Square{Row: 4, Col: 4}
	for _, test := range []struct {
		name        string
		before, now table.Observation
		want        int
	}{
		{"two readings agree", empty, empty, 5},
		{"the first reading", table.Observation{}, empty, 0},
		{"one is hidden", table.Observation{Markers: all[:4]}, table.Observation{Markers: all[:4]}, 0},
		{"a die in a hole", empty, table.Observation{Markers: all, Dice: []table.Reading{{Square: &square}}}, 0},
		{"a die in the trench", empty, table.Observation{Markers: all, Dice: []table.Reading{{}}}, 5},
	} {
		cal := &calibration.Profile{Game: table.DiceFlick}
		learnMarkers(cal, test.before, test.now)
		if len(cal.Markers) != test.want {
			t.Errorf("%s: %d markers learned, want %d", test.name, len(cal.Markers), test.want)
		}
	}
	learnMarkers(nil, empty, empty) // nothing to remember them in
}
