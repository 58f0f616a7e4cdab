package vision

import (
	"image"
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/register"
)

// overThere is a recognizer that finds a grid unless the table is elsewhere.
type overThere struct {
	unsigned
	away bool
}

func (r *overThere) ReadKnown(img gocv.Mat, game table.Game, _ Known) (table.Observation, error) {
	o := table.Observation{Game: game, Width: img.Cols(), Height: img.Rows(), Grid: &table.Grid{Rows: 5, Cols: 5}}
	if !r.away {
		*o.Grid = table.Grid{Found: true, Rows: 5, Cols: 5, Corners: gridHere}
	}
	return o, nil
}

// dappled has light fall through leaves that move in the wind.
func dappled(img *gocv.Mat, t float64) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		panic(err)
	}
	for i := range pix {
		x, y := float64(i/3%img.Cols()), float64(i/3/img.Cols())
		shade := math.Sin(x/12+6*t) * math.Sin(y/11+4*wave(0.23, t, 1)) // -1 to 1
		pix[i] = uint8((0.75 - 0.25*shade) * float64(pix[i]))
	}
}

// TestTrouble keeps a table from being read after two good seconds: that is told, with what helps, and is over when
// the table is back.
func TestTrouble(t *testing.T) {
	t.Parallel()
	top := gocv.IMRead(filepath.Join("testdata", "known", "arena-blue.jpg"), gocv.IMReadColor)
	t.Cleanup(func() { top.Close() })
	gocv.Resize(top, &top, image.Pt(640, 480), 0, 0, gocv.InterpolationArea)
	other := gocv.IMRead(filepath.Join("testdata", "checkered", "030.jpg"), gocv.IMReadColor)
	t.Cleanup(func() { other.Close() })
	gocv.Resize(other, &other, image.Pt(640, 480), 0, 0, gocv.InterpolationArea)
	arm := func(img *gocv.Mat, t float64) {
		y := 200 + int(120*wave(0.4, t, 0))
		gocv.Rectangle(img, image.Rect(250, y, 640, y+110), color.RGBA{R: 210, G: 160, B: 130}, -1)
	}
	for name, c := range map[string]struct {
		disturb func(img *gocv.Mat, t float64) // for t seconds now
		lasts   float64
		away    bool    // no grid is in view
		want    string  // code of what is told
		from    float64 // seconds in which it has to be told, and not before the first
		to      float64
	}{
		"nothing happens":     {disturb: func(*gocv.Mat, float64) {}, lasts: 15},
		"a hand for a while":  {disturb: arm, lasts: 8},
		"a hand all the time": {disturb: arm, lasts: 13, want: "covered", from: 9.5, to: 11},
		"a hand beside the board all the time": {disturb: func(img *gocv.Mat, t float64) {
			x := 120 + int(40*wave(0.6, t, 0))
			gocv.Rectangle(img, image.Rect(0, 380, x, 440), color.RGBA{R: 210, G: 160, B: 130}, -1)
		}, lasts: 13},
		"it trembles": {disturb: func(img *gocv.Mat, t float64) { pushed(img, 2*wave(2.3, t, 0), 2*wave(2.9, t, 1), 0) }, lasts: 15},
		"it is shaken": {disturb: func(img *gocv.Mat, t float64) {
			pushed(img, 160*wave(1.7, t, 0), 140*wave(2.3, t, 1), 20*wave(1.1, t, 2))
		}, lasts: 13, want: "trembling", from: 9.5, to: 11},
		"the lamp goes, and on": {disturb: func(img *gocv.Mat, t float64) {
			arm(img, t)
			lit(img, func(_, _ float64) [3]float64 { return [3]float64{.07, .07, .07} })
		}, lasts: 13, want: "dark", from: 9.5, to: 11},
		"light falls through leaves that move": {disturb: dappled, lasts: 13, want: "moving-light", from: 9.5, to: 11},
		"it is pushed by far":                  {disturb: func(img *gocv.Mat, _ float64) { other.CopyTo(img) }, lasts: 4, away: true, want: "no-board", from: 0.5, to: 2},
		"the view is pushed far":               {disturb: func(img *gocv.Mat, _ float64) { pushed(img, 30, 20, 8) }, lasts: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := &overThere{}
			s := &session{w: &Watcher{}, what: eye.Watch{Game: table.DiceFlick}, info: camera.Info{Live: true}, rec: rec, follow: newFollower(), lastAt: calibration.Homography(register.Still)}
			defer s.follow.close()
			trouble := func(at float64, disturb func(*gocv.Mat, float64)) *table.Warning {
				img := top.Clone()
				disturb(&img, at)
				f := camera.Taken{Frame: camera.Frame{T: at}, Picture: camera.Shown(img)}
				defer f.Picture.Close()
				v, err := s.look(f)
				if err == nil && v.Read {
					err = s.read(img, v)
				}
				if err != nil {
					t.Fatal(err)
				}
				s.notePatience(v, at)
				return s.observation(f, v).Trouble
			}
			const fps = 5
			for i := range 2 * fps {
				if w := trouble(float64(i)/fps, func(*gocv.Mat, float64) {}); w != nil {
					t.Fatalf("before: %s", w.Code)
				}
			}
			rec.away = c.away
			told := false
			for i := range int(c.lasts * fps) {
				since := float64(i) / fps
				w := trouble(2+since, func(img *gocv.Mat, _ float64) { c.disturb(img, since) })
				if w == nil {
					if c.want != "" && since > c.to {
						t.Fatalf("after %.1f s nothing is told, want %s", since, c.want)
					}
					continue
				}
				if told = true; w.Code != c.want || since < c.from {
					t.Fatalf("after %.1f s: %s, want %q from %.1f s on", since, w.Code, c.want, c.from)
				}
			}
			if told != (c.want != "") {
				t.Errorf("told: %v", told)
			}
			rec.away = false
			var last *table.Warning
			for i := range 4 * fps {
				last = trouble(2+c.lasts+float64(i)/fps, func(*gocv.Mat, float64) {})
			}
			if last != nil {
				t.Errorf("when the table is back: %s", last.Code)
			}
		})
	}
}
