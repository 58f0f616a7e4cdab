package register

import (
	"math"
	"math/rand/v2"
	"testing"
)

// scene paints a made-up table: a wooden top with some things on it, and whatever is asked for.
type scene struct {
	motion Motion // from the table to the picture
	light  func(x, y float64) [3]float64
	cover  func(x, y float64) bool // a hand, in places of the picture
	color  [3]float64              // of the hand; as skin where that is not told
	other  uint64                  // another table
	noise  float64
}

const sceneWidth, sceneHeight = 320, 240

// paint gives the picture of such a table. Places are in shares of the width from the middle.
func (s scene) paint() Picture {
	if s.motion == (Motion{}) {
		s.motion = Still
	}
	if s.color == ([3]float64{}) {
		s.color = [3]float64{120, 140, 190}
	}
	back, _ := s.motion.Inverse()
	things := s.things()
	rng := rand.New(rand.NewPCG(1, s.other))
	pix := make([]byte, 3*sceneWidth*sceneHeight)
	for y := range sceneHeight {
		for x := range sceneWidth {
			px, py := (float64(x)+0.5)/sceneWidth-0.5, (float64(y)+0.5-sceneHeight/2)/sceneWidth
			gain := [3]float64{1, 1, 1}
			if s.light != nil {
				gain = s.light(px, py)
			}
			var sum [3]float64
			const n = 3 // samples of a pixel each way
			for i := range n * n {
				qx, qy := px+(float64(i%n)-1)/n/sceneWidth, py+(float64(i/n)-1)/n/sceneWidth
				u, v := apply(&back, qx, qy)
				c := at(things, u, v)
				if s.cover != nil && s.cover(qx, qy) {
					c = s.color
				}
				for k := range sum {
					sum[k] += c[k] / (n * n)
				}
			}
			for k := range sum {
				pix[3*(y*sceneWidth+x)+k] = byte(min(max(sum[k]*gain[k]+s.noise*rng.NormFloat64()+0.5, 0), 255))
			}
		}
	}
	return Picture{pix, sceneWidth, sceneHeight}
}

// thing is a die of a scene.
type thing struct {
	x, y, sin, cos float64
	color          [3]float64
}

func (s scene) things() (list []thing) {
	rng := rand.New(rand.NewPCG(7, s.other))
	for range 40 {
		d := thing{x: rng.Float64()*1.4 - 0.7, y: rng.Float64()*1.2 - 0.6}
		d.sin, d.cos = math.Sincos(rng.Float64())
		d.color = [3]float64{rng.Float64() * 220, rng.Float64() * 220, rng.Float64() * 220}
		list = append(list, d)
	}
	return list
}

func at(things []thing, x, y float64) [3]float64 {
	for i := range things {
		d := &things[i]
		u, v := d.cos*(x-d.x)+d.sin*(y-d.y), d.cos*(y-d.y)-d.sin*(x-d.x)
		if math.Abs(u) < 0.022 && math.Abs(v) < 0.022 {
			if math.Hypot(u-0.008, v-0.008) < 0.005 || math.Hypot(u, v) < 0.005 {
				return [3]float64{235, 235, 235}
			}
			return d.color
		}
	}
	grain := 6 * math.Sin(90*x+8*math.Sin(12*y)) * math.Sin(31*y)
	return [3]float64{70 + grain, 95 + grain, 130 + grain}
}

func similarity(x, y, degrees, scale float64) Motion {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Motion{scale * cos, -scale * sin, x, scale * sin, scale * cos, y, 0, 0, 1}
}

// off is how far a motion has the picture's places elsewhere than another, at the most, in shares of the width.
func off(a, b Motion, reach float64) (far float64) {
	for _, c := range [...][2]float64{{-1, -0.75}, {1, -0.75}, {-1, 0.75}, {1, 0.75}, {0, 0}} {
		x, y := apply(&a, reach*c[0]/2, reach*c[1]/2)
		u, v := apply(&b, reach*c[0]/2, reach*c[1]/2)
		far = max(far, math.Hypot(u-x, v-y))
	}
	return far
}

