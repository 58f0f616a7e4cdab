package vision

import (
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/lattice"
	"diceref/vision/motion"
	"diceref/vision/owned"
	"diceref/vision/register"
)

// scripted is a recognizer that finds what it is told to: with the grid where it is known to be, and anew.
type scripted struct{ known, anew gridSeen }

func (*scripted) Signed(s *owned.Set) (*owned.Set, error) { return s, nil }

// gridSeen is how a grid is found.
type gridSeen int

const (
	notFound gridSeen = iota
	foundUnsure
	foundSure
	underHandSeen // found, but something lies over it
)

var (
	gridHere  = [4]table.Point{{X: 300, Y: 150}, {X: 500, Y: 160}, {X: 510, Y: 420}, {X: 280, Y: 410}}
	gridThere = [4]table.Point{{X: 300, Y: 150}, {X: 460, Y: 160}, {X: 470, Y: 420}, {X: 280, Y: 410}}
)

func (r *scripted) ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error) {
	seen, corners := r.anew, gridThere
	if k.Profile != nil {
		seen, corners = r.known, gridHere
	}
	o := table.Observation{Game: game, Width: img.Cols(), Height: img.Rows(), Grid: &table.Grid{Rows: 5, Cols: 5}}
	if seen != notFound {
		*o.Grid = table.Grid{Found: true, Rows: 5, Cols: 5, Corners: corners, Unsure: seen == foundUnsure}
	}
	if seen == underHandSeen {
		o.Warnings = []table.Warning{{Code: "hand"}}
	}
	return o, nil
}

// TestKeepsGrid: a known grid is given up only for one that is surely found elsewhere, and one that
// seemed to be pushed is where it was if nothing speaks against it.
func TestKeepsGrid(t *testing.T) {
	img := gocv.NewMatWithSize(600, 800, gocv.MatTypeCV8UC3)
	defer img.Close()
	for name, c := range map[string]struct {
		saw    scripted
		pushed bool
		unsure bool // the grid was not surely found before
		want   [4]table.Point
	}{
		"as ever":                               {saw: scripted{foundSure, foundSure}, want: gridHere},
		"hidden, not found anew":                {saw: scripted{underHandSeen, notFound}, want: gridHere},
		"hidden, found elsewhere, not surely":   {saw: scripted{underHandSeen, foundUnsure}, want: gridHere},
		"hidden, found elsewhere":               {saw: scripted{underHandSeen, foundSure}, want: gridThere},
		"pushed, not found anew":                {saw: scripted{foundSure, notFound}, pushed: true, want: gridHere},
		"pushed, found elsewhere, not surely":   {saw: scripted{foundSure, foundUnsure}, pushed: true, want: gridHere},
		"pushed, found elsewhere":               {saw: scripted{foundSure, foundSure}, pushed: true, want: gridThere},
		"pushed, hidden":                        {saw: scripted{underHandSeen, notFound}, pushed: true},
		"unsure, not surely found anew":         {saw: scripted{foundSure, foundUnsure}, unsure: true, want: gridHere},
		"unsure, surely found elsewhere":        {saw: scripted{foundSure, foundSure}, unsure: true, want: gridThere},
		"unsure and pushed, not found anew":     {saw: scripted{foundSure, notFound}, unsure: true, pushed: true},
		"unsure and pushed, unsurely elsewhere": {saw: scripted{foundSure, foundUnsure}, unsure: true, pushed: true, want: gridThere},
	} {
		first := foundSure
		if c.unsure {
			first = foundUnsure
		}
		s := &session{w: &Watcher{}, what: eye.Watch{Game: table.DiceBox}, info: camera.Info{Live: true}}
		rec := &scripted{anew: first}
		s.rec = rec
		if err := s.read(img, motion.Verdict{Read: true, New: true}); err != nil {
			t.Fatal(err)
		}
		here, err := calibration.FromGrid(table.DiceBox, img.Cols(), img.Rows(), gridHere)
		if err != nil || s.found == nil {
			t.Fatalf("%s: found %v, %v", name, s.found, err)
		}
		s.found = here
		*rec = c.saw
		if c.pushed {
			s.moveAll(calibration.Homography(register.Still), true)
		}
		if err := s.read(img, motion.Verdict{Read: true, New: true}); err != nil {
			t.Fatal(err)
		}
		if got := s.last.Grid.Corners; got != c.want {
			t.Errorf("%s: the grid is told at %v, want %v", name, got, c.want)
		}
		if kept := s.found == here; kept != (c.want == gridHere) {
			t.Errorf("%s: its place is kept: %v", name, kept)
		}
	}
}

