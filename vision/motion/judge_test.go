package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"diceref/table"
	"diceref/vision/register"
)

// tableau paints small pictures of a made-up table. Its places are pixels of thumbs, half as large.
type tableau struct {
	rng    *rand.Rand
	noise  float64 // gray levels
	gain   float64 // of the light
	add    float64
	dice   [][2]int // left upper corners
	hand   bool     // from the lower border up to the middle
	handX  int      // pixels that it lies farther to the right
	shift  int      // of the whole view, pixels
	cloth  bool     // the table has two colors, which meet at its border
	seam   bool     // it has two colors, which meet under the board
	glare  bool     // a lamp shines back from its lower border, brighter than a camera can tell
	yellow bool     // dice are yellow, and too bright
	white  bool     // the dice are white, nearly as bright as a camera can tell
	lamp   float64  // by which share a lamp's flicker makes rows brighter and darker,
	phase  float64  // and where it does, in bands
}

const tableauWidth, tableauHeight = 160, 120

func (s *tableau) paint() register.Picture {
	const width, height = 2 * tableauWidth, 2 * tableauHeight
	pix := make([]byte, 3*width*height)
	for y := range height {
		gain := s.gain * (1 + s.lamp*math.Sin(2*math.Pi*(2.3*float64(y)/height+s.phase)))
		for x := range width {
			c := s.at(x/2+s.shift, y/2+s.shift/2)
			for ch := range 3 {
				v := gain*c[ch] + s.add + s.noise*s.rng.NormFloat64()
				pix[3*(y*width+x)+ch] = byte(min(max(v, 0), 255))
			}
		}
	}
	return register.Picture{Pix: pix, Width: width, Height: height}
}

