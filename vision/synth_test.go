package vision

import (
	"math"
	"math/rand/v2"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/geometry"
	"diceref/vision/lattice"
)

// view is a made-up picture of a grid with dice, as a perfect find network would
// see it, but for the noise that is asked for.
type synth struct {
	camera  calibration.Camera
	layout  table.Layout
	side    float64
	squares []table.Square // where dice stand
	centers []table.Point  // of their tops, pixels
	width   int
	height  int
	maps    *detect.Maps
}

// flaws are what real maps suffer from.
type flaws struct {
	dropped  float64 // share of the lattice points that are not seen
	invented int     // lattice points that are none
	shift    float64 // usual error of a lattice point, network pixels
	bite     float64 // how far into the mask something bites, squares
	hand     float64 // how far over the grid from a corner something lies, squares: weak marks are seen on it
}

// randomCamera looks at the grid from up to tilt degrees, with the lens a little bent.
func randomCamera(rng *rand.Rand, width, height int, tilt float64) calibration.Camera {
	for {
		th := rng.Float64() * tilt * math.Pi / 180
		az, roll := rng.Float64()*2*math.Pi, rng.Float64()*2*math.Pi
		cam := calibration.Camera{Width: float64(width), Height: float64(height), F: 1.3 + rng.Float64()*1.2, K1: -0.1 + rng.Float64()*0.12}
		fill := 0.45 + 0.45*rng.Float64() // the grid and a margin of half a square, over the picture's height
		dist := 6.0 / fill * cam.F * float64(width) / float64(height) / 2
		// The camera's axes in the grid's: look from the eye to the middle.
		eye := [3]float64{dist * math.Sin(th) * math.Cos(az), dist * math.Sin(th) * math.Sin(az), -dist * math.Cos(th)}
		z := scaled(eye, -1/dist)
		up := [3]float64{math.Cos(roll), math.Sin(roll), 0}
		x := unit3(cross3(up, z))
		y := cross3(z, x)
		cam.R = [9]float64{x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]}
		const m = table.Size / 2.0
		o := [3]float64{-m - eye[0], -m - eye[1], -eye[2]}
		cam.T = [3]float64{dot3(x, o), dot3(y, o), dot3(z, o)}
		ok := true
		for _, c := range cam.Corners() {
			ok = ok && c.X > 8 && c.Y > 8 && c.X < float64(width)-8 && c.Y < float64(height)-8
		}
		if ok {
			return cam
		}
	}
}

func makeSynth(rng *rand.Rand, layout table.Layout, dice int, tilt float64, f flaws) *synth {
	s := &synth{layout: layout, width: 1280, height: 720}
	s.camera = randomCamera(rng, s.width, s.height, tilt)
	s.side = 0.67 + 0.18*rng.Float64()
	if layout == table.Arena {
		s.side = 1 / 1.75
	}
	s.maps = blankMaps(s.width, s.height)
	for _, i := range rng.Perm(25)[:dice] {
		s.addDie(rng, table.SquareAt(i))
	}
	s.drawMask(rng, f)
	s.drawLattice(rng, f)
	return s
}

func blankMaps(width, height int) *detect.Maps {
	m := &detect.Maps{Least: leastTop, Scale: 640 / float64(max(width, height))}
	m.In = [2]int{int(float64(width) * m.Scale / detect.CellSize), int(float64(height) * m.Scale / detect.CellSize)}
	m.W, m.H = (m.In[0]+7)/8*8, (m.In[1]+7)/8*8
	m.Data = make([]float32, detect.MapChannels*m.W*m.H)
	for _, c := range []int{detect.ChTop, detect.ChLattice, detect.ChInside} {
		for i := range m.Channel(c) {
			m.Channel(c)[i] = -6
		}
	}
	return m
}

func (s *synth) addDie(rng *rand.Rand, q table.Square) {
	slack := (1 - s.side) / 2 * 0.7
	x, y := float64(q.Col)+0.5+(2*rng.Float64()-1)*slack, float64(q.Row)+0.5+(2*rng.Float64()-1)*slack
	yaw, h := (2*rng.Float64()-1)*0.3, topHeight(s.layout, s.side)
	var corners [4]table.Point
	var at table.Point
	for k := range corners {
		a := yaw + math.Pi/4 + float64(k)*math.Pi/2
		corners[k] = s.camera.Project(x+s.side*math.Sqrt2/2*math.Cos(a), y+s.side*math.Sqrt2/2*math.Sin(a), h)
	}
	at, _ = geometry.Meet(corners[0], corners[2], corners[1], corners[3])
	s.squares, s.centers = append(s.squares, q), append(s.centers, at)
	drawTop(s.maps, at, corners)
}