// between is a motion on the way from one to another.
func between(a, b Motion, share float64) (m Motion) {
	for i := range m {
		m[i] = a[i] + share*(b[i]-a[i])
	}
	return m
}

func shadow(x, _ float64) [3]float64 {
	g := 1 - 0.5/(1+math.Exp(-x/0.075))
	return [3]float64{g, g, 0.97 * g}
}

func hand(x, y float64) bool { return x > -0.1 && math.Abs(y-0.05) < 0.09 }

// TestMotion moves the camera, in one step, and has it found how.
func TestMotion(t *testing.T) {
	t.Parallel()
	ref := scene{noise: 1}.paint()
	const pixel = 1.0 / 800
	for name, c := range map[string]struct {
		s     scene
		steps int  // in which it comes to that; 0: at once
		bends bool // how a view bends is not known so well at its corners
	}{
		"still":                       {scene{}, 0, false},
		"trembled":                    {scene{motion: similarity(1.1*pixel, -0.7*pixel, 0, 1)}, 0, false},
		"held in the hand":            {scene{motion: similarity(5*pixel, 4*pixel, 0.7, 1.004)}, 0, false},
		"pushed":                      {scene{motion: similarity(30*pixel, -22*pixel, 2, 1)}, 0, false},
		"tilted":                      {scene{motion: Motion{1.01, 0.002, 0.01, -0.004, 0.99, 0, 0.03, -0.02, 1}}, 4, true},
		"turned far":                  {scene{motion: similarity(0.05, -0.04, 38, 1)}, 0, false},
		"turned the other way":        {scene{motion: similarity(-0.08, 0.03, -45, 1.02)}, 0, false},
		"under a shadow":              {scene{motion: similarity(2*pixel, pixel, 0.1, 1), light: shadow}, 0, false},
		"behind a hand":               {scene{motion: similarity(2*pixel, pixel, 0.1, 1), cover: hand}, 0, false},
		"a hand and its shadow, dark": {scene{motion: similarity(2*pixel, pixel, 0.1, 1), cover: hand, light: func(x, y float64) [3]float64 { g := shadow(x, y); return [3]float64{g[0] / 2, g[1] / 2, g[2] / 2} }}, 0, false},
	} {
		within := 0.7 // pixels of a picture 800 across
		if c.bends {
			within = 1.2
		}
		var r Register
		r.See(ref, 0)
		c.s.noise = 1
		want := c.s.motion
		if want == (Motion{}) {
			want = Still
		}
		s := c.s
		for i := range c.steps {
			s.motion = between(Still, want, float64(i)/float64(c.steps))
			r.See(s.paint(), float64(i)/10)
		}
		v := r.See(c.s.paint(), 2)
		if got := off(v.Motion, want, 0.8) / pixel; v.Lost || got > within {
			t.Errorf("%s: off by %.2f pixels of 800, want %.2f; lost: %v, %.2f of the marks agree", name, got, within, v.Lost, v.Agreement)
		}
	}
}

// TestLost shows another table, or next to nothing of the one that is known: that is lost, and what was known
// is found again when it is back.
func TestLost(t *testing.T) {
	t.Parallel()
	var r Register
	r.See(scene{noise: 1}.paint(), 0)
	for name, s := range map[string]scene{
		"another table":     {other: 9},
		"a hand all over":   {cover: func(x, y float64) bool { return x > -0.47 }},
		"pushed by far":     {motion: similarity(0.9, 0, 0, 1)},
		"upside down, near": {motion: similarity(0, 0, 180, 1.6)},
	} {
		if v := r.See(s.paint(), 1); !v.Lost {
			t.Errorf("%s: found at %.3f, %.2f of the marks agree", name, v.Motion, v.Agreement)
		}
		if v := r.See(scene{noise: 1}.paint(), 1); v.Lost || off(v.Motion, Still, 0.8) > 0.5/800 {
			t.Errorf("after %s: lost: %v, motion %.4f", name, v.Lost, v.Motion)
		}
	}
}

