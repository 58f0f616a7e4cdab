package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/lattice"
)

// printed is a made-up picture of a printed board on a table.
type printed struct {
	camera calibration.Camera
	img    gocv.Mat
}

// printedView draws a view of the board that `diceref print board` prints, with or
// without its marks, under simple dice, with the flaws of a webcam.
func printedView(rng *rand.Rand, width, height, dice int, tilt float64, marks bool) printed {
	p := printed{camera: randomCamera(rng, width, height, tilt), img: gocv.NewMatWithSize(height, width, gocv.MatTypeCV8UC3)}
	p.camera.T[2] *= 1.4 // the margin with the marks is in view too
	p.drawTable(rng, marks)
	for _, i := range rng.Perm(25)[:dice] {
		p.drawDie(rng, table.SquareAt(i))
	}
	blur := 0.4 + 1.1*rng.Float64()
	gocv.GaussianBlur(p.img, &p.img, image.Pt(0, 0), blur, blur, gocv.BorderReplicate)
	data, _ := p.img.DataPtrUint8()
	noise, dim := 2+6*rng.Float64(), 0.45+0.5*rng.Float64()
	shade := rng.Float64() * 0.4
	for i := range data {
		light := dim * (1 - shade*float64(i/3%width)/float64(width))
		data[i] = uint8(min(max(float64(data[i])*light+rng.NormFloat64()*noise, 0), 255))
	}
	return p
}

// drawTable draws wood, paper, lines and marks, each pixel by its place on the table.
func (p *printed) drawTable(rng *rand.Rand, marks bool) {
	data, _ := p.img.DataPtrUint8()
	wood := [3]float64{40 + 60*rng.Float64(), 70 + 70*rng.Float64(), 110 + 80*rng.Float64()}
	phase, grain := rng.Float64()*6, 3+5*rng.Float64()
	w := p.img.Cols()
	for i := range data[:len(data)/3] {
		x, y, ok := p.camera.Place(table.Point{X: float64(i % w), Y: float64(i / w)}, 0)
		v := [3]float64{}
		level := paperAt(x, y, marks)
		for c := range v {
			v[c] = wood[c] * (1 + 0.12*math.Sin(grain*x+2*math.Sin(y/2+phase)))
			if ok && level >= 0 {
				v[c] = level
			}
			data[3*i+c] = uint8(min(v[c], 255))
		}
	}
}

// paperAt is how light the printed sheet is at a place, -1 beside it.
func paperAt(x, y float64, marks bool) float64 {
	const margin, white, black, line = 1.45, 235, 25, 0.025
	if x < -margin || y < -margin || x > 5+margin || y > 5+margin {
		return -1
	}
	if marks {
		for n := range calibration.Fiducials {
			c := calibration.Fiducial(n)
			u, v := (x-c[0].X)/calibration.FiducialSide, (y-c[0].Y)/calibration.FiducialSide
			if u >= 0 && v >= 0 && u < 1 && v < 1 {
				if calibration.FiducialWhite(n, int(v*calibration.FiducialCells), int(u*calibration.FiducialCells)) {
					return white
				}
				return black
			}
		}
	}
	if x > -line && y > -line && x < 5+line && y < 5+line && (math.Abs(x-math.Round(x)) < line || math.Abs(y-math.Round(y)) < line) {
		return black
	}
	return white
}

// drawDie draws a box with a pip in the middle of its top.
func (p *printed) drawDie(rng *rand.Rand, q table.Square) {
	const side, high = 0.74, 0.74
	x, y, yaw := float64(q.Col)+0.5+(rng.Float64()-0.5)*0.15, float64(q.Row)+0.5+(rng.Float64()-0.5)*0.15, (rng.Float64()-0.5)*0.5
	var low, top []image.Point
	for k := range 4 {
		a := yaw + math.Pi/4 + float64(k)*math.Pi/2
		cx, cy := x+side*math.Sqrt2/2*math.Cos(a), y+side*math.Sqrt2/2*math.Sin(a)
		for _, each := range []struct {
			to *[]image.Point
			h  float64
		}{{&low, 0}, {&top, high}} {
			at := p.camera.Project(cx, cy, each.h)
			*each.to = append(*each.to, image.Pt(int(at.X), int(at.Y)))
		}
	}
	body := [3]uint8{uint8(30 + rng.IntN(200)), uint8(30 + rng.IntN(200)), uint8(30 + rng.IntN(200))}
	shade := func(by float64) color.RGBA {
		return color.RGBA{uint8(float64(body[0]) * by), uint8(float64(body[1]) * by), uint8(float64(body[2]) * by), 0}
	}
	fill := func(points []image.Point, c color.RGBA) {
		v := gocv.NewPointsVectorFromPoints([][]image.Point{points})
		defer v.Close()
		gocv.FillPoly(&p.img, v, c)
	}
	for k := range 4 {
		fill([]image.Point{low[k], low[(k+1)%4], top[(k+1)%4], top[k]}, shade(0.6))
	}
	fill(top, shade(1))
	at := p.camera.Project(x, y, high)
	gocv.Circle(&p.img, image.Pt(int(at.X), int(at.Y)), max(1, int(math.Hypot(float64(top[0].X-top[2].X), float64(top[0].Y-top[2].Y))/14)), color.RGBA{250, 250, 250, 0}, -1)
}

