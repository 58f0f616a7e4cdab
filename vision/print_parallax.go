package vision

import (
	"math"
	"slices"

	"diceref/table"
	"diceref/vision/detect"
)

// What is printed in a board's squares may be the very picture of a die, and of a die's size. But it
// is printed in their middles, on the plane of the board: seen aslant, a die's top is in the middle
// at its own height, a print at the height of what dice stand on. And where one square shows print,
// others do.

const (
	lowSpread = 0.06                   // squares off the middle, along either side, that dice are usually put
	lowMost   = standMost - sureStands // logarithm of odds: what stands beyond doubt is never unsure for it
	lowReach  = 0.7                    // squares between both places above which either may be in some middle by chance

	shortFrom   = 2   // tops on squares that lie, from which on a board is printed
	shortStands = 2.5 // less, as a logarithm of odds, than the others there usually stand
	usualStands = 3.5 // how plainly dice stand where none tells it

	aloneFrom = 3   // dice that stand on a board's squares from which on the only top that lies among them is likelier one,
	aloneLies = 1.5 // by so much, as a logarithm of odds
)

// footing is how far off the next square's middle a top is as a die's and as print, squared.
type footing struct {
	*detect.Top
	die, print float64
}

// markLow tells of tops on the grid how much likelier by where they are seen, and by what was seen
// there before, they are there than stand, as a logarithm of odds. A grid that may be another does not count.
func (s *scene) markLow(side float64, tops []detect.Top) {
	if !s.grid.Sure() {
		return
	}
	cam, h := &s.grid.Camera, topHeight(s.kit.Layout, side)
	var seen []footing
	for i := range tops {
		t := &tops[i]
		t.Low = t.Again - t.Came
		x, y, above := cam.Place(t.At, h)
		u, v, below := cam.Place(t.At, h-side)
		if above && below && onGrid(x, y) && math.Hypot(x-u, y-v) < lowReach {
			seen = append(seen, footing{t, offMiddle(x, y), offMiddle(u, v)})
		}
	}
	spread := placing(seen)
	for _, f := range seen {
		f.Low += min(max((f.die-f.print)/spread, -lowMost), lowMost)
	}
}

// placing is how far off the middles dice are put, squared, as those say that plainly stand: but
// for any that are closer to a middle as print, unless these are few.
func placing(seen []footing) float64 {
	var off, n [2]float64
	for _, f := range seen {
		if f.Stands >= plainlyStands && f.Score >= leastVote {
			k := 0
			if f.print < f.die {
				k = 1
			}
			off[k], n[k] = off[k]+f.die, n[k]+1
		}
	}
	if 2*n[1] > n[0] {
		off[1], n[1] = 0, 0
	}
	return (2*lowSpread*lowSpread + off[0] + off[1]) / (1 + n[0] + n[1])
}

// offMiddle is how far a place lies from the middle of the next square, squared.
func offMiddle(x, y float64) float64 {
	dx, dy := x-math.Floor(x)-0.5, y-math.Floor(y)-0.5
	return dx*dx + dy*dy
}

// markShort tells, where print is seen in squares, how much less plainly the tops on squares stand
// than a die must there: one that is not a print by its place need not.
func markShort(dice []placed) {
	var standing []float64
	lying := 0
	for i := range dice {
		switch d := &dice[i]; {
		case d.square == nil || d.side || d.Score < leastVote || d.twin >= sureTwin:
		case likelyPrint(&d.Top):
			lying++
		default:
			standing = append(standing, standingOf(&d.Top))
		}
	}
	if lying < shortFrom {
		return
	}
	least := usually(standing) - shortStands
	for i := range dice {
		if d := &dice[i]; d.square != nil {
			d.short = max(least-d.Stands+d.Low, 0)
		}
	}
}

// markAlone makes the only top that is on a board's square, among dice that stand, likelier a die: where one
// square shows print, others do. Of 22 such in 500 pictures 17 were dice, and the others were seen where print is,
// not dice. An arena's stickers are each alone of their kind.
func markAlone(l table.Layout, dice []placed) {
	var alone *placed
	standing := 0
	for i := range dice {
		switch d := &dice[i]; {
		case d.square == nil || d.side || d.twin >= sureTwin:
		case !likelyPrint(&d.Top):
			standing++
		case alone != nil:
			return
		default:
			alone = d
		}
	}
	if l == table.Board && alone != nil && standing >= aloneFrom {
		alone.short = -aloneLies
	}
}

// usually is the upper quartile of how plainly dice stand: a print among them is not taken for
// what is usual. A few weigh less than what is usual anywhere.
func usually(standing []float64) float64 {
	if len(standing) == 0 {
		return usualStands
	}
	slices.Sort(standing)
	k := float64(len(standing)) / (float64(len(standing)) + 1)
	return k*standing[len(standing)*3/4] + (1-k)*usualStands
}
