package measure

import (
	"fmt"

	"diceref/table"
)

// extras is what else a reading has beside the dice that a picture must have right: an
// arena's stickers, and the dice beside a grid.
type extras struct {
	Markers      int // stickers in view: those that no die stands on
	MarkersRight int
	MarkersWrong int // told, and not there or another
	Beside       int // dice beside the grid
	BesideSeen   int // of those, how many were read as what they are
}

// compareMarkers looks at the stickers; turn is how the grid's numbering is turned.
func (m *Mark) compareMarkers(turn int) {
	covered := map[table.Square]bool{}
	for _, d := range m.Picture.dice {
		if d.square != nil {
			covered[*d.square] = true
		}
	}
	want := map[table.Square]string{}
	for _, k := range m.Picture.markers {
		if q := (table.Square{Row: k.Row, Col: k.Col}); !covered[q] {
			want[*turned(&q, turn)] = k.Marker
		}
	}
	m.Markers = len(want)
	seen := map[table.Square]bool{}
	for _, k := range m.Seen.Markers {
		q := table.Square{Row: k.Row, Col: k.Col}
		seen[q] = true
		if want[q] == k.Marker {
			m.MarkersRight++
			continue
		}
		m.MarkersWrong++
		m.fault(m.middleOf(q), m.pitch(), fmt.Sprintf("marker %s on %v, not %s", k.Marker, q, orNone(want[q])))
	}
	for i := range table.Size * table.Size {
		if q := table.SquareAt(i); want[q] != "" && !seen[q] && m.GridOK {
			m.fault(m.middleOf(q), m.pitch(), fmt.Sprintf("marker %s on %v not seen", want[q], q))
		}
	}
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

// middleOf is about where a square is in the picture, as the reading has the grid.
func (m *Mark) middleOf(q table.Square) table.Point {
	g := m.Seen.Grid
	if g == nil || !g.Found {
		return table.Point{}
	}
	u, v := (float64(q.Col)+0.5)/table.Size, (float64(q.Row)+0.5)/table.Size
	c := g.Corners
	mix := func(a, b, c, d float64) float64 { return (1-v)*((1-u)*a+u*b) + v*((1-u)*d+u*c) }
	return table.Point{X: mix(c[0].X, c[1].X, c[2].X, c[3].X), Y: mix(c[0].Y, c[1].Y, c[2].Y, c[3].Y)}
}

// pitch is half a square of the grid as it was read, in pixels.
func (m *Mark) pitch() float64 {
	a, b := m.middleOf(table.Square{Row: 2, Col: 2}), m.middleOf(table.Square{Row: 2, Col: 3})
	return max(abs(a.X-b.X), abs(a.Y-b.Y)) / 2
}

func abs(x float64) float64 { return max(x, -x) }

// compareBeside counts a die beside a grid; r is its reading, nil if there is none.
func (m *Mark) compareBeside(d *Die, r *table.Reading) {
	if d.optional || d.square != nil || m.Picture.Corners == nil {
		return
	}
	m.Beside++
	if r != nil && r.Face == d.face && (d.color == table.NoColor || d.color == r.Color) {
		m.BesideSeen++
	}
}

// Beside is how many dice are beside the picture's grid, wholly in view.
func (p *Picture) Beside() int {
	n := 0
	for i := range p.dice {
		if d := &p.dice[i]; p.Corners != nil && d.square == nil && !d.optional {
			n++
		}
	}
	return n
}
