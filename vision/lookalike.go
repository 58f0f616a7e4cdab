package vision

import (
	"math"

	"diceref/table"
)

// A die seen from straight above shows neither sides nor much of a shadow, and a one has a dot like those that
// are printed on boards. But dice of one color come from one maker: what has just the body of a die that plainly
// stands there is hardly printed, unless the same is seen in another square.

const (
	twinStands = 3.0 // how plainly the other die must stand
	twinScore  = 0.6 // and be seen
	twinFar    = 3.0 // in squares of usual spreads, from which on two bodies are not alike
	twinWeight = 2.5 // of a body that is just alike, as a logarithm of odds
	sureTwin   = 1.5 // from which on that is plain
)

// markTwins tells of tops on a board's squares how much likelier they are dice, as one that looks like them plainly
// stands on another, or beside the board. An arena's stickers have the colors of its dice.
func markTwins(l table.Layout, dice []placed, seen []surface) {
	if l != table.Board {
		return
	}
	for i := range dice {
		d := &dice[i]
		if d.square == nil || d.side || d.Again > 0 || !seen[i].ok {
			continue
		}
		least := twinFar
		for j := range dice {
			if o := &dice[j]; j != i && !o.side && o.Stands >= twinStands && o.Score >= twinScore && seen[j].ok {
				least = math.Min(least, bodiesApart(&seen[i].body, &seen[j].body))
			}
		}
		d.twin = twinWeight * (1 - least/twinFar)
	}
}

// bodiesApart is how far the looks of two bodies are apart, in squares of usual spreads.
func bodiesApart(a, b *body) float64 {
	dr, db, dl := a.hue.r-b.hue.r, a.hue.b-b.hue.b, a.bright-b.bright
	return (dr*dr+db*db)/(bodyHue*bodyHue) + dl*dl/(bodyBright*bodyBright)
}
