//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"slices"
	"testing"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/eye"
)

// Icons are drawn over the pips of rendered dice: a game that was rendered once is so played with dice of another maker, without
// another film in the tree.

// ink says where a symbol is, from -1 to 1 both ways, y down.
type ink func(x, y float64) bool

// desserts are the four symbols.
var desserts = map[string]ink{
	"jello tart": func(x, y float64) bool { // a bowl with a cherry
		bowl := y > 0 && y < 0.8 && math.Abs(x) < 0.95-0.55*y
		return bowl || math.Hypot(x, y+0.35) < 0.42
	},
	"sweet roll": func(x, y float64) bool { // a spiral
		r := math.Hypot(x, y)
		turn := (math.Atan2(y, x) + math.Pi) / (2 * math.Pi)
		return r < 0.95 && math.Mod(r/0.42+turn, 1) < 0.5
	},
	"popsicle": func(x, y float64) bool {
		return math.Abs(x) < 0.48 && y > -0.95 && y < 0.3 || math.Abs(x) < 0.13 && y >= 0.3 && y < 0.98
	},
	"ice cream": func(x, y float64) bool { // a cone under a ball, with a gap
		return y > 0.02 && y < 0.98 && math.Abs(x) < 0.62*(0.98-y) || math.Hypot(x, y+0.45) < 0.5 && math.Abs(y+0.1) > 0.06
	},
}

// onFace is what the dice have in place of so many pips: one dessert, two, or all.
var onFace = [7][]string{
	1: {"jello tart"}, 2: {"sweet roll"}, 3: {"popsicle"}, 4: {"ice cream"},
	5: {"jello tart", "sweet roll", "popsicle", "ice cream"}, 6: {"ice cream", "sweet roll"},
}

// spots are where so many symbols are on a face, and how large.
var spots = map[int]struct {
	at   [][2]float64
	size float64
}{
	1: {[][2]float64{{0, 0}}, 0.72},
	2: {[][2]float64{{-0.4, -0.4}, {0.4, 0.4}}, 0.46},
	4: {[][2]float64{{-0.45, -0.45}, {0.45, -0.45}, {-0.45, 0.45}, {0.45, 0.45}}, 0.38},
}

// faceInk is how a face looks.
func faceInk(face int) ink {
	icons := onFace[face]
	on := spots[len(icons)]
	return func(x, y float64) bool {
		for i, icon := range icons {
			if desserts[icon]((x-on.at[i][0])/on.size, (y-on.at[i][1])/on.size) {
				return true
			}
		}
		return false
	}
}

// restingDie is a die as it lies in some frames.
type restingDie struct {
	top         [4]table.Point
	face        int
	first, last int // frames in which it may be seen
	seen        int // the frame in which it was read
}

func jpegOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// patch is the change that paints a die of a picture: what is added to its pixels.
type patch struct {
	box    image.Rectangle
	before []color.RGBA // as the picture was
	add    [][3]float64
}

const bodyShare = 0.86 // of a top's side that is painted: its edges stay as they were rendered

// paintDie makes the patch that puts the icons of a face on a die.
func paintDie(t *testing.T, img *image.RGBA, top [4]table.Point, face int) patch {
	t.Helper()
	to, err := calibration.QuadTo(top)
	if err != nil {
		t.Fatal(err)
	}
	from, ok := to.Inverse()
	if !ok {
		t.Fatal("a top is a line")
	}
	corners := bodyColors(img, to)
	body := corners[0]
	ink := [3]float64{28, 24, 24}
	if 0.3*body[0]+0.6*body[1]+0.1*body[2] < 95 {
		ink = [3]float64{232, 230, 224}
	}
	shape := faceInk(face)
	box := image.Rectangle{Min: image.Pt(1<<20, 1<<20)}
	for _, c := range top {
		box.Min = image.Pt(min(box.Min.X, int(c.X)), min(box.Min.Y, int(c.Y)))
		box.Max = image.Pt(max(box.Max.X, int(c.X)+2), max(box.Max.Y, int(c.Y)+2))
	}
	p := patch{box: box.Intersect(img.Rect)}
	const fine = 4 // looks a pixel's side is looked at
	for y := p.box.Min.Y; y < p.box.Max.Y; y++ {
		for x := p.box.Min.X; x < p.box.Max.X; x++ {
			was := img.RGBAAt(x, y)
			var sum, share [3]float64
			for n := range fine * fine {
				at := table.Point{X: float64(x) + (float64(n%fine)+0.5)/fine - 0.5, Y: float64(y) + (float64(n/fine)+0.5)/fine - 0.5}
				q := from.Apply(at)
				u, v := (2*q.X-1)/bodyShare, (2*q.Y-1)/bodyShare
				if max(math.Abs(u), math.Abs(v)) > 1 {
					continue
				}
				inked := shape(u, v)
				for c := range 3 {
					value := ink[c]
					if !inked {
						value = (corners[0][c]*(1-q.X)+corners[1][c]*q.X)*(1-q.Y) + (corners[3][c]*(1-q.X)+corners[2][c]*q.X)*q.Y
					}
					sum[c] += value
					share[c]++
				}
			}
			var add [3]float64
			for c, old := range [3]uint8{was.R, was.G, was.B} {
				add[c] = (sum[c] - share[c]*float64(old)) / (fine * fine)
			}
			p.before, p.add = append(p.before, was), append(p.add, add)
		}
	}
	return p
}

