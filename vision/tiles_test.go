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
	"diceref/vision/geometry"
	"diceref/vision/lattice"
	"diceref/vision/pixels"
)

// scenery is what a made-up table shows at a place, in squares.
type scenery func(x, y float64) [3]float64

// picture is what a camera sees of a table, with a camera's noise.
func (s scenery) picture(rng *rand.Rand, cam *calibration.Camera, width, height int) *pixels.Picture {
	px := &pixels.Picture{Width: width, Height: height, Data: make([]uint8, 3*width*height)}
	for i := range width * height {
		var sum [3]float64
		for _, d := range [2]float64{0.25, 0.75} {
			x, y, _ := cam.Place(table.Point{X: float64(i%width) + d, Y: float64(i/width) + d}, 0)
			for c, v := range s(x, y) {
				sum[c] += v / 2
			}
		}
		for c, v := range sum {
			px.Data[3*i+c] = uint8(min(max(v+2*rng.NormFloat64(), 0), 255))
		}
	}
	return px
}

var (
	tableColor = [3]float64{60, 90, 110}
	gapColor   = [3]float64{86, 92, 96}
	tileColor  = [3]float64{106, 106, 102}
	otherColor = [3]float64{96, 112, 128}
)

// tiled is a board of so many rows and columns of tiles with rounded corners, on a ground that is little darker.
func tiled(rows, cols int) scenery {
	const gap, round = 0.06, 0.12
	return func(x, y float64) [3]float64 {
		switch h, v := math.Floor(x), math.Floor(y); {
		case x < -0.5 || y < -0.5 || x > float64(cols)+0.5 || y > float64(rows)+0.5:
			return tableColor
		case h < 0 || v < 0 || h >= float64(cols) || v >= float64(rows):
			return gapColor
		default:
			dx, dy := math.Abs(x-h-0.5)-(0.5-gap-round), math.Abs(y-v-0.5)-(0.5-gap-round)
			if math.Hypot(max(dx, 0), max(dy, 0)) > round {
				return gapColor
			}
			return tileColor
		}
	}
}

// checkered is a cloth, of which only so many rows and columns are no plain table.
func checkered(rows, cols float64) scenery {
	return func(x, y float64) [3]float64 {
		switch {
		case x < 0 || y < 0 || x > cols || y > rows:
			return tableColor
		case int(math.Floor(x)+math.Floor(y))&1 == 0:
			return tileColor
		}
		return otherColor
	}
}

// bricks are tiles of which every other row is moved by half a tile.
func bricks(x, y float64) [3]float64 {
	row := math.Floor(y)
	return tiled(40, 40)(x+20+0.5*math.Mod(math.Abs(row), 2), y+20)
}

// with lays things over a scenery where they are.
func (s scenery) with(there func(x, y float64) bool, color [3]float64) scenery {
	return func(x, y float64) [3]float64 {
		if there(x, y) {
			return color
		}
		return s(x, y)
	}
}

// scattered are things in the middles of some of the squares.
func scattered(half float64, every, from int) func(x, y float64) bool {
	return func(x, y float64) bool {
		i := int(math.Floor(x)) + table.Size*int(math.Floor(y))
		return onGrid(x, y) && i%every == from && max(math.Abs(x-math.Floor(x)-0.5), math.Abs(y-math.Floor(y)-0.5)) < half
	}
}

