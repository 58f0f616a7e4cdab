package net

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"
)

// TestView holds views made smaller against OpenCV's area means.
func TestView(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	img := gocv.NewMatWithSize(211, 317, gocv.MatTypeCV8UC3)
	defer img.Close()
	data, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = uint8(rng.Uint32())
	}
	f := NewViewer()
	defer f.Close()
	for _, part := range []image.Rectangle{image.Rect(0, 0, 317, 211), image.Rect(13, 21, 301, 200), image.Rect(300, 200, 317, 211)} {
		for _, shrunk := range []float64{1, 1.001, 1.3, 1.6, 1.999, 5} {
			size := image.Pt(max(int(float64(part.Dx())/shrunk), 1), max(int(float64(part.Dy())/shrunk), 1))
			whole := image.Pt((size.X+31)/32*32, (size.Y+31)/32*32)
			got, err := f.View(img, part, size, whole)
			if err != nil {
				t.Fatal(err)
			}
			want := areaMeans(img, part, size, whole)
			off := 0
			w, g := values(t, want), values(t, got)
			if len(w) != len(g) {
				t.Fatalf("%v to %v: %d numbers, want %d", part, size, len(g), len(w))
			}
			for i := range w {
				d := math.Abs(float64(w[i] - g[i]))
				if d > 1.01/255 {
					t.Fatalf("%v to %v: number %d is %g, want %g", part, size, i, g[i], w[i])
				}
				if d > 1e-6 { // rounded the other way
					off++
				}
			}
			if off > len(w)/100 {
				t.Errorf("%v to %v: %d of %d numbers are off", part, size, off, len(w))
			}
			got.Close()
			want.Close()
		}
	}
}

func areaMeans(img gocv.Mat, part image.Rectangle, size, whole image.Point) gocv.Mat {
	m, small, padded := img.Region(part), gocv.NewMat(), gocv.NewMat()
	defer m.Close()
	defer small.Close()
	defer padded.Close()
	gocv.Resize(m, &small, size, 0, 0, gocv.InterpolationArea)
	gocv.CopyMakeBorder(small, &padded, 0, whole.Y-size.Y, 0, whole.X-size.X, gocv.BorderReplicate, color.RGBA{})
	return gocv.BlobFromImage(padded, 1.0/255, whole, gocv.NewScalar(0, 0, 0, 0), true, false)
}
