package vision

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera/cameratest"
	"diceref/vision/detect"
	"diceref/vision/eye"
	"diceref/vision/lattice"
)

// groundProfile is where the grid is in the pictures of testdata/ground.
func groundProfile(t *testing.T) *calibration.Profile {
	t.Helper()
	cal, err := calibration.FromGrid(table.DiceBox, 800, 600, [4]table.Point{{X: 523.1, Y: 434.8}, {X: 255.4, Y: 432.8}, {X: 252.2, Y: 165.5}, {X: 523.5, Y: 162.0}})
	if err != nil {
		t.Fatal(err)
	}
	return cal
}

// TestCame has dice come to a board with dice printed in its squares, one of them off the middle
// so that its place speaks for print: all that came are told surely, the same each time.
func TestCame(t *testing.T) {
	r := opened(t)
	cal := groundProfile(t)
	var ground Ground
	read := func(name string, brighter float32, g *Ground) map[table.Square]table.Reading {
		img := gocv.IMRead(filepath.Join("testdata", "ground", name), gocv.IMReadColor)
		defer img.Close()
		img.MultiplyFloat(brighter)
		o, err := r.ReadKnown(img, table.DiceBox, Known{Profile: cal, Ground: g})
		if err != nil {
			t.Fatal(err)
		}
		return onSquares(o.Dice)
	}
	before := map[table.Square]table.Die{{Row: 2, Col: 2}: {Color: table.Black, Face: 4}, {Row: 3, Col: 1}: {Color: table.White, Face: 4}, {Row: 3, Col: 2}: {Color: table.White, Face: 3}, {Row: 4, Col: 2}: {Color: table.White, Face: 4}}
	after := map[table.Square]table.Die{{Row: 1}: {Color: table.Blue, Face: 3}, {Row: 2}: {Color: table.Yellow, Face: 4}, {Row: 2, Col: 1}: {Color: table.Red, Face: 5}, {Row: 3, Col: 3}: {Color: table.Red, Face: 2}}
	for q, d := range before {
		after[q] = d
	}
	for _, view := range []struct {
		picture  string
		brighter float32
		want     map[table.Square]table.Die
	}{{"before.jpg", 1, before}, {"after.jpg", 1, after}, {"after.jpg", 1, after}, {"after.jpg", 0.8, after}, {"before.jpg", 0.8, before}, {"before.jpg", 1.1, before}} {
		got := map[table.Square]table.Die{}
		for q, d := range read(view.picture, view.brighter, &ground) {
			if got[q] = d.Die; !d.Sure && before[q] != d.Die {
				t.Errorf("%s, brighter by %.1f: what has come to %v is not sure: %.2f", view.picture, view.brighter, q, d.Confidence)
			}
		}
		if d := cmp.Diff(view.want, got); d != "" {
			t.Errorf("%s, brighter by %.1f (-want +got):\n%s", view.picture, view.brighter, d)
		}
	}
	if d := cmp.Diff(read("after.jpg", 1, nil), read("after.jpg", 1, &Ground{})); d != "" {
		t.Errorf("what was seen never before is read otherwise:\n%s", d)
	}
}

// TestGround: what was seen before explains what is seen now, in whatever light and a little away,
// but nothing else does, nor what a die hid.
func TestGround(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	picture := func() []float32 {
		p := make([]float32, groundFraming.Values())
		for i := range p {
			p[i] = rng.Float32()
		}
		return p
	}
	lit := func(p []float32, gain, more float32, away int) []float32 {
		q := make([]float32, len(p))
		for i := range q {
			q[i] = gain*p[min(max(i+away, 0), len(p)-1)] + more + 0.05*rng.Float32()
		}
		return q
	}
	cam := randomCamera(rng, 1280, 720, 20)
	s := &scene{kit: table.Kit{Layout: table.Board}, grid: &lattice.Grid{Camera: cam}, side: 0.75}
	die, far := topAt(&cam, 2.5, 2.5, 0.75, 0.75), topAt(&cam, 0.5, 4.5, 0.75, 0.75)
	var g Ground
	if _, ok := g.explains(picture(), under(&cam, &far.Outline, 0)); ok {
		t.Error("a ground that was never seen explains something")
	}
	s.above = picture()
	g.learn(s, []*placed{{Top: die}})
	n := groundFraming.Size
	for _, test := range []struct {
		name        string
		top         detect.Top
		now         []float32
		ok, as, new bool
	}{
		{"the same", far, s.above, true, true, false},
		{"darker", far, lit(s.above, 0.5, 0, 0), true, true, false},
		{"in other light", far, lit(s.above, 0.8, 0.3, 0), true, true, false},
		{"a cell away", far, lit(s.above, 1, 0, n), true, true, false},
		{"the contrary", far, lit(s.above, -1, 1, 0), true, false, true},
		{"another", far, picture(), true, false, true},
		{"where a die hid it", die, s.above, false, false, false},
	} {
		share, ok := g.explains(test.now, under(&cam, &test.top.Outline, 0))
		if ok != test.ok || share > 0.8 != test.as || ok && share < 0.3 != test.new {
			t.Errorf("%s: %.2f of it is explained, known: %v", test.name, share, ok)
		}
	}
	s.above = picture()
	g.learn(s, nil)
	if _, ok := g.explains(s.above, under(&cam, &die.Outline, 0)); !ok {
		t.Error("where the die has gone the ground is not known")
	}
}

// remembering tells with which ground it was asked.
type remembering struct {
	unsigned
	turning
	grounds []*Ground
}

func (r *remembering) ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error) {
	if k.Profile != nil {
		r.grounds = append(r.grounds, k.Ground)
	}
	return r.turning.ReadKnown(img, game, k)
}

// TestWatchedGround: one ground goes through all of a video, and none from picture to picture of a folder.
func TestWatchedGround(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"1.jpg", "2.jpg", "3.jpg"} {
		if err := os.WriteFile(filepath.Join(dir, name), cameratest.JPEG(t, cameratest.Quarters(64, 48)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]bool{"demo": true, dir: false} {
		r := &remembering{}
		watching(t, r, eye.Watch{Game: table.DiceBox, Source: source}, eye.View{})
		for _, g := range r.grounds {
			if (g != nil) != want || g != r.grounds[0] {
				t.Errorf("source %s: a ground is given: %v, the first: %v", source, g != nil, g == r.grounds[0])
			}
		}
	}
}
