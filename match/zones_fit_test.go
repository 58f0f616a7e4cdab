package match

import (
	"math"
	"testing"

	"diceref/table"
)

// TestThere: how likely a reading is of a die at all, by how likely its color and face are of one that is.
func TestThere(t *testing.T) {
	for name, c := range map[string]struct {
		confidence, face, faces float64 // of the face that is read, and of all together
		want                    float64
	}{
		"plain":              {0.97, 0.98, 1, 0.99},
		"face in doubt":      {0.49, 0.5, 1, 0.98},
		"hardly a die":       {0.31, 0.24, 0.4, 0.52},
		"hardly, but a face": {0.45, 0.45, 0.46, 0.46},
	} {
		r := table.Reading{Die: table.Die{Color: table.White, Face: 4}, Confidence: c.confidence}
		r.Faces[4], r.Faces[2], r.Colors[table.White] = c.face, c.faces-c.face, 1
		if got := there(&r); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.3f, want %.2f", name, got, c.want)
		}
	}
}
