package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/table"
)

// acts is what was told but for what was asked.
func (x *supplyTable) acts() (list []string) {
	for _, said := range x.said() {
		if !strings.HasPrefix(said, "doubt") {
			list = append(list, said)
		}
	}
	return list
}

// TestStrangers: what is surely read on an empty square though all dice of its color lie beside the board as before is not told;
// it is where that one was not known before.
func TestStrangers(t *testing.T) {
	red := table.Die{Color: table.Red, Face: 4}
	for name, c := range map[string]struct {
		known bool
		want  string
	}{
		"all lie beside the board":     {true, ""},
		"one of them was not seen yet": {false, "move A places red 4 on b2."},
	} {
		x := unseenTable(t)
		if !c.known {
			x.take(red)
		}
		x.look()
		sq := onSquare("b2")
		list := append(slices.Clone(x.m.seen.obs.Dice), readings.Sure(red, &sq, onBoard(sq)))
		for range 3 {
			x.see(func(int) []table.Reading { return list })
		}
		if got := strings.Join(x.acts(), " "); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// TestByWhatLeft: which of two dice was placed, where its face is not surely read, is told by which has left those beside the board.
func TestByWhatLeft(t *testing.T) {
	three, five := table.Die{Color: table.Green, Face: 3}, table.Die{Color: table.Green, Face: 5}
	for name, c := range map[string]struct {
		left   []table.Die // what lay beside the board and does not any more
		dim    bool        // they were not surely read there
		three  float64     // the probability of the face by the reading on the board; else it is five
		want   string
		asking bool // and it is asked
	}{
		"the likelier one":                    {left: []table.Die{three}, three: .65, want: "move A places green 3 on b2."},
		"the likelier one, hardly read there": {left: []table.Die{three}, dim: true, three: .65, want: "move A places green 3 on b2."},
		"the other":                           {left: []table.Die{five}, three: .65, want: "move A places green 5 on b2."},
		"one of two that are gone":            {left: []table.Die{three, five}, three: .55, asking: true},
	} {
		x := unseenTable(t)
		for _, d := range c.left {
			x.dim[d] = c.dim
		}
		x.look()
		sq := onSquare("b2")
		r := readings.Sure(three, &sq, onBoard(sq))
		r.Sure, r.Confidence, r.Faces = false, c.three, [7]float64{3: c.three, 5: 1 - c.three}
		list := slices.DeleteFunc(slices.Clone(x.m.seen.obs.Dice), func(r table.Reading) bool { return slices.Contains(c.left, r.Die) })
		list = append(list, r)
		for range 3 {
			x.see(func(int) []table.Reading { return list })
		}
		asked := len(doubts(x.m)) > 0
		if got := strings.Join(x.acts(), " "); c.want != "" && got != c.want || asked != c.asking {
			t.Errorf("%s: told %q, want %q; asked %v", name, got, c.want, asked)
		}
	}
}
