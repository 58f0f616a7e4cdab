package match

import (
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// zoneKey names all zones of one kind, a place's together with whose it is.
type zoneKey struct {
	kind string // one of calibration's
	seat int
}

// pile is what should be in the zones of a key. A die without a color has any
// color, one with face 0 shows any face.
type pile struct {
	at   zoneKey
	dice []table.Die
	heap bool // dice may lie on or behind one another, so that not all are seen
	// colors is how many dice of a heap have each color, where the game knows.
	colors [10]int
	unseen int // more dice are there that are not known, as nobody has seen them
}

// count is how many dice there are of each color, under NoColor those of which it is not known.
func (p *pile) count() (n [10]int) {
	if !p.heap {
		for _, d := range p.dice {
			n[d.Color]++
		}
		return n
	}
	n, n[table.NoColor] = p.colors, len(p.dice)
	for _, k := range p.colors {
		n[table.NoColor] -= k
	}
	return n
}

// missing is how many dice too few there are, by color as far as that is known.
func missing(want, got [10]int) (n [10]int) {
	short := 0
	for c := range want {
		short += want[c] - got[c]
	}
	short = max(0, short)
	for c := range want {
		if c != int(table.NoColor) {
			k := min(max(0, want[c]-got[c]), short)
			n[c], short = k, short-k
		}
	}
	n[table.NoColor] = short
	return n
}

// colorsOf counts dice by color.
func colorsOf(dice []table.Reading) (n [10]int) {
	for _, r := range dice {
		n[r.Color]++
	}
	return n
}

// sum is how many dice there are of all colors.
func sum(n [10]int) (all int) {
	for _, k := range n {
		all += k
	}
	return all
}

// both is the dice that are in both counts.
func both(n, m [10]int) [10]int {
	for c := range n {
		n[c] = min(n[c], m[c])
	}
	return n
}

// unshown counts the dice of heaps that a view does not show.
func unshown(piles []pile, seen *spread) (n [10]int) {
	for _, p := range piles {
		if p.heap && seen.drawn[p.at] {
			for c, k := range missing(p.count(), colorsOf(seen.in[p.at])) {
				n[c] += k
			}
		}
	}
	return n
}

// movement is dice on their way: what lies where before and after. While it lasts
// any of the dice that move may be at either end, or in somebody's hand.
type movement struct{ before, after []pile }

// spread is the dice of one view by zone.
type spread struct {
	in     map[zoneKey][]table.Reading
	out    []table.Reading // in no zone of the game
	total  int             // of all dice in zones
	drawn  map[zoneKey]bool
	hidden int // dice of heaps that did not show in the view before
	short  int // dice that are not seen, as many as in the view before; 0: not as many
	// come is how many dice of heaps lie where none did in the view that all goes on from, justCome where
	// none did in the view before.
	come, justCome int
	lost           []lostDie
	faint          []faintDie
	was            []table.Reading // the view before
	passed         *spread         // dice of the view before that had come in it, and are gone
	said           []rules.Move    // what was said and is not known to have happened
	reach          float64         // within which two readings are of the same die, in pixels

	flavours []flavours // of DiceCreams!, by players, once they have been asked for

	accuses bool // the story that is being told of it has gone against the rules
}

// turned says whether a die of a zone lies where one of its color lay in the view before
// and showed another face.
func (s *spread) turned(at zoneKey, d table.Die) bool {
	for _, r := range s.in[at] {
		for _, was := range s.was {
			if r.Die == d && was.Color == d.Color && was.Face != d.Face && dist(was.At, r.At) < s.reach {
				return true
			}
		}
	}
	return false
}

// passing is the readings of a view where nothing is in others.
func passing(view []table.Reading, others []table.Reading, reach float64) (list []table.Reading) {
	for _, r := range view {
		if !slices.ContainsFunc(others, func(o table.Reading) bool { return dist(o.At, r.At) < reach }) {
			list = append(list, r)
		}
	}
	return list
}

// hiding is how many dice of heaps are known not to show: those that did not before, and
// as many as are missing for the second time, unless it is known which they are.
func (s *spread) hiding() int { return max(s.hidden, s.short-len(s.lost)) }

// colors counts the dice of each color that a view shows.
func (s *spread) colors() (n [10]int) {
	for _, dice := range s.in {
		for c, k := range colorsOf(dice) {
			n[c] += k
		}
	}
	return n
}

// hiddenIn is how many dice of heaps did not show before and may not show in this view either:
// those of a known color only as far as that color is missing now.
func (z *zoneMemory) hiddenIn(piles []pile, seen *spread) (n int) {
	now := unshown(piles, seen)
	for c, k := range z.hidden {
		if c != int(table.NoColor) {
			k = min(k, now[c])
		}
		n += k
	}
	return n
}

// spreadOut sorts the dice of a view into zones by the middles of their tops.
func spreadOut(g zoneGame, zones []calibration.Zone, obs table.Observation) *spread {
	s := &spread{in: map[zoneKey][]table.Reading{}, drawn: map[zoneKey]bool{}}
	keys := make([]zoneKey, len(zones))
	play := make([]calibration.Zone, 0, len(zones))
	for _, z := range zones {
		if k, ok := g.where(z); ok {
			keys[len(play)] = k
			play = append(play, z)
			s.drawn[k] = true
		}
	}
	for _, r := range obs.Dice {
		at := middle(r)
		i := calibration.ZoneOf(play, table.Point{X: at.X / float64(max(1, obs.Width)), Y: at.Y / float64(max(1, obs.Height))})
		if i < 0 {
			s.out = append(s.out, r)
			continue
		}
		s.in[keys[i]] = append(s.in[keys[i]], r)
		s.total++
	}
	return s
}

// middle of a die's top, in pixels.
func middle(r table.Reading) table.Point {
	if r.Outline == ([4]table.Point{}) {
		return r.At
	}
	var p table.Point
	for _, c := range r.Outline {
		p.X += c.X / 4
		p.Y += c.Y / 4
	}
	return p
}
