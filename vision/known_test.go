package vision

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/measure"
	"diceref/vision/motion"
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

// TestGridElsewhere reads boards whose grid is said to be where it is not: no die may be surely told on a wrong square.
func TestGridElsewhere(t *testing.T) {
	r := opened(t)
	onGrid := func(p *measure.Picture) bool { return len(p.Corners) == 4 }
	for i, p := range groupPictures(t, []string{"easy", "normal", "hard"}, onGrid) {
		if i%6 != 0 {
			continue
		}
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		defer img.Close()
		right := readGridAt(t, r, img, &p, 0)
		for _, off := range []float64{0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2} {
			for _, d := range readGridAt(t, r, img, &p, off) {
				if is := readingAt(right, &d); d.Sure && d.Square != nil && is != nil && is.Square != nil && *is.Square != *d.Square {
					t.Errorf("%s, grid off by %.2f squares: %v is surely on %v, not %v", filepath.Base(p.Path), off, d.Die, *d.Square, *is.Square)
				}
			}
		}
	}
}

// TestSavedGridMoved opens tables whose grid was saved before somebody moved the camera: it is found where it is now, and begins at the
// corner that it began at.
func TestSavedGridMoved(t *testing.T) {
	rec := opened(t)
	for i, p := range groupPictures(t, []string{"easy", "normal"}, func(p *measure.Picture) bool { return len(p.Corners) == 4 }) {
		if i%8 != 0 {
			continue
		}
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		defer img.Close()
		p.Corners = append(slices.Clone(p.Corners[1:]), p.Corners[0]) // [0,0] is not where a search would have it
		right := readGridAt(t, rec, img, &p, 0)
		for _, c := range [][2]float64{{0.5, 1}, {1, 1}, {1.5, 1}, {0, 0.8}, {0, 1.3}, {0.3, 1.2}} { // squares beside, times as large
			saved := gridBeside(t, img, &p, c[0], c[1])
			s := &session{w: &Watcher{}, what: eye.Watch{Game: p.Game}, info: camera.Info{Live: true}, rec: rec, saved: saved}
			for range 2 {
				if err := s.read(img, motion.Verdict{Read: true, New: true}); err != nil {
					t.Fatal(err)
				}
				for _, d := range s.last.Dice {
					if is := readingAt(right, &d); is != nil && d.Square != nil && is.Square != nil && *d.Square != *is.Square {
						t.Errorf("%s, saved %v: %v is on %v, not %v", filepath.Base(p.Path), c, d.Die, *d.Square, *is.Square)
					}
				}
			}
			sure, want := sureOn(s.last.Dice), sureOn(right)
			if s.found == nil || sure < want-2 {
				t.Errorf("%s, saved %v: found %t, %d dice are sure, %d where it is saved in its place", filepath.Base(p.Path), c, s.found != nil, sure, want)
			}
		}
	}
}

// sureOn counts the dice that are surely read on squares.
func sureOn(dice []table.Reading) (n int) {
	for _, d := range dice {
		if d.Sure && d.Square != nil {
			n++
		}
	}
	return n
}

// gridBeside is the profile of a grid that is said to lie so many squares beside where it is, and to be so many times as large.
func gridBeside(t *testing.T, img gocv.Mat, p *measure.Picture, off, times float64) *calibration.Profile {
	t.Helper()
	c := [4]table.Point(p.Corners)
	mid := table.Point{X: (c[0].X + c[1].X + c[2].X + c[3].X) / 4, Y: (c[0].Y + c[1].Y + c[2].Y + c[3].Y) / 4}
	x, y := off*(c[1].X-c[0].X)/table.Size, off*(c[1].Y-c[0].Y)/table.Size
	corners := c
	for k := range corners {
		corners[k] = table.Point{X: mid.X + times*(c[k].X-mid.X) + x, Y: mid.Y + times*(c[k].Y-mid.Y) + y}
	}
	cal, err := calibration.FromGrid(p.Game, img.Cols(), img.Rows(), corners)
	if err != nil {
		t.Fatal(err)
	}
	return cal
}

// readGridAt is what is read where the grid is said to lie so many squares beside where it is.
func readGridAt(t *testing.T, r *Recognizer, img gocv.Mat, p *measure.Picture, off float64) []table.Reading {
	t.Helper()
	o, err := r.ReadKnown(img, p.Game, Known{Profile: gridBeside(t, img, p, off, 1), AsItLies: true})
	if err != nil {
		t.Fatal(err)
	}
	return o.Dice
}
