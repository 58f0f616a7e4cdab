package match

import (
	"math"

	"diceref/table"
)

// anchor holds a match to the numbering of the squares that it began with. The
// recognizer may number a grid from any of its four corners, in every frame
// again; the match turns each observation back to the first numbering.
type anchor struct {
	set     bool
	corners [4]table.Point // as last seen, in the first numbering
	// The eye numbers a view that it follows without a break alike: since names the last one, quarters is by how much its
	// numbering is to be turned, frame when it was seen.
	since, quarters, frame int
}

// Limits of the anchor.
const (
	// A grid whose corners moved less than this share of a side on average,
	// under one turn only, is the same grid in the same place.
	nearShare = 0.30
	// A die in its place speaks for a turn; this many more than under the
	// runner-up decide where the corners do not.
	diceMargin = 2
)

// turn rewrites the observation in the first numbering. It reports false where
// no turn can be told: the grid jumped and no die bears witness. known is what
// should be on the squares.
func (a *anchor) turn(obs table.Observation, known map[table.Square]table.Die) (table.Observation, bool) {
	if obs.Grid == nil || !obs.Grid.Found {
		return obs, false
	}
	k, ok := 0, !a.set
	switch {
	case ok:
	case a.since != 0 && a.since == obs.Grid.Since && obs.Frame >= a.frame:
		k, ok = a.quarters, true
	default:
		k, ok = a.bestTurn(obs, known)
	}
	if !ok {
		return obs, false
	}
	obs = turned(obs, k)
	*a = anchor{set: true, corners: obs.Grid.Corners, since: obs.Grid.Since, quarters: k, frame: obs.Frame}
	return obs, true
}

// bestTurn finds the number of quarter turns after which the grid's numbering is the first one.
func (a *anchor) bestTurn(obs table.Observation, known map[table.Square]table.Die) (int, bool) {
	best, second := math.Inf(1), math.Inf(1)
	k := 0
	for i := range 4 {
		d := a.distance(obs.Grid.Corners, i)
		if d < best {
			best, second, k = d, best, i
		} else if d < second {
			second = d
		}
	}
	if best < nearShare*a.side() && second > 2*best {
		return k, true
	}
	return witnessed(obs, known)
}

// distance is the mean distance of the corners from where they were, if numbering starts at corner i.
func (a *anchor) distance(c [4]table.Point, i int) float64 {
	sum := 0.0
	for j := range 4 {
		sum += dist(a.corners[j], c[(i+j)%4])
	}
	return sum / 4
}

func (a *anchor) side() float64 {
	sum := 0.0
	for j := range 4 {
		sum += dist(a.corners[j], a.corners[(j+1)%4])
	}
	return sum / 4
}

// witnessed lets the dice that should be on the grid decide the turn.
func witnessed(obs table.Observation, known map[table.Square]table.Die) (int, bool) {
	var votes [4]int
	for i := range 4 {
		for _, r := range obs.Dice {
			if r.Square != nil && known[turnSquare(*r.Square, i)] == r.Die {
				votes[i]++
			}
		}
	}
	k, next := 0, 0
	for i := 1; i < 4; i++ {
		if votes[i] > votes[k] {
			k, next = i, votes[k]
		} else if votes[i] > next {
			next = votes[i]
		}
	}
	return k, votes[k] >= next+diceMargin
}

// turned renumbers an observation whose corner k is to be that of [0,0].
func turned(obs table.Observation, k int) table.Observation {
	if k == 0 {
		return obs
	}
	g := *obs.Grid
	for j := range 4 {
		g.Corners[j] = obs.Grid.Corners[(k+j)%4]
	}
	obs.Grid = &g
	dice := make([]table.Reading, len(obs.Dice))
	for i, r := range obs.Dice {
		if r.Square != nil {
			sq := turnSquare(*r.Square, k)
			r.Square = &sq
		}
		dice[i] = r
	}
	obs.Dice = dice
	markers := make([]table.MarkerReading, len(obs.Markers))
	for i, m := range obs.Markers {
		sq := turnSquare(table.Square{Row: m.Row, Col: m.Col}, k)
		markers[i] = table.MarkerReading{Row: sq.Row, Col: sq.Col, Marker: m.Marker}
	}
	obs.Markers = markers
	hidden := make([]table.Square, len(obs.Hidden))
	for i, q := range obs.Hidden {
		hidden[i] = turnSquare(q, k)
	}
	obs.Hidden = hidden
	sooner := make([]table.Sooner, len(obs.Sooner))
	for i, s := range obs.Sooner {
		sooner[i] = table.Sooner{First: turnSquare(s.First, k), Then: turnSquare(s.Then, k), Plain: s.Plain}
	}
	obs.Sooner = sooner
	return obs
}

// turnSquare is the square's name once corner k has become that of [0,0].
func turnSquare(s table.Square, k int) table.Square {
	for range k {
		s = table.Square{Row: table.Size - 1 - s.Col, Col: s.Row}
	}
	return s
}

func dist(a, b table.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
