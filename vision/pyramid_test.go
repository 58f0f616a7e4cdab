package vision

import (
	"path/filepath"
	"testing"
)

// TestCheckered: small dice on a checkered cloth, whose squares are as large, are all read, and so are
// smaller ones of which a first look sees none plainly.
func TestCheckered(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "checkered", 2) {
		if m := readTurned(t, r, p, "", 0); m.Right < m.Dice || len(m.Faults) > 0 {
			t.Errorf("%s: %d of %d dice are read right: %v", filepath.Base(p.Path), m.Right, m.Dice, m.Faults)
		}
	}
}