// bodyColors are the colors of the plain top near its corners.
func bodyColors(img *image.RGBA, to calibration.Homography) (corners [4][3]float64) {
	for k, c := range [4]table.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}} {
		var seen [3][]float64
		for n := range 9 {
			along := 0.12 + 0.04*float64(n)
			for _, q := range [2]table.Point{{X: math.Abs(c.X - along), Y: math.Abs(c.Y - 0.1)}, {X: math.Abs(c.X - 0.1), Y: math.Abs(c.Y - along)}} {
				at := to.Apply(q)
				p := img.RGBAAt(min(max(int(at.X+0.5), 0), img.Rect.Max.X-1), min(max(int(at.Y+0.5), 0), img.Rect.Max.Y-1))
				for i, value := range [3]uint8{p.R, p.G, p.B} {
					seen[i] = append(seen[i], float64(value))
				}
			}
		}
		for i := range seen {
			slices.Sort(seen[i])
			corners[k][i] = seen[i][len(seen[i])/2]
		}
	}
	return corners
}

// on puts the patch on a picture in which a hand may be over the die: only what looks as it did is painted.
func (p *patch) on(img *image.RGBA) {
	const far, farther = 24.0, 48.0 // of 3×255: noise and shadows are nearer, a hand is farther
	i := 0
	for y := p.box.Min.Y; y < p.box.Max.Y; y++ {
		for x := p.box.Min.X; x < p.box.Max.X; x++ {
			now, was, add := img.RGBAAt(x, y), p.before[i], p.add[i]
			i++
			off := math.Abs(float64(now.R)-float64(was.R)) + math.Abs(float64(now.G)-float64(was.G)) + math.Abs(float64(now.B)-float64(was.B))
			share := min(max((farther-off)/(farther-far), 0), 1)
			mix := func(value uint8, add float64) uint8 { return uint8(min(max(float64(value)+share*add, 0), 255) + 0.5) }
			img.SetRGBA(x, y, color.RGBA{mix(now.R, add[0]), mix(now.G, add[1]), mix(now.B, add[2]), 255})
		}
	}
}

// film is the demo of a game, frame by frame, and what was read where nothing moved.
type film struct {
	pictures map[int][]byte
	read     map[int][]table.Reading
}

// watchDemo has an eye look at a game's demo.
func watchDemo(t *testing.T, path string, game table.Game) film {
	t.Helper()
	c, err := eye.Start(t.Context(), eye.Config{Path: path, Game: game, Source: demoSource, View: eye.View{On: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f := film{map[int][]byte{}, map[int][]table.Reading{}}
	for m := range c.Frames() {
		if m.Picture != nil {
			f.pictures[m.Picture.Frame] = m.Picture.JPEG
		}
		if o := m.Observation; o != nil && o.Read && o.Look == table.LookStill {
			f.read[o.Frame] = o.Dice
		}
	}
	return f
}

// saveFilm writes frames as a film: JPEGs in an AVI, which tells how many come a second (a plain row of JPEGs is played at 25).
func saveFilm(t *testing.T, path string, frames [][]byte, width, height, fps int) {
	t.Helper()
	le := binary.LittleEndian
	chunk := func(id string, data []byte) []byte {
		out := le.AppendUint32([]byte(id), uint32(len(data)))
		if out = append(out, data...); len(data)%2 == 1 {
			out = append(out, 0)
		}
		return out
	}
	numbers := func(list ...uint32) (out []byte) {
		for _, n := range list {
			out = le.AppendUint32(out, n)
		}
		return out
	}
	n, w, h := uint32(len(frames)), uint32(width), uint32(height)
	head := chunk("avih", numbers(uint32(1000000/fps), 0, 0, 0x10, n, 0, 1, 0, w, h, 0, 0, 0, 0))
	stream := chunk("strh", slices.Concat([]byte("vidsMJPG"), numbers(0, 0, 0, 1, uint32(fps), 0, n, 0, 0, 0, 0, h<<16|w)))
	format := chunk("strf", slices.Concat(numbers(40, w, h, 24<<16|1), []byte("MJPG"), numbers(w*h*3, 0, 0, 0, 0)))
	list := chunk("LIST", slices.Concat([]byte("hdrl"), head, chunk("LIST", slices.Concat([]byte("strl"), stream, format))))
	movie, index := []byte("movi"), []byte(nil)
	for _, f := range frames {
		index = append(index, "00dc"...)
		index = append(index, numbers(0x10, uint32(len(movie)), uint32(len(f)))...)
		movie = append(movie, chunk("00dc", f)...)
	}
	whole := chunk("RIFF", slices.Concat([]byte("AVI "), list, chunk("LIST", movie), chunk("idx1", index)))
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
}
