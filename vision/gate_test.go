package vision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
)

// tableau paints thumbnails of a made-up table.
type tableau struct {
	rng   *rand.Rand
	noise float64 // gray levels
	gain  float64 // of the light
	add   float64
	dice  [][2]int // left upper corners
	hand  bool     // from the lower border up to the middle
	handX int      // pixels that it lies farther to the right
	shift int      // of the whole view, pixels
	cloth bool     // the table has two colors, which meet at its border
	seam  bool     // it has two colors, which meet under the board
	glare bool     // a lamp shines back from its lower border, brighter than a camera can tell
}

const tableauWidth, tableauHeight = 160, 120

func (s *tableau) paint() []byte {
	pix := make([]byte, 3*tableauWidth*tableauHeight)
	for y := range tableauHeight {
		for x := range tableauWidth {
			c := s.at(x+s.shift, y+s.shift/2)
			for ch := range 3 {
				v := s.gain*c[ch] + s.add + s.noise*s.rng.NormFloat64()
				pix[3*(y*tableauWidth+x)+ch] = byte(min(max(v, 0), 255))
			}
		}
	}
	return pix
}

// at is the color of a place: wood with a grain, a board with lines, dice, a hand over them.
func (s *tableau) at(x, y int) [3]float64 {
	if s.hand && x > 60+s.handX && x < 85+s.handX && y > 70 {
		return [3]float64{120, 140, 190}
	}
	for _, d := range s.dice {
		if x >= d[0] && x < d[0]+7 && y >= d[1] && y < d[1]+7 {
			if x == d[0]+3 && y == d[1]+3 {
				return [3]float64{230, 230, 230}
			}
			return [3]float64{40, 40, 170}
		}
	}
	if x >= 50 && x <= 110 && y >= 30 && y <= 90 {
		if (x-50)%12 == 0 || (y-30)%12 == 0 {
			return [3]float64{60, 70, 80}
		}
		return [3]float64{130, 160, 180}
	}
	if s.cloth && y > 100 || s.seam && x > 80 {
		return [3]float64{140, 60, 60}
	}
	if s.glare && (x-70)*(x-70)+(y-tableauHeight)*(y-tableauHeight) < 900 {
		return [3]float64{300, 300, 300}
	}
	grain := float64((x*7+y*3)%11) - 5
	return [3]float64{70 + grain, 90 + grain, 120 + grain}
}

// told is what a gate made of a stretch of frames.
type told struct {
	moving, hand, still, reads, bumped int
	firstRead                          float64 // seconds after the stretch began
}

// stretch shows a gate so many seconds of a table; change, if any, runs before each frame.
func stretch(g *Gate, s *tableau, t *float64, fps, seconds float64, change func(i int)) told {
	var r told
	r.firstRead = -1
	for i := range int(seconds*fps + 0.5) {
		if change != nil {
			change(i)
		}
		v := g.See(s.paint(), tableauWidth, *t)
		switch v.Look {
		case table.LookMoving:
			r.moving++
		case table.LookHand:
			r.hand++
		case table.LookStill:
			r.still++
		}
		if v.Read {
			if r.reads++; r.reads == 1 {
				r.firstRead = float64(i) / fps
			}
			if v.Look != table.LookStill {
				panic("a frame that is not still is to be read")
			}
		}
		if v.Bumped {
			r.bumped++
		}
		*t += 1 / fps
	}
	return r
}

