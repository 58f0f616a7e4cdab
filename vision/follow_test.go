package vision

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/motion"
)

// disturbance makes of a frame what another camera would have seen, t seconds after the beginning.
type disturbance func(img *gocv.Mat, t float64)

// pushed moves and turns the view, in pixels of a picture 800 across and in degrees.
func pushed(img *gocv.Mat, x, y, degrees float64) {
	w, h := float64(img.Cols()), float64(img.Rows())
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer m.Close()
	for i, v := range [...]float64{cos, -sin, x*w/800 + w/2 - cos*w/2 + sin*h/2, sin, cos, y*w/800 + h/2 - sin*w/2 - cos*h/2} {
		m.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(*img, img, m, image.Pt(img.Cols(), img.Rows()), gocv.InterpolationLinear, gocv.BorderReplicate, color.RGBA{})
}

func wave(hertz, t, phase float64) float64 { return math.Sin(2*math.Pi*hertz*t + phase) }

// disturbances are what happens to cameras at real tables.
var disturbances = map[string]disturbance{
	"as it is": func(*gocv.Mat, float64) {},
	"trembles": func(img *gocv.Mat, t float64) { pushed(img, 2*wave(2.3, t, 1), 1.6*wave(2.9, t, 3), 0) },
	"held in the hand": func(img *gocv.Mat, t float64) {
		pushed(img, 5*wave(0.31, t, 2)+2*wave(2.3, t, 1), 4*wave(0.23, t, 5)+1.5*wave(2.9, t, 3), 0.6*wave(0.17, t, 4))
	},
	"pushed": func(img *gocv.Mat, t float64) {
		n := math.Floor(t / 7)
		pushed(img, 7*wave(0.37, n, 1), 6*wave(0.29, n, 2), 0.8*wave(0.41, n, 3))
	},
	"turned by far": func(img *gocv.Mat, t float64) {
		if t > 20 {
			pushed(img, 12, -8, 32)
		}
	},
	"a shadow passes": func(img *gocv.Mat, t float64) { shade(img, 0.5+0.6*wave(1.0/17, t, 2), 0.45) },
	"trembles under a shadow": func(img *gocv.Mat, t float64) {
		shade(img, 0.5+0.6*wave(1.0/17, t, 2), 0.35)
		pushed(img, wave(2.3, t, 1), 0.8*wave(2.9, t, 3), 0)
	},
	"the light is switched": func(img *gocv.Mat, t float64) {
		if int(t/11)%2 == 1 {
			lit(img, func(_, _ float64) [3]float64 { return [3]float64{0.6, 0.74, 0.86} })
		}
	},
}

// shade lets a soft shadow lie right of a place, in shares of the width, as dark as that.
func shade(img *gocv.Mat, at, dark float64) {
	lit(img, func(x, _ float64) [3]float64 {
		g := 1 - dark/(1+math.Exp(-(x-at)/0.075))
		return [3]float64{g, g, g}
	})
}

// lit changes the light: by a factor for each color that depends on the place, in shares of the width.
func lit(img *gocv.Mat, gain func(x, y float64) [3]float64) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		panic(err)
	}
	w := img.Cols()
	for x := range w {
		g := gain(float64(x)/float64(w), 0)
		var by [3][256]uint8
		for c := range by {
			for v := range by[c] {
				by[c][v] = uint8(min(float64(v)*g[c], 255))
			}
		}
		for y := range img.Rows() {
			for c := range by {
				p := &pix[3*(y*w+x)+c]
				*p = by[c][*p]
			}
		}
	}
}

// TestFollowsDisturbedVideos plays recorded games as cameras see them that tremble, are held in a hand and
// pushed, under lights that change: every stretch without a hand in it is read as often as one wants, and
// nothing else is.
func TestFollowsDisturbedVideos(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dessert-dice", "dice-box"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stills [][2]int // first and last frame of each
			data, err := os.ReadFile(filepath.Join("testdata", "gate", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &stills); err != nil {
				t.Fatal(err)
			}
			for kind, list := range readFrames(t, name) {
				checkReads(t, kind, stills, list)
			}
		})
	}
}

// checkReads checks which frames of a game are read.
func checkReads(t *testing.T, kind string, stills [][2]int, list []int) {
	t.Helper()
	reads := make([]int, len(stills))
	for _, i := range list {
		in := -1
		for k, s := range stills {
			if i >= s[0] && i <= s[1] {
				in = k
			}
		}
		if in < 0 {
			t.Errorf("%s: frame %d is read, with a hand in it", kind, i)
			continue
		}
		reads[in]++
	}
	for k, n := range reads {
		if n < 2 || kind == "as it is" && n != 2 {
			t.Errorf("%s: %d readings of frames %v, want 2", kind, n, stills[k])
		}
	}
}

// onlooker follows a game through a camera to which something happens.
type onlooker struct {
	follow follower
	judge  motion.Judge
	read   []int // the frames that are to be read
}

// readFrames is, for every disturbance, the frames of a recorded game that are to be read. The video is decoded once.
func readFrames(t *testing.T, name string) map[string][]int {
	t.Helper()
	src, err := camera.Open(t.Context(), filepath.Join("..", "cmd", "diceref-eye", "demo", name+".mp4"), camera.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	img := camera.NewPicture()
	defer img.Close()
	onlookers := map[string]*onlooker{}
	for kind := range disturbances {
		o := &onlooker{follow: newFollower()}
		defer o.follow.close()
		onlookers[kind] = o
	}
	for {
		frame, err := src.Next(context.Background(), img)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		pixels, err := img.Full()
		if err != nil {
			t.Fatal(err)
		}
		for kind, o := range onlookers {
			o.see(t, kind, pixels, frame)
		}
	}
	lists := map[string][]int{}
	for kind, o := range onlookers {
		lists[kind] = o.read
	}
	return lists
}

// see shows a frame as it is disturbed.
func (o *onlooker) see(t *testing.T, kind string, pixels gocv.Mat, frame camera.Frame) {
	t.Helper()
	disturbed := pixels.Clone()
	disturbances[kind](&disturbed, frame.T)
	img := camera.Shown(disturbed)
	defer img.Close()
	if _, _, err := o.follow.see(img, frame.T); err != nil {
		t.Fatal(err)
	}
	v := o.judge.See(o.follow.view, frame.T)
	if take := o.judge.Changed(); v.New && take != nil {
		o.follow.reg.Learn(take)
	}
	if !v.Read {
		return
	}
	o.read = append(o.read, frame.Index)
	if v.Look != table.LookStill {
		t.Errorf("%s: frame %d is read, and %s", kind, frame.Index, v.Look)
	}
}
