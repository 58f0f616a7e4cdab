package vision

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/geometry"
)

// TestUnlikeSizes lays loose dice beside the same ones half as large: people have dice of unlike sizes. Those are told, too.
func TestUnlikeSizes(t *testing.T) {
	r := opened(t)
	laid, right := 0, 0
	for _, p := range groupPictures(t, []string{"easy", "normal", "hard"}, isLoose)[:6] {
		img, o := readWhole(t, r, p.Path, table.Any)
		small, beside, both := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
		gocv.Resize(img, &small, image.Point{}, 0.5, 0.5, gocv.InterpolationArea)
		gocv.CopyMakeBorder(small, &beside, 0, img.Rows()-small.Rows(), 0, 0, gocv.BorderReplicate, color.RGBA{})
		gocv.Hconcat(img, beside, &both)
		seen, err := r.Read(both, table.Any)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range o.Dice {
			at := table.Point{X: float64(img.Cols()) + d.At.X/2, Y: d.At.Y / 2}
			laid++
			for _, s := range seen.Dice {
				if geometry.Distance(s.At, at) < halfDiagonal(d)/4 && s.Face == d.Face {
					right++
				}
			}
		}
		for _, m := range []gocv.Mat{small, beside, both} {
			m.Close()
		}
	}
	t.Logf("%d of %d small dice beside large ones are read as by themselves", right, laid)
	if right < 40 || laid < 46 {
		t.Error("want at least 40 of 46")
	}
}