// at is the color of a place: wood with a grain, a board with lines, dice, a hand over them.
func (s *tableau) at(x, y int) [3]float64 {
	if s.hand && x > 60+s.handX && x < 85+s.handX && y > 70 {
		return [3]float64{120, 140, 190}
	}
	for _, d := range s.dice {
		if x >= d[0] && x < d[0]+7 && y >= d[1] && y < d[1]+7 {
			if s.yellow {
				return [3]float64{60, 300, 300}
			}
			if dot := x == d[0]+3 && y == d[1]+3; dot && s.white {
				return [3]float64{40, 40, 40}
			} else if dot {
				return [3]float64{230, 230, 230}
			} else if s.white {
				return [3]float64{245, 250, 250}
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
	moving, hand, still, reads int
	firstRead                  float64 // seconds after the stretch began
}

// gate is what judges a camera's frames, as an eye has it do.
type gate struct {
	reg register.Register
	Judge
}

func (g *gate) see(p register.Picture, t float64) Verdict {
	v := g.See(g.reg.See(p, t), t)
	if take := g.Changed(); v.New && take != nil {
		g.reg.Learn(take)
	}
	return v
}

// stretch shows a gate so many seconds of a table; change, if any, runs before each frame.
func stretch(g *gate, s *tableau, t *float64, fps, seconds float64, change func(i int)) told {
	var r told
	r.firstRead = -1
	for i := range int(seconds*fps + 0.5) {
		if change != nil {
			change(i)
		}
		v := g.see(s.paint(), *t)
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
		*t += 1 / fps
	}
	return r
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, fps := range []float64{3.3, 10, 30} {
		for _, noise := range []float64{0, 4} {
			if fps == 30 && noise == 0 {
				continue // the rest tells as much, and this is the longest
			}
			t.Run(fmt.Sprintf("%v fps, noise %v", fps, noise), func(t *testing.T) {
				s := &tableau{rng: rand.New(rand.NewPCG(1, uint64(fps))), noise: noise, gain: 1, dice: [][2]int{{53, 33}}}
				var g gate
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
				check("a camera that was pushed", r, 0, r.hand == 0 && r.moving == 0)

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

// TestJudgePushed pushes the camera over a table that is not alike all over: no hand lies there,
// though the border of the picture shows something else than before.
func TestJudgePushed(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(4, 4)), noise: 1, gain: 1, cloth: true, dice: [][2]int{{53, 33}, {77, 57}, {65, 69}}}
	var g gate
	var now float64
	stretch(&g, s, &now, 10, 2, nil)
	s.shift = 7
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.hand > 0 || r.moving > 0 || r.reads > 0 {
		t.Errorf("a camera that was pushed: %+v, want nothing to have changed", r)
	}
	s.hand, s.dice = true, [][2]int{{53, 45}, {89, 57}, {65, 81}}
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.reads != 0 || r.hand == 0 {
		t.Errorf("a hand that has moved three dice: %+v, want a hand", r)
	}
}

// TestJudgeSeam pushes the camera a little over a table whose seam runs under the board: all that
// looks otherwise hangs together, and reaches the border as a hand does.
func TestJudgeSeam(t *testing.T) {
	for _, shift := range []int{2, 3, 5} {
		s := &tableau{rng: rand.New(rand.NewPCG(4, 4)), noise: 1, gain: 1, seam: true, dice: [][2]int{{53, 33}, {77, 57}, {65, 69}}}
		var g gate
		var now float64
		stretch(&g, s, &now, 10, 2, nil)
		s.shift, s.dice = shift, append(s.dice, [2]int{89, 57})
		if r := stretch(&g, s, &now, 10, 1.2, nil); r.hand > 0 || r.reads != 2 {
			t.Errorf("a camera that was pushed by %d pixels as a die was placed: %+v, want the table read", shift, r)
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

// TestJudgeDim: in little light a hand and a die differ from the table by as much less, and are seen; noise is not.
func TestJudgeDim(t *testing.T) {
	t.Parallel()
	const fps = 10
	s := &tableau{rng: rand.New(rand.NewPCG(8, 8)), noise: 1.5, gain: 0.14}
	var g gate
	var now float64
	if r := stretch(&g, s, &now, fps, 3, nil); r.reads != votes || r.hand > 0 {
		t.Errorf("nothing on it: %+v", r)
	}
	s.hand = true
	if r := stretch(&g, s, &now, fps, 1, nil); r.reads > 0 || r.hand == 0 {
		t.Errorf("a hand: %+v", r)
	}
	s.hand, s.dice = false, [][2]int{{65, 57}}
	if r := stretch(&g, s, &now, fps, 2, nil); r.reads != votes || r.hand > 0 {
		t.Errorf("a die: %+v", r)
	}
}

// TestJudgeGlare dims the light over a table that shines: what was too bright to tell grows less dark
// than the rest, and is no hand. A hand that lies there is one.
func TestJudgeGlare(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(6, 6)), noise: 1, gain: 1, glare: true, dice: [][2]int{{53, 33}}}
	var g gate
	var now float64
	stretch(&g, s, &now, 10, 2, nil)
	s.dice = append(s.dice, [2]int{77, 57})
	dim := func(i int) { s.gain = 1 - 0.3*min(1, float64(i)/10) }
	if r := stretch(&g, s, &now, 10, 2, dim); r.hand > 0 || r.reads != 2 {
		t.Errorf("light that dims as a die is placed: %+v, want the table read and no hand", r)
	}
	s.hand = true
	if r := stretch(&g, s, &now, 10, 1.2, nil); r.reads != 0 || r.hand == 0 {
		t.Errorf("a hand over the glare: %+v, want a hand", r)
	}
}

// TestJudgeLeft lays something over the border of the view, and plays on without a rest: it is a
// part of the table before long. A hand that lies elsewhere each time is none.
func TestJudgeLeft(t *testing.T) {
	for _, moves := range []int{0, 9} {
		s := &tableau{rng: rand.New(rand.NewPCG(5, 5)), noise: 1, gain: 1, dice: [][2]int{{53, 33}}}
		var g gate
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

// TestJudgeMoves shows things that move all the time.
func TestJudgeMoves(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(2, 2)), noise: 1, gain: 1}
	var g gate
	var now float64
	r := stretch(&g, s, &now, 10, 5, func(i int) { s.dice = [][2]int{{10 + 3*i%120, 20 + i}} })
	if r.reads != 0 || r.still != 0 {
		t.Errorf("a die that rolls: %+v, want no reading", r)
	}
}

// TestJudgeFlicker has a lamp flicker over white dice, which are too bright to tell where it is bright: nothing moves, and each
// view is read.
func TestJudgeFlicker(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(5, 5)), noise: 1, gain: 1, lamp: 0.18, white: true}
	for i := range 8 {
		s.dice = append(s.dice, [2]int{12 + 17*i, 8 + i%3})
	}
	var g gate
	var now float64
	flicker := func(int) { s.phase += 0.37 }
	if r := stretch(&g, s, &now, 10, 4, flicker); r.reads < votes || r.reads > 2*votes || r.moving > 8 {
		t.Errorf("a lamp that flickers: %+v, want %d readings, or twice as many", r, votes)
	}
	s.dice = append(s.dice, [2]int{65, 69})
	if r := stretch(&g, s, &now, 10, 4, flicker); r.reads < votes || r.reads > 2*votes || r.moving > 8 {
		t.Errorf("a die more under it: %+v, want %d readings, or twice as many", r, votes)
	}
}

// TestJudgeBurnt has a yellow die come to rest where it is too bright: blue tells it from what is white.
func TestJudgeBurnt(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(6, 6)), noise: 1, gain: 1, glare: true, yellow: true}
	var g gate
	var now float64
	stretch(&g, s, &now, 10, 3, nil)
	s.dice = append(s.dice, [2]int{67, tableauHeight - 12})
	if r := stretch(&g, s, &now, 10, 3, nil); r.reads != votes {
		t.Errorf("a yellow die in the glare: %+v, want %d readings", r, votes)
	}
}

// TestJudgeFaint has a place as large as a die change by less than what moves must: the table is read again within two seconds, and
// then no more.
func TestJudgeFaint(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var j Judge
	now, fainter := 0.0, 0
	see := func(seconds float64) (r told) {
		for range int(seconds * 10) {
			v := j.See(plain(rng, fainter), now)
			if v.Look != table.LookStill {
				r.moving++
			}
			if v.Read {
				r.reads++
			}
			now += 0.1
		}
		return r
	}
	see(4)
	for range 3 {
		fainter += 9
		if r := see(2); r.reads != votes || r.moving > 0 {
			t.Errorf("a place that looks a little otherwise: %+v, want %d readings", r, votes)
		}
		if r := see(5); r.reads != 0 || r.moving > 0 {
			t.Errorf("and stays so: %+v, want no reading", r)
		}
	}
}

// plain is a view of a gray table on which a place is brighter.
func plain(rng *rand.Rand, brighter int) *register.View {
	const size = 80
	v := &register.View{Agreement: 1, Shown: 1, Thumb: register.Thumb{
		Pix: make([]byte, 3*size*size), Width: size, Height: size, Known: make([]bool, size*size), Burnt: make([]register.Colors, size*size), Exposure: 1,
	}}
	for i := range v.Thumb.Pix {
		x, y := i/3%size, i/3/size
		v.Thumb.Known[i/3] = true
		v.Thumb.Pix[i] = byte(90 + rng.IntN(2))
		if max(x-40, 40-x, y-40, 40-y) <= 3 {
			v.Thumb.Pix[i] += byte(brighter)
		}
	}
	return v
}

// TestJudgeWants asks for more readings, as when they do not agree.
func TestJudgeWants(t *testing.T) {
	s := &tableau{rng: rand.New(rand.NewPCG(3, 3)), noise: 1, gain: 1}
	var g gate
	var reads []int
	for i := range 100 {
		v := g.see(s.paint(), float64(i)/10)
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

// TestJudgeAside has a hand fidget at the border of the view, where nothing is played with: it keeps nothing from being read,
// and nothing is read for its sake. Where nobody knows what matters it does both.
func TestJudgeAside(t *testing.T) {
	for _, c := range []struct {
		name  string
		heed  func(x, y int) bool // nil: everywhere
		reads int
	}{
		{"beside what matters", func(_, y int) bool { return y < 65 }, 2},
		{"where all matters", nil, 0},
	} {
		s := &tableau{rng: rand.New(rand.NewPCG(7, 7)), noise: 1, gain: 1, dice: [][2]int{{53, 33}}}
		var g gate
		var now float64
		stretch(&g, s, &now, 10, 2, nil)
		heed(&g, c.heed)
		s.hand = true
		fidget := func(i int) { s.handX = 3 * (i % 5) }
		if r := stretch(&g, s, &now, 10, 4, fidget); r.reads > 0 {
			t.Errorf("%s: a hand that fidgets: %+v, want no reading", c.name, r)
		}
		s.dice = append(s.dice, [2]int{77, 45})
		if r := stretch(&g, s, &now, 10, 4, fidget); r.reads != c.reads {
			t.Errorf("%s: a die was placed while a hand fidgets: %+v, want %d readings", c.name, r, c.reads)
		}
		s.hand = false
		if r := stretch(&g, s, &now, 10, 4, nil); r.reads > 2 || r.reads+c.reads < 2 {
			t.Errorf("%s: the hand has gone: %+v", c.name, r)
		}
		s.dice = append(s.dice, [2]int{20, 100}) // aside, where nothing goes on
		if r := stretch(&g, s, &now, 10, 2, nil); r.reads != 2 {
			t.Errorf("%s: a die lies aside: %+v, want it read", c.name, r)
		}
	}
}

// heed tells a gate where it matters what goes on.
func heed(g *gate, where func(x, y int) bool) {
	if where == nil {
		return
	}
	matters := make([]bool, tableauWidth*tableauHeight)
	for i := range matters {
		matters[i] = where(i%tableauWidth, i/tableauWidth)
	}
	g.Heed(matters, tableauWidth)
}

// TestJudgeCover has an arm rest over a part of what matters, still or not: the rest is read, but not at once, as a hand that plays
// goes; what happens under it is not judged, until it goes.
func TestJudgeCover(t *testing.T) {
	for name, move := range map[string]func(s *tableau) func(i int){
		"still":   func(*tableau) func(int) { return nil },
		"fidgets": func(s *tableau) func(int) { return func(i int) { s.handX = i / 2 % 3 } },
	} {
		t.Run(name, func(t *testing.T) {
			s := &tableau{rng: rand.New(rand.NewPCG(7, 7)), noise: 1, gain: 1, dice: [][2]int{{53, 33}}}
			var g gate
			var now float64
			see := func(seconds float64) told { return stretch(&g, s, &now, 10, seconds, move(s)) }
			see(2)
			heed(&g, func(_, y int) bool { return y < 95 })
			s.hand = true
			if r := see(1); r.reads > 0 {
				t.Errorf("an arm has just come: %+v, want no reading", r)
			}
			see(3)
			s.dice = append(s.dice, [2]int{95, 40})
			if r := see(1.5); r.reads == 0 || r.firstRead > 0.5 {
				t.Errorf("a die comes beside the arm: %+v, want it read within half a second", r)
			}
			if covers, moves := g.Covers(62, 85); !covers || moves != (name == "fidgets") {
				t.Errorf("under the arm: covered %v, moving %v", covers, moves)
			}
			if covers, _ := g.Covers(97, 42); covers {
				t.Error("the die beside the arm is covered")
			}
			s.dice = append(s.dice, [2]int{70, 80})
			if r := see(1.5); r.reads > 0 {
				t.Errorf("a die comes under the arm: %+v, want no reading", r)
			}
			s.hand = false
			if r := stretch(&g, s, &now, 10, 2, nil); r.reads != votes || r.firstRead > 0.5 {
				t.Errorf("the arm goes: %+v, want two readings, the first within half a second", r)
			}
			if g.Covered() {
				t.Error("covered, once the arm has gone")
			}
		})
	}
}
