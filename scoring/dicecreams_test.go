package scoring

import (
	"slices"
	"testing"

	"diceref/table"
)

func TestSatisfied(t *testing.T) {
	// By counting: how many of the 216 throws of three dice meet each requirement.
	want := map[string]int{WantEven: 27, WantSame: 6, WantSequence: 24, WantSum15: 20, "odd": 0}
	for requirement, n := range want {
		got, inOrder := 0, 0
		for i := range 216 {
			v := [3]int{1 + i/36, 1 + i/6%6, 1 + i%6}
			if Satisfied(requirement, v, false) {
				got++
			}
			if Satisfied(requirement, v, true) {
				inOrder++
			}
		}
		if got != n {
			t.Errorf("%s: %d of 216, want %d", requirement, got, n)
		}
		if requirement == WantSequence {
			n = 4
		}
		if inOrder != n {
			t.Errorf("%s in the order of the spots: %d of 216, want %d", requirement, inOrder, n)
		}
	}
}

func TestMelted(t *testing.T) {
	left := [5]int{2, 1, 0, 0, 0} // green, green, blue
	for d, want := range map[table.Die]int{
		{Color: table.Green, Face: 5}:  3,
		{Color: table.Green, Face: 3}:  1,
		{Color: table.Green, Face: 2}:  0,
		{Color: table.Green, Face: 1}:  0,
		{Color: table.Blue, Face: 6}:   5,
		{Color: table.Yellow, Face: 1}: 1,
		{Color: table.Red, Face: 1}:    1,
	} {
		if got := Melted(d, left); got != want {
			t.Errorf("%v %d melts to %d, want %d", d.Color, d.Face, got, want)
		}
	}
}

func TestCreamWinners(t *testing.T) {
	for _, c := range []struct{ fame, tokens, want []int }{
		{[]int{3, 5}, []int{9, 0}, []int{1}},
		{[]int{5, 5}, []int{1, 2}, []int{1}},
		{[]int{5, 5, 5}, []int{2, 1, 2}, []int{0, 2}},
	} {
		if got := CreamWinners(c.fame, c.tokens); !slices.Equal(got, c.want) {
			t.Errorf("fame %v, tokens %v: %v, want %v", c.fame, c.tokens, got, c.want)
		}
	}
}
