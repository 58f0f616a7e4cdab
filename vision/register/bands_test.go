package register

import (
	"math"
	"testing"
)

// flicker is lamps that flicker, as a camera sees them that exposes row by row, at a time.
func flicker(t float64) func(x, y float64) [3]float64 {
	return func(_, y float64) [3]float64 {
		g := 1 + 0.18*math.Sin(2*math.Pi*(3*y+3.7*t))
		return [3]float64{g, g, 1 + 0.8*(g-1)}
	}
}

// TestBands has bands of light wander over a table.
func TestBands(t *testing.T) {
	t.Parallel()
	thingsUnder(t, flicker, 1, 0.001)
}

// thingsUnder has light change over a table, on which a die and later a hand come: they differ from what was there, and nothing
// else does but such a share of the picture at most. lit is how bright the table is at first: things differ by as much less.
func thingsUnder(t *testing.T, light func(t float64) func(x, y float64) [3]float64, lit, most float64) {
	t.Helper()
	differs, alike := int(25*lit), max(int(12*lit), 5)
	for name, cover := range map[string]func(x, y float64) bool{
		"a die":                nil,
		"a hand":               hand,
		"an arm across it all": func(_, y float64) bool { return math.Abs(y-0.05) < 0.06 },
	} {
		var r Register
		r.See(scene{light: light(0), noise: 1}.paint(), 0)
		for i := 1; i < 8; i++ {
			now := float64(i) / 10
			s := scene{light: light(now), noise: 1}
			s.cover = func(x, y float64) bool {
				return math.Abs(x+0.2) < 0.02 && math.Abs(y+0.1) < 0.02 || i >= 4 && cover != nil && cover(x, y)
			}
			v := r.See(s.paint(), now)
			unlike, things, missed := 0, 0, 0
			r.differences(func(x, y float64, by int) {
				const around = 0.015
				within := s.cover(x-around, y-around) && s.cover(x+around, y+around)
				near := s.cover(x-around, y-around) || s.cover(x+around, y+around) || s.cover(x-around, y+around) || s.cover(x+around, y-around)
				switch {
				case within:
					things++
					if by < differs {
						missed++
					}
				case !near && by > alike:
					unlike++
				}
			})
			if float64(unlike) > most*float64(len(v.Thumb.Known)) || missed > things/4 {
				t.Errorf("%s, frame %d: %d pixels differ where nothing lies, %d of %d do not where something came", name, i, unlike, missed, things)
			}
		}
	}
}
