package scoring

import (
	"slices"
	"testing"
)

func TestFromageWinners(t *testing.T) {
	for _, c := range []struct{ points, last, want []int }{
		{[]int{3, 5, 4}, []int{1, 2, 3}, []int{1}},
		{[]int{5, 5, 4}, []int{4, 2, 3}, []int{1}},
		{[]int{5, 5, 5}, []int{4, NeverTurned, 3}, []int{1}},
		{[]int{5, 5, 5}, []int{4, NeverTurned, NeverTurned}, []int{1, 2}},
		{nil, nil, nil},
	} {
		if got := FromageWinners(c.points, c.last); !slices.Equal(got, c.want) {
			t.Errorf("points %v, last turns %v: %v, want %v", c.points, c.last, got, c.want)
		}
	}
}

func TestFaces(t *testing.T) {
	hand := Faces{1: 2, 6: 1}
	if got := hand.List(); !slices.Equal(got, []int{1, 1, 6}) || hand.Len() != 3 {
		t.Errorf("%v: %v", hand, got)
	}
	if hand.Has(Faces{1: 3}) || !hand.Has(Faces{6: 1}) {
		t.Error("Has is wrong")
	}
	if got := hand.Plus(Faces{2: 1}).Minus(Faces{1: 1}); got != (Faces{1: 1, 2: 1, 6: 1}) {
		t.Errorf("sum and difference give %v", got)
	}
}
