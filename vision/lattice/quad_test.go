package lattice

import (
	"math"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
)

// TestMaskInPadding: what a network says of the padding beside a picture makes no grid, however large it is.
func TestMaskInPadding(t *testing.T) {
	m := &detect.Maps{W: 40, H: 30, Scale: 1, In: [2]int{40, 5}}
	m.Data = make([]float32, (detect.ChInside+1)*m.W*m.H)
	ch := m.Channel(detect.ChInside)
	for i := range ch {
		ch[i] = -1
		if i/m.W >= m.In[1] {
			ch[i] = 1
		}
	}
	if b, ok := fieldOf(m).insideBlob(); ok {
		t.Errorf("the padding is taken as a grid of %d cells", b.area)
	}
	for y := range 20 {
		for x := range 20 {
			ch[y*m.W+x] = 1
		}
	}
	m.In = [2]int{40, 30}
	b, ok := fieldOf(m).insideBlob()
	if !ok {
		t.Fatal("a square of 20 cells in the picture is not found")
	}
	if _, ok := b.quad(); !ok {
		t.Errorf("a mask of %d cells has no outline", b.area)
	}
}

// TestOverlap: what the mask shows beside a grid says that it goes on there; what it shows of
// less far off tells nothing about it.
func TestOverlap(t *testing.T) {
	grid := [4]table.Point{{X: 4, Y: 4}, {X: 24, Y: 4}, {X: 24, Y: 24}, {X: 4, Y: 24}}
	for name, c := range map[string]struct {
		from, to int // columns of another part of the mask, as high as the grid
		want     float64
	}{
		"nothing else":              {0, 0, 1},
		"a sixth column":            {24, 28, 20.0 / 24},
		"a sixth column, cut off":   {25, 29, 20.0 / 24},
		"a cloth":                   {30, 45, 1},
		"larger than what is meant": {30, 52, 20.0 / 42},
	} {
		t.Run(name, func(t *testing.T) {
			m := &detect.Maps{W: 160, H: 96, Scale: 0.5, In: [2]int{160, 90}}
			m.Data = make([]float32, (detect.ChInside+1)*m.W*m.H)
			inside := m.Channel(detect.ChInside)
			for i := range inside {
				inside[i] = -1
			}
			for y := 4; y < 24; y++ {
				for x := range m.W {
					inside[y*m.W+x] = -1
					if x >= 4 && x < 24 || x >= c.from && x < c.to {
						inside[y*m.W+x] = 1
					}
				}
			}
			if got := fieldOf(m).overlap(grid); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%.3f in common, want %.3f", got, c.want)
			}
		})
	}
}
