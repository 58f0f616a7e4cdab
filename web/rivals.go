package web

import (
	"cmp"
	"slices"

	"diceref/table"
)

// mostRivals is how many other dice a reading may be that are told.
const mostRivals = 6

// rival is another die that may lie where one was read, with its probability.
type rival struct {
	Color table.Color `json:"color"`
	Face  int         `json:"face"` // 0: a blast die
	P     float64     `json:"p"`
}

// rivals lists what else a reading may be among the game's dice, the most likely first.
func rivals(game table.Game, r table.Reading) []rival {
	list := []rival{}
	kit := game.Kit()
	for c := range kit.Dice {
		for face, p := range r.Faces {
			p *= r.Colors[c]
			if (table.Die{Color: c, Face: face}) != r.Die && p > 0 && (face == 0) == (c == kit.Blast) {
				list = append(list, rival{c, face, p})
			}
		}
	}
	slices.SortFunc(list, func(a, b rival) int {
		return cmp.Or(cmp.Compare(b.P, a.P), cmp.Compare(a.Color, b.Color), cmp.Compare(a.Face, b.Face))
	})
	return list[:min(mostRivals, len(list))]
}