// TestTiles: a board of tiles is found without lines, and nothing that is not five by five.
func TestTiles(t *testing.T) {
	const views = 5
	dark, light := [3]float64{30, 30, 40}, [3]float64{200, 180, 60}
	for name, c := range map[string]struct {
		scenery scenery
		least   int // views in which the grid must be found
	}{
		"tiles":               {tiled(5, 5), views},
		"tiles with dice":     {tiled(5, 5).with(scattered(0.38, 4, 1), light), views - 1},
		"tiles with print":    {tiled(5, 5).with(scattered(0.25, 2, 0), dark), views - 1},
		"checkered":           {checkered(5, 5), views},
		"four rows":           {tiled(4, 5), 0},
		"six by six":          {tiled(6, 6), 0},
		"checkered, 8 by 8":   {checkered(8, 8), 0},
		"a checkered cloth":   {func(x, y float64) [3]float64 { return checkered(40, 40)(x+20, y+20) }, 0},
		"a floor of bricks":   {bricks, 0},
		"squares far between": {scenery(func(float64, float64) [3]float64 { return tableColor }).with(scattered(0.3, 7, 2), light), 0},
	} {
		found := 0
		for seed := range uint64(views) {
			rng := rand.New(rand.NewPCG(seed, 11))
			const width, height = 640, 480
			cam := randomCamera(rng, width, height, 35)
			s := &scene{px: c.scenery.picture(rng, &cam, width, height), width: width, height: height, kit: table.DiceBox.Kit()}
			g, ok := lattice.ByTiles(s.px)
			if !ok {
				continue
			}
			found++
			if c.least == 0 {
				t.Errorf("%s, seed %d: a grid is found where there is none", name, seed)
			} else if off := cornersOff(&g.Camera, &cam); off > 0.15 {
				t.Errorf("%s, seed %d: a corner is off by %.2f squares", name, seed, off)
			}
		}
		if found < c.least {
			t.Errorf("%s: found in %d views of %d, want %d", name, found, views, c.least)
		}
	}
}

// cornersOff is how far the worst corner is off, in squares, however the grid is numbered.
func cornersOff(got, want *calibration.Camera) float64 {
	least := math.Inf(1)
	for turn := range 4 {
		worst := 0.0
		as := want.Turned(turn)
		turned := as.Corners()
		for k, p := range got.Corners() {
			_, pitch := lattice.LatticePoint(want, k/2*table.Size, k%2*table.Size)
			worst = max(worst, geometry.Distance(p, turned[k])/pitch)
		}
		least = min(least, worst)
	}
	return least
}

// TestTilesRead reads a board that has no lines, of whose lattice the network sees too little.
func TestTilesRead(t *testing.T) {
	r := opened(t)
	img := gocv.IMRead(filepath.Join("testdata", "tiles", "checkered.jpg"), gocv.IMReadColor)
	defer img.Close()
	o, err := r.Read(img, table.DiceBox)
	if err != nil {
		t.Fatal(err)
	}
	if o.Grid == nil || !o.Grid.Found || o.Grid.Unsure {
		t.Fatalf("the grid is found as %+v", o.Grid)
	}
	want, err := calibration.FromQuad(img.Cols(), img.Rows(), [4]table.Point{{X: 271.7, Y: 466}, {X: 278.7, Y: 187.1}, {X: 548.8, Y: 173.9}, {X: 589, Y: 451.5}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := calibration.FromQuad(img.Cols(), img.Rows(), o.Grid.Corners)
	if off := cornersOff(&got, &want); err != nil || off > 0.1 {
		t.Errorf("a corner is off by %.2f squares, %v", off, err)
	}
}

// TestTilesCovered: where the network sees no lattice, gaps between tiles or the ground as ever tell
// that nothing is over it.
func TestTilesCovered(t *testing.T) {
	plain := func(x, y float64) [3]float64 { return checkered(1, 1)(x/table.Size, y/table.Size) }
	hand := func(x, y float64) bool { return x > 1.6 && y < 3.4 }
	for name, c := range map[string]struct {
		before, now scenery
		want        bool
	}{
		"tiles":                             {nil, tiled(5, 5), false},
		"a hand over tiles":                 {nil, tiled(5, 5).with(hand, otherColor), true},
		"a plain board":                     {nil, plain, true}, // nobody can tell
		"a plain board as ever":             {plain, plain, false},
		"a hand over a plain board as ever": {plain, scenery(plain).with(hand, [3]float64{120, 150, 200}), true},
	} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 13))
			const width, height = 640, 480
			cam := randomCamera(rng, width, height, 30)
			s := &scene{grid: &lattice.Grid{Camera: cam}, kit: table.DessertDice.Kit(), side: 0.75}
			var g *Ground
			if c.before != nil {
				g = &Ground{}
				g.learn(&scene{grid: s.grid, px: c.before.picture(rng, &cam, width, height)}, nil)
			}
			s.px, s.ground = c.now.picture(rng, &cam, width, height), g
			m := blankMaps(width, height)
			for i, ch := 0, m.Channel(detect.ChLattice); i < len(ch); i++ {
				ch[i] = -5
			}
			if got := s.covered(m, nil); got != c.want {
				t.Errorf("%s, seed %d: covered: %v", name, seed, got)
			}
		}
	}
}
