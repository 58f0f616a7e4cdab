package paper

import (
	"strconv"

	"diceref/table"
)

// rounds of a game of DICE Flick.
const rounds = 10

// notepad is the pad of DICE Flick: ten rounds for each player and a total, four
// pads on a sheet.
func notepad(o Options, w words) ([]Sheet, error) {
	players, err := o.seats(table.DiceFlick)
	if err != nil {
		return nil, err
	}
	s := newSheet(o, w, false)
	const gap = 12.0
	wide, high := (s.Width-3*gap)/2, (s.Height-3*gap)/2
	for i := range 4 {
		s.pad(gap+float64(i%2)*(wide+gap), gap+float64(i/2)*(high+gap), wide, high, players)
	}
	s.line(style{stroke: faint, width: hair, dash: 2}, point{s.Width / 2, 0}, point{s.Width / 2, s.Height})
	s.line(style{stroke: faint, width: hair, dash: 2}, point{0, s.Height / 2}, point{s.Width, s.Height / 2})
	return []Sheet{s}, nil
}

func (s *Sheet) pad(x, y, wide, high float64, players int) {
	const first = 11.0 // the column of numbers
	row := high / (rounds + 2.6)
	names, total := row*1.3, row*1.3
	col := (wide - first) / float64(players)
	s.rounded(style{stroke: ink, width: strong}, x, y, wide, high, 2.5)
	s.rect(style{fill: "#efece3"}, x+0.5, y+high-total, wide-1, total-0.5)
	for p := range players {
		v := x + first + float64(p)*col
		s.line(style{stroke: ink, width: line}, point{v, y}, point{v, y + high})
		s.die(v+4.5, y+names/2, 5, p+1, white, ink)
	}
	for r := range rounds + 1 {
		v := y + names + float64(r)*row
		s.line(style{stroke: ink, width: [...]float64{hair, line}[boolInt(r == 0 || r == rounds)]}, point{x, v}, point{x + wide, v})
		if r < rounds {
			s.write(x+first/2, v+row*0.66, row*0.45, true, "middle", soft, strconv.Itoa(r+1))
		}
	}
	sum, size := s.words.t("pad.total"), row*0.5
	size *= min(1, (first-2)/textWidth(sum, size, true))
	s.write(x+first/2, y+high-total*0.38, size, true, "middle", ink, sum)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
