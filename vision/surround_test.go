package vision

import (
	"math"
	"testing"

	"diceref/table"
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

// TestSurroundConfirms has the surround network speak about a die on a grid, whose color was likely before: it
// may make it surer, and nothing else.
func TestSurroundConfirms(t *testing.T) {
	const faces = 3
	seen := func(likely float64) *verdict {
		v := &verdict{}
		for c := range v.joint {
			v.joint[c][faces] = (1 - likely) / float64(colorKinds-1)
		}
		v.joint[table.Yellow-1][faces] = likely
		v.best()
		return v
	}
	word := func(c table.Color, likely float64) (p [colorKinds]float64) {
		for k := range p {
			p[k] = (1 - likely) / float64(colorKinds-1)
		}
		p[c-1] = likely
		return p
	}
	for _, c := range []struct {
		name  string
		named table.Color
		word  float64
		surer bool
	}{
		{"the same", table.Yellow, 0.95, true},
		{"the same, hardly", table.Yellow, 0.3, false},
		{"another", table.Green, 0.99, false},
	} {
		v := seen(0.95)
		v.confirm(v.colors(), word(c.named, c.word))
		if v.die.Color != table.Yellow || (v.p > 0.96) != c.surer || !c.surer && math.Abs(v.p-0.95) > 1e-9 {
			t.Errorf("%s: %v, %.4f", c.name, v.die, v.p)
		}
	}
	for _, c := range []struct {
		likely float64
		want   bool
	}{{0.85, false}, {0.91, true}, {0.97, true}, {0.99, false}} {
		if got := seen(c.likely).hardlyQuestioned(); got != c.want {
			t.Errorf("a color of %.2f is asked about: %v", c.likely, got)
		}
	}
}
