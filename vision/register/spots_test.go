package register

import (
	"math"
	"math/rand/v2"
	"testing"
)

// spots paints a table of about so many equal spots at random.
func spots(seed uint64, n int, m Motion) Picture {
	const radius = 0.02
	rng := rand.New(rand.NewPCG(seed, 3))
	type spot struct{ x, y float64 }
	var list []spot
	for range 3 * n {
		list = append(list, spot{rng.Float64()*2.0 - 1.0, rng.Float64()*1.5 - 0.75})
	}
	back, _ := m.Inverse()
	pix := make([]byte, 3*sceneWidth*sceneHeight)
	for y := range sceneHeight {
		for x := range sceneWidth {
			px, py := (float64(x)+0.5)/sceneWidth-0.5, (float64(y)+0.5-sceneHeight/2)/sceneWidth
			u, v := apply(&back, px, py)
			c := [3]float64{70, 95, 130}
			for _, s := range list {
				d := math.Hypot(u-s.x, v-s.y)
				k := min(max((radius-d)*sceneWidth+0.5, 0), 1)
				c[0], c[1], c[2] = c[0]+k*(220-c[0]), c[1]+k*(220-c[1]), c[2]+k*(220-c[2])
			}
			for k := range c {
				pix[3*(y*sceneWidth+x)+k] = byte(min(max(c[k]+rng.NormFloat64()+0.5, 0), 255))
			}
		}
	}
	return Picture{pix, sceneWidth, sceneHeight}
}

// TestSpots shows tables with a few equal things on them, which can be laid on those of another table by chance: such a
// one is lost. One that is turned in one step is found, or lost where there is next to nothing on it.
func TestSpots(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		for _, n := range []int{6, 12} {
			var r Register
			ref := spots(seed, n, Still)
			r.See(ref, 0)
			if v := r.See(spots(seed+100, n, Still), 1); !v.Lost {
				t.Errorf("table %d of %d things: another is found at %.3f, %.2f of the marks agree", seed, n, v.Motion, v.Agreement)
			}
			r.See(ref, 1)
			m := similarity(0.05, -0.04, 30, 1)
			if v := r.See(spots(seed, n, m), 2); !v.Lost && off(v.Motion, m, 0.8) > 2.0/800 {
				t.Errorf("table %d of %d things, turned: off by %.1f pixels of 800, %.2f of the marks agree", seed, n, 800*off(v.Motion, m, 0.8), v.Agreement)
			} else if n == 12 && v.Lost && len(r.marks[0]) > 2*fewMarks/3 {
				t.Errorf("table %d of %d things, turned, is lost: %.2f of %d marks agree", seed, n, v.Agreement, len(r.marks[0]))
			}
		}
	}
}
