package vision

import (
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/lattice"
)

// TestPlainer: the network for patterned tables is believed where it resolves doubts, not where it
// only leaves out what the usual one doubts; and a grid that is told better counts before any dice.
func TestPlainer(t *testing.T) {
	type look struct {
		plain, doubts int
		grid          *lattice.Grid
	}
	sure := &lattice.Grid{Tiled: true}
	for name, c := range map[string]struct {
		game         table.Game
		before, then look
		want         bool
	}{
		"a doubt becomes plain":          {table.Any, look{plain: 24, doubts: 1}, look{plain: 25}, true},
		"a doubt is left out":            {table.Any, look{plain: 12, doubts: 1}, look{plain: 12}, false},
		"chips of stone are left out":    {table.Any, look{plain: 31, doubts: 280}, look{plain: 5}, true},
		"more plain and more in doubt":   {table.Any, look{plain: 5, doubts: 2}, look{plain: 7, doubts: 6}, false},
		"all as it was":                  {table.Any, look{plain: 8, doubts: 6}, look{plain: 8, doubts: 6}, false},
		"a grid is found":                {table.DessertDice, look{plain: 9}, look{plain: 3, doubts: 9, grid: new(lattice.Grid)}, true},
		"a grid becomes sure":            {table.DessertDice, look{plain: 9, grid: new(lattice.Grid)}, look{plain: 8, doubts: 3, grid: sure}, true},
		"a grid is lost":                 {table.DessertDice, look{plain: 2, doubts: 9, grid: new(lattice.Grid)}, look{plain: 9}, false},
		"the same grid, half the doubts": {table.DessertDice, look{plain: 9, doubts: 4, grid: sure}, look{plain: 11, doubts: 2, grid: sure}, true},
	} {
		scenes := [2]scene{}
		var tops [2][]detect.Top
		for i, l := range [...]look{c.before, c.then} {
			scenes[i] = scene{kit: c.game.Kit(), grid: l.grid}
			for range l.plain {
				tops[i] = append(tops[i], detect.Top{Score: closerTo})
			}
			for range l.doubts {
				tops[i] = append(tops[i], detect.Top{Score: closerFrom})
			}
		}
		if got := scenes[1].plainer(tops[1], &scenes[0], tops[0]); got != c.want {
			t.Errorf("%s: believed %v, want %v", name, got, c.want)
		}
	}
}

// TestCheckered: small dice on a checkered cloth, whose squares are as large, are all read, and so are
// smaller ones of which a first look sees none plainly.
func TestCheckered(t *testing.T) {
	r := opened(t)
	for _, p := range picturesOf(t, "checkered", 2) {
		if m := readTurned(t, r, p, "", 0); m.Right < m.Dice || len(m.Faults) > 0 {
			t.Errorf("%s: %d of %d dice are read right: %v", filepath.Base(p.Path), m.Right, m.Dice, m.Faults)
		}
	}
}
