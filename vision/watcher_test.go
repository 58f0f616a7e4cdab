package vision

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/camera/cameratest"
	"diceref/vision/eye"
	"diceref/vision/motion"
	"diceref/vision/owned"
	"diceref/vision/register"
)

// unsigned is what a made-up recognizer does with sets of dice.
type unsigned struct{}

func (unsigned) Signed(s *owned.Set) (*owned.Set, error) { return s, nil }

// turning is a recognizer that finds the same grid always, with a die on [0,1], but
// numbers it from another corner each time that it is not told where the grid is.
type turning struct {
	unsigned
	reads, fresh int
}

func (r *turning) ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error) {
	o := table.Observation{Game: game, Width: img.Cols(), Height: img.Rows(), Dice: []table.Reading{}, MS: table.Timing{Read: 1}}
	o.Grid = &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 300, Y: 150}, {X: 500, Y: 160}, {X: 510, Y: 420}, {X: 280, Y: 410}}}
	s := table.Square{Row: 0, Col: 1}
	if k.Profile == nil {
		c := o.Grid.Corners
		for i := range c {
			o.Grid.Corners[i] = c[(i+r.fresh)%4]
		}
		s = renumber(s, r.fresh%4)
		r.fresh++
	}
	r.reads++
	o.Dice = []table.Reading{{Die: table.Die{Color: table.Red, Face: 3}, Square: &s, Sure: true}}
	return o, nil
}

// watching runs a watcher over a source to its end and gives all that it told.
func watching(t *testing.T, rec recognizer, what eye.Watch, view eye.View) (out []eye.Message) {
	t.Helper()
	r, w := io.Pipe()
	watcher := NewWatcher(eye.NewVoice(w), slog.New(slog.DiscardHandler), os.DirFS(filepath.Join("..", "cmd", "diceref-eye", "demo")))
	watcher.load = func() (recognizer, error) { return rec, nil }
	watcher.Preview(view)
	watcher.Watch(what)
	in := bufio.NewReader(r)
	for {
		m, err := eye.Hear(in)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
		if s := m.Status; s != nil && (s.State == eye.Ended || s.State == eye.Failed) {
			<-watcher.done
			return out
		}
	}
}

func TestWatchDemo(t *testing.T) {
	rec := &turning{}
	told := watching(t, rec, eye.Watch{Game: table.DiceBox, Source: "demo"}, eye.View{})
	if s := told[0].Status; s == nil || s.State != eye.Running || s.Width != 800 || s.FPS != 10 {
		t.Errorf("the first message is %+v", told[0])
	}
	frame, reads := 0, 0
	for _, m := range told[1 : len(told)-1] {
		o := m.Observation
		if o == nil {
			t.Fatalf("after frame %d: %+v", frame-1, m)
		}
		if o.Frame != frame || o.T != float64(frame)/10 || o.Width != 800 || o.Height != 600 {
			t.Fatalf("frame %d is told as %d at %v s", frame, o.Frame, o.T)
		}
		frame++
		if o.Read {
			reads++
		}
		if before := reads == 0; o.Grid == nil || o.Grid.Found == before || len(o.Dice) == 1 == before {
			t.Fatalf("frame %d after %d readings: grid %+v, %d dice", o.Frame, reads, o.Grid, len(o.Dice))
		}
		if (o.MS.Read > 0) != o.Read {
			t.Errorf("frame %d: read %v, in %v ms", o.Frame, o.Read, o.MS.Read)
		}
	}
	if frame != 548 || reads != rec.reads {
		t.Errorf("%d frames with %d readings told, %d made", frame, reads, rec.reads)
	}
	if rec.fresh != 1 {
		t.Errorf("the grid was looked for %d times, want once", rec.fresh)
	}
	if s := told[len(told)-1].Status; s.State != eye.Ended {
		t.Errorf("the end is told as %+v", s)
	}
}

// TestWatchResumes has an eye take over from another in the middle of a file.
func TestWatchResumes(t *testing.T) {
	corners := [4]table.Point{{X: 510, Y: 420}, {X: 280, Y: 410}, {X: 300, Y: 150}, {X: 500, Y: 160}} // [0,0] where the fake has [4,4]
	told := watching(t, &turning{}, eye.Watch{Game: table.DiceBox, Source: "demo", Resume: 300, Corners: &corners}, eye.View{})
	for i, m := range told[1 : len(told)-1] {
		o := m.Observation
		if o == nil || o.Frame != 300+i {
			t.Fatalf("message %d is %+v, want frame %d", i, m, 300+i)
		}
		off := 0.0 // pixels; the corners follow the camera, and the demo's is not perfectly still
		for k, c := range o.Grid.Corners {
			off = max(off, math.Hypot(c.X-corners[k].X, c.Y-corners[k].Y))
		}
		if off > 1 || *o.Dice[0].Square != (table.Square{Row: 4, Col: 3}) {
			t.Fatalf("frame %d: corners %v, die on %v; want them numbered as before", o.Frame, o.Grid.Corners, o.Dice[0].Square)
		}
	}
}

