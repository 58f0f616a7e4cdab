package vision

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// TestFindGridAndPlace looks at made-up maps of grids from many cameras: corners
// within a third of a square, every die on its own square. Where something lies
// over the border the grid may be missed, but what is wrong must not be sure.
func TestFindGridAndPlace(t *testing.T) {
	cases := []struct {
		name   string
		layout table.Layout
		dice   int
		tilt   float64
		flaws  flaws
	}{
		{"clean board", table.Board, 8, 50, flaws{}},
		{"empty board", table.Board, 0, 50, flaws{shift: 1}},
		{"full board, few lattice points", table.Board, 25, 50, flaws{dropped: 0.7, invented: 5, shift: 1.5}},
		{"no lattice points at all", table.Board, 12, 40, flaws{dropped: 1}},
		{"something over the border", table.Board, 12, 45, flaws{dropped: 0.4, shift: 1, bite: 1.3}},
		{"arena", table.Arena, 12, 50, flaws{dropped: 0.5, invented: 4, shift: 1.5}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			right := 0
			const views = 60
			for seed := uint64(0); seed < views; seed++ {
				rng := rand.New(rand.NewPCG(seed, 7))
				s := makeSynth(rng, c.layout, c.dice, c.tilt, c.flaws)
				msg, sure := s.judge()
				if msg == "" {
					right++
				} else if sure || c.flaws.bite == 0 {
					t.Errorf("seed %d, tilt %.0f: %s (sure: %v)", seed, s.camera.Tilt(), msg, sure)
				}
			}
			if right < views*4/5 {
				t.Errorf("%d of %d views right, want at least four of five", right, views)
			}
		})
	}
}

// judge runs the grid finder and says what is wrong with its answer ("" if nothing)
// and whether it is sure of it.
func (s *synth) judge() (string, bool) {
	g, ok := lattice.FindGrid(s.maps, s.width, s.height, nil)
	return s.judgeGrid(g, ok), ok && g.Sure()
}

func (s *synth) judgeGrid(g lattice.Grid, ok bool) string {
	if !ok {
		return fmt.Sprintf("no grid found (shared %.2f, %d nodes)", g.Shared, g.Nodes)
	}
	want := s.camera
	turn, worst := 0, math.Inf(1)
	for k := range 4 {
		turned := want.Turned(k)
		got, off := g.Camera.Corners(), 0.0
		for i, p := range turned.Corners() {
			x, y, _ := g.Camera.Place(p, 0)
			gx, gy, _ := g.Camera.Place(got[i], 0)
			off = max(off, math.Hypot(x-gx, y-gy))
		}
		if off < worst {
			worst, turn = off, k
		}
	}
	if worst > 1.0/3 {
		return fmt.Sprintf("corners off by %.2f squares (shared %.2f, %d nodes)", worst, g.Shared, g.Nodes)
	}
	tops := s.maps.Peaks(s.width, s.height)
	if len(tops) != len(s.squares) {
		return fmt.Sprintf("%d tops found of %d", len(tops), len(s.squares))
	}
	side := dieSide(&g.Camera, s.layout, tops)
	for _, p := range place(&g.Camera, s.layout, side, tops) {
		i := nearestPoint(s.centers, p.At)
		want := s.squareIn(want.Turned(turn), i)
		if p.square == nil || *p.square != want {
			return fmt.Sprintf("die on %v placed on %v (side %.2f, really %.2f; f %.2f, really %.2f; corners off by %.2f)", want, p.square, side, s.side, g.Camera.F, s.camera.F, worst)
		}
	}
	return ""
}

func nearestPoint(p []table.Point, at table.Point) int {
	best := 0
	for i := range p {
		if math.Hypot(p[i].X-at.X, p[i].Y-at.Y) < math.Hypot(p[best].X-at.X, p[best].Y-at.Y) {
			best = i
		}
	}
	return best
}

// TestStandsAlone: a grid whose points are all seen, and none a square further, is sure
// although a cloth beside it looks like a part of it; where there may be more of it, it is not.
func TestStandsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		flaws  flaws
		beyond bool // a lattice point is seen a square beyond the grid
		want   bool
	}{
		"all points seen":      {want: true},
		"some are not":         {flaws: flaws{dropped: 0.2}},
		"one beyond them also": {beyond: true},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 7))
			s := makeSynth(rng, table.Board, 8, 20, c.flaws)
			inside := s.maps.Channel(detect.ChInside)
			for y := range s.maps.In[1] { // a cloth from the grid's side to the picture's
				for x := range s.maps.In[0] {
					if gx, gy, ok := s.camera.Place(s.maps.Picture(float64(x)+0.5, float64(y)+0.5), 0); ok && gx > 4.5 && gy > 0 && gy < 5 {
						inside[y*s.maps.W+x] = 3
					}
				}
			}
			if c.beyond {
				drawMark(s.maps, s.camera.Project(6, 2, 0), 0, 0, 0.9)
			}
			g, ok := lattice.FindGrid(s.maps, s.width, s.height, nil)
			if wrong := s.judgeGrid(g, ok); wrong != "" && c.want {
				t.Error(wrong)
			}
			if got := ok && g.Sure() && !g.Cut; got != c.want {
				t.Errorf("sure and whole: %v, want %v (shared %.2f, %d nodes, speaks %.1f, cut %v)", got, c.want, g.Shared, g.Nodes, g.Speaks, g.Cut)
			}
		})
	}
}
