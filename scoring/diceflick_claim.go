package scoring

import (
	"fmt"

	"diceref/table"
)

// Fault is one reason why a claim is illegal: a code of RULES.md 5.7 and a sentence.
type Fault struct {
	Code   string
	Square *table.Square // where, if anywhere
	Text   string
}

// Tally is what a claim comes to.
type Tally struct {
	Score   int     // of the scorings before the first illegal one
	Removed Holes   // holes whose dice they take
	Used    Holes   // upgrade markers that they score
	Bad     int     // index of the first illegal scoring; -1: all are legal
	Faults  []Fault // every reason why that one is illegal
}

// Claim checks scorings in the order in which they are made (RULES.md 5.5).
// The first illegal one decides, with all its reasons.
func Claim(a *Arena, r ArenaRules, claim []Scoring) Tally {
	c := claimant{a: a, rules: r, b: a.board(r)}
	c.left = c.b.dice | c.b.markers
	for i := range claim {
		var items Holes
		switch s := &claim[i]; s.Kind {
		case Combo:
			items = c.combo(s.Cells)
		case Center:
			items = c.center()
		default:
			items = c.blast(s)
		}
		if c.faults != nil {
			return c.tally(i)
		}
		c.scored |= items
		c.left &^= items
	}
	return c.tally(-1)
}

type claimant struct {
	a      *Arena
	rules  ArenaRules
	b      board
	left   Holes // dice and markers that can still be scored
	scored Holes
	faults []Fault
}

func (c *claimant) tally(bad int) Tally {
	return Tally{c.b.sum(c.scored), c.scored & c.b.dice, c.scored & c.b.markers, bad, c.faults}
}

// fault notes a reason once.
func (c *claimant) fault(code string, at *table.Square, format string, args ...any) {
	for _, f := range c.faults {
		if f.Code == code {
			return
		}
	}
	c.faults = append(c.faults, Fault{code, at, fmt.Sprintf(format, args...)})
}

func (c *claimant) combo(cells []Item) Holes {
	var items Holes
	for i := range cells {
		h := c.item(&cells[i])
		if h&items != 0 {
			c.fault("DF-TWICE", &cells[i].Square, "%v is named twice in one combination: each item counts only once.", cells[i])
		}
		items |= h
	}
	if p := items & c.b.pink; p != 0 {
		at := table.SquareAt(p.first())
		c.fault("DF-PINK", &at, "The pink die on %v cannot be part of a combination: a combination may be of any color except pink.", at)
	}
	var colors int
	if items&c.b.pink != 0 {
		colors++
	}
	var marker Holes
	for i := range c.b.color {
		if items&(c.b.color[i]|c.b.marker[i]) != 0 {
			colors++
		}
		marker |= items & c.b.marker[i]
	}
	if colors > 1 {
		c.fault("DF-COLOUR", nil, "The combination mixes %d colors: it must be of one color, with white dice as jokers.", colors)
	}
	if n := items.Count(); n < 3 {
		c.fault("DF-SIZE", nil, "The combination has only %d of at least 3 items.", n)
	}
	if items != 0 && c.connected(items, marker) != items {
		c.fault("DF-NOTADJ", nil, "The combination is not in one piece: its items must be adjacent horizontally or vertically, not diagonally.")
	}
	return items
}

// connected is the part of items that hangs together with the first of them.
func (c *claimant) connected(items, markers Holes) Holes {
	g := items & -items
	for {
		wider := g
		wider |= c.b.touch(g, items, 0)
		for m := markers; m != 0; m &= m - 1 {
			wider |= c.b.touch(g, items, m&-m)
		}
		if wider == g {
			return g
		}
		g = wider
	}
}

// item is the hole of a claimed item that can be scored; 0 with a fault noted otherwise.
func (c *claimant) item(it *Item) Holes {
	if it.Marker != table.NoColor {
		return c.marker(it.Marker)
	}
	at, h := &it.Square, hole(it.Square)
	switch {
	case h == 0:
		c.fault("DF-EMPTY", at, "%v is not a hole of the arena.", at)
	case h&c.left != 0:
		return h
	case h&c.scored != 0:
		c.fault("DF-TWICE", at, "%v is already scored: each item counts only once.", at)
		if i := c.upgradeAt(h); i >= 0 && h&c.b.dice != 0 {
			c.marker(Upgrades[i])
		}
	case c.upgradeAt(h) >= 0:
		return c.marker(Upgrades[c.upgradeAt(h)])
	default:
		c.fault("DF-EMPTY", at, "Hole %v is empty.", at)
	}
	return 0
}

func (c *claimant) upgradeAt(h Holes) int {
	for i, m := range c.a.Markers.Upgrade {
		if m == h {
			return i
		}
	}
	return -1
}

func (c *claimant) marker(color table.Color) Holes {
	m := c.a.Markers.Upgrade[upgradeIndex(color)]
	if m == 0 {
		c.fault("DF-EMPTY", nil, "It is not known which hole has the %v upgrade marker.", color)
		return 0
	}
	at := table.SquareAt(m.first())
	switch {
	case m&c.left&c.b.markers != 0:
		return m
	case m&c.b.dice != 0:
		c.fault("DF-MARKER-COVERED", &at, "The %v upgrade marker on %v was covered by a die when scoring began.", color, at)
	default:
		c.fault("DF-TWICE", &at, "The %v upgrade marker on %v is already scored: each item counts only once.", color, at)
	}
	return 0
}

func (c *claimant) center() Holes {
	m := c.a.Markers.Center
	var at *table.Square
	if m != 0 {
		s := table.SquareAt(m.first())
		at = &s
	}
	switch {
	case m&c.b.dice == 0:
		c.fault("DF-EMPTY", at, "There is no die on the center marker.")
	case m&c.scored != 0:
		c.fault("DF-TWICE", at, "The die on the center marker is already scored: each die counts only once.")
	case m&c.b.center == 0:
		c.fault("DF-SIZE", at, "The die on the center marker did not land there this turn, so it cannot be scored alone.")
	}
	return m
}

func (c *claimant) blast(s *Scoring) Holes {
	h, at := hole(s.Die), &s.Die
	switch {
	case h&c.b.pink == 0:
		c.fault("DF-NOBLAST", at, "There is no blast die on %v.", at)
		if h == 0 || h&(c.b.dice|c.b.markers) == 0 {
			c.fault("DF-EMPTY", at, "Hole %v is empty.", at)
		}
	case h&c.scored != 0:
		c.fault("DF-NOBLAST", at, "The blast die on %v is already scored: only one of its two lines may be scored.", at)
	case h&c.b.chooser == 0:
		c.fault("DF-NOBLAST", at, "The blast die on %v did not land this turn, so it cannot choose a line.", at)
	}
	if h == 0 {
		return 0
	}
	line := row(h.first())
	if s.Line == Column {
		line = col(h.first())
	}
	return line & c.left
}
