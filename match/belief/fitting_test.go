package belief

import (
	"testing"

	"diceref/table"
)

// TestDatable: dice to the west of the board are seen, then two of three of them lie under a hand, then all are seen again and show
// something else.
func TestDatable(t *testing.T) {
	corners := [4]table.Point{{X: 200, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 500}, {X: 200, Y: 500}}
	hand := []table.Square{{Row: 2, Col: -1}, {Row: 3, Col: -1}, {Row: 4, Col: -1}}
	view := func(before *Sight, hidden []table.Square, faces ...int) *Sight {
		o := table.Observation{Game: table.DiceBox, Width: 800, Height: 600, Look: table.LookStill, Read: true, Hidden: hidden}
		o.Grid = &table.Grid{Found: true, Rows: table.Size, Cols: table.Size, Corners: corners}
		for i, face := range faces {
			o.Dice = append(o.Dice, table.Reading{Die: table.Die{Color: table.Red, Face: face}, At: table.Point{X: 120, Y: 130 + 160*float64(i)}, Sure: true, Confidence: 0.99})
		}
		return SightOf([]table.Observation{o}, before)
	}
	for _, c := range []struct {
		name          string
		hidden, later []table.Square
		then, now     []int
		want          bool
	}{
		{"rolled at some time while some lay under a hand", hand, nil, []int{4}, []int{4, 5, 3}, false},
		{"rolled when the hand had gone, as the one beside it shows", hand, nil, []int{4}, []int{2, 5, 3}, true},
		{"the hand has come over the one beside it", hand, append(hand, table.Square{Row: 0, Col: -1}), []int{4}, nil, false},
		{"without a hand", nil, nil, []int{4, 1, 2}, []int{4, 5, 3}, true},
	} {
		first := view(nil, nil, 1, 1, 2)
		if on := view(view(first, c.hidden, c.then...), c.later, c.now...).datable(); on != [4]bool{true, true, true, c.want} {
			t.Errorf("%s: %v, want %v in the west", c.name, on, c.want)
		}
	}
}
