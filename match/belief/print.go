package belief

import (
	"math"

	"diceref/calibration"
	"diceref/table"
)

// A disc or a dot that is printed on a square is read as a die again and again, in the same place, though never surely; a die that
// comes there covers it, and hardly ever lies just where the print does.

// Print is what is printed on a square of the board and read as a die.
type Print struct {
	Square table.Square
	At     table.Point // on the board, in squares
	As     table.Die   // what it was read as
}

// print is whether something is printed on a square, and where on the board, in squares.
type print struct {
	known bool
	at    table.Point
	as    table.Die
}

// like says whether a reading may be of it: as that has no die's color, it is taken for one and then for another; and a reading that
// tells little may show another face.
func (p *print) like(r *table.Reading, at table.Point) bool {
	const little = 0.6
	return p.known && math.Hypot(at.X-p.at.X, at.Y-p.at.Y) <= printReach && (r.Face == p.as.Face || r.Color == p.as.Color && r.Confidence < little)
}

// printReach is how many squares two readings of a print are apart, at most.
const printReach = 0.1

// notePrints takes for print what is read on the board before anybody has acted, and not surely, and what is read there later.
func (s *Sight) notePrints(o table.Observation, known *[table.Size * table.Size]print) {
	first := known == nil
	if !first {
		s.prints = *known
	}
	at := onSquares(o.Grid)
	for i := range o.Dice {
		r := &o.Dice[i]
		if r.Square == nil || !r.Square.On() {
			continue
		}
		k := r.Square.Index()
		l, p := &s.Squares[k], &s.prints[k]
		if !l.read() || l.wrong == model.SurelyWrong || at == nil {
			continue
		}
		switch is := at(r.At); {
		case first:
			*p = print{true, is, r.Die}
			l.There, l.printed = min(l.There, 1-model.Print), true
		case p.like(r, is):
			l.There, l.printed = min(l.There, 1-model.Print), true
		}
	}
}

// onSquares is where on a board a pixel is, in squares; nil: the grid is not known.
func onSquares(g *table.Grid) func(table.Point) table.Point {
	if g == nil || !g.Found {
		return nil
	}
	to, err := calibration.QuadTo(g.Corners)
	if err != nil {
		return nil
	}
	back, ok := to.Inverse()
	if !ok {
		return nil
	}
	return func(at table.Point) table.Point {
		p := back.Apply(at)
		return table.Point{X: p.X * table.Size, Y: p.Y * table.Size}
	}
}

// Prints is what is printed on the board, as far as it is known.
func (s *Sight) Prints() (list []Print) {
	for k, p := range s.prints {
		if p.known {
			list = append(list, Print{table.SquareAt(k), p.at, p.as})
		}
	}
	return list
}

// Printed is a sight after which it is known what is printed on the board.
func (s *Sight) Printed(list []Print) *Sight {
	next := *s
	next.prints = [table.Size * table.Size]print{}
	for _, p := range list {
		next.prints[p.Square.Index()] = print{true, p.At, p.As}
	}
	return &next
}
