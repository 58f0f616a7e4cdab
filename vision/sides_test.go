package vision

import (
	"math/rand/v2"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
	"diceref/vision/pixels"
)

// leaningBoard makes a board with n dice that is seen aslant, and a false top at each side of theirs that is seen, after
// them; nil where a seed's is not.
func leaningBoard(seed uint64, fake func(fake *placed, side sight)) (sc *scene, dice []placed, n int) {
	s := makeSynth(rand.New(rand.NewPCG(seed, 3)), table.Board, 6, 50, flaws{})
	if s.camera.Tilt() < 30 {
		return nil, nil, 0
	}
	sc = &scene{kit: table.DiceBox.Kit(), grid: &lattice.Grid{Camera: s.camera}, side: s.side, px: &pixels.Picture{}, width: s.width, height: s.height}
	dice = place(&s.camera, table.Board, s.side, s.maps.Peaks(s.width, s.height))
	n = len(dice)
	for i := range n {
		for _, side := range sc.sidesOnGrid(&dice[i]) {
			f := dice[i]
			fake(&f, side)
			dice = append(dice, f)
		}
	}
	return sc, dice, n
}

// TestMarkSides puts false tops where sides of dice are seen: they are contested, and no true one is taken for a side.
func TestMarkSides(t *testing.T) {
	for seed := uint64(0); seed < 40; seed++ {
		sc, dice, n := leaningBoard(seed, func(fake *placed, p sight) { fake.At, fake.Score = p.at, 0.3 })
		if sc == nil {
			continue
		}
		if len(dice) == n {
			t.Fatalf("seed %d: no side is visible at a tilt of %.0f degrees", seed, sc.grid.Camera.Tilt())
		}
		sc.markSides(dice)
		for i, d := range dice {
			if i >= n && !d.contested || i < n && d.side {
				t.Errorf("seed %d: top %d of %d true ones is contested: %v, a side: %v", seed, i, n, d.contested, d.side)
			}
		}
	}
}

// TestSideFits: what has just the outline that a side would have is one, however well it is seen.
func TestSideFits(t *testing.T) {
	sides, off := 0, 0
	for seed := uint64(0); seed < 40; seed++ {
		sc, dice, n := leaningBoard(seed, func(fake *placed, p sight) { fake.At, fake.Outline, fake.Score = p.at, p.outline, 0.99 })
		if sc == nil {
			continue
		}
		sc.markSides(dice)
		for i, d := range dice {
			if i >= n {
				sides++
				if !d.side || !d.sideFits {
					t.Errorf("seed %d: side %d is not taken for one: side %v, fits %v", seed, i-n, d.side, d.sideFits)
				}
			} else if d.sideFits {
				off++
			}
		}
	}
	if sides < 20 || off > 0 {
		t.Errorf("of %d sides and the true tops above them %d of the latter have a side's outline", sides, off)
	}
}

// TestSidesSeen reads a board with a side as plain as a top, which is not told, and a full one with a red die just where
// a white one's side would be, which is (a black one behind is missed).
func TestSidesSeen(t *testing.T) {
	readInAllTurns(t, "sides", 1, 0)
	readInAllTurns(t, "full", 1, 1)
}

// TestOnAnother asks whether a top that is fitted again lies on a plainly seen one.
func TestOnAnother(t *testing.T) {
	plain, weak := squareTop(100, 100), squareTop(200, 100)
	weak.Score = fitScore / 2
	dice := []placed{plain, weak, squareTop(160, 100)}
	for _, tt := range []struct {
		name string
		i    int
		at   table.Point
		want bool
	}{
		{"on a plain one", 2, table.Point{X: 104, Y: 103}, true},
		{"beside it", 2, table.Point{X: 120, Y: 100}, false},
		{"on itself", 0, table.Point{X: 104, Y: 103}, false},
		{"on one in doubt", 2, table.Point{X: 204, Y: 103}, false},
	} {
		if got := onAnother(dice, tt.i, &detect.Top{At: tt.at, Size: plain.Size}); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// squareTop is a loose die's top that is seen from straight above, 26 pixels wide.
func squareTop(x, y float64) placed {
	const half = 13
	return placed{Top: detect.Top{At: table.Point{X: x, Y: y}, Score: 0.8, Size: half * 1.4142, Outline: [4]table.Point{
		{X: x - half, Y: y - half}, {X: x + half, Y: y - half}, {X: x + half, Y: y + half}, {X: x - half, Y: y + half},
	}}}
}
