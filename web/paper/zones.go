package paper

import (
	"fmt"

	"diceref/calibration"
	"diceref/table"
)

// zones are the mats of a game that is played without a board: a plan of the table as
// the wizard proposes it, and a sheet for each place.
func zones(o Options, w words) ([]Sheet, error) {
	players, err := o.seats(o.Game)
	if err != nil {
		return nil, err
	}
	list := calibration.ZonesFor(o.Game, players)
	if list == nil {
		return nil, &Error{"game", fmt.Sprintf("%s is played on a board; zones are for %s and %s", o.Game, table.FromageATrois, table.DiceCreams)}
	}
	plan := newSheet(o, w, true)
	const top, bottom = 24, 12
	high := plan.Height - top - bottom
	wide := min(plan.Width-2*12, high*4/3)
	x0 := (plan.Width - wide) / 2
	plan.write(plan.Width/2, 16, 6, true, "middle", ink, w.t("zones.title", "game", o.Game.Kit().Title))
	plan.rect(style{stroke: soft, width: hair}, x0, top, wide, high)
	sheets := []Sheet{plan}
	for _, z := range list {
		name := zoneName(w, z)
		p := &sheets[0]
		var outline []point
		var mid point
		for _, at := range z.Outline {
			outline = append(outline, point{x0 + at.X*wide, top + at.Y*high})
			mid.x += at.X / float64(len(z.Outline))
			mid.y += at.Y / float64(len(z.Outline))
		}
		p.polygon(style{stroke: ink, width: strong, dash: 3}, outline...)
		p.zoneSign(z, x0+mid.x*wide, top+mid.y*high-6, 12)
		p.write(x0+mid.x*wide, top+mid.y*high+12, 6, true, "middle", ink, name)

		mat := newSheet(o, w, true)
		mat.rounded(style{stroke: ink, width: 2, dash: 6}, 10, 10, mat.Width-20, mat.Height-20, 8)
		mat.zoneSign(z, 30, mat.Height-28, 18)
		mat.write(46, mat.Height-23, 13, true, "start", ink, name)
		sheets = append(sheets, mat)
	}
	return sheets, nil
}

func zoneName(w words, z calibration.Zone) string {
	return w.t("zone."+z.Kind, "n", z.Seat+1)
}

// zoneSign is a drawing that tells a zone without words.
func (s *Sheet) zoneSign(z calibration.Zone, x, y, size float64) {
	st := style{stroke: ink, width: strong}
	u := size / 10
	switch z.Kind {
	case calibration.ZoneShop: // an awning over a door
		s.polygon(style{fill: "#f3c53a", stroke: ink, width: strong}, point{x - 5*u, y - 4*u}, point{x + 5*u, y - 4*u}, point{x + 6*u, y - u}, point{x - 6*u, y - u})
		s.rect(st, x-4.5*u, y-u, 9*u, 6*u)
		s.rect(st, x-1.2*u, y+u, 2.4*u, 4*u)
	case calibration.ZoneCart: // a cart
		s.line(st, point{x - 6*u, y - 4*u}, point{x - 4*u, y - 4*u}, point{x - 2.5*u, y + 2*u}, point{x + 4*u, y + 2*u}, point{x + 5.5*u, y - 2.5*u}, point{x - 3.6*u, y - 2.5*u})
		s.circle(st, x-1.5*u, y+4*u, u)
		s.circle(st, x+3*u, y+4*u, u)
	case calibration.ZoneFridge: // a snowflake
		for i := range 3 {
			a, b := arc(x, y, 5*u, float64(i)*60, 0)[0], arc(x, y, 5*u, float64(i)*60+180, 0)[0]
			s.line(style{stroke: "#2c63b9", width: 1.4}, a, b)
		}
	case calibration.ZonePlace: // as many pips as the seat's number
		s.die(x, y, size, min(z.Seat+1, 6), white, ink)
	default:
		s.rounded(st, x-5*u, y-3*u, 10*u, 7*u, u)
	}
}
