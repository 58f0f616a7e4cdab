package vision

import (
	"math"
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/classify"
)

// colorsWith are probabilities of yellow and of orange, and the rest of black.
func colorsWith(yellow, orange float64) (p [classify.ColorKinds]float64) {
	p[1], p[5], p[7] = yellow, orange, 1-yellow-orange
	return p
}

// TestBlend: two words that say the same say it more surely if they count more than 1 together; one that
// knows nothing changes nothing.
func TestBlend(t *testing.T) {
	for _, c := range []struct {
		name        string
		p, word     [classify.ColorKinds]float64
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
		classify.Blend(&got, &c.word, c.own, c.weight)
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
			v.joint[c][faces] = (1 - likely) / float64(classify.ColorKinds-1)
		}
		v.joint[table.Yellow-1][faces] = likely
		v.best()
		return v
	}
	word := func(c table.Color, likely float64) (p [classify.ColorKinds]float64) {
		for k := range p {
			p[k] = (1 - likely) / float64(classify.ColorKinds-1)
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
		if got := hardlyQuestioned(word(table.Yellow, c.likely)); got != c.want {
			t.Errorf("a color of %.2f is asked about: %v", c.likely, got)
		}
	}
}

// TestBetween reads loose dice that are yellow or orange in poor light, and one that is dyed in between, which must not be surely wrong.
func TestBetween(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "between", 5) {
		if m := readTurned(t, r, p, "", 0); m.Right < m.Dice || m.Wrong > 0 {
			t.Errorf("%s: %d of %d dice right", filepath.Base(p.Path), m.Right, m.Dice)
		}
	}
	for _, p := range picturesOf(t, "dyed", 1) {
		for quarters := range 4 {
			if m := readTurned(t, r, p, "", quarters); m.Right < m.Dice-1 || m.Wrong > 0 {
				t.Errorf("%s, turned by %d quarters: %d of %d dice right, surely wrong %d", filepath.Base(p.Path), quarters, m.Right, m.Dice, m.Wrong)
			}
		}
	}
}

// TestInBetween has colors that run into each other count as sure only where the words on them are no two but one.
func TestInBetween(t *testing.T) {
	word := func(first table.Color, p float64, second table.Color) (w [classify.ColorKinds]float64) {
		w[first-1], w[second-1] = p, 1-p
		return w
	}
	for _, c := range []struct {
		name         string
		color, rival table.Color
		own, word    float64
		want         bool
	}{
		{"orange or yellow, both in a little doubt", table.Yellow, table.Orange, 0.92, 0.95, true},
		{"either way", table.Orange, table.Yellow, 0.92, 0.95, true},
		{"red or orange", table.Red, table.Orange, 0.98, 0.9, true},
		{"one is beyond doubt", table.Yellow, table.Orange, 0.91, 0.998, false},
		{"both are", table.Yellow, table.Orange, 0.97, 0.97, false},
		{"another rival", table.Yellow, table.White, 0.92, 0.95, false},
		{"other colors", table.Blue, table.Green, 0.92, 0.95, false},
	} {
		own, seen := word(c.color, c.own, c.rival), word(c.color, c.word, c.rival)
		if got := inBetween(c.color, &own, &seen); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestLoneShades: where dice may be of any color, yellow is sure only beside orange.
func TestLoneShades(t *testing.T) {
	for name, c := range map[string]struct {
		game   table.Game
		others []verdict
		sure   bool
	}{
		"alone":                       {table.Any, nil, false},
		"beside red":                  {table.Any, []verdict{{die: table.Die{Color: table.Red, Face: 1}, p: 0.99}}, false},
		"beside orange":               {table.Any, []verdict{{die: table.Die{Color: table.Orange, Face: 1}, p: 0.99}}, true},
		"beside what may be orange":   {table.Any, []verdict{{die: table.Die{Color: table.Orange, Face: 1}, p: 0.6}}, false},
		"in a game of known colors":   {table.DiceCreams, nil, true},
		"in a game without an orange": {table.DessertDice, nil, true},
	} {
		vs := []*verdict{{die: table.Die{Color: table.Yellow, Face: 3}, p: 0.99}}
		for i := range c.others {
			vs = append(vs, &c.others[i])
		}
		doubtLoneShades(vs, c.game.Kit())
		if vs[0].unlikely == c.sure {
			t.Errorf("%s: unlikely is %v", name, vs[0].unlikely)
		}
	}
}
