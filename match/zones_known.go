package match

import (
	"fmt"
	"strings"

	"diceref/table"
)

// knownDie is a reading that the rules, or a player, have corrected: a die that is
// read so at this place is the other one, until it moves.
type knownDie struct {
	sure bool // however surely it is read so
	at   table.Point
	read table.Die
	is   table.Die
}

// put corrects the readings that are known to be wrong.
func (z *zoneMemory) put(obs table.Observation) table.Observation {
	if len(z.known) == 0 {
		return obs
	}
	reach := reachOf(obs)
	obs.Dice = append([]table.Reading{}, obs.Dice...)
	for i := range obs.Dice {
		for _, k := range z.known {
			if r := &obs.Dice[i]; k.read == r.Die && (k.sure || !r.Sure) && dist(k.at, r.At) < reach {
				*r = certain(*r, k.is)
				break
			}
		}
	}
	return obs
}

// remember keeps the readings that were overruled, and forgets those whose die is gone.
func (z *zoneMemory) remember(obs table.Observation, wrong []misplaced) {
	reach := reachOf(obs)
	kept := z.known[:0:0]
	for _, k := range z.known {
		for _, r := range obs.Dice {
			if r.Die == k.is && dist(k.at, r.At) < reach {
				kept = append(kept, k)
				break
			}
		}
	}
	for _, w := range wrong {
		if w.read.Color != table.NoColor && w.is != (table.Die{}) {
			is := w.is
			if is.Color == table.NoColor {
				is.Color = w.read.Color
			}
			kept = append(kept, knownDie{sure: w.sure, at: w.at, read: w.read, is: is})
		}
	}
	z.known = kept
}

// asideOf says in words which doubtful readings the rules have corrected.
func asideOf(wrong []misplaced) string {
	var parts []string
	for _, w := range wrong {
		if w.read.Color != table.NoColor && w.is != (table.Die{}) {
			parts = append(parts, fmt.Sprintf("%s read as %s", looseWords(w.is), looseWords(w.read)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (By the rules: " + strings.Join(parts, ", ") + ".)"
}

// looseWords names a die by what is known of it.
func looseWords(d table.Die) string {
	switch {
	case d.Color == table.NoColor && d.Face == 0:
		return "a die"
	case d.Color == table.NoColor:
		return fmt.Sprintf("a %d", d.Face)
	}
	return dieWords(d)
}

// sameLoose says whether two views show the same loose dice at the same places.
func sameLoose(a, b table.Observation) bool {
	if len(a.Dice) != len(b.Dice) {
		return false
	}
	reach := reachOf(a)
	used := make([]bool, len(b.Dice))
next:
	for _, r := range a.Dice {
		for i, s := range b.Dice {
			if !used[i] && r.Die == s.Die && dist(r.At, s.At) < reach {
				used[i] = true
				continue next
			}
		}
		return false
	}
	return true
}
