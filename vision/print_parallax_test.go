package vision

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
	"diceref/vision/measure"
)

// TestPrintedSquares reads boards that have pictures of dice in their squares, with and without
// knowing the grid: none is told, and every die that stands there is, surely.
func TestPrintedSquares(t *testing.T) {
	r := opened(t)
	pictures := picturesOf(t, "printed", 3)
	dice := 0
	for i := range pictures {
		p := &pictures[i]
		img := gocv.IMRead(p.Path, gocv.IMReadColor)
		cal, err := calibration.FromGrid(p.Game, img.Cols(), img.Rows(), [4]table.Point(p.Corners))
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []Known{{}, {Profile: cal}, {Profile: cal, BoardOnly: true}} {
			o, err := r.ReadKnown(img, p.Game, k)
			if err != nil {
				t.Fatal(err)
			}
			m := measure.Compare(p, o)
			dice += m.Dice
			if m.Invented > 0 || m.Right < m.Dice || m.Sure < m.Dice {
				t.Errorf("%s, grid known: %v: %d of %d dice right, %d sure, %d invented: %v", filepath.Base(p.Path), k.Profile != nil, m.Right, m.Dice, m.Sure, m.Invented, m.Faults)
			}
		}
		img.Close()
	}
	if dice < 30 {
		t.Errorf("only %d dice were there to be read", dice)
	}
}

// topAt is what the find network would see of a square of that side about a place of the grid.
func topAt(cam *calibration.Camera, x, y, side, height float64) detect.Top {
	var c [4]table.Point
	for k, d := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		c[k] = cam.Project(x+d[0]*side/2, y+d[1]*side/2, height)
	}
	return detect.Top{Score: 0.9, At: cam.Project(x, y, height), Outline: c, Size: sizeOf(&c), Stands: 3}
}

// TestLow: print in the middle of a square is told from a die by where it is seen, if it is seen
// aslant, and no die is taken for it that stands as dice do.
func TestLow(t *testing.T) {
	for _, l := range []table.Layout{table.Board, table.Arena} {
		side := usualSide(l)
		told, there := 0, 0
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 9))
			cam := randomCamera(rng, 1280, 720, 40)
			var dice, print []detect.Top
			for i := range table.Size * table.Size {
				q := table.SquareAt(i)
				x, y := float64(q.Col)+0.5, float64(q.Row)+0.5
				print = append(print, topAt(&cam, x, y, side, topHeight(l, side)-side))
				off := func() float64 { return (rng.Float64() - 0.5) * 0.08 }
				dice = append(dice, topAt(&cam, x+off(), y+off(), side, topHeight(l, side)))
			}
			s := &scene{kit: table.Kit{Layout: l}, grid: &lattice.Grid{Camera: cam, Shared: 1, Nodes: lattice.Points * lattice.Points, Speaks: lattice.Points * lattice.Points}}
			s.markLow(side, dice)
			s.markLow(side, print)
			for i := range dice {
				if dice[i].Low > 0.5 {
					t.Errorf("layout %v, seed %d: a die near the middle of its square counts as low as %.1f", l, seed, dice[i].Low)
				}
				q := table.SquareAt(i)
				x, y, _ := cam.Place(print[i].At, topHeight(l, side))
				if way := math.Hypot(x-float64(q.Col)-0.5, y-float64(q.Row)-0.5); way > 0.15 && way < 0.5 {
					there++
					if print[i].Low > 1 {
						told++
					}
				}
			}
		}
		if there < 50 || told < there*19/20 {
			t.Errorf("layout %v: %d of %d prints seen aslant are told by where they are seen", l, told, there)
		}
	}
}

