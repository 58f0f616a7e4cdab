package tableplan

import (
	"math"

	"diceref/calibration"
	"diceref/match/internal/readings"
	"diceref/table"
)

// The picture that all of the table is in, seen from above, in pixels, and millimeters of the table in a pixel.
const (
	Width, Height = 1200, 900
	Scale         = 0.5
)

// At is where a point of the table is in the picture; the table's are millimeters from its middle.
func At(x, y float64) table.Point {
	return table.Point{X: Width/2 + x/Scale, Y: Height/2 - y/Scale}
}

// Drawn is the zones of the table as somebody would have drawn them in the picture.
func (p *Plan) Drawn() (zones []calibration.Zone) {
	for _, z := range p.Zones {
		c := calibration.Zone{Name: z.Name, Kind: z.Kind}
		if z.Seat != nil {
			c.Seat = *z.Seat
		}
		for _, k := range [4][2]float64{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
			at := At(z.X+k[0]*z.W/2, z.Y+k[1]*z.H/2)
			c.Outline = append(c.Outline, table.Point{X: at.X / Width, Y: at.Y / Height})
		}
		zones = append(zones, c)
	}
	return zones
}

// Seen is a picture of each step, as a reader tells it that errs in nothing.
func (p *Plan) Seen() (views []table.Observation) {
	for i, s := range p.Steps {
		o := table.Observation{Game: p.Game, Frame: i, T: float64(i), Width: Width, Height: Height, Look: table.LookStill, Read: true, Posed: true}
		for k, pose := range s.Dice {
			if pose != nil && !under(s.Hand, pose) {
				o.Dice = append(o.Dice, readings.Sure(table.Die{Color: p.Dice[k].Color, Face: int(pose[3])}, nil, At(pose[0], pose[1])))
			}
		}
		views = append(views, o)
	}
	return views
}

// under says whether a hand hides a die: its finger tip, or the arm behind it.
func under(hand, pose []float64) bool {
	const wide = 22.0 // millimeters to either side
	if hand == nil {
		return false
	}
	sin, cos := math.Sincos(hand[2] * math.Pi / 180)
	dx, dy := pose[0]-hand[0], pose[1]-hand[1]
	return dx*cos+dy*sin > -wide && math.Abs(dy*cos-dx*sin) < wide
}
