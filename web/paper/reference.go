package paper

import (
	"math"

	"diceref/table"
)

// cheeses are the faces 1 to 6 of Fromage á Trois.
var cheeses = [...]string{"Gouda", "Swiss", "Bleu", "Cheddar", "American", "Brie"}

// reference is a game on one sheet, in own words.
func reference(o Options, w words) ([]Sheet, error) {
	s := newSheet(o, w, false)
	const margin = 16.0
	s.write(margin, 24, 10, true, "start", ink, o.Game.Kit().Title)
	y := 36.0
	if o.Game == table.FromageATrois {
		y = s.cheeseRow(margin, y)
	}
	for _, part := range w.References[o.Game] {
		s.write(margin, y+2, 5.2, true, "start", "#1f6f5c", part.Title)
		y += 9.5
		for _, text := range part.Lines {
			s.circle(style{fill: "#1f6f5c"}, margin+1.5, y-1.4, 0.8)
			y = s.paragraph(margin+5.5, y, s.Width-2*margin-5.5, 4.1, false, ink, text) + 1
		}
		y += 4.5
	}
	if o.Game == table.FromageATrois {
		s.fromages(margin, y)
	}
	return []Sheet{s}, nil
}

// cheeseRow shows which face is which cheese.
func (s *Sheet) cheeseRow(x, y float64) float64 {
	step := (s.Width - 2*x) / float64(len(cheeses))
	for i, name := range cheeses {
		mid := x + (float64(i)+0.5)*step
		s.die(mid, y+5, 11, i+1, white, ink)
		s.cheese(i, mid, y+23, 9)
		s.write(mid, y+38, 4, true, "middle", ink, name)
	}
	return y + 50
}

// cheese draws one of the six in a look of its own.
func (s *Sheet) cheese(which int, x, y, r float64) {
	out := func(fill string) style { return style{fill: fill, stroke: ink, width: line} }
	wedge := func(fill string) {
		s.polygon(out(fill), point{x - r, y + r*0.2}, point{x + r, y - r*0.7}, point{x + r, y + r*0.7}, point{x - r, y + r*0.7})
	}
	dots := func(st style, size float64, at ...point) {
		for _, p := range at {
			s.circle(st, x+p.x*r, y+p.y*r, r*size)
		}
	}
	switch which {
	case 0: // a red wheel with a piece cut out
		s.polygon(out("#b5382c"), append(arc(x, y, r*0.9, 20, 320), point{x, y})...)
		s.polygon(out("#f3d27a"), append(arc(x, y, r*0.66, 20, 320), point{x, y})...)
	case 1: // white with holes
		s.rounded(out("#fdfbf2"), x-r*0.9, y-r*0.6, r*1.8, r*1.3, 1.2)
		dots(style{fill: "#3a3a3a"}, 0.17, point{-0.5, -0.15}, point{0.1, 0.3}, point{0.5, -0.25})
		dots(style{fill: "#3a3a3a"}, 0.1, point{-0.2, 0.45}, point{0.65, 0.35}, point{-0.05, -0.35})
	case 2: // blue lines and spots
		wedge("#f6f5ee")
		for _, l := range [][2]point{{{-0.4, 0.5}, {0, 0.15}}, {{0.1, 0.55}, {0.5, 0.2}}, {{0.45, -0.1}, {0.8, -0.35}}} {
			s.line(style{stroke: "#2c63b9", width: 0.9}, point{x + l[0].x*r, y + l[0].y*r}, point{x + l[1].x*r, y + l[1].y*r})
		}
		dots(style{fill: "#2c63b9"}, 0.08, point{-0.55, 0.35}, point{0.2, 0.1}, point{0.75, 0.3}, point{0.7, 0})
	case 3: // a yellow block
		s.polygon(out("#f2b52b"), point{x - r*0.9, y - r*0.25}, point{x - r*0.45, y - r*0.65}, point{x + r*0.9, y - r*0.65}, point{x + r*0.9, y + r*0.25}, point{x + r*0.5, y + r*0.7}, point{x - r*0.9, y + r*0.7})
		s.line(style{stroke: ink, width: line}, point{x - r*0.9, y - r*0.25}, point{x + r*0.5, y - r*0.25}, point{x + r*0.9, y - r*0.65})
		s.line(style{stroke: ink, width: line}, point{x + r*0.5, y - r*0.25}, point{x + r*0.5, y + r*0.7})
	case 4: // a slice half out of its wrap
		s.polygon(out("#f08c2e"), point{x - r*0.75, y - r*0.75}, point{x + r*0.75, y - r*0.75}, point{x + r*0.75, y + r*0.75}, point{x - r*0.75, y + r*0.75})
		s.polygon(style{fill: "#fff7ec", stroke: soft, width: hair}, point{x - r*0.9, y}, point{x + r*0.9, y - r*0.2}, point{x + r*0.9, y + r*0.9}, point{x - r*0.9, y + r*0.9})
	default: // a wedge, white outside, yellow inside
		wedge("#fffdf6")
		s.polygon(style{fill: "#f6dd83"}, point{x - r*0.7, y + r*0.28}, point{x + r*0.86, y - r*0.2}, point{x + r*0.86, y + r*0.55}, point{x - r*0.7, y + r*0.55})
	}
}

// fromages shows sets that are Fromages: three cheeses, as many of each.
func (s *Sheet) fromages(x, y float64) {
	s.write(x, y+2, 5.2, true, "start", "#1f6f5c", s.words.t("fromage.examples"))
	y += 13
	const die, gap = 9.0, 1.6
	at := x
	for _, set := range []struct{ each, from int }{{2, 1}, {3, 4}, {2, 3}} {
		width := 3 * float64(set.each) * (die + gap)
		if at+width > s.Width-x+1 {
			at, y = x, y+die+7
		}
		for i := range 3 * set.each {
			face := set.from + i/set.each
			s.die(at+die/2+float64(i)*(die+gap), y, die, (face-1)%6+1, white, ink)
		}
		at += width + math.Max(6, gap)
	}
}
