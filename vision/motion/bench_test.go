package motion

import (
	"math/rand/v2"
	"testing"

	"diceref/vision/register"
)

// BenchmarkSee judges frames of a table on which nothing happens.
func BenchmarkSee(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const width, height = 160, 120
	var views []*register.View
	for range 8 {
		v := &register.View{Agreement: 1, Shown: 1, Thumb: register.Thumb{
			Pix: make([]byte, 3*width*height), Width: width, Height: height,
			Known: make([]bool, width*height), Burnt: make([]register.Colors, width*height), Exposure: 1,
		}}
		for i := range v.Thumb.Known {
			v.Thumb.Known[i] = true
			for c := range 3 {
				v.Thumb.Pix[3*i+c] = byte(60 + 40*(i/7%3) + rng.IntN(4))
			}
		}
		views = append(views, v)
	}
	var j Judge
	i := 0
	for b.Loop() {
		j.See(views[i%len(views)], float64(i)/10)
		i++
	}
}