// searches is a recognizer that finds the grid in its place, surely or not, and, where it is known, as it is
// known; with a die on it, surely read or not.
type searches struct {
	unsigned
	place        [4]table.Point
	unsure, read bool
}

func (r *searches) ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error) {
	g := table.Grid{Found: true, Rows: 5, Cols: 5, Corners: r.place, Unsure: r.unsure}
	if k.Profile != nil {
		g.Corners, g.Unsure = k.Profile.Camera.Corners(), false
	}
	die := table.Reading{Square: &table.Square{Row: 2, Col: 1}, Die: table.Die{Color: table.Red, Face: 3}, Sure: r.read}
	return table.Observation{Game: game, Width: img.Cols(), Height: img.Rows(), Grid: &g, Dice: []table.Reading{die}}, nil
}

// TestFoundTwice: a grid that was found once, and on which no die is surely read, is where the next search finds it.
func TestFoundTwice(t *testing.T) {
	img := gocv.NewMatWithSize(600, 800, gocv.MatTypeCV8UC3)
	defer img.Close()
	here, there := gridHere, gridThere
	for name, c := range map[string]struct {
		places [][4]table.Point // that searches in one view after the other find
		unsure bool             // but for the first, not surely
		read   bool             // the die is surely read
		want   [4]table.Point
	}{
		"elsewhere the first time":                 {places: [][4]table.Point{there, here, there}, want: here},
		"twice in one place":                       {places: [][4]table.Point{here, here, there}, want: here},
		"not surely elsewhere the second time":     {places: [][4]table.Point{here, there}, unsure: true, want: here},
		"a die on it is surely read, so not again": {places: [][4]table.Point{here, there}, read: true, want: here},
	} {
		rec := &searches{read: c.read}
		s := &session{w: &Watcher{}, what: eye.Watch{Game: table.DiceBox}, info: camera.Info{Live: true}, rec: rec}
		for i, at := range c.places {
			rec.place, rec.unsure = at, c.unsure && i > 0
			if err := s.read(img, motion.Verdict{Read: true, New: true}); err != nil {
				t.Fatal(err)
			}
		}
		want, err := calibration.FromGrid(table.DiceBox, img.Cols(), img.Rows(), c.want)
		if err != nil {
			t.Fatal(err)
		}
		if !lattice.SameGrid([]calibration.Camera{want.Camera}, &s.found.Camera) {
			t.Errorf("%s: the grid is kept at %v, want %v", name, s.found.Camera.Corners(), c.want)
		}
	}
}

// TestSince follows a grid: its numbering begins anew where the view was lost, or where the grid is found elsewhere and
// nobody saw it go there, and only then.
func TestSince(t *testing.T) {
	img := gocv.NewMatWithSize(600, 800, gocv.MatTypeCV8UC3)
	defer img.Close()
	rec := &scripted{anew: foundSure, known: foundSure}
	s := &session{w: &Watcher{}, what: eye.Watch{Game: table.DiceBox}, info: camera.Info{Live: true}, rec: rec}
	for i, c := range []struct {
		name string
		do   func()
		want int
	}{
		{"at first", func() {}, 1},
		{"again", func() {}, 1},
		{"the camera moved", func() { s.moveAll(calibration.Homography(register.Still), false) }, 1},
		{"the view was lost", func() { s.moveAll(calibration.Homography(register.Still), true) }, 4},
		{"and again", func() {}, 4},
		{"found elsewhere", func() { s.found, s.corners = nil, gridFar }, 6},
	} {
		s.frame = i
		c.do()
		if err := s.read(img, motion.Verdict{Read: true, New: true}); err != nil {
			t.Fatal(err)
		}
		if got := s.last.Grid.Since; got != c.want {
			t.Errorf("%s: since %d, want %d", c.name, got, c.want)
		}
	}
}

// gridFar lies turned by some 40 degrees.
var gridFar = [4]table.Point{{X: 400, Y: 100}, {X: 560, Y: 290}, {X: 390, Y: 470}, {X: 230, Y: 290}}