// TestDoubtfulGrid: where the grid may be another, nothing is print by its place.
func TestDoubtfulGrid(t *testing.T) {
	cam := randomCamera(rand.New(rand.NewPCG(5, 9)), 1280, 720, 40)
	tops := []detect.Top{topAt(&cam, 0.7, 0.8, 0.75, 0.75)}
	(&scene{kit: table.Kit{Layout: table.Board}, grid: &lattice.Grid{Camera: cam}}).markLow(0.75, tops)
	if tops[0].Low != 0 {
		t.Errorf("a top counts as low as %.1f by a grid that may be another", tops[0].Low)
	}
}

// TestPlacing: dice that plainly stand say how neatly they are put, print does not.
func TestPlacing(t *testing.T) {
	stands, lies := &detect.Top{Score: 0.9, Stands: standMost}, &detect.Top{Score: 0.9, Stands: 0}
	die, print, flat := footing{stands, 0.04, 0.09}, footing{stands, 0.04, 0}, footing{lies, 0.04, 0.09}
	for _, test := range []struct {
		name   string
		seen   []footing
		neatly bool
	}{
		{"none", nil, true},
		{"dice put anyhow", []footing{die, die, die, die}, false},
		{"print that seems to stand", []footing{print, print, print}, true},
		{"some nearer to the middle as print", []footing{die, die, die, die, print}, false},
		{"what may lie", []footing{flat, flat, flat, flat}, true},
	} {
		if got := placing(test.seen); (got < 0.02) != test.neatly {
			t.Errorf("%s: dice are put %.4f off, want neatly: %v", test.name, got, test.neatly)
		}
	}
}

// TestPrintHasNoVote: how large the dice are is told by those that stand, however many print there is.
func TestPrintHasNoVote(t *testing.T) {
	cam := randomCamera(rand.New(rand.NewPCG(3, 9)), 1280, 720, 20)
	const side = 0.82
	var tops []detect.Top
	for i := range 12 {
		q := table.SquareAt(2 * i)
		x, y := float64(q.Col)+0.5, float64(q.Row)+0.5
		if i < 4 {
			tops = append(tops, topAt(&cam, x, y, side, side))
			continue
		}
		print := topAt(&cam, x, y, 0.5, 0)
		print.Stands = -4
		tops = append(tops, print)
	}
	if got := dieSide(&cam, table.Board, tops); math.Abs(got-side) > 0.03 {
		t.Errorf("the side of the dice is taken for %.2f, want %.2f", got, side)
	}
}

// TestShort: among print a die must stand about as plainly as the others do.
func TestShort(t *testing.T) {
	square := &table.Square{Row: 1, Col: 1}
	on := func(stands ...float64) (dice []placed) {
		for _, v := range stands {
			dice = append(dice, placed{Top: detect.Top{Score: 0.8, Stands: v, Cut: true}, square: square})
		}
		return dice
	}
	at := func(low float64, dice []placed) []placed {
		dice[len(dice)-1].Low = low
		return dice
	}
	for _, test := range []struct {
		name  string
		dice  []placed
		short bool // the last of them
	}{
		{"no print is seen", on(5, 5, 5, 5, 0), false},
		{"one may be anything", on(5, 5, 5, 5, -4, 0), false},
		{"two prints", on(5, 5, 5, 5, -4, -4, 0), true},
		{"a die among print", on(5, 5, 5, 5, -4, -4, 4), false},
		{"where dice stand less plainly", on(2, 2, 2, 2, -4, -4, 0), false},
		{"nearer to the middle as a die", at(-4, on(5, 5, 5, 5, -4, -4, 0)), false},
		{"nearer to the middle as print", at(4, on(5, 5, 5, 5, -4, -4, 4)), true},
	} {
		markShort(test.dice)
		last := &test.dice[len(test.dice)-1]
		if (last.short > 0) != test.short {
			t.Errorf("%s: short by %.1f, want short: %v", test.name, last.short, test.short)
		}
		plain := *last
		plain.short = 0
		if s := (&scene{grid: &lattice.Grid{}}); test.short && (last.surelyThere() || s.prior(last) >= s.prior(&plain)) {
			t.Errorf("%s: it is sure, or no less likely a die", test.name)
		}
	}
}
