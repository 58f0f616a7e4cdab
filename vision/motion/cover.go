package motion

import "diceref/vision/register"

// A hand that plays is over the table for a moment. An arm that leans on its edge, a sleeve, a hand that holds dice rest there: they
// cover a part of it for as long as they like, and the rest is judged without them.

const (
	// restTime is how long a hand must lie or move over a place to rest there, and leaveTime how much of that
	// must be left for it to still do: a place that it lies over most of the time is covered all the time.
	restTime  = 1.2
	leaveTime = 0.6
	longRest  = 1.6  // more counts no more
	restFades = 0.25 // by which the time runs back while nothing is there, for the time that it counts
	// stillTime is how long nothing must have moved in a place that is covered for what is seen there to be believed.
	stillTime = 0.3
	// mostCovered is the share of where it matters that may be covered: with more there is nothing to be judged without it.
	mostCovered = 0.5
	// tableTime is how long what covers a place may lie perfectly still: what does for longer is a part of the table.
	tableTime = 20.0
)

// cover is what rests over a part of the table, by cells.
type cover struct {
	spent []float64 // for how long something has lain or moved there of late, seconds
	busy  []bool    // it does in this frame
	over  []bool    // it rests there
	near  []bool    // the same with the cells about it: what is there may be hidden
	wide  []bool    // and with those about them: where nothing is judged, as what rests there is never quite still
	moved []float64 // when something last moved there
	any   bool
	moves bool    // something moves in it
	stirT float64 // and when it last did
	stack []int32
}

// mask is where nothing is judged; nil: everything is.
func (v *cover) mask() []bool {
	if !v.any {
		return nil
	}
	return v.wide
}

func (v *cover) clear() {
	clear(v.spent)
	clear(v.over)
	clear(v.near)
	clear(v.wide)
	v.any = false
}

// begin takes in a frame: what of it moves, and how it differs from the table as it was last seen.
func (v *cover) begin(t float64, moved, change *difference) {
	cells := len(moved.of)
	if len(v.spent) != cells {
		v.spent, v.busy, v.over, v.wide = make([]float64, cells), make([]bool, cells), make([]bool, cells), make([]bool, cells)
		v.near, v.moved = make([]bool, cells), make([]float64, cells)
		v.any = false
	}
	v.moves = false
	for i := range v.busy {
		if v.busy[i] = moved.of[i] > 0; v.busy[i] {
			v.moved[i] = t
		}
		v.moves = v.moves || v.busy[i] && v.over[i]
		if of := change.of[i]; of > 0 && !v.busy[i] {
			p := &change.pieces[of-1]
			v.busy[i] = p.border && p.size >= handShare*change.pixels
		}
	}
}

// note counts the time of what is busy, dt seconds after the frame before. It reports whether what rested somewhere has gone.
// heed is where it matters, and hides says that something is played with where it rests.
func (v *cover) note(t, dt float64, width int, heed []bool, hides bool) (gone bool) {
	was := v.any
	v.any = false
	heeded, lost := 0, 0
	for i, busy := range v.busy {
		if busy {
			v.spent[i] = min(v.spent[i]+dt, longRest)
		} else {
			v.spent[i] = max(v.spent[i]-restFades*dt, 0)
		}
		before := v.over[i]
		v.over[i] = v.spent[i] >= restTime || before && v.spent[i] >= leaveTime
		v.any = v.any || v.over[i]
		if heed[i] {
			if heeded++; v.over[i] {
				lost++
			}
		}
	}
	if v.moves {
		v.stirT = t
	}
	if !was {
		v.stirT = t
	}
	if v.any && (float64(lost) > mostCovered*float64(heeded) || !hides && t-v.stirT >= tableTime) {
		v.clear()
		return was
	}
	return v.leave(width)
}

// leave frees each place from which all that rested there has gone. It reports whether there was one.
func (v *cover) leave(width int) (gone bool) {
	seen := v.wide // made anew below
	clear(seen)
	v.any = false
	for start, over := range v.over {
		if !over || seen[start] {
			continue
		}
		busy := false
		seen[start] = true
		v.stack = append(v.stack[:0], int32(start))
		for n := 0; n < len(v.stack); n++ {
			at := int(v.stack[n])
			busy = busy || v.busy[at]
			around(at, width, len(v.over), func(k int) {
				if v.over[k] && !seen[k] {
					seen[k] = true
					v.stack = append(v.stack, int32(k))
				}
			})
		}
		v.any = v.any || busy
		if busy {
			continue
		}
		gone = true
		for _, at := range v.stack {
			v.over[at], v.spent[at] = false, 0
		}
	}
	v.widen(width)
	return gone
}

func (v *cover) widen(width int) {
	spread(v.over, v.near, width)
	spread(v.near, v.wide, width)
}

// spread has all that touches one of some cells be among others.
func spread(from, to []bool, width int) {
	clear(to)
	for i, is := range from {
		if is {
			around(i, width, len(from), func(k int) { to[k] = true })
		}
	}
}

// rest forgets what was busy where nothing rests: the table is free there.
func (v *cover) rest() {
	for i := range v.spent {
		if !v.over[i] {
			v.spent[i] = 0
		}
	}
}

// around calls f for a cell and those that touch it.
func around(at, width, cells int, f func(k int)) {
	x, y := at%width, at/width
	for ny := max(0, y-1); ny <= min(cells/width-1, y+1); ny++ {
		for nx := max(0, x-1); nx <= min(width-1, x+1); nx++ {
			f(ny*width + nx)
		}
	}
}

// keepBut makes to a copy of a thumb, but where something covers the table: there it stays as it was.
func keepBut(to, t *register.Thumb, mask []bool) {
	if mask == nil || len(to.Pix) != len(t.Pix) {
		keep(to, t)
		return
	}
	cw := (t.Width + cell - 1) / cell
	for i := range t.Known {
		if mask[i/t.Width/cell*cw+i%t.Width/cell] {
			continue
		}
		copy(to.Pix[3*i:3*i+3], t.Pix[3*i:3*i+3])
		to.Known[i], to.Burnt[i] = t.Known[i], t.Burnt[i]
	}
}
