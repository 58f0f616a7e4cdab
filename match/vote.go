package match

import (
	"slices"

	"diceref/table"
)

// ballot gathers the readings of one still view. Several vote; one alone is
// believed only when nothing better came before the view changed.
type ballot struct {
	reads []table.Observation // in the match's numbering
	still int                 // still frames since the last movement, read or not
	first int                 // frame of the first reading of the view
	since float64             // its time
}

const (
	// enoughReads vote without waiting for more.
	enoughReads = 3
	// quickReads do when they agree and every one of their dice is sure.
	quickReads = 2
	// mostReads are kept; older ones are forgotten, so that a view that changed too slowly to be noticed is seen again.
	mostReads = 7
	// A view still for this many frames after its last reading will not be read again: what there is decides.
	restingFrames = 3
)

func (b *ballot) clear() { *b = ballot{} }

func (b *ballot) add(obs table.Observation) {
	if len(b.reads) == 0 {
		b.first, b.since = obs.Frame, obs.T
	}
	b.reads = append(b.reads, obs)
	if len(b.reads) > mostReads {
		b.reads = b.reads[1:]
	}
}

// ripe says whether the votes are enough to conclude on where a board should look as in want.
func (b *ballot) ripe(want map[table.Square]table.Die) bool {
	n := len(b.reads)
	switch {
	case n == 0:
		return false
	case n >= enoughReads || b.still >= restingFrames+n:
		return true
	}
	return b.agree(want)
}

// agree says whether the last readings are the same and leave nothing open.
func (b *ballot) agree(want map[table.Square]table.Die) bool {
	n := len(b.reads)
	return n >= quickReads && allSure(b.reads[n-1], want) && sameBoard(b.reads[n-1], b.reads[n-2])
}

// allSure says whether every die that counts was read surely, or as it should be: that one
// lies where it lay is worth no further look.
func allSure(obs table.Observation, want map[table.Square]table.Die) bool {
	for _, r := range obs.Dice {
		known := r.Square != nil && want[*r.Square] == r.Die
		if (r.Square != nil || obs.Grid == nil) && !r.Sure && !known {
			return false
		}
	}
	return true
}

// boardOf is every die on the grid.
func boardOf(obs table.Observation) map[table.Square]table.Die {
	b := make(map[table.Square]table.Die, len(obs.Dice))
	for _, r := range obs.Dice {
		if r.Square != nil {
			b[*r.Square] = r.Die
		}
	}
	return b
}

// sameBoard says whether two readings show the same dice on the grid; without a grid
// all dice count.
func sameBoard(a, b table.Observation) bool {
	if a.Grid == nil && b.Grid == nil {
		return sameLoose(a, b)
	}
	return equalBoards(boardOf(a), boardOf(b))
}

func equalBoards(x, y map[table.Square]table.Die) bool {
	if len(x) != len(y) {
		return false
	}
	for sq, d := range x {
		if y[sq] != d {
			return false
		}
	}
	return true
}

// heap is the readings of one die in several pictures.
type heap struct {
	square *table.Square
	at     table.Point
	votes  []table.Reading
}

// count is the outcome of the vote: the last observation with the dice that most of the
// readings saw, each as most of them read it.
func (b *ballot) count() table.Observation {
	out := b.reads[len(b.reads)-1]
	if len(b.reads) == 1 {
		return out
	}
	reach := reachOf(out)
	var heaps []*heap
	bySquare := map[table.Square]*heap{}
	for i := len(b.reads) - 1; i >= 0; i-- { // newest first: heaps lie where dice are now
		for _, r := range b.reads[i].Dice {
			h := find(heaps, bySquare, r, reach)
			if h == nil {
				h = &heap{square: r.Square, at: r.At}
				heaps = append(heaps, h)
				if r.Square != nil {
					bySquare[*r.Square] = h
				}
			}
			h.votes = append(h.votes, r)
		}
	}
	out.Dice = out.Dice[:0:0]
	for _, h := range heaps {
		if 2*len(h.votes) >= len(b.reads) { // a die overlooked is likelier than one invented
			out.Dice = append(out.Dice, h.winner(len(b.reads)))
		}
	}
	out.Markers = b.markers()
	return out
}

