package diceflick

import (
	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Change is what differs between two arenas: the fewest events that explain it.
type Change struct {
	Landed  []Placed       // dice that came from outside
	Moved   []Shift        // dice that lie elsewhere, or turned where they were
	Removed []table.Square // dice that are gone
}

// Placed is a die in a hole.
type Placed struct {
	At  table.Square
	Die table.Die
}

// None says whether nothing changed.
func (c Change) None() bool { return len(c.Landed)+len(c.Moved)+len(c.Removed) == 0 }

// Changes compares two settled arenas. A die that vanished and one of its color
// that appeared are taken for one that moved, the nearest pairs first.
func Changes(before, after [25]table.Die) Change {
	var c Change
	var gone, come scoring.Holes
	for i := range before {
		switch b, a := before[i], after[i]; {
		case b.Color != a.Color:
			if b.Color != table.NoColor {
				gone |= 1 << i
			}
			if a.Color != table.NoColor {
				come |= 1 << i
			}
		case b.Face != a.Face && b.Color != table.Pink:
			at := table.SquareAt(i)
			c.Moved = append(c.Moved, Shift{From: at, To: at, Face: a.Face})
		}
	}
	for {
		from, to, ok := nearest(before, after, gone, come)
		if !ok {
			break
		}
		c.Moved = append(c.Moved, Shift{From: from, To: to, Face: after[to.Index()].Face})
		gone &^= scoring.HoleSet(from)
		come &^= scoring.HoleSet(to)
	}
	for _, at := range come.Squares() {
		c.Landed = append(c.Landed, Placed{at, after[at.Index()]})
	}
	c.Removed = gone.Squares()
	return c
}

// nearest is the closest pair of a vanished and an appeared die of one color; of
// equally close ones that with the same face, then the first.
func nearest(before, after [25]table.Die, gone, come scoring.Holes) (from, to table.Square, ok bool) {
	least := 0
	for _, g := range gone.Squares() {
		for _, n := range come.Squares() {
			b, a := before[g.Index()], after[n.Index()]
			if b.Color != a.Color {
				continue
			}
			dr, dc := g.Row-n.Row, g.Col-n.Col
			cost := 2 * (dr*dr + dc*dc)
			if b.Face != a.Face {
				cost++
			}
			if !ok || cost < least {
				from, to, least, ok = g, n, cost, true
			}
		}
	}
	return from, to, ok
}

// shifts is what happened to dice that were there before, as a flick tells it.
func (c Change) shifts() []Shift {
	list := append([]Shift(nil), c.Moved...)
	for _, at := range c.Removed {
		list = append(list, Shift{From: at, Off: true})
	}
	return list
}

// asLanded are the other readings of a change in which nothing landed: one of
// the dice that seem to have moved is a flicked one, and the old one is gone.
func (c Change) asLanded(after [25]table.Die) []Change {
	var list []Change
	for i, m := range c.Moved {
		if m.From == m.To {
			continue
		}
		o := Change{Landed: []Placed{{m.To, after[m.To.Index()]}}}
		o.Moved = append(append(o.Moved, c.Moved[:i]...), c.Moved[i+1:]...)
		o.Removed = append(append(o.Removed, c.Removed...), m.From)
		list = append(list, o)
	}
	return list
}

// SeenArena is the arena as an observation shows it.
func SeenArena(seen table.Observation) [25]table.Die {
	var dice [25]table.Die
	for i := range seen.Dice {
		r := &seen.Dice[i]
		if r.Square == nil || !r.Square.On() || r.Color == table.NoColor {
			continue
		}
		d := r.Die
		if d.Color == table.Pink {
			d.Face = 0
		}
		dice[r.Square.Index()] = d
	}
	return dice
}

// Propose implements rules.State: flicks and scorings that would leave the arena
// as seen, the likeliest first. Misses that moved nothing leave no trace; they
// are put in only where the scoring that is seen needs them.
func (s *State) Propose(seen table.Observation) [][]rules.Move {
	if s.over() {
		return nil
	}
	after := SeenArena(seen)
	c := Changes(s.arena.Dice, after)
	if c.None() {
		return nil
	}
	by := rules.Player(s.seat)
	var lines [][]rules.Move
	add := func(line ...rules.Move) {
		if s.possible(line) {
			lines = append(lines, line)
		}
	}
	score := Score{By: by, Seen: true, Removed: scoring.HoleSet(c.Removed...)}
	flick := func(p Placed, shifts []Shift) Flick {
		return Flick{By: by, Die: p.Die, Rests: true, To: p.At, Shifts: shifts}
	}
	switch onlyGone := len(c.Moved) == 0 && len(c.Removed) > 0; len(c.Landed) {
	case 0:
		if onlyGone {
			add(append(s.misses(s.required-s.flicks), score)...)
			if s.flicks >= s.required && s.Explain(score.Removed).Legal() {
				break // that a bonus flick missed and pushed out just these dice is far-fetched
			}
		}
		add(Flick{By: by, Shifts: c.shifts()})
		for _, o := range c.asLanded(after) {
			add(flick(o.Landed[0], o.shifts()))
		}
	case 1:
		add(flick(c.Landed[0], c.shifts()))
		if len(c.Moved) == 0 {
			if onlyGone {
				line := append([]rules.Move{flick(c.Landed[0], nil)}, s.misses(s.required-s.flicks-1)...)
				add(append(line, score)...)
			}
			if s.flicks < s.required || s.flicks >= s.allowed() { // else it is the bonus flick
				add(append(s.misses(s.required-s.flicks), score, s.nextFlick(c.Landed[0]))...)
			}
		}
	case 2:
		first, second := c.Landed[0], c.Landed[1]
		add(flick(first, nil), flick(second, c.shifts()))
		add(flick(second, nil), flick(first, c.shifts()))
	}
	return lines
}

// possible says whether there are the dice for a line of moves.
func (s *State) possible(line []rules.Move) bool {
	next := *s
	for _, m := range line {
		if next.play(m) != nil {
			return false
		}
	}
	return true
}

// misses are n flicks of which nothing is left to see.
func (s *State) misses(n int) []rules.Move {
	var list []rules.Move
	for range max(n, 0) {
		list = append(list, Flick{By: rules.Player(s.seat)})
	}
	return list
}

// nextFlick is the first flick of the player after this one.
func (s *State) nextFlick(p Placed) Flick {
	return Flick{By: rules.Player((s.seat + 1) % s.players), Die: p.Die, Rests: true, To: p.At}
}
