package vision

import (
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/detect"
)

// damages are what goes wrong in rooms, and the warnings that say what to mend.
var damages = []struct {
	name, want string // want: the warning's code, "" none
	do         func(img *gocv.Mat, o table.Observation)
}{
	{"none", "", func(*gocv.Mat, table.Observation) {}},
	{"light mirrored on the dice", "glare", func(img *gocv.Mat, o table.Observation) {
		for i, d := range o.Dice {
			if i%2 == 0 {
				gocv.Circle(img, image.Pt(int(d.At.X+0.15*halfDiagonal(d)), int(d.At.Y)), int(0.4*halfDiagonal(d)), color.RGBA{255, 255, 255, 255}, -1)
			}
		}
	}},
	{"a lamp that is off", "dark", func(img *gocv.Mat, _ table.Observation) { scale(img, 0.09) }},
	{"a lens out of focus", "blurred", func(img *gocv.Mat, o table.Observation) {
		s := topSide(o) / 8
		gocv.GaussianBlur(*img, img, image.Pt(0, 0), s, s, gocv.BorderReplicate)
	}},
	{"a camera far away", "too-far", func(img *gocv.Mat, o table.Observation) {
		k := 12 / topSide(o)
		small := gocv.NewMat()
		defer small.Close()
		gocv.Resize(*img, &small, image.Point{}, k, k, gocv.InterpolationArea)
		gocv.CopyMakeBorder(small, img, 40, 40, 60, 60, gocv.BorderReplicate, color.RGBA{})
	}},
	{"a camera that looks past the board", "board-cut-off", func(img *gocv.Mat, o table.Observation) {
		left := (o.Grid.Corners[0].X+o.Grid.Corners[1].X+o.Grid.Corners[2].X+o.Grid.Corners[3].X)/4 - 1.9*pitch(o)
		part := img.Region(image.Rect(int(left), 0, img.Cols(), img.Rows()))
		whole := part.Clone()
		part.Close()
		img.Close()
		*img = whole
	}},
	{"an arm over the board", "hand", func(img *gocv.Mat, o table.Observation) {
		skin := color.RGBA{205, 150, 120, 255}
		c := o.Grid.Corners
		mid := image.Pt(int(c[0].X+c[2].X)/2, int(c[0].Y+c[2].Y)/2)
		gocv.Line(img, image.Pt(img.Cols()/2, img.Rows()), mid, skin, int(2.2*pitch(o)))
		gocv.Circle(img, mid, int(1.6*pitch(o)), skin, -1)
	}},
}

// topSide is about how long the dice's sides are in the picture, in pixels.
func topSide(o table.Observation) float64 {
	var d []placed
	for _, r := range o.Dice {
		d = append(d, placed{Top: detect.Top{Size: halfDiagonal(r)}})
	}
	return middleSide(d)
}

// pitch is about how long a square's sides are in the picture, in pixels.
func pitch(o table.Observation) float64 {
	c := o.Grid.Corners
	return max(c[2].X-c[0].X, c[1].X-c[3].X, c[0].X-c[2].X) / table.Size / 1.2
}

func scale(img *gocv.Mat, by float64) {
	data, err := img.DataPtrUint8()
	if err != nil {
		panic(err)
	}
	for i, v := range data {
		data[i] = uint8(float64(v) * by)
	}
}

// TestWarnings damages pictures that are good, and wants to be told of it; and whatever
// the damage, nothing that is sure may be wrong.
func TestWarnings(t *testing.T) {
	r := opened(t)
	for _, name := range []string{"dessert-dice100", "dessert-dice101", "dice-box101", "dice-box102"} {
		whole := gocv.IMRead(filepath.Join("testdata", "easy", name+".jpg"), gocv.IMReadColor)
		game := table.DessertDice
		if name[5] == 'b' {
			game = table.DiceBox
		}
		truth, err := r.Read(whole, game)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range damages {
			img := whole.Clone()
			d.do(&img, truth)
			o, err := r.Read(img, game)
			if err != nil {
				t.Fatal(err)
			}
			img.Close()
			var codes []string
			for _, w := range o.Warnings {
				codes = append(codes, w.Code)
			}
			if d.want == "" && len(codes) > 0 || d.want != "" && !slices.Contains(codes, d.want) {
				t.Errorf("%s, %s: warnings %v, want %q", name, d.name, codes, d.want)
			}
		}
		whole.Close()
	}
}

// TestColorless: a picture without color is read, but no color is acted on.
func TestColorless(t *testing.T) {
	r := opened(t)
	for name, game := range map[string]table.Game{"dessert-dice101": table.DessertDice, "dice-box102": table.DiceBox, "dicecreams101": table.DiceCreams, "dice-flick104": table.DiceFlick} {
		img := gocv.IMRead(filepath.Join("testdata", "easy", name+".jpg"), gocv.IMReadGrayScale)
		o, err := r.Read(img, game)
		if err != nil {
			t.Fatal(err)
		}
		img.Close()
		if len(o.Dice) == 0 {
			t.Errorf("%s in gray: no dice", name)
		}
		for _, d := range o.Dice {
			if d.Sure {
				t.Errorf("%s in gray: sure of %v %d", name, d.Color, d.Face)
			}
		}
	}
}
