package rules

import "diceref/table"

// Board is the dice of a 5×5 grid by the index of their square; a die without color is an empty square.
type Board [table.Size * table.Size]table.Die

// SeenBoard is the grid as it was read; where two readings claim one square, the surer one counts.
func SeenBoard(seen table.Observation) (b Board) {
	var sure [table.Size * table.Size]float64
	for _, r := range seen.Dice {
		if r.Square == nil || !r.Square.On() {
			continue
		}
		if i := r.Square.Index(); b[i].Color == table.NoColor || r.Confidence > sure[i] {
			b[i], sure[i] = r.Die, r.Confidence
		}
	}
	return b
}

// ExpectedBoard is the grid that a view tells of.
func ExpectedBoard(v table.View) (b Board) {
	for sq, d := range v.Squares {
		if sq.On() {
			b[sq.Index()] = d
		}
	}
	return b
}

// Changes lists the squares on which two boards differ, in ascending order.
type Changes struct {
	Gone    []table.Square // a die before, none after
	Come    []table.Square // none before, a die after
	Changed []table.Square // another die, or another top
}

// Compare says how to get from one board to the other.
func Compare(before, after Board) (c Changes) {
	for i := range before {
		if before[i] == after[i] {
			continue
		}
		sq := table.SquareAt(i)
		switch {
		case after[i].Color == table.NoColor:
			c.Gone = append(c.Gone, sq)
		case before[i].Color == table.NoColor:
			c.Come = append(c.Come, sq)
		default:
			c.Changed = append(c.Changed, sq)
		}
	}
	return c
}

// Count is the number of squares that differ.
func (c Changes) Count() int { return len(c.Gone) + len(c.Come) + len(c.Changed) }

// SeenLoose lists the dice that were read beside the grid.
func SeenLoose(seen table.Observation) []table.Die {
	var dice []table.Die
	for _, r := range seen.Dice {
		if r.Square == nil {
			dice = append(dice, r.Die)
		}
	}
	return dice
}
