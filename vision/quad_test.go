package vision

import "testing"

// TestMaskInPadding: what a network says of the padding beside a picture makes no grid, however large it is.
func TestMaskInPadding(t *testing.T) {
	m := &maps{w: 40, h: 30, scale: 1, in: [2]int{40, 5}}
	m.data = make([]float32, (chInside+1)*m.w*m.h)
	ch := m.channel(chInside)
	for i := range ch {
		ch[i] = -1
		if i/m.w >= m.in[1] {
			ch[i] = 1
		}
	}
	m.mask = m.partsOfMask()
	if b, ok := m.insideBlob(); ok {
		t.Errorf("the padding is taken as a grid of %d cells", b.area)
	}
	for y := range 20 {
		for x := range 20 {
			ch[y*m.w+x] = 1
		}
	}
	m.in = [2]int{40, 30}
	m.mask = m.partsOfMask()
	b, ok := m.insideBlob()
	if !ok {
		t.Fatal("a square of 20 cells in the picture is not found")
	}
	if _, ok := b.quad(); !ok {
		t.Errorf("a mask of %d cells has no outline", b.area)
	}
}
