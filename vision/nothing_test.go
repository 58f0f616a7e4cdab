package vision

import (
	"image"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/detect"
)

// TestNothingIsNeverSilent takes pictures in which no die can be read, and wants to be told why.
func TestNothingIsNeverSilent(t *testing.T) {
	r := opened(t)
	whole := gocv.IMRead(filepath.Join("testdata", "easy", "dicecreams101.jpg"), gocv.IMReadColor)
	defer whole.Close()
	truth, err := r.Read(whole, table.DiceCreams)
	if err != nil || len(truth.Dice) == 0 {
		t.Fatalf("%d dice, %v", len(truth.Dice), err)
	}
	size := halfDiagonal(truth.Dice[0])
	resized := func(w, h float64) gocv.Mat {
		m := gocv.NewMat()
		gocv.Resize(whole, &m, image.Point{}, w, h, gocv.InterpolationArea)
		return m
	}
	for _, c := range []struct {
		name, want string
		draw       func() gocv.Mat
	}{
		{"a table without dice", "no-dice", func() gocv.Mat {
			return gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 150, 0), 480, 640, gocv.MatTypeCV8UC3)
		}},
		{"a picture of a few pixels", "too-far", func() gocv.Mat {
			return gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 150, 0), 20, 20, gocv.MatTypeCV8UC3)
		}},
		{"no light", "dark", func() gocv.Mat {
			m := whole.Clone()
			scale(&m, 0.004)
			return m
		}},
		{"out of focus", "blurred", func() gocv.Mat {
			m := whole.Clone()
			gocv.GaussianBlur(m, &m, image.Pt(0, 0), size/3, size/3, gocv.BorderReplicate)
			return m
		}},
		{"far away", "too-far", func() gocv.Mat {
			m := resized(4.5/size, 4.5/size)
			gocv.CopyMakeBorder(m, &m, 200, 200, 200, 200, gocv.BorderReplicate, color.RGBA{})
			return m
		}},
	} {
		img := c.draw()
		o, err := r.Read(img, table.DiceCreams)
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Dice) > 0 || !slices.ContainsFunc(o.Warnings, func(w table.Warning) bool { return w.Code == c.want }) {
			t.Errorf("%s: %d dice, warnings %v, want none and %q", c.name, len(o.Dice), o.Warnings, c.want)
		}
	}
}

// TestWhyNothing: of what may be tops the plainest tells why none could be read.
func TestWhyNothing(t *testing.T) {
	at := func(w, h, score float64, cut bool) placed {
		o := [4]table.Point{{X: 100 - w, Y: 100 - h}, {X: 100 + w, Y: 100 - h}, {X: 100 + w, Y: 100 + h}, {X: 100 - w, Y: 100 + h}}
		return placed{Top: detect.Top{At: table.Point{X: 100, Y: 100}, Score: score, Size: math.Sqrt(w*w + h*h), Outline: o, Cut: cut}}
	}
	for name, c := range map[string]struct {
		tops []placed
		want string
	}{
		"nothing at all":                   {nil, "no-dice"},
		"hardly anything":                  {[]placed{at(30, 30, sureScore-0.1, true)}, "no-dice"},
		"one that leaves the picture":      {[]placed{at(30, 30, 0.9, true)}, "too-close"},
		"a small one":                      {[]placed{at(4, 4, 0.9, false)}, "too-far"},
		"one seen from the side":           {[]placed{at(40, 12, 0.9, false)}, "too-flat"},
		"a plain one and one by the frame": {[]placed{at(30, 30, 0.6, true), at(40, 12, 0.9, false)}, "too-flat"},
		"one that no one can read":         {[]placed{at(30, 30, 0.9, false)}, "no-dice"},
	} {
		if code, text := whyNothing(c.tops); code != c.want || text == "" {
			t.Errorf("%s: %s (%s), want %s", name, code, text, c.want)
		}
	}
}