// drawTop writes a top into the maps, as the network is taught to.
func drawTop(m *detect.Maps, at table.Point, corners [4]table.Point) {
	cx, cy := m.Cell(at)
	d1 := complex((corners[0].X-corners[2].X)/2*m.Scale, (corners[0].Y-corners[2].Y)/2*m.Scale)
	d2 := complex((corners[1].X-corners[3].X)/2*m.Scale, (corners[1].Y-corners[3].Y)/2*m.Scale)
	a, b := d1*d1, d2*d2
	s2 := (math.Hypot(real(d1), imag(d1))*math.Hypot(real(d1), imag(d1)) + math.Hypot(real(d2), imag(d2))*math.Hypot(real(d2), imag(d2))) / 2
	sum, product := (a+b)/complex(s2, 0), a*b/complex(s2*s2, 0)
	for y := int(cy) - 3; y <= int(cy)+3; y++ {
		for x := int(cx) - 3; x <= int(cx)+3; x++ {
			if x < 0 || y < 0 || x >= m.W || y >= m.H {
				continue
			}
			i := y*m.W + x
			dx, dy := cx-float64(x)-0.5, cy-float64(y)-0.5
			v := float32(logit(math.Exp(-(dx*dx + dy*dy) / 2 / 0.8)))
			if v < m.Channel(detect.ChTop)[i] {
				continue
			}
			for c, w := range map[int]float64{detect.ChTop: float64(v), detect.ChTopDX: dx, detect.ChTopDY: dy, detect.ChLogSize: math.Log(s2) / 2, detect.ChSumRe: real(sum), detect.ChSumIm: imag(sum), detect.ChProductRe: real(product), detect.ChProductIm: imag(product)} {
				m.Channel(c)[i] = float32(w)
			}
		}
	}
}

func (s *synth) drawMask(rng *rand.Rand, f flaws) {
	m := s.maps
	side, at := rng.IntN(4), rng.Float64()*5
	for y := 0; y < m.In[1]; y++ {
		for x := 0; x < m.In[0]; x++ {
			gx, gy, ok := s.camera.Place(m.Picture(float64(x)+0.5, float64(y)+0.5), 0)
			if !ok {
				continue
			}
			in := min(gx, gy, 5-gx, 5-gy)
			if f.bite > 0 { // something lies over the border
				bx, by := gx, gy
				for range side {
					bx, by = by, 5-bx
				}
				in = min(in, math.Hypot(bx-at, by)-f.bite)
			}
			if s.underHand(gx, gy, f) {
				in = -1
			}
			m.Channel(detect.ChInside)[y*m.W+x] = float32(min(max(in*20, -6), 6) + rng.NormFloat64()*0.5)
		}
	}
}

func (s *synth) drawLattice(rng *rand.Rand, f flaws) {
	for i := 0; i < lattice.Points; i++ {
		for j := 0; j < lattice.Points; j++ {
			if rng.Float64() < f.dropped {
				continue
			}
			if s.underHand(float64(j), float64(i), f) {
				continue
			}
			p := s.camera.Project(float64(j), float64(i), 0)
			drawMark(s.maps, p, rng.NormFloat64()*f.shift, rng.NormFloat64()*f.shift, 0.9)
		}
	}
	for range f.invented {
		drawMark(s.maps, s.camera.Project(rng.Float64()*6-0.5, rng.Float64()*6-0.5, 0), 0, 0, 0.9)
	}
	for range int(8 * f.hand * f.hand) {
		if x, y := rng.Float64()*(f.hand+1)-1, rng.Float64()*(f.hand+1)-1; s.underHand(x, y, f) {
			drawMark(s.maps, s.camera.Project(x, y, 0), 0, 0, 0.22+0.2*rng.Float64())
		}
	}
}

// underHand says whether a hand is over a place of the grid.
func (s *synth) underHand(x, y float64, f flaws) bool { return math.Hypot(x, y) < f.hand }

func drawMark(m *detect.Maps, p table.Point, dx, dy, heat float64) {
	cx, cy := m.Cell(p)
	cx, cy = cx+dx/detect.CellSize, cy+dy/detect.CellSize
	for y := int(cy) - 3; y <= int(cy)+3; y++ {
		for x := int(cx) - 3; x <= int(cx)+3; x++ {
			if x < 0 || y < 0 || x >= m.W || y >= m.H {
				continue
			}
			ex, ey := cx-float64(x)-0.5, cy-float64(y)-0.5
			i := y*m.W + x
			m.Channel(detect.ChLattice)[i] = max(m.Channel(detect.ChLattice)[i], float32(logit(heat*math.Exp(-(ex*ex+ey*ey)/2))))
		}
	}
}

func dot3(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func cross3(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func scaled(a [3]float64, s float64) [3]float64 { return [3]float64{a[0] * s, a[1] * s, a[2] * s} }
func unit3(a [3]float64) [3]float64             { return scaled(a, 1/math.Sqrt(dot3(a, a))) }

// squareIn is the square of the i-th die in the numbering of another camera over the same grid.
func (s *synth) squareIn(cam calibration.Camera, i int) table.Square {
	q := s.squares[i]
	x, y, _ := cam.Place(s.camera.Project(float64(q.Col)+0.5, float64(q.Row)+0.5, 0), 0)
	return table.Square{Row: int(math.Floor(y)), Col: int(math.Floor(x))}
}
