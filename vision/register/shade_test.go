package register

import (
	"math"
	"testing"
)

// leaves is the shadows of leaves that move in the wind, at a time.
func leaves(t float64) func(x, y float64) [3]float64 {
	return func(x, y float64) [3]float64 {
		g := 1.0
		for i := range 5 {
			k := float64(i)
			u, v := 0.5*math.Sin(2.3*k+0.4*t*(1+0.2*k)), 0.37*math.Cos(1.7*k+0.3*t)
			g *= 1 - 0.35*math.Min(2*t, 1)*math.Exp(-((x-u)*(x-u)+(y-v)*(y-v))/(2*0.05*0.05))
		}
		return [3]float64{g, g, 1 + 0.9*(g-1)}
	}
}

// TestShade has small soft shadows wander over a table. One on which a hand lies is not told from it.
func TestShade(t *testing.T) {
	t.Parallel()
	thingsUnder(t, leaves, 1, 0.01)
}

// daylight comes over a table that was seen in deep shadow first.
func daylight(t float64) func(x, y float64) [3]float64 {
	return func(x, _ float64) [3]float64 {
		g := 0.3 + 0.7/(1+math.Exp((x+0.5-0.4*t)/0.075))
		return [3]float64{g, g, g}
	}
}

// TestOutOfShadow has a table come out of the shadow in which it was seen first: it is more than three times as bright then.
func TestOutOfShadow(t *testing.T) {
	t.Parallel()
	thingsUnder(t, daylight, 0.3, 0.001)
}
