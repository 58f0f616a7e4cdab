package vision

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
)

// TestTurnedAlike: the same picture gives the same answer however it is turned; only where a
// grid's numbers begin may differ.
func TestTurnedAlike(t *testing.T) {
	r := opened(t)
	dice := 0
	for _, dir := range []string{"easy", "normal", "hard", "hands"} {
		for i, p := range picturesOf(t, dir, 20) {
			quarters := quartersOf(i)
			if quarters == 0 {
				continue
			}
			// Both anew: with OpenCV 4.10 the last digits hang on the sizes of the pictures that were read before.
			upright, o := readAnew(t, r, reading{p.Path, p.Game, 0}), readAnew(t, r, reading{p.Path, p.Game, quarters})
			dice += len(upright.Dice)
			sameAnswer(t, p.Path, upright, table.Unturned(o.Width, o.Height).Turned(-quarters).Observation(o))
		}
	}
	if dice < 300 {
		t.Errorf("only %d dice were compared", dice)
	}
}

// sameAnswer fails the test where two answers about one picture differ in more than the corner at which a
// grid's numbers begin.
func sameAnswer(t *testing.T, name string, a, b table.Observation) {
	t.Helper()
	const rounding = 1e-6
	if len(a.Dice) != len(b.Dice) {
		t.Errorf("%s: %d dice, and %d when turned", name, len(a.Dice), len(b.Dice))
		return
	}
	if a.Grid != nil && a.Grid.Found {
		NumberLike(&b, a.Grid.Corners)
		for i, c := range a.Grid.Corners {
			if geometry.Distance(c, b.Grid.Corners[i]) > rounding {
				t.Errorf("%s: the grid's corner %d lies at %v, and %v when turned", name, i, c, b.Grid.Corners[i])
			}
		}
	}
	for _, d := range a.Dice {
		k := slices.IndexFunc(b.Dice, func(e table.Reading) bool { return geometry.Distance(d.At, e.At) < rounding })
		if k < 0 {
			nearest := math.Inf(1)
			for _, e := range b.Dice {
				nearest = min(nearest, geometry.Distance(d.At, e.At))
			}
			t.Errorf("%s: there is no %v at %v when turned, the nearest die is %g away", name, d.Die, d.At, nearest)
			continue
		}
		e := b.Dice[k]
		square := (d.Square == nil) == (e.Square == nil) && (d.Square == nil || *d.Square == *e.Square)
		if d.Die != e.Die || d.Sure != e.Sure || d.Confidence != e.Confidence || !square {
			t.Errorf("%s: %v on %v, sure %v, at %v is %v on %v, sure %v, when turned", name, d.Die, d.Square, d.Sure, d.At, e.Die, e.Square, e.Sure)
		}
	}
}

// TestRest: however a picture is turned, it comes to rest the same way up.
func TestRest(t *testing.T) {
	for _, size := range [][2]int{{96, 64}, {64, 96}, {80, 80}} {
		img := gocv.NewMatWithSize(size[1], size[0], gocv.MatTypeCV8UC3)
		defer img.Close()
		for _, q := range [][3]int{{20, 50, 9}, {70, 30, 5}, {31, 12, 3}} {
			gocv.Rectangle(&img, image.Rect(q[0], q[1], q[0]+q[2], q[1]+q[2]), color.RGBA{R: 200, G: 90, B: 40}, -1)
		}
		want := newScene(&Recognizer{}, img, table.Any).quartersToRest(Known{})
		for quarters := 1; quarters < 4; quarters++ {
			s := newScene(&Recognizer{}, img, table.Any).turned(quarters)
			if got := s.quartersToRest(Known{}); (got+quarters)%4 != want {
				t.Errorf("a picture of %v comes to rest after %d quarters, turned by %d after %d", size, want, quarters, got)
			}
			if got := s.quartersToRest(Known{AsItLies: true}); got != 0 {
				t.Errorf("a picture that is read as it lies is turned by %d quarters", got)
			}
			s.img.Close()
		}
	}
}

