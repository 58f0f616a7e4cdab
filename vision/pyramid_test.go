package vision

import (
	"image"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/geometry"
)

// TestCloseUps cuts dice out of pictures so that one fills a fifth to a half of the view. But for a few they are read as they were
// in the whole picture.
func TestCloseUps(t *testing.T) {
	r := opened(t)
	const long = 640
	cut, right := 0, 0
	for _, p := range groupPictures(t, []string{"easy"}, nil)[:8] {
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		defer img.Close()
		o, err := r.Read(img, p.Game)
		if err != nil {
			t.Fatal(err)
		}
		for i, share := range []float64{0.2, 0.35, 0.5} {
			if i >= len(o.Dice) {
				break
			}
			d := o.Dice[i]
			side := halfDiagonal(d) * math.Sqrt2
			half := int(side / share / 2)
			view := image.Rect(int(d.At.X)-half, int(d.At.Y)-half, int(d.At.X)+half, int(d.At.Y)+half).Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
			part := img.Region(view)
			near := gocv.NewMat()
			f := long / float64(max(view.Dx(), view.Dy()))
			gocv.Resize(part, &near, image.Point{}, f, f, gocv.InterpolationCubic)
			seen, err := r.Read(near, table.Any)
			if err != nil {
				t.Fatal(err)
			}
			cut++
			at := table.Point{X: (d.At.X - float64(view.Min.X)) * f, Y: (d.At.Y - float64(view.Min.Y)) * f}
			for _, s := range seen.Dice {
				if geometry.Distance(s.At, at) < side*f/4 && s.Face == d.Face {
					right++
				}
			}
			part.Close()
			near.Close()
		}
	}
	if right < 20 || cut < 24 {
		t.Errorf("%d of %d dice that are close are read right", right, cut)
	}
}
