package vision

import (
	"image"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/geometry"
)

// TestCutByTheEdge: where no game is known, a top of which the picture's edge takes an eighth is told nearly always, and never surely.
func TestCutByTheEdge(t *testing.T) {
	r := opened(t)
	there, told := 0, 0
	for _, p := range groupPictures(t, []string{"easy", "normal", "hard"}, isLoose)[:5] {
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		whole, err := r.Read(img, table.Any)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range whole.Dice[:min(3, len(whole.Dice))] {
			left, right := math.Inf(1), math.Inf(-1)
			for _, c := range d.Outline {
				left, right = min(left, c.X), max(right, c.X)
			}
			edge := image.Rect(int(left+(right-left)/8), 0, img.Cols(), img.Rows())
			part := img.Region(edge)
			o, err := r.Read(part, table.Any)
			part.Close()
			if err != nil {
				t.Fatal(err)
			}
			there++
			for _, c := range o.Dice {
				if geometry.Distance(c.At, table.Point{X: d.At.X - float64(edge.Min.X), Y: d.At.Y}) < halfDiagonal(d)/3 {
					if c.Sure {
						t.Errorf("%s: a die of which the edge shows a part is surely %v", p.Path, c.Die)
					}
					if c.Face == d.Face {
						told++
					}
				}
			}
		}
		img.Close()
	}
	t.Logf("of %d dice that the edge cuts %d are read", there, told)
	if there < 15 || told < 14 {
		t.Error("want at least 14 of 15")
	}
}
