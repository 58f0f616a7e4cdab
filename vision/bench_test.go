package vision

import (
	"image"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/lattice"
)

func benchPicture(b *testing.B, name string, width, height int) gocv.Mat {
	b.Helper()
	img := gocv.IMRead(name, gocv.IMReadColor)
	if img.Empty() {
		b.Fatalf("cannot read %s", name)
	}
	b.Cleanup(func() { img.Close() })
	gocv.Resize(img, &img, image.Pt(width, height), 0, 0, gocv.InterpolationLinear)
	return img
}

// How much is known before a picture is read.
const (
	nothing   = iota
	gridKnown // and what is beside it is looked for
	boardOnly
)

func benchRead(b *testing.B, name string, game table.Game, width, height, known int) {
	r, img := opened(b), benchPicture(b, name, width, height)
	o, err := r.Read(img, game)
	if err != nil {
		b.Fatal(err)
	}
	var cal *calibration.Profile
	if known != nothing {
		if cal, err = calibration.FromGrid(game, width, height, o.Grid.Corners); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if known == boardOnly {
			o, err = r.ReadKnown(img, game, Known{Profile: cal, BoardOnly: true})
		} else {
			o, err = r.ReadWith(img, game, cal)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(o.Dice)), "dice")
}

// The pictures are blown up to the size that counts; what is read is the same.
func BenchmarkBoardKnownGrid(b *testing.B) {
	benchRead(b, "testdata/hard/dice-box102.jpg", table.DiceBox, 1280, 720, boardOnly)
}

// BenchmarkBoardAndBeside is the first reading of a view, which looks at the whole table.
func BenchmarkBoardAndBeside(b *testing.B) {
	benchRead(b, "testdata/hard/dice-box102.jpg", table.DiceBox, 1280, 720, gridKnown)
}

func BenchmarkBoardFromNothing(b *testing.B) {
	benchRead(b, "testdata/hard/dice-box102.jpg", table.DiceBox, 1280, 720, nothing)
}

func BenchmarkLooseDice(b *testing.B) {
	benchRead(b, "testdata/easy/fromage-a-trois102.jpg", table.FromageATrois, 1280, 720, nothing)
}

func BenchmarkTwelveMegapixels(b *testing.B) {
	benchRead(b, "testdata/hard/dice-box102.jpg", table.DiceBox, 4000, 3000, nothing)
}

// BenchmarkGrid is the grid finder alone, on made-up maps of a full board.
func BenchmarkGrid(b *testing.B) {
	s := makeSynth(rand.New(rand.NewPCG(1, 1)), table.Board, 25, 40, flaws{dropped: 0.6, shift: 1})
	for b.Loop() {
		lattice.FindGrid(s.maps, s.width, s.height, nil)
	}
}
