package dessertdice

import (
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

func readTestdata(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTips checks the geometry that RULES.md 0.2 states, over all 48 ways in which a die may lie.
func TestTips(t *testing.T) {
	back := [4]direction{north: south, south: north, west: east, east: west}
	for i, w := range layouts {
		p := poses(1) << i
		var up poses
		for d := north; d <= east; d++ {
			to := p.tip(d)
			if bits.OnesCount64(uint64(to)) != 1 || to.tip(back[d]) != p {
				t.Fatalf("%v tipped %d and back is %v", w, d, to.tip(back[d]).tops())
			}
			top := to.tops()[0]
			if top == w.top || top == 7-w.top {
				t.Errorf("%v tipped %d shows %d", w, d, top)
			}
			up |= showing[top]
			after := layouts[bits.TrailingZeros64(uint64(to))]
			leading := [4]int{north: after.north, south: 7 - after.north, west: 7 - after.east, east: after.east}[d]
			if leading != w.top {
				t.Errorf("%v tipped %d: the old top is not on the leading side", w, d)
			}
		}
		if n := bits.OnesCount64(uint64(up)); n != 32 {
			t.Errorf("%v: the four tips bring up %d ways, want four different faces", w, n)
		}
	}
	// With 1 up and 2 south, a western die has 3 east, an asian one 3 west.
	for kind, east := range map[poses]int{western: 3, asian: 4} {
		p := showing[1] & facing[5] & kind
		if got := layouts[bits.TrailingZeros64(uint64(p))].east; got != east {
			t.Errorf("east of 1 up, 2 south is %d, want %d", got, east)
		}
	}
}

// TestOrientationIsLearned tips a real die about: what it shows is always accepted,
// after one tip at most two tops remain, and once tipped in both axes exactly one.
func TestOrientationIsLearned(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		real := poses(1) << rapid.IntRange(0, 2*ways-1).Draw(r, "lies")
		known := showing[real.tops()[0]]
		axes := map[bool]bool{}
		for _, d := range rapid.SliceOfN(rapid.IntRange(0, 3), 1, 12).Draw(r, "tips") {
			dir := direction(d)
			real = real.tip(dir)
			before := len(known.tip(dir).tops())
			if len(axes) == 1 && before > 2 || len(axes) == 2 && before != 1 {
				r.Fatalf("%d tops are possible after tips along %d axes", before, len(axes))
			}
			known = known.tip(dir) & showing[real.tops()[0]]
			if known&real == 0 {
				r.Fatalf("the way in which the die lies was ruled out")
			}
			axes[dir <= south] = true
		}
	})
}
