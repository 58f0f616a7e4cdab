package vision

import (
	"math"
	"testing"

	"diceref/table"
	"diceref/vision/classify"
	"diceref/vision/pixels"
)

// TestEdges paints a top that a lamp clips, each of its edges in another shade of one dye: the
// darkest tells the dye, whichever it is, and the brightest is clipped.
func TestEdges(t *testing.T) {
	const width, from, to = 80, 20, 60
	dye := [3]float64{0.8, 0.17, 0.01} // RGB of the light that an orange die sends back, 1 is clipped
	shades := [4]float64{3, 0.6, 1.5, 2}
	px := &pixels.Picture{Width: width, Height: width, Data: make([]uint8, 3*width*width)}
	for y := from; y < to; y++ {
		for x := from; x < to; x++ {
			up, right, down, left := y-from, to-1-x, to-1-y, x-from
			light := shades[0]
			for k, far := range [4]int{up, right, down, left} {
				if far == min(up, right, down, left) {
					light = shades[k]
				}
			}
			for c, v := range dye {
				px.Data[3*(y*width+x)+2-c] = uint8(math.Round(255 * math.Pow(min(v*light, 1), 1/gamma)))
			}
		}
	}
	top := [4]table.Point{{X: from, Y: from}, {X: to, Y: from}, {X: to, Y: to}, {X: from, Y: to}}
	for turn := range 4 {
		var outline [4]table.Point
		for k := range outline {
			outline[k] = top[(k+turn)%4]
		}
		var got classify.Tint
		edges(px, &outline, got[classify.EdgesFrom:])
		want := math.Log((0.8*0.6 + tintDark) / (0.17*0.6 + tintDark))
		for _, dark := range [][]float32{got[classify.EdgesFrom:], got[classify.EdgesFrom+4:]} {
			if math.Abs(float64(dark[0])-want) > 0.05 || dark[3] != 0 {
				t.Errorf("turned %d times: red over green of the darkest edge %.2f, want %.2f; %.0f %% of it clipped, want none", turn, dark[0], want, 100*dark[3])
			}
		}
		if bright := got[classify.EdgesFrom+8:]; math.Abs(float64(bright[0])-math.Log((1+tintDark)/(0.17*3+tintDark))) > 0.05 {
			t.Errorf("turned %d times: red over green of the brightest edge %.2f", turn, bright[0])
		}
	}

	out := [4]table.Point{{X: -30, Y: 0}, {X: -10, Y: 0}, {X: -10, Y: 20}, {X: -30, Y: 20}}
	var none classify.Tint
	if edges(px, &out, none[classify.EdgesFrom:]); none != (classify.Tint{}) {
		t.Errorf("edges of a top outside the picture: %v", none)
	}
}
