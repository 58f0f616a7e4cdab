package vision

import (
	"math/rand/v2"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// TestRepeated: what is seen in another square too is print, whatever the light on either, but not
// what a die hides there, nor what stands plainly, nor where the grid may be another.
func TestRepeated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	cam := randomCamera(rng, 1280, 720, 10)
	print, twin := topAt(&cam, 1.5, 1.5, 0.75, 0), topAt(&cam, 3.5, 2.5, 0.75, 0.75)
	plain := func(d detect.Top) detect.Top {
		d.Stands = standMost
		return d
	}
	sure := lattice.Grid{Camera: cam, Shared: 1, Nodes: lattice.Points * lattice.Points, Speaks: lattice.Points * lattice.Points}
	for _, test := range []struct {
		name  string
		gain  float32 // light on the same mark, on the square (3, 2); 0: another is there
		off   int     // cells by which it is put otherwise in its square
		noise float32
		grid  lattice.Grid
		tops  []detect.Top
		want  bool
	}{
		{"the same", 1, 0, 0, sure, []detect.Top{print}, true},
		{"in the shade", 0.5, 0, 0, sure, []detect.Top{print}, true},
		{"in noise", 1, 0, 0.1, sure, []detect.Top{print}, true},
		{"in both squares", 1, 0, 0, sure, []detect.Top{print, twin}, true},
		{"put a little otherwise", 1, 1, 0, sure, []detect.Top{print}, false},
		{"another", 0, 0, 0, sure, []detect.Top{print}, false},
		{"where a die stands", 1, 0, 0, sure, []detect.Top{print, plain(twin)}, false},
		{"what seems to stand", 1, 0, 0, sure, []detect.Top{plain(print)}, true},
		{"a grid that may be another", 1, 0, 0, lattice.Grid{Camera: cam}, []detect.Top{print}, false},
	} {
		s := &scene{kit: table.Kit{Layout: table.Board}, grid: &test.grid, above: make([]float32, groundFraming.Values())}
		for i := range s.above {
			s.above[i] = rng.Float32()
		}
		const away = (1*groundCells*(table.Size+2*groundAround) + 2) * groundCells // a row and two columns
		if n := groundFraming.Size; test.gain > 0 {
			for i := range s.above {
				if x, y := i%n/groundCells, i/n%n/groundCells; x == 2 && y == 2 { // the square (1, 1), beside what is around
					s.above[i+away+test.off] = test.gain*s.above[i] + test.noise*rng.Float32()
				}
			}
		}
		if s.markRepeated(test.tops); (test.tops[0].Again == lowMost) != test.want || !test.want && test.tops[0].Again != 0 {
			t.Errorf("%s: counts as print by %.2f", test.name, test.tops[0].Again)
		}
	}
}
