package vision

import (
	"testing"

	"diceref/table"
	"diceref/vision/detect"
)

// TestAlone reads boards on which a one, seen from straight above, looks like print to the usual stand network.
func TestAlone(t *testing.T) {
	readInAllTurns(t, "alone", 3, 0)
}

// TestMarkAlone: a single top that lies among dice that stand is spared, two are not.
func TestMarkAlone(t *testing.T) {
	onSquare := func(i int, score, stands float64) placed {
		return placed{Top: detect.Top{Score: score, Stands: stands}, square: &table.Square{Row: i / 5, Col: i % 5}}
	}
	for _, c := range []struct {
		name            string
		layout          table.Layout
		standing, lying int
		side, beside    bool
		spared          bool
	}{
		{name: "alone among five", layout: table.Board, standing: 5, lying: 1, spared: true},
		{name: "with another one", layout: table.Board, standing: 5, lying: 2},
		{name: "among too few dice", layout: table.Board, standing: aloneFrom - 1, lying: 1},
		{name: "a sticker of an arena", layout: table.Arena, standing: 5, lying: 1},
		{name: "a side", layout: table.Board, standing: 5, lying: 1, side: true},
		{name: "beside the grid", layout: table.Board, standing: 5, lying: 1, beside: true},
	} {
		var dice []placed
		for i := range c.standing {
			dice = append(dice, onSquare(i, 0.9, 4))
		}
		for i := range c.lying {
			d := onSquare(20+i, 0.35, -1)
			d.side = c.side
			if c.beside {
				d.square = nil
			}
			dice = append(dice, d)
		}
		markAlone(c.layout, dice)
		for i, d := range dice {
			if spared := d.short < 0; spared != (c.spared && i >= c.standing) {
				t.Errorf("%s: top %d is spared: %v", c.name, i, spared)
			}
		}
		if last := &dice[len(dice)-1]; c.spared && last.surelyThere() {
			t.Errorf("%s: it is sure", c.name)
		}
	}
}