func find(heaps []*heap, bySquare map[table.Square]*heap, r table.Reading, reach float64) *heap {
	if r.Square != nil {
		return bySquare[*r.Square]
	}
	for _, h := range heaps {
		if h.square == nil && dist(h.at, r.At) < reach {
			return h
		}
	}
	return nil
}

// reachOf is the distance in pixels within which two loose readings are of the same die: half a square.
func reachOf(obs table.Observation) float64 {
	if obs.Grid == nil || !obs.Grid.Found {
		return float64(obs.Width) / 60
	}
	a := anchor{corners: obs.Grid.Corners}
	return a.side() / (2 * table.Size)
}

// winner is the die that the votes, weighed by their confidence, agree on. It is
// sure if two thirds of all the pictures say so and most of those are sure.
func (h *heap) winner(pictures int) table.Reading {
	weight := map[table.Die]float64{}
	for _, v := range h.votes {
		weight[v.Die] += v.Confidence + 1e-6
	}
	best := h.votes[0].Die
	for _, v := range h.votes { // in order, so that ties always fall the same way
		if weight[v.Die] > weight[best] {
			best = v.Die
		}
	}
	out, agree, sure, sum := table.Reading{}, 0, 0, 0.0
	for _, v := range h.votes {
		if v.Die != best {
			continue
		}
		if agree == 0 {
			out = v
		}
		agree++
		sum += v.Confidence
		if v.Sure {
			sure++
		}
	}
	out.Confidence = sum / float64(len(h.votes))
	out.Sure = 3*agree >= 2*pictures && 2*sure > agree
	out.Faces, out.Colors = [7]float64{}, [10]float64{}
	for _, v := range h.votes {
		for i := range v.Faces {
			out.Faces[i] += v.Faces[i] / float64(len(h.votes))
		}
		for i := range v.Colors {
			out.Colors[i] += v.Colors[i] / float64(len(h.votes))
		}
	}
	return out
}

// markers are the stickers that any of the readings saw, those seen most often first:
// a sticker is easily overlooked and hardly ever invented.
func (b *ballot) markers() []table.MarkerReading {
	seen := map[table.MarkerReading]int{}
	var order []table.MarkerReading
	for _, o := range b.reads {
		for _, m := range o.Markers {
			if seen[m]++; seen[m] == 1 {
				order = append(order, m)
			}
		}
	}
	slices.SortStableFunc(order, func(x, y table.MarkerReading) int { return seen[y] - seen[x] })
	return order
}

// certain is the reading as if it had been read as d beyond doubt.
func certain(r table.Reading, d table.Die) table.Reading {
	r.Die, r.Sure, r.Confidence = d, true, 1
	r.Faces, r.Colors = [7]float64{}, [10]float64{}
	r.Faces[d.Face], r.Colors[d.Color] = 1, 1
	return r
}

// beside is the dice that were read beside the grid.
func beside(obs table.Observation) []table.Reading {
	var list []table.Reading
	for _, r := range obs.Dice {
		if r.Square == nil {
			list = append(list, r)
		}
	}
	return list
}

// besideAll is the dice beside the board, each once: a doubled reading is of one die.
func besideAll(obs table.Observation) (list []table.Reading) {
	near := reachOf(obs) / 2
	for _, r := range beside(obs) {
		if !slices.ContainsFunc(list, func(o table.Reading) bool { return dist(o.At, r.At) < near }) {
			list = append(list, r)
		}
	}
	return list
}

// onGrid leaves out the dice beside the grid, which a match follows in its own way.
func onGrid(obs table.Observation) table.Observation {
	dice := make([]table.Reading, 0, len(obs.Dice))
	for _, r := range obs.Dice {
		if r.Square != nil {
			dice = append(dice, r)
		}
	}
	obs.Dice = dice
	return obs
}

func ofColor(dice []table.Reading, c table.Color) []table.Reading {
	var list []table.Reading
	for _, r := range dice {
		if r.Color == c {
			list = append(list, r)
		}
	}
	return list
}