// differences tells of each place of the thumb by how many gray levels the frame that was seen last differs there from the reference.
func (r *Register) differences(f func(x, y float64, by int)) {
	v := &r.view.Thumb
	for i := range v.Known {
		most := 0
		for c := range 3 {
			a, b := int(v.Pix[3*i+c]), int(r.thumb.Pix[3*i+c])
			most = max(most, a-b, b-a)
		}
		f((float64(i%v.Width)+0.5)/float64(v.Width)-0.5, (float64(i/v.Width)+0.5-float64(v.Height)/2)/float64(v.Width), most)
	}
}

// TestLight changes the light, and has the frame given in the reference's: nothing differs then but what is on the table.
func TestLight(t *testing.T) {
	t.Parallel()
	ref := scene{}.paint()
	die := func(x, y float64) bool { return math.Abs(x-0.2) < 0.02 && math.Abs(y) < 0.02 }
	for name, light := range map[string]func(x, y float64) [3]float64{
		"as it was":         nil,
		"a shadow":          shadow,
		"another lamp":      func(float64, float64) [3]float64 { return [3]float64{0.75 * 0.8, 0.93 * 0.8, 1.08 * 0.8} },
		"a lamp from aside": func(x, y float64) [3]float64 { return [3]float64{0.9 + 0.5*x, 0.9 + 0.5*x, 1 + 0.3*y} },
		"dark":              func(float64, float64) [3]float64 { return [3]float64{0.4, 0.4, 0.4} },
	} {
		var r Register
		r.See(ref, 0)
		var v *View
		for i := range 4 { // a shadow does not come at once
			part := float64(i+1) / 4
			s := scene{cover: die}
			if light != nil {
				s.light = func(x, y float64) [3]float64 {
					g := light(x, y)
					for c := range g {
						g[c] = 1 + part*(g[c]-1)
					}
					return g
				}
			}
			v = r.See(s.paint(), float64(i)/10)
		}
		unlike, missed := 0, 0
		r.differences(func(x, y float64, by int) {
			near := math.Abs(x-0.2) < 0.035 && math.Abs(y) < 0.035
			if by > 12 && !near {
				unlike++
			}
			if by < 25 && math.Abs(x-0.2) < 0.012 && math.Abs(y) < 0.012 {
				missed++
			}
		})
		if unlike > len(v.Thumb.Known)/1000 || missed > 0 {
			t.Errorf("%s: %d pixels differ where nothing lies, %d do not where a die came", name, unlike, missed)
		}
	}
}

// TestLearn takes what has changed into the reference, which is then as if it had always been so.
func TestLearn(t *testing.T) {
	t.Parallel()
	var r Register
	r.See(scene{}.paint(), 0)
	now := scene{motion: similarity(0.004, -0.003, 0.3, 1), cover: func(x, y float64) bool { return math.Hypot(x-0.2, y) < 0.05 }}.paint()
	v := r.See(now, 1)
	take := make([]bool, len(v.Thumb.Known))
	for i := range take {
		take[i] = true
	}
	r.Learn(take)
	v = r.See(now, 2)
	if v.Agreement < 0.9 || off(v.Motion, similarity(0.004, -0.003, 0.3, 1), 0.8) > 0.7/800 {
		t.Errorf("%.2f of the marks agree on %.4f", v.Agreement, v.Motion)
	}
	for i := range v.Thumb.Pix {
		if d := int(v.Thumb.Pix[i]) - int(r.thumb.Pix[i]); max(d, -d) > 12 {
			t.Fatalf("byte %d is %d, and %d in the reference", i, v.Thumb.Pix[i], r.thumb.Pix[i])
		}
	}
}

// BenchmarkSee registers a camera that trembles.
func BenchmarkSee(b *testing.B) {
	var frames []Picture
	for i := range 8 {
		frames = append(frames, scene{motion: similarity(0.001*math.Sin(float64(i)), 0.001*math.Cos(float64(i)), 0, 1), noise: 1}.paint())
	}
	var r Register
	i := 0
	for b.Loop() {
		r.See(frames[i%len(frames)], float64(i)/10)
		i++
	}
}

// BenchmarkSearch looks for a view all over.
func BenchmarkSearch(b *testing.B) {
	ref, other := scene{}.paint(), scene{other: 9}.paint()
	var r Register
	r.See(ref, 0)
	i := 0
	for b.Loop() {
		r.See(other, float64(i))
		i++
	}
}
