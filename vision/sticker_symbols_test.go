package vision

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
)

// signed is what a hole shows of a sticker: a sign in white on gray, in another font than is
// looked for, turned, blurred, and with noise.
func signed(rng *rand.Rand, text string) (paper [holeSamples * holeSamples]float64) {
	const n = 90
	img := gocv.NewMatWithSize(n, n, gocv.MatTypeCV8U)
	defer img.Close()
	img.SetTo(gocv.NewScalar(float64(40+rng.IntN(60)), 0, 0, 0))
	scale := map[int]float64{0: 1, 1: 2.2, 2: 1.7}[len(text)]
	size := gocv.GetTextSize(text, gocv.FontHersheyDuplex, scale, 6)
	at := image.Pt((n-size.X)/2+rng.IntN(7)-3, (n+size.Y)/2+rng.IntN(7)-3)
	gocv.PutText(&img, text, at, gocv.FontHersheyDuplex, scale, color.RGBA{R: 200, G: 200, B: 200, A: 255}, 6)
	for range rng.IntN(4) {
		gocv.Rotate(img, &img, gocv.Rotate90Clockwise)
	}
	sigma := 1 + 4*rng.Float64()
	gocv.GaussianBlur(img, &img, image.Pt(0, 0), sigma, sigma, gocv.BorderReplicate)
	for i := range paper {
		y, x := i/holeSamples, i%holeSamples
		paper[i] = max(float64(img.GetUCharAt((2*y+1)*n/(2*holeSamples), (2*x+1)*n/(2*holeSamples)))+4*rng.NormFloat64(), 0)
	}
	return paper
}

// TestSignsDecide: where the light leaves it open whether a sticker is yellow or orange, what is
// printed on it decides; what has no sign is not a sticker, whatever its color.
func TestSignsDecide(t *testing.T) {
	between := hue{0.22, -1.02}
	for _, test := range []struct{ text, want string }{{"+1", table.BonusMarker}, {"2", table.YellowMarker}, {"", ""}} {
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 3))
			var holes []hole
			for i := range table.Size * table.Size {
				holes = append(holes, hole{square: table.SquareAt(i), hue: hue{0.1, -0.1}, bright: 60, paper: signed(rng, "")})
			}
			holes[7].hue, holes[7].bright, holes[7].paper = between, 120, signed(rng, test.text)
			got := ""
			for _, m := range tellMarkers(holes) {
				if (table.Square{Row: m.Row, Col: m.Col}) == holes[7].square {
					got = m.Marker
				}
			}
			if got != test.want {
				t.Errorf("seed %d: a sticker with %q is told as %q, want %q", seed, test.text, got, test.want)
			}
		}
	}
}