// TestWatchFolder reads each picture, and keeps the numbering of the first.
func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jpg", i)), cameratest.JPEG(t, cameratest.Quarters(64, 48)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told := watching(t, &turning{}, eye.Watch{Game: table.DessertDice, Source: dir}, eye.View{On: true, Width: 32})
	pictures := 0
	for _, m := range told {
		if o := m.Observation; o != nil {
			if !o.Read || o.Look != table.LookStill || *o.Dice[0].Square != (table.Square{Row: 0, Col: 1}) {
				t.Errorf("picture %d: %+v", o.Frame, o)
			}
		}
		if p := m.Picture; p != nil {
			img, err := camera.Decode(p.JPEG)
			if err != nil {
				t.Fatal(err)
			}
			if img.Cols() != 32 || img.Rows() != 24 || p.Frame != pictures {
				t.Errorf("picture %d is %d×%d pixels", p.Frame, img.Cols(), img.Rows())
			}
			img.Close()
			pictures++
		}
	}
	if pictures != 5 {
		t.Errorf("%d pictures, want 5", pictures)
	}
}

func TestWatchFails(t *testing.T) {
	for _, test := range []struct{ source, calibration, reason string }{
		{"/nonexistent.mp4", "", "no such file"},
		{"demo", "/nonexistent.json", "/nonexistent.json"},
	} {
		told := watching(t, &turning{}, eye.Watch{Game: table.DiceBox, Source: test.source, Calibration: test.calibration}, eye.View{})
		if s := told[len(told)-1].Status; s.State != eye.Failed || !strings.Contains(s.Reason, test.reason) {
			t.Errorf("%+v is told as %+v", test, s)
		}
	}
	told := watching(t, &turning{}, eye.Watch{Game: table.Any, Source: "demo"}, eye.View{})
	if s := told[0].Status; s.State != eye.Failed || !strings.Contains(s.Reason, "no recorded demo") {
		t.Errorf("a game without a demo is told as %+v", s)
	}
}

func TestNumberLike(t *testing.T) {
	before := [4]table.Point{{X: 10, Y: 10}, {X: 100, Y: 12}, {X: 98, Y: 101}, {X: 8, Y: 99}}
	for turn := range 4 {
		o := table.Observation{Grid: &table.Grid{Found: true}}
		var want []table.Square
		for i := range table.Size * table.Size {
			s := renumber(table.SquareAt(i), turn)
			want = append(want, table.SquareAt(i))
			o.Dice = append(o.Dice, table.Reading{Square: &s})
			o.Markers = append(o.Markers, table.MarkerReading{Row: s.Row, Col: s.Col})
		}
		for i := range before {
			c := before[(i+turn)%4]
			o.Grid.Corners[i] = table.Point{X: c.X + 3, Y: c.Y - 2} // found again a little elsewhere
		}
		NumberLike(&o, before)
		for i, c := range o.Grid.Corners {
			if c.X != before[i].X+3 {
				t.Errorf("turned %d times: corner %d is %v", turn, i, c)
			}
		}
		for i, s := range want {
			if *o.Dice[i].Square != s || o.Markers[i].Row != s.Row || o.Markers[i].Col != s.Col {
				t.Errorf("turned %d times: %v became %v, %+v", turn, s, *o.Dice[i].Square, o.Markers[i])
			}
		}
	}
}

// TestSwung has the view be lost: where no grid is found again, it is told from then on.
func TestSwung(t *testing.T) {
	still := calibration.Homography(register.Still)
	for game, want := range map[table.Game]bool{table.DiceCreams: true, table.FromageATrois: true, table.DiceBox: false} {
		img := gocv.NewMatWithSize(60, 80, gocv.MatTypeCV8UC3)
		defer img.Close()
		s := &session{what: eye.Watch{Game: game}, info: camera.Info{Live: true}, lastAt: still}
		warned := func() bool {
			o := s.observation(camera.Taken{Picture: camera.Shown(img)}, motion.Verdict{Read: true})
			return slices.ContainsFunc(o.Warnings, func(w table.Warning) bool { return w.Code == "moved" })
		}
		if warned() {
			t.Errorf("%s: told to have moved at the first look", game)
		}
		if s.moveAll(still, false); warned() {
			t.Errorf("%s: told to have moved where it is known how", game)
		}
		for range 2 {
			if s.moveAll(still, true); warned() != want {
				t.Errorf("%s: moved, told so: %v", game, !want)
			}
		}
	}
}
