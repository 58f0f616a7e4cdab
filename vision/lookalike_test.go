package vision

import (
	"testing"

	"diceref/table"
	"diceref/vision/detect"
)

// TestTwins reads ones seen from straight above, each with a die of its color beside it.
func TestTwins(t *testing.T) {
	readInAllTurns(t, "twins", 2, 0)
}

// TestMarkTwins asks who vouches for a top in doubt: a die that looks like it, stands plainly and is no side.
func TestMarkTwins(t *testing.T) {
	yellow, dull, blue := body{hue{0.3, -0.9}, -0.6, true}, body{hue{0.36, -0.86}, -0.7, true}, body{hue{-0.4, 0.8}, -1.4, true}
	for _, c := range []struct {
		name        string
		doubt, seen body
		stands      float64
		alone       bool // the other is on no square
		again       float64
		side        bool
		others      bool // the other is a side
		arena       bool
		least, most float64
	}{
		{name: "just alike", doubt: yellow, seen: yellow, stands: 5, least: twinWeight, most: twinWeight},
		{name: "alike in another light", doubt: yellow, seen: dull, stands: 5, least: sureTwin, most: twinWeight - 0.1},
		{name: "another color", doubt: yellow, seen: blue, stands: 5},
		{name: "alike, but in doubt, too", doubt: yellow, seen: yellow, stands: 1},
		{name: "alike, beside the grid", doubt: yellow, seen: yellow, stands: 5, alone: true, least: twinWeight, most: twinWeight},
		{name: "alike, but a side", doubt: yellow, seen: yellow, stands: 5, others: true},
		{name: "seen in another square as well", doubt: yellow, seen: yellow, stands: 5, again: 1},
		{name: "just alike, in an arena", doubt: yellow, seen: yellow, stands: 5, arena: true},
		{name: "the side of a die", doubt: yellow, seen: yellow, stands: 5, side: true},
		{name: "of no color that could be told", doubt: body{}, seen: yellow, stands: 5},
	} {
		dice := []placed{
			{Top: detect.Top{Score: 0.3, Stands: -2, Again: c.again}, square: &table.Square{}, side: c.side},
			{Top: detect.Top{Score: 0.9, Stands: c.stands}, square: &table.Square{Row: 2}, side: c.others},
		}
		if c.alone {
			dice[1].square = nil
		}
		layout := table.Board
		if c.arena {
			layout = table.Arena
		}
		markTwins(layout, dice, []surface{{body: c.doubt}, {body: c.seen}})
		if got := dice[0].twin; got < c.least || got > c.most {
			t.Errorf("%s: %.2f, want %.2f to %.2f", c.name, got, c.least, c.most)
		}
	}
}