func TestGate(t *testing.T) {
	t.Parallel()
	for _, fps := range []float64{3.3, 10, 30} {
		for _, noise := range []float64{0, 4} {
			t.Run(fmt.Sprintf("%v fps, noise %v", fps, noise), func(t *testing.T) {
				s := &tableau{rng: rand.New(rand.NewPCG(1, uint64(fps))), noise: noise, gain: 1, dice: [][2]int{{53, 33}}}
				var g Gate
				var now float64
				check := func(name string, got told, reads int, ok bool) {
					t.Helper()
					if got.reads != reads || !ok {
						t.Errorf("%s: %+v, want %d readings", name, got, reads)
					}
				}
				r := stretch(&g, s, &now, fps, 4, nil)
				check("a table at rest", r, 2, r.hand == 0 && r.still > r.moving)

				r = stretch(&g, s, &now, fps, 4, nil)
				check("the same table", r, 0, r.moving == 0 && r.hand == 0)

				s.hand = true
				r = stretch(&g, s, &now, fps, 1.5, nil)
				check("a hand that holds still", r, 0, r.still == 0 && r.hand > 0)

				s.hand, s.dice = false, append(s.dice, [2]int{77, 57})
				r = stretch(&g, s, &now, fps, 1.5, nil)
				check("a die was placed", r, 2, r.hand == 0 && r.firstRead < 0.7)

				s.dice = append(s.dice, [2]int{65, 69})
				r = stretch(&g, s, &now, fps, 1.5, nil)
				check("a die that rolled in", r, 2, r.hand == 0 && r.firstRead < 0.7)

				r = stretch(&g, s, &now, fps, 8, func(i int) { s.gain = 1 + 0.3*min(1, float64(i)/fps/8) })
				if r.hand > 0 || r.moving > r.still/4 {
					t.Errorf("light that grows by 30 %% in eight seconds: %+v", r)
				}
				s.gain = 1
				stretch(&g, s, &now, fps, 2, nil)

				s.shift = 9
				r = stretch(&g, s, &now, fps, 2, nil)
				if r.reads < 2 {
					t.Errorf("a camera that was pushed: %+v, want it read again", r)
				}

				s.hand = true
				r = stretch(&g, s, &now, fps, 6, nil)
				check("an arm that lies there for good", r, 2, r.firstRead >= 2)

				s.hand = false
				r = stretch(&g, s, &now, fps, 2, nil)
				check("an arm that goes after all", r, 2, r.hand == 0)
			})
		}
	}
}

// TestGatePushed pushes the camera over a table that is not alike all over: no hand lies there,
// though the border of the picture shows something else than before.
func TestGatePushed(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(4, 4)), noise: 1, gain: 1, cloth: true, dice: [][2]int{{53, 33}, {77, 57}, {65, 69}}}
	var g Gate
	var now float64
	stretch(&g, s, &now, 10, 2, nil)
	s.shift = 7
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.hand > 0 || r.reads != 2 || r.bumped == 0 {
		t.Errorf("a camera that was pushed: %+v, want it noticed and the table read", r)
	}
	s.hand, s.dice = true, [][2]int{{53, 45}, {89, 57}, {65, 81}}
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.reads != 0 || r.hand == 0 {
		t.Errorf("a hand that has moved three dice: %+v, want a hand", r)
	}
}

// TestGateSeam pushes the camera a little over a table whose seam runs under the board: all that
// looks otherwise hangs together, and reaches the border as a hand does.
func TestGateSeam(t *testing.T) {
	for _, shift := range []int{2, 3, 5} {
		s := &tableau{rng: rand.New(rand.NewPCG(4, 4)), noise: 1, gain: 1, seam: true, dice: [][2]int{{53, 33}, {77, 57}, {65, 69}}}
		var g Gate
		var now float64
		stretch(&g, s, &now, 10, 2, nil)
		s.shift, s.dice = shift, append(s.dice, [2]int{89, 57})
		if r := stretch(&g, s, &now, 10, 1.2, nil); r.hand > 0 || r.reads != 2 || r.bumped == 0 {
			t.Errorf("a camera that was pushed by %d pixels as a die was placed: %+v, want it noticed and the table read", shift, r)
		}
		s.shift, s.hand = 0, true
		if r := stretch(&g, s, &now, 10, 1.2, nil); r.reads != 0 || r.hand == 0 {
			t.Errorf("a hand, and the camera where it was before it was pushed by %d pixels: %+v, want a hand", shift, r)
		}
		s.hand = false
		if r := stretch(&g, s, &now, 10, 1.2, nil); r.hand > 0 || r.reads != 2 {
			t.Errorf("the hand has gone: %+v, want the table read where it is now", r)
		}
	}
}

// TestGateGlare dims the light over a table that shines: what was too bright to tell grows less dark
// than the rest, and is no hand. A hand that lies there is one.
func TestGateGlare(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(6, 6)), noise: 1, gain: 1, glare: true, dice: [][2]int{{53, 33}}}
	var g Gate
	var now float64
	stretch(&g, s, &now, 10, 2, nil)
	s.dice = append(s.dice, [2]int{77, 57})
	dim := func(i int) { s.gain = 1 - 0.3*min(1, float64(i)/10) }
	if r := stretch(&g, s, &now, 10, 2, dim); r.hand > 0 || r.reads != 2 || r.bumped > 0 {
		t.Errorf("light that dims as a die is placed: %+v, want the table read and no hand", r)
	}
	s.hand = true
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.reads != 0 || r.hand == 0 {
		t.Errorf("a hand over the glare: %+v, want a hand", r)
	}
}

