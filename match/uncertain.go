package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// A die that is told under doubt goes in as the most likely. What else it may be is shaky until it leaves
// its hole or its square: later views, counts and what is scored may tell.

// doubted is a die that was told under doubt.
type doubted struct {
	told   table.Die
	others []table.Die // what else it may be
	seen   bool        // it was read once as it was told
}

// noteShaky notes what else may lie in the holes, or on the squares, that the first of several answers
// fills. What was surely read there is known, whatever it was told as.
func (m *Match) noteShaky(offers []offer, obs table.Observation) {
	for _, mv := range offers[0].story.Line {
		at, die, ok := rests(mv)
		if !ok || slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == at && r.Sure }) {
			continue
		}
		d := doubted{told: die}
		for _, o := range offers[1:] {
			for _, mv := range o.story.Line {
				if to, other, ok := rests(mv); ok && to == at && other != die {
					d.others = append(d.others, other)
				}
			}
		}
		m.shaky[at] = d
	}
}

// rests is the die that an act brings to rest, and where.
func rests(mv rules.Move) (at table.Square, die table.Die, ok bool) {
	if f, is := mv.(diceflick.Flick); is {
		return f.To, f.Die, f.Rests
	}
	a := actOf(mv)
	if a.To == nil || a.Color == table.NoColor {
		return at, die, false
	}
	return *a.To, table.Die{Color: a.Color, Face: a.Face}, true
}