// TestTwoWays: of two readings of loose dice, one each way up, what they tell alike is sure where one of
// them is, and what only one of them shows is told on a patterned table if it is told plainly.
func TestTwoWays(t *testing.T) {
	r := &Recognizer{finder: &detect.Finder{}, patterned: lazy[*detect.Finder]{loaded: &detect.Finder{}}}
	reading := func(x float64, face int, sure bool, confidence float64) table.Reading {
		return table.Reading{
			Die: table.Die{Color: table.Red, Face: face}, Sure: sure, Confidence: confidence, At: table.Point{X: x},
			Outline: [4]table.Point{{X: x - 10}, {}, {X: x + 10}, {}},
		}
	}
	for name, c := range map[string]struct {
		patterned  bool
		one, other []table.Reading
		want       []int // faces
		sure       []bool
	}{
		"alike, one is sure":        {false, []table.Reading{reading(0, 3, false, 0.9)}, []table.Reading{reading(1, 3, true, 0.99)}, []int{3}, []bool{true}},
		"alike, none is sure":       {false, []table.Reading{reading(0, 3, false, 0.9)}, []table.Reading{reading(1, 3, false, 0.9)}, []int{3}, []bool{false}},
		"otherwise, both sure":      {false, []table.Reading{reading(0, 3, true, 0.98)}, []table.Reading{reading(1, 5, true, 0.99)}, []int{5}, []bool{false}},
		"alone":                     {false, []table.Reading{reading(0, 3, true, 0.6)}, nil, []int{3}, []bool{false}},
		"alone on a pattern":        {true, []table.Reading{reading(0, 3, true, 0.6)}, nil, nil, nil},
		"alone on a pattern, plain": {true, []table.Reading{reading(0, 3, true, 0.97)}, nil, []int{3}, []bool{false}},
		"one of two, on a pattern":  {true, []table.Reading{reading(0, 3, true, 0.6), reading(60, 2, true, 0.6)}, []table.Reading{reading(61, 2, false, 0.5)}, []int{2}, []bool{true}},
	} {
		a, b := &scene{r: r, finder: r.finder}, &scene{r: r, finder: r.finder}
		if c.patterned {
			patterned, err := r.patterned.get()
			if err != nil {
				t.Fatal(err)
			}
			b.finder = patterned
		}
		a.obs.Dice, b.obs.Dice = c.one, c.other
		a.compare(b.finder, b.obs)
		var faces []int
		var sure []bool
		for _, d := range a.obs.Dice {
			faces, sure = append(faces, d.Face), append(sure, d.Sure)
		}
		if !slices.Equal(faces, c.want) || !slices.Equal(sure, c.sure) {
			t.Errorf("%s: faces %v, sure %v; want %v, %v", name, faces, sure, c.want, c.sure)
		}
	}
}

// TestEitherWayUp: pale dice on a table as pale do not say which way they lean, but all are sure
// if they are the same either way up.
func TestEitherWayUp(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "leaning", 2) {
		for quarters := range 4 {
			if m := readTurned(t, r, p, "", quarters); m.Right < m.Dice || m.Sure < m.Dice || m.Invented > 0 {
				t.Errorf("%s, turned by %d quarters: %d of %d dice right, %d sure: %v", p.Path, quarters, m.Right, m.Dice, m.Sure, m.Faults)
			}
		}
	}
}

// TestTurnsOff: down is told in the picture, and turned to be down.
func TestTurnsOff(t *testing.T) {
	for quarters, down := range map[int]table.Point{0: {X: 0.3, Y: 1}, 1: {X: 1, Y: -0.4}, 2: {X: 0.2, Y: -1}, 3: {X: -1, Y: 0.9}} {
		if got := (&scene{down: down}).turnsOff(); got != quarters {
			t.Errorf("down at %v: turned by %d quarters, want %d", down, got, quarters)
		}
	}
}
