package paper

import (
	"fmt"

	"diceref/calibration"
	"diceref/table"
)

// edge is what printers leave white, millimeters.
const edge = 6

// board is the grid of Dessert Dice and Dice Box, with the marks that the camera finds.
func board(o Options, w words) ([]Sheet, error) {
	s := newSheet(o, w, false)
	square := o.Square
	if square == 0 {
		square = DefaultSquare
	}
	marks := calibration.Fiducial(0)
	out := -marks[0].X // squares from the grid to the outside of the marks
	most := (s.Width - 2*edge) / (table.Size + 2*out)
	if !(square >= 15 && square <= most) { // also refuses what is no number
		return nil, &Error{"square", fmt.Sprintf("expected 15 to %.1f mm on this paper, not %g", most, square)}
	}
	x0, y0 := (s.Width-table.Size*square)/2, (s.Height-table.Size*square)/2-8
	at := func(x, y float64) point { return point{x0 + x*square, y0 + y*square} }
	for i := range table.Size + 1 {
		v := float64(i)
		s.line(style{stroke: ink, width: strong}, at(v, 0), at(v, table.Size))
		s.line(style{stroke: ink, width: strong}, at(0, v), at(table.Size, v))
	}
	s.rect(style{stroke: ink, width: 2 * strong}, x0, y0, table.Size*square, table.Size*square)
	for number := range calibration.Fiducials {
		s.fiducial(number, at, square)
	}
	s.footer(w.t("board.hint", "square", num(square)))
	return []Sheet{s}, nil
}

// fiducial draws a mark: a black square with its white cells.
func (s *Sheet) fiducial(number int, at func(x, y float64) point, square float64) {
	corner := calibration.Fiducial(number)[0]
	from, cell := at(corner.X, corner.Y), calibration.FiducialSide*square/calibration.FiducialCells
	side := cell * calibration.FiducialCells
	s.rect(style{fill: black}, from.x, from.y, side, side)
	for row := range calibration.FiducialCells {
		for col := range calibration.FiducialCells {
			if calibration.FiducialWhite(number, row, col) {
				s.rect(style{fill: white}, from.x+float64(col)*cell, from.y+float64(row)*cell, cell, cell)
			}
		}
	}
}

// footer says how to print, with a scale to check it by.
func (s *Sheet) footer(text string) {
	const long = 50
	y := s.Height - 18
	x := s.Width/2 - long/2.0
	s.line(style{stroke: ink, width: line}, point{x, y - 2}, point{x, y + 2})
	s.line(style{stroke: ink, width: line}, point{x, y}, point{x + long, y})
	s.line(style{stroke: ink, width: line}, point{x + long, y - 2}, point{x + long, y + 2})
	s.write(s.Width/2, y-3, 3, false, "middle", soft, s.words.t("scale", "mm", long))
	for i, l := range wrap(text, s.Width-40, 3.2, false) {
		s.write(s.Width/2, y+6+float64(i)*4.2, 3.2, false, "middle", soft, l)
	}
}

// The arena of DICE Flick, for dice of 16 mm, in millimeters.
const (
	pitch  = 28.0 // from hole to hole: 1.75 dice
	hole   = 17.0
	trench = 20.0
)

// arena is a template of the box with 25 holes: where they are, and stickers to cut out.
func arena(o Options, w words) ([]Sheet, error) {
	s := newSheet(o, w, false)
	plate := table.Size * pitch
	x0, y0 := (s.Width-plate)/2, 12+trench+6
	s.rect(style{fill: "#e4dfd2", stroke: ink, width: strong}, x0-trench, y0-trench, plate+2*trench, plate+2*trench)
	s.rect(style{fill: "#f7f4ec", stroke: ink, width: strong}, x0, y0, plate, plate)
	for row := range table.Size {
		for col := range table.Size {
			x, y := x0+(float64(col)+0.5)*pitch, y0+(float64(row)+0.5)*pitch
			s.rounded(style{fill: white, stroke: ink, width: line}, x-hole/2, y-hole/2, hole, hole, 2)
		}
	}
	mid := plate / 2
	s.sticker("center", x0+mid, y0+mid)
	s.write(x0+mid, y0-trench/2+1.5, 4, false, "middle", soft, w.t("arena.trench"))
	const base = 30.0
	for _, b := range [4][4]float64{{mid - base/2, -trench - 5, base, 5}, {mid - base/2, plate + trench, base, 5}, {-trench - 5, mid - base/2, 5, base}, {plate + trench, mid - base/2, 5, base}} {
		s.rect(style{fill: "#5a9e4b", stroke: ink, width: line}, x0+b[0], y0+b[1], b[2], b[3])
	}
	y := y0 + plate + trench + 22
	for i, name := range []string{"center", "bonus", "blue", "yellow", "green"} {
		x := s.Width/2 + (float64(i)-2)*34
		s.sticker(name, x, y)
		s.circle(style{stroke: soft, width: hair, dash: 1}, x, y, 8.5)
		s.write(x, y+14, 3.4, false, "middle", ink, w.t("arena."+name))
	}
	s.footer(w.t("arena.hint", "mm", num(pitch)))
	return []Sheet{s}, nil
}

// sticker draws the marker of a hole.
func (s *Sheet) sticker(name string, x, y float64) {
	const r = 6
	switch name {
	case "center":
		for i, each := range []float64{r, r * 0.68, r * 0.36} {
			s.circle(style{fill: [...]string{"#c0392b", white, "#c0392b"}[i], stroke: ink, width: hair}, x, y, each)
		}
	case "bonus":
		var star []point
		for i := range 10 {
			long := [2]float64{r, r * 0.45}[i%2]
			star = append(star, arc(x, y, long, float64(i)*36-90, 0)[0])
		}
		s.polygon(style{fill: "#e0a52c", stroke: ink, width: hair}, star...)
	default:
		fill := map[string]string{"blue": "#2c63b9", "yellow": "#f3c53a", "green": "#2f8b50"}[name]
		s.circle(style{fill: fill, stroke: ink, width: hair}, x, y, r)
		s.line(style{stroke: white, width: 1.2}, point{x - 3, y}, point{x + 3, y})
		s.line(style{stroke: white, width: 1.2}, point{x, y - 3}, point{x, y + 3})
	}
}
