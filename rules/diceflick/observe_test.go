package diceflick_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// observe is a faultless observation of an arena.
func observe(dice [25]table.Die) table.Observation {
	o := table.Observation{Game: table.DiceFlick, Look: table.LookStill, Read: true}
	for i, d := range dice {
		if d.Color != table.NoColor {
			sq := table.SquareAt(i)
			o.Dice = append(o.Dice, table.Reading{Die: d, Square: &sq, Confidence: 1, Sure: true})
		}
	}
	return o
}

// Whatever happened in one flick or one scoring is among what is proposed.
func TestPropose(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	seen := 0
	for range 5 {
		s := play(t, start(t, 2, nil), setMarkers)
		for s.ToMove() != rules.Nobody {
			m := randomMove(rng, s)
			next, err := s.Apply(m)
			if err != nil {
				t.Fatal(err)
			}
			after := next.(*diceflick.State).Arena().Dice
			lines := s.Propose(observe(after))
			if diceflick.Changes(s.Arena().Dice, after).None() {
				if lines != nil {
					t.Fatalf("nothing changed, but %v is proposed", lines)
				}
			} else {
				seen++
				found := false
				for _, line := range lines {
					end := rules.State(s)
					for _, m := range line {
						if end, err = end.Apply(m); err != nil {
							t.Fatalf("%v of %v: %v", m, line, err)
						}
					}
					if end.(*diceflick.State).Arena().Dice != after {
						t.Fatalf("%v does not lead to what was seen after %v", line, m)
					}
					found = found || sameAct(line[len(line)-1], m)
				}
				if !found {
					t.Fatalf("%v is not among %v", m, lines)
				}
			}
			s = next.(*diceflick.State)
		}
	}
	if seen < 100 {
		t.Errorf("only %d changes were seen", seen)
	}
}

// sameAct compares what a camera can tell: not the color of a miss, and not which of
// two equal dice moved where.
func sameAct(a, b rules.Move) bool {
	switch m := b.(type) {
	case diceflick.Flick:
		f, ok := a.(diceflick.Flick)
		return ok && f.Rests == m.Rests && (!m.Rests || f.To == m.To || len(m.Shifts) > 0)
	case diceflick.Score:
		s, ok := a.(diceflick.Score)
		return ok && s.Removed == m.Removed
	}
	return false
}

func TestChanges(t *testing.T) {
	arena := func(rows string) [25]table.Die {
		dice, err := diceflick.ParseArena(strings.Split(rows, "/"))
		if err != nil {
			t.Fatal(err)
		}
		return dice
	}
	before := arena("B1 .. .. .. .. / .. Y2 .. .. .. / .. .. P* .. .. / .. .. .. .. .. / .. .. .. .. W6")
	after := arena("B1 .. .. .. .. / .. Y5 .. G3 .. / .. .. .. .. .. / .. .. .. P* .. / .. .. .. .. ..")
	got := diceflick.Changes(before, after)
	sq := func(name string) table.Square {
		s, err := rules.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := diceflick.Change{
		Landed:  []diceflick.Placed{{At: sq("d2"), Die: table.Die{Color: table.Green, Face: 3}}},
		Moved:   []diceflick.Shift{{From: sq("b2"), To: sq("b2"), Face: 5}, {From: sq("c3"), To: sq("d4")}},
		Removed: []table.Square{sq("e5")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMarkersSeen(t *testing.T) {
	m, err := diceflick.MarkersSeen([]table.MarkerReading{{Row: 0, Col: 4, Marker: "bonus"}, {Row: 1, Col: 1, Marker: "blue"}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Center != scoring.DefaultMarkers().Center || m.Bonus != scoring.HoleSet(table.Square{Row: 0, Col: 4}) {
		t.Errorf("%v", m)
	}
	for _, bad := range []table.MarkerReading{{Row: 0, Col: 4, Marker: "red"}, {Row: 5, Col: 0, Marker: "blue"}, {Row: 2, Col: 2, Marker: "blue"}} {
		if _, err := diceflick.MarkersSeen([]table.MarkerReading{bad}); err == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}
