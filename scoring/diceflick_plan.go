package scoring

import (
	"encoding/json"
	"fmt"

	"diceref/table"
)

// The three ways to score (RULES.md 5.5) and the two lines of a blast die.
const (
	Combo  = "combo"
	Center = "center"
	Blast  = "blast"
	Row    = "row"
	Column = "col"
)

// Item is what a combination is made of: the die in a hole, or an upgrade
// marker, named by its color or by the hole that shows it.
type Item struct {
	Square table.Square
	Marker table.Color // NoColor: the item is named by Square
}

// MarshalJSON writes [row,col] or {"marker":"B"}.
func (it Item) MarshalJSON() ([]byte, error) {
	if i := upgradeIndex(it.Marker); i >= 0 {
		return fmt.Appendf(nil, `{"marker":"%c"}`, "BYG"[i]), nil
	}
	return it.Square.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes.
func (it *Item) UnmarshalJSON(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		return it.Square.UnmarshalJSON(text)
	}
	var v struct {
		Marker string `json:"marker"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	for i, name := range [...]string{"B", "Y", "G"} {
		if v.Marker == name || v.Marker == Upgrades[i].String() {
			*it = Item{Marker: Upgrades[i]}
			return nil
		}
	}
	return fmt.Errorf(`marker: want "B", "Y" or "G", not %.20q`, v.Marker)
}

// String names the item as the game's notation does: "c3" or "@blue".
func (it Item) String() string {
	if it.Marker != table.NoColor {
		return "@" + it.Marker.String()
	}
	return it.Square.String()
}

// Scoring is one step of a turn's scoring; which fields are set depends on Kind.
type Scoring struct {
	Kind  string       // Combo, Center or Blast
	Cells []Item       // Combo
	Die   table.Square // Blast
	Line  string       // Blast: Row or Column
}

// MarshalJSON writes the keys of the scoring's kind alone.
func (s Scoring) MarshalJSON() ([]byte, error) {
	switch s.Kind {
	case Center:
		return []byte(`{"type":"center"}`), nil
	case Blast:
		return fmt.Appendf(nil, `{"type":"blast","die":[%d,%d],"line":%q}`, s.Die.Row, s.Die.Col, s.Line), nil
	}
	cells, err := json.Marshal(s.Cells)
	return fmt.Appendf(nil, `{"type":"combo","cells":%s}`, cells), err
}

// UnmarshalJSON reads what MarshalJSON writes and refuses a scoring that is none at all.
func (s *Scoring) UnmarshalJSON(text []byte) error {
	var v struct {
		Kind  string        `json:"type"`
		Cells []Item        `json:"cells"`
		Die   *table.Square `json:"die"`
		Line  string        `json:"line"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*s = Scoring{Kind: v.Kind, Cells: v.Cells, Line: v.Line}
	switch {
	case v.Kind == Combo && v.Cells == nil:
		return fmt.Errorf("cells: missing (expected a list of holes)")
	case v.Kind == Blast && v.Die == nil:
		return fmt.Errorf("die: missing (expected the hole of a blast die)")
	case v.Kind == Blast:
		s.Die = *v.Die
	}
	return s.Check()
}

// Check refuses a scoring that is none at all, whatever the arena.
func (s *Scoring) Check() error {
	switch s.Kind {
	case Combo, Center:
		return nil
	case Blast:
		if s.Line != Row && s.Line != Column {
			return fmt.Errorf(`line: want "row" or "col", not %.20q`, s.Line)
		}
		return nil
	}
	return fmt.Errorf(`type: want "combo", "center" or "blast", not %.20q`, s.Kind)
}

// Plan is a way to score an arena: the steps in order, what they pay, and the
// holes whose dice leave.
type Plan struct {
	Score   int
	Steps   []Scoring
	Removed Holes
}

// Best is the highest total that one turn's scoring can bring, and how; the arena must satisfy CheckBest.
func Best(a *Arena, r ArenaRules) Plan {
	b := a.board(r)
	c := b.best()
	var groups [3]Holes
	for i := range groups {
		groups[i] = b.combined(b.color[i]|b.marker[i]|c.jokers[i], b.marker[i])
	}
	return Plan{Score: c.score, Steps: b.steps(c.items, groups, c.lines), Removed: c.items & b.dice}
}

// steps scores the items: combinations first, then the center die, then the lines, each
// blast die's after those of the blast dice that lie in it.
func (b *board) steps(items Holes, groups [3]Holes, lines [holeCount]Holes) []Scoring {
	steps := make([]Scoring, 0, 4)
	left := items
	for i, g := range groups {
		for g != 0 {
			one := b.group(g&-g, g, b.marker[i])
			g &^= one
			left &^= one
			steps = append(steps, Scoring{Kind: Combo, Cells: b.cells(one)})
		}
	}
	var swept, pending Holes
	for i, l := range lines {
		swept |= l
		if l != 0 {
			pending |= 1 << i
		}
	}
	if b.center&left&^swept != 0 {
		steps = append(steps, Scoring{Kind: Center})
	}
	for pending != 0 {
		i := nextLine(pending, lines)
		pending &^= 1 << i
		if left&(1<<i) == 0 {
			continue // taken by another's line, which is the same one
		}
		left &^= lines[i]
		line := Row
		if lines[i] != row(i) {
			line = Column
		}
		steps = append(steps, Scoring{Kind: Blast, Die: table.SquareAt(i), Line: line})
	}
	return steps
}

// nextLine picks a blast die whose line takes no other one that still waits for a line of its own.
func nextLine(pending Holes, lines [holeCount]Holes) int {
	for rest := pending; rest != 0; rest &= rest - 1 {
		i := rest.first()
		free := true
		for others := pending & lines[i] &^ (1 << i); others != 0; others &= others - 1 {
			free = free && lines[others.first()] == lines[i]
		}
		if free {
			return i
		}
	}
	return pending.first()
}

// group is the connected part of s that holds h.
func (b *board) group(h, s, m Holes) Holes {
	for {
		wider := h | b.touch(h, s, m)
		if wider == h {
			return h
		}
		h = wider
	}
}

func (b *board) cells(group Holes) []Item {
	cells := make([]Item, 0, group.Count())
	for ; group != 0; group &= group - 1 {
		item := Item{Square: table.SquareAt(group.first())}
		for i, m := range b.marker {
			if m == group&-group {
				item = Item{Marker: Upgrades[i]}
			}
		}
		cells = append(cells, item)
	}
	return cells
}
