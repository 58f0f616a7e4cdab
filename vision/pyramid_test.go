package vision

import (
	"image"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/geometry"
	"diceref/vision/measure"
)

// TestCloseUps cuts dice out of pictures so that one fills a fifth to a half of the view. But for a few they are read as they were
// in the whole picture.
func TestCloseUps(t *testing.T) {
	r := opened(t)
	const long = 640
	cut, right := 0, 0
	for _, p := range groupPictures(t, []string{"easy"}, nil)[:8] {
		img, o := readWhole(t, r, p.Path, p.Game)
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

// TestFarAway pastes tables into the middle of a view five times as wide. Most of their dice are read as they were, and what they show is
// never surely another face.
func TestFarAway(t *testing.T) {
	r := opened(t)
	const wider = 5
	dice, right := 0, 0
	loose := func(p *measure.Picture) bool { return p.Game.Kit().Layout == table.Loose }
	for _, p := range groupPictures(t, []string{"easy", "normal", "patterned"}, loose)[:8] {
		img, o := readWhole(t, r, p.Path, p.Game)
		far := gocv.NewMatWithSizeFromScalar(img.Mean(), wider*img.Rows(), wider*img.Cols(), img.Type())
		at := image.Pt((wider-1)*img.Cols()/2, (wider-1)*img.Rows()/2)
		middle := far.Region(image.Rectangle{at, at.Add(image.Pt(img.Cols(), img.Rows()))})
		img.CopyTo(&middle)
		seen, err := r.Read(far, table.Any)
		if err != nil {
			t.Fatal(err)
		}
		dice += len(o.Dice)
		for _, d := range o.Dice {
			for _, s := range seen.Dice {
				switch near := geometry.Distance(s.At, table.Point{X: d.At.X + float64(at.X), Y: d.At.Y + float64(at.Y)}) < halfDiagonal(d)/2; {
				case near && s.Face == d.Face:
					right++
				case near && d.Sure && s.Sure:
					t.Errorf("%s: a %d that is far away is surely a %d", p.Path, d.Face, s.Face)
				}
			}
		}
		middle.Close()
		far.Close()
	}
	if right < 55 || dice < 60 {
		t.Errorf("%d of %d dice that are far away are read right", right, dice)
	}
}