// off is how far a found grid's corners lie from the true ones at most, in squares:
// with the numbering of the marks, and with the best numbering.
func (p *printed) off(got [4]table.Point) (numbered, best float64) {
	want := p.camera.Corners()
	pitch := 0.0
	for k := range want {
		pitch += math.Hypot(want[(k+1)%4].X-want[k].X, want[(k+1)%4].Y-want[k].Y) / 4 / table.Size
	}
	best = math.Inf(1)
	for turn := range 4 {
		worst := 0.0
		for k := range want {
			worst = max(worst, math.Hypot(got[(k+turn)%4].X-want[k].X, got[(k+turn)%4].Y-want[k].Y)/pitch)
		}
		if turn == 0 {
			numbered = worst
		}
		best = min(best, worst)
	}
	return numbered, best
}

// fiducialScore is what came of reading views.
type fiducialScore struct {
	views, found, right, numbered int
	invented                      int     // dice that are marks
	off                           float64 // squares, the mean of the worst corners
	ms                            float64 // a picture
}

func (f fiducialScore) String() string {
	return fmt.Sprintf("%d views: %d grids found, %d right within a tenth of a square, %d numbered, %d dice invented, worst corner off by %.3f squares on average, %.1f ms", f.views, f.found, f.right, f.numbered, f.invented, f.off, f.ms)
}

// scoreFiducials reads views of a printed board with or without its marks.
func scoreFiducials(tb testing.TB, r *Recognizer, marks bool, views, width, height int, tilt float64) fiducialScore {
	tb.Helper()
	f := fiducialScore{views: views}
	sum := 0.0
	for seed := range uint64(views) {
		rng := rand.New(rand.NewPCG(seed, 11))
		p := printedView(rng, width, height, int(seed*7%26), tilt, marks)
		start := time.Now()
		o, err := r.Read(p.img, table.DiceBox)
		f.ms += float64(time.Since(start).Microseconds()) / 1000 / float64(views)
		p.img.Close()
		if err != nil {
			tb.Fatal(err)
		}
		for _, d := range o.Dice {
			if x, y, ok := p.camera.Place(d.At, 0); marks && d.Square == nil && ok && (x < -0.2 || x > 5.2) && (y < -0.2 || y > 5.2) {
				f.invented++
			}
		}
		if !o.Grid.Found {
			continue
		}
		f.found++
		numbered, best := p.off(o.Grid.Corners)
		sum += best
		if best < 0.1 {
			f.right++
		}
		if numbered < 0.1 {
			f.numbered++
		} else if marks {
			tb.Logf("seed %d: off by %.2f, numbered off by %.2f, tilt %.0f", seed, best, numbered, p.camera.Tilt())
		}
	}
	f.off = sum / float64(max(f.found, 1))
	return f
}

// TestFiducials: a printed board is found in every view, tight and with the marks'
// numbering, and no mark is taken for a die.
func TestFiducials(t *testing.T) {
	r := opened(t)
	const views = 8
	f := scoreFiducials(t, r, true, views, 960, 720, 40)
	t.Log(f)
	if f.found != views || f.numbered != views || f.off > 0.03 || f.invented > 0 {
		t.Errorf("%v", f)
	}
}

// BenchmarkFiducials measures views of printed boards with and without their marks.
func BenchmarkFiducials(b *testing.B) {
	r := opened(b)
	for _, size := range [][2]int{{640, 480}, {1280, 720}} {
		for _, tilt := range []float64{25, 50} {
			for _, marks := range []bool{false, true} {
				b.Logf("%d×%d, tilt up to %.0f°, marks %v: %v", size[0], size[1], tilt, marks, scoreFiducials(b, r, marks, 24, size[0], size[1], tilt))
			}
		}
	}
}

// TestFewFiducials: one mark in view tells the numbering of a grid that was found without.
func TestFewFiducials(t *testing.T) {
	for number := range calibration.Fiducials {
		for k := range 4 {
			cam := randomCamera(rand.New(rand.NewPCG(uint64(k), 3)), 800, 600, 40)
			m := fiducial{number: number}
			for i, p := range calibration.Fiducial(number) {
				m.corners[i] = cam.Project(p.X, p.Y, 0)
			}
			s := &scene{kit: table.DiceBox.Kit(), marks: []fiducial{m}, grid: &lattice.Grid{Camera: cam.Turned(k)}}
			s.numberByFiducials()
			if got, want := s.grid.Camera.Corners()[0], cam.Corners()[0]; math.Hypot(got.X-want.X, got.Y-want.Y) > 0.1 {
				t.Errorf("mark %d, numbered from corner %d: begins at %v, want %v", number, k, got, want)
			}
		}
	}
}
