package vision

import (
	"testing"

	"diceref/table"
)

// TestTurnedAlike: loose dice are read alike however the picture is turned, but for a few of which
// none is sure.
func TestTurnedAlike(t *testing.T) {
	r := opened(t)
	dice, differ := 0, 0
	for i, p := range groupPictures(t, []string{"easy", "normal", "hard"}, isLoose) {
		if i%2 == 1 {
			continue
		}
		var read [4]*scene
		for quarters := range read {
			o := readTurned(t, r, p, "", quarters).Seen
			read[quarters] = &scene{obs: o, width: o.Width, height: o.Height}
			if quarters > 0 {
				read[quarters].turnBack(quarters)
			}
		}
		dice += len(read[0].obs.Dice)
		for quarters := range read {
			a, b := read[quarters], read[(quarters+1)%4]
			for i := range a.obs.Dice {
				d := &a.obs.Dice[i]
				switch o := b.at(d); {
				case o != nil && o.Die == d.Die:
				case d.Sure:
					t.Errorf("%s: %v at %v is sure when turned by %d quarters, and read otherwise by the next", p.Path, d.Die, d.At, quarters)
				default:
					differ++
				}
			}
		}
	}
	t.Logf("%d dice, %d differ from one turn to the next", dice, differ)
	if dice < 80 || differ > 2 {
		t.Errorf("of %d dice %d are read otherwise from one turn to the next", dice, differ)
	}
}

// TestEitherWayUp: pale dice on a table as pale do not tell which way they lean, but all are sure
// if they are the same either way up.
func TestEitherWayUp(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "leaning", 2) {
		for quarters := range 4 {
			if m := readTurned(t, r, p, "", quarters); m.Right < m.Dice || m.Sure < m.Dice || m.Invented > 0 {
				t.Errorf("%s, turned by %d quarters: %d of %d dice right, %d sure: %v", p.Path, quarters, m.Right, m.Dice, m.Sure, m.Faults)
			}
		}
	}
}

// TestTurnsOff: down is told in the picture, and turned to be down.
func TestTurnsOff(t *testing.T) {
	for quarters, down := range map[int]table.Point{0: {X: 0.3, Y: 1}, 1: {X: 1, Y: -0.4}, 2: {X: 0.2, Y: -1}, 3: {X: -1, Y: 0.9}} {
		if got := (&scene{down: down}).turnsOff(); got != quarters {
			t.Errorf("down at %v: turned by %d quarters, want %d", down, got, quarters)
		}
	}
}
