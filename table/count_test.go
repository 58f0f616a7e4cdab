package table

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 dice", 1: "1 die", 2: "2 dice", -1: "-1 dice", 11: "11 dice"} {
		if got := Count(n, "die", "dice"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
