package vision

import (
	"path/filepath"
	"testing"

	"diceref/vision/measure"
)

// TestCheckered: small dice on a checkered cloth, whose squares are as large, are all read, and so are
// smaller ones of which a first look sees none plainly.
func TestCheckered(t *testing.T) {
	r := opened(t)
	pictures, err := measure.Load(filepath.Join("testdata", "checkered"))
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for _, p := range pictures {
		if m := readTurned(t, r, p, "", 0); m.Right < m.Dice || len(m.Faults) > 0 {
			t.Errorf("%s: %d of %d dice are read right: %v", filepath.Base(p.Path), m.Right, m.Dice, m.Faults)
		}
	}
}
