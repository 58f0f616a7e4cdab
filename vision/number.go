package vision

import "diceref/table"

// NumberLike numbers an observation's squares from the corner of the grid that is
// nearest to where [0,0] was before, so that the numbering of a match holds when the
// grid is found again. The corners are those of the grid before, in the same pixels.
func NumberLike(o *table.Observation, before [4]table.Point) {
	if o.Grid == nil || !o.Grid.Found {
		return
	}
	numberFrom(o, turnOf(o.Grid.Corners, before))
}

// numberFrom has a found grid begin at the corner that lies turn corners further clockwise.
func numberFrom(o *table.Observation, turn int) {
	if turn == 0 {
		return
	}
	corners := o.Grid.Corners
	for i := range corners {
		corners[i] = o.Grid.Corners[(i+turn)%4]
	}
	grid := *o.Grid
	grid.Corners = corners
	o.Grid = &grid
	for i, d := range o.Dice {
		if d.Square != nil {
			s := renumber(*d.Square, turn)
			o.Dice[i].Square = &s
		}
	}
	for i, q := range o.Hidden {
		o.Hidden[i] = renumber(q, turn)
	}
	for i, m := range o.Markers {
		s := renumber(table.Square{Row: m.Row, Col: m.Col}, turn)
		o.Markers[i].Row, o.Markers[i].Col = s.Row, s.Col
	}
}

// turnOf is by how many corners a grid must be turned clockwise to be numbered like the one before.
func turnOf(corners, before [4]table.Point) int {
	turn, least := 0, -1.0
	for k := range 4 {
		var sum float64
		for i, p := range before {
			c := corners[(i+k)%4]
			sum += (c.X-p.X)*(c.X-p.X) + (c.Y-p.Y)*(c.Y-p.Y)
		}
		if least < 0 || sum < least {
			turn, least = k, sum
		}
	}
	return turn
}

// renumber is a square's place once [0,0] is the corner that lies turn corners further clockwise.
func renumber(s table.Square, turn int) table.Square {
	for range turn {
		s = table.Square{Row: table.Size - 1 - s.Col, Col: s.Row}
	}
	return s
}
