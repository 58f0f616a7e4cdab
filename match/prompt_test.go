package match

import (
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/table"
)

// TestPrompt: a die that lies where it lay holds nothing up although it is not surely read, and
// what two sure readings leave open is asked without waiting for a third.
func TestPrompt(t *testing.T) {
	s := loadScript(t, "dice-box")
	unsure := eachRead(func(_ *rand.Rand, o table.Observation) table.Observation {
		for i := range o.Dice {
			if r := &o.Dice[i]; r.Square != nil && r.Color == table.Black { // the Seed lies there all along
				r.Sure, r.Confidence = false, .97
			}
		}
		return o
	})
	frames := s.frames()
	late(t, s.play(t, unsure(nil, frames)), frames, 1)

	x := opened(t, "Y1 W2 W3 B1", "B4 W2 R1")
	first := x.frame + 1
	x.roll(1, "B1 W6 R3") // it is the turn of A
	i := slices.IndexFunc(x.m.Events(), func(e EventView) bool { return e.Type == TypeDoubt })
	if i < 0 {
		t.Fatalf("the roll of a player who is not on turn is told as %q", x.said())
	}
	if e := x.m.Events()[i]; e.Frame-first > 2 {
		t.Errorf("asked in frame %d, first read in %d", e.Frame, first)
	}
}

// late finds what was told more than so many frames after the first reading of its view.
func late(t *testing.T, m *Match, frames []table.Observation, most int) {
	t.Helper()
	for _, e := range m.Events() {
		if e.By != ByCamera || e.Type == TypeDoubt {
			continue
		}
		first := e.Frame
		for first > 0 && frames[first-1].Read {
			first--
		}
		if e.Frame-first > most {
			t.Errorf("%s: in frame %d, first read in %d", e.Text, e.Frame, first)
		}
	}
}
