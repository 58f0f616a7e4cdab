package vision

import (
	"math"
	"testing"
)

// colorsWith are probabilities of yellow and of orange, and the rest of black.
func colorsWith(yellow, orange float64) (p [colorKinds]float64) {
	p[1], p[5], p[7] = yellow, orange, 1-yellow-orange
	return p
}

// TestBlend: two words that say the same say it more surely if they count more than 1 together; one that
// knows nothing changes nothing.
func TestBlend(t *testing.T) {
	for _, c := range []struct {
		name        string
		p, word     [colorKinds]float64
		own, weight float64
		want        float64 // of yellow
	}{
		{"alike, evenly", colorsWith(0.8, 0.2), colorsWith(0.8, 0.2), 0.5, 0.5, 0.8},
		{"alike, as if they knew nothing of each other", colorsWith(0.8, 0.2), colorsWith(0.8, 0.2), 1, 1, 0.64 / 0.68},
		{"a word that knows nothing", colorsWith(0.8, 0.2), colorsWith(0.5, 0.5), 1, 1, 0.8},
		{"the other way about", colorsWith(0.8, 0.2), colorsWith(0.2, 0.8), 0.5, 0.5, 0.5},
		{"the other way about, and counting more", colorsWith(0.5, 0.5), colorsWith(0.2, 0.8), 0.2, 1, 0.2},
	} {
		got := c.p
		blend(&got, &c.word, c.own, c.weight)
		if math.Abs(got[1]-c.want) > 1e-9 {
			t.Errorf("%s: yellow is %.4f likely, want %.4f", c.name, got[1], c.want)
		}
		var sum float64
		for _, p := range got {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: all together %.4f", c.name, sum)
		}
	}
}