// TestGateLeft lays something over the border of the view, and plays on without a rest: it is a
// part of the table before long. A hand that lies elsewhere each time is none.
func TestGateLeft(t *testing.T) {
	for _, moves := range []int{0, 9} {
		s := &tableau{rng: rand.New(rand.NewPCG(5, 5)), noise: 1, gain: 1, dice: [][2]int{{53, 33}}}
		var g Gate
		var now float64
		stretch(&g, s, &now, 10, 2, nil)
		s.hand = true
		reads := 0
		for i := range 5 {
			s.dice = append(s.dice, [2]int{53 + 12*i, 57})
			s.handX += moves
			reads += stretch(&g, s, &now, 10, 1.2, nil).reads
		}
		if moves == 0 && reads < 4 || moves > 0 && reads > 0 {
			t.Errorf("a thing that moves by %d pixels as each of five dice is placed: %d readings", moves, reads)
		}
	}
}

// TestGateMoves shows things that move all the time.
func TestGateMoves(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(2, 2)), noise: 1, gain: 1}
	var g Gate
	var now float64
	r := stretch(&g, s, &now, 10, 5, func(i int) { s.dice = [][2]int{{10 + 3*i%120, 20 + i}} })
	if r.reads != 0 || r.still != 0 {
		t.Errorf("a die that rolls: %+v, want no reading", r)
	}
}

// TestGateWants asks for more readings, as when they do not agree.
func TestGateWants(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(3, 3)), noise: 1, gain: 1}
	var g Gate
	var reads []int
	for i := range 100 {
		v := g.See(s.paint(), tableauWidth, float64(i)/10)
		if v.Read {
			reads = append(reads, i)
			g.Want(5)
		}
	}
	if len(reads) != 5 {
		t.Fatalf("%d readings, want the 5 that were asked for", len(reads))
	}
	if reads[2] != reads[0]+2 {
		t.Errorf("the first three readings, which decide, are of the frames %v: want one after the other", reads[:3])
	}
}

// TestGateOnVideos plays recorded games, whole and with frames left out: every stretch
// without a hand in it is read, and nothing else is.
func TestGateOnVideos(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dessert-dice", "dice-box"} {
		var stills [][2]int // first and last frame of each
		data, err := os.ReadFile(filepath.Join("testdata", "gate", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &stills); err != nil {
			t.Fatal(err)
		}
		thumbs, width := thumbnails(t, filepath.Join("..", "cmd", "diceref-eye", "demo", name+".mp4"))
		for _, every := range []int{1, 2, 3} {
			var g Gate
			reads := make([]int, len(stills))
			for i := 0; i < len(thumbs); i += every {
				v := g.See(thumbs[i], width, float64(i/every)/10)
				if !v.Read {
					continue
				}
				in := -1
				for k, s := range stills {
					if i >= s[0] && i <= s[1] {
						in = k
					}
				}
				if in < 0 {
					t.Errorf("%s, every %d. frame: frame %d is read, with a hand in it", name, every, i)
				} else {
					reads[in]++
				}
			}
			for k, n := range reads {
				if n != 2 {
					t.Errorf("%s, every %d. frame: %d readings of frames %v, want 2", name, every, n, stills[k])
				}
			}
		}
	}
}

func thumbnails(t testing.TB, path string) (thumbs [][]byte, width int) {
	t.Helper()
	src, err := OpenSource(t.Context(), path, SourceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	img, small := gocv.NewMat(), NewThumbnail()
	defer small.Close()
	defer func() { img.Close() }()
	for {
		_, err := src.Next(context.Background(), &img)
		if errors.Is(err, io.EOF) {
			return thumbs, width
		}
		if err != nil {
			t.Fatal(err)
		}
		pix, w, err := small.Of(img)
		if err != nil {
			t.Fatal(err)
		}
		thumbs, width = append(thumbs, append([]byte(nil), pix...)), w
	}
}

func BenchmarkGate(b *testing.B) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 150, 0), 720, 1280, gocv.MatTypeCV8UC3)
	defer img.Close()
	small := NewThumbnail()
	defer small.Close()
	var g Gate
	i := 0
	for b.Loop() {
		pix, width, err := small.Of(img)
		if err != nil {
			b.Fatal(err)
		}
		g.See(pix, width, float64(i)/10)
		i++
	}
}
