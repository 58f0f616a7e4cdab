package register

import (
	"math"
	"testing"
)

// TestStays has a sleeve nearly like the table lie still for three seconds: it is not taken for light.
func TestStays(t *testing.T) {
	t.Parallel()
	const seconds = 3
	sleeve := func(x, y float64) bool { return x > 0.1 && math.Abs(y-0.05) < 0.09 }
	under := func(_, y float64) [3]float64 { // the shadow that an arm casts
		g := 1 - 0.25*math.Exp(-(y-0.05)*(y-0.05)/(2*0.15*0.15))
		return [3]float64{g, g, g}
	}
	brown, red := [3]float64{100, 125, 155}, [3]float64{61, 74, 148}
	for _, c := range []struct {
		name  string
		color [3]float64
		light func(x, y float64) [3]float64
	}{{"brown", brown, nil}, {"red, with its own shadow", red, under}} {
		var r Register
		r.See(scene{noise: 1}.paint(), 0)
		with := scene{noise: 1, light: c.light, cover: sleeve, color: c.color}.paint()
		for i := range 10 * seconds {
			r.See(with, float64(i+1)/10)
		}
		things, missed := 0, 0
		r.differences(func(x, y float64, by int) {
			const around = 0.015
			if sleeve(x-around, y-around) && sleeve(x+around, y+around) {
				things++
				if by < 12 {
					missed++
				}
			}
		})
		if missed > things/10 {
			t.Errorf("%s: %d of %d pixels of the sleeve are taken for light", c.name, missed, things)
		}
	}
}
