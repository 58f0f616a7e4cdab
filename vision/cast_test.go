package vision

import (
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/measure"
)

// warm changes the light to that of a bulb, so many times as far from daylight as the usual one.
func warm(img *gocv.Mat, times float64) {
	lit(img, func(_, _ float64) [3]float64 { return [3]float64{1 - 0.4*times, 1 - 0.12*times, 1 + 0.1*times} })
}

// TestForeignLight reads arenas under a bulb that the camera does not balance at all, with so little blue that white is
// nearly yellow: most colors are read right, and none is surely something else.
func TestForeignLight(t *testing.T) {
	r := opened(t)
	arenas := groupPictures(t, []string{"easy", "normal", "hard"}, func(p *measure.Picture) bool { return p.Game == table.DiceFlick || p.Game == table.DiceBox })
	dice, right := 0, 0
	for i, p := range arenas {
		if i%3 > 0 { // as many tell as much
			continue
		}
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		defer img.Close()
		warm(&img, 2)
		o, err := r.Read(img, p.Game)
		if err != nil {
			t.Fatal(err)
		}
		m := measure.Compare(&p, o)
		dice, right = dice+m.Dice, right+m.Right
		if m.Wrong > 0 {
			t.Errorf("%s: sure and wrong: %v", p.Path, m.Faults)
		}
	}
	if 10*right < 8*dice {
		t.Errorf("%d of %d dice right, want four of five", right, dice)
	}
	t.Logf("%d of %d dice right", right, dice)
}
