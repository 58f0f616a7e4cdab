package vision

import (
	"testing"

	"diceref/table"
	"diceref/vision/classify"
)

// sees is what the networks say that takes the crop for a face and two colors, the first with
// probability p, the second with the rest.
func sees(face int, a, b table.Color, p float64) (s seen) {
	for f := range s.faces {
		s.faces[f] = 0.01 / 7
	}
	s.faces[face] = 0.99
	s.colors[a-1], s.colors[b-1] = p, 1-p
	return s
}

type seen struct {
	faces  [classify.FaceKinds]float64
	colors [classify.ColorKinds]float64
}

func (s seen) weigh(kit table.Kit) *verdict { return weigh(&s.faces, &s.colors, kit) }

func TestWeighKeepsToTheGame(t *testing.T) {
	cases := []struct {
		name string
		game table.Game
		g    seen
		want table.Die
	}{
		{"as seen", table.DiceBox, sees(4, table.Blue, table.Black, 0.9), table.Die{Color: table.Blue, Face: 4}},
		{"no orange in Dice Box", table.DiceBox, sees(4, table.Orange, table.Yellow, 0.9), table.Die{Color: table.Yellow, Face: 4}},
		{"orange in DiceCreams", table.DiceCreams, sees(4, table.Orange, table.Yellow, 0.9), table.Die{Color: table.Orange, Face: 4}},
		{"any color loose", table.Any, sees(6, table.Pink, table.White, 0.9), table.Die{Color: table.Pink, Face: 6}},
		{"a blast die has no number", table.DiceFlick, sees(0, table.Pink, table.White, 0.6), table.Die{Color: table.Pink, Face: 0}},
		{"a burst is no number of a white die", table.DiceFlick, sees(0, table.White, table.Pink, 0.6), table.Die{Color: table.Pink, Face: 0}},
		{"a burst among any dice", table.Any, sees(0, table.White, table.Pink, 0.9), table.Die{Color: table.White, Face: 0}},
		{"a number is no blast", table.DiceFlick, sees(3, table.Pink, table.White, 0.6), table.Die{Color: table.White, Face: 3}},
	}
	for _, c := range cases {
		if v := c.g.weigh(c.game.Kit()); v.die != c.want {
			t.Errorf("%s: %v, want %v", c.name, v.die, c.want)
		}
	}
}

// TestFits says what the networks agree about from what they do not: a burst that looks white.
func TestFits(t *testing.T) {
	kit := table.DiceFlick.Kit()
	agreed, contradicted := sees(0, table.Pink, table.White, 0.99).weigh(kit), sees(0, table.White, table.Pink, 0.999).weigh(kit)
	if agreed.fits < 0.9 || agreed.p < sureEnough {
		t.Errorf("a pink burst fits by %.3f and is told with %.3f", agreed.fits, agreed.p)
	}
	if contradicted.fits >= leastFits {
		t.Errorf("a white burst fits by %.3f, want less than %.3f", contradicted.fits, leastFits)
	}
}

func TestConserveChangesTheLeastSure(t *testing.T) {
	kit := table.DessertDice.Kit() // one black die
	var vs []*verdict
	for _, p := range []float64{0.99, 0.7, 0.95} {
		v := sees(2, table.Black, table.Purple, p).weigh(kit)
		vs = append(vs, v)
	}
	conserve(vs, kit)
	want := []table.Color{table.Black, table.Purple, table.Purple}
	for i, v := range vs {
		if v.die.Color != want[i] || v.overrode != (want[i] != table.Black) {
			t.Errorf("die %d: %v (changed %v), want %v", i, v.die.Color, v.overrode, want[i])
		}
	}
	count := 0
	for _, v := range vs {
		if v.die.Color == table.Black {
			count++
		}
	}
	if count > kit.Dice[table.Black] {
		t.Errorf("%d black dice are left, the game has %d", count, kit.Dice[table.Black])
	}
}

func TestConserveLeavesMoreDiceThanThereAre(t *testing.T) {
	kit := table.DiceFlick.Kit()
	var vs []*verdict
	for range 21 { // the game has 20
		v := sees(2, table.Blue, table.Green, 0.9).weigh(kit)
		vs = append(vs, v)
	}
	conserve(vs, kit)
	for i, v := range vs {
		if v.overrode {
			t.Fatalf("die %d was changed, though no change can make the counts fit", i)
		}
	}
}

// TestAgree: what looks like the sure yellow dice is yellow, what looks like the
// other doubtful ones is orange with them.
func TestAgree(t *testing.T) {
	kit := table.DiceCreams.Kit()
	looks := map[string]hue{"yellow": {0.15, -1.2}, "orange": {0.6, -1.1}}
	var vs []*verdict
	var bodies []body
	add := func(kind string, yellow float64) {
		v := sees(1, table.Yellow, table.Orange, yellow).weigh(kit)
		vs, bodies = append(vs, v), append(bodies, body{looks[kind], 5, true})
	}
	for range 3 {
		add("yellow", 0.99)
	}
	for range 3 {
		add("orange", 0.6)
	}
	agree(vs, bodies)
	for i, v := range vs {
		want := table.Yellow
		if i >= 3 {
			want = table.Orange
		}
		if v.die.Color != want {
			t.Errorf("die %d is %v, want %v", i, v.die.Color, want)
		}
	}
}
