package calibration

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"diceref/table"
)

// The kinds of zones: what dice that lie in one are to a game.
const (
	ZoneShop   = "shop"   // the Cheese Shop: dice that nobody has
	ZoneCart   = "cart"   // the Shopping Cart: the dice rolled in this turn
	ZoneFridge = "fridge" // the Fridge: dice to be drafted
	ZonePlace  = "place"  // a player's own dice; Seat says whose
	ZoneCards  = "cards"  // the cards in the middle
	ZoneSupply = "supply" // dice set aside
	ZoneTray   = "tray"   // where dice are rolled
)

var zoneKinds = map[string]bool{
	ZoneShop: true, ZoneCart: true, ZoneFridge: true, ZonePlace: true, ZoneCards: true, ZoneSupply: true, ZoneTray: true,
}

// Zone is a part of the table with a name, such as a player's place. For a game
// with a grid its outline is in squares (the grid itself spans 0 to 5); for one
// without, in fractions of the picture's width and height (0 to 1).
type Zone struct {
	Name    string
	Kind    string // one of the Zone constants; empty: only a name
	Seat    int    // whose it is, from 0 in turn order; ZonePlace and ZoneCart alone
	Outline []table.Point
}

// zoneJSON is a zone in a file. Fractions need more digits than pixels do.
type zoneJSON struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind,omitempty"`
	Seat    int          `json:"seat"`
	Outline [][2]float64 `json:"outline"`
}

// MarshalJSON writes the zone with corners as [x,y], to four digits after the point.
func (z Zone) MarshalJSON() ([]byte, error) {
	const digits = 1e4
	v := zoneJSON{Name: z.Name, Kind: z.Kind, Seat: z.Seat, Outline: make([][2]float64, len(z.Outline))}
	for i, p := range z.Outline {
		v.Outline[i] = [2]float64{math.Round(p.X*digits) / digits, math.Round(p.Y*digits) / digits}
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (z *Zone) UnmarshalJSON(b []byte) error {
	var v zoneJSON
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("calibration: cannot read a zone: %w", err)
	}
	*z = Zone{Name: v.Name, Kind: v.Kind, Seat: v.Seat}
	for _, c := range v.Outline {
		z.Outline = append(z.Outline, table.Point{X: c[0], Y: c[1]})
	}
	return nil
}

// Holds says whether a place is in the zone (even-odd rule).
func (z *Zone) Holds(p table.Point) bool {
	in := false
	for i, a := range z.Outline {
		b := z.Outline[(i+1)%len(z.Outline)]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y) {
			in = !in
		}
	}
	return in
}

// Area is what the outline encloses, in the outline's own unit.
func (z *Zone) Area() float64 {
	sum := 0.0
	for i, a := range z.Outline {
		b := z.Outline[(i+1)%len(z.Outline)]
		sum += a.X*b.Y - b.X*a.Y
	}
	return math.Abs(sum) / 2
}

// ZoneOf is the index of the zone that holds a place, -1 if none does. Where zones
// overlap the smaller one has it.
func ZoneOf(zones []Zone, at table.Point) int {
	found := -1
	for i := range zones {
		if zones[i].Holds(at) && (found < 0 || zones[i].Area() < zones[found].Area()) {
			found = i
		}
	}
	return found
}

// ZoneAt names the zone that holds what a pixel shows at a height above the grid
// (in squares); "" where none does. It is for games with a grid.
func (p *Profile) ZoneAt(pixel table.Point, height float64) string {
	x, y, ok := p.Camera.Place(pixel, height)
	if i := ZoneOf(p.Zones, table.Point{X: x, Y: y}); ok && i >= 0 {
		return p.Zones[i].Name
	}
	return ""
}

// mostZones bounds what is read from a file or from the page.
const (
	mostZones   = 64
	mostCorners = 256
)

func (p *Profile) checkZones() error {
	if len(p.Zones) > mostZones {
		return fmt.Errorf("calibration: %d zones are too many (at most %d)", len(p.Zones), mostZones)
	}
	if err := checkOutlines(p.Zones, p.gridded()); err != nil {
		return err
	}
	named := map[string]bool{}
	for _, z := range p.Zones {
		if named[z.Name] {
			return fmt.Errorf("calibration: two zones are called %q: give each a different name", z.Name)
		}
		named[z.Name] = true
	}
	return nil
}

func checkOutlines(zones []Zone, gridded bool) error {
	for _, z := range zones {
		switch {
		case z.Name == "" || len(z.Outline) < 3 || len(z.Outline) > mostCorners:
			return fmt.Errorf("calibration: zone %q needs a name and at least three corners", z.Name)
		case z.Kind != "" && !zoneKinds[z.Kind]:
			return fmt.Errorf("calibration: zone %q is of unknown kind %q (expected shop, cart, fridge, place, cards, supply or tray)", z.Name, z.Kind)
		case z.Seat < 0 || z.Seat >= maxSeats:
			return fmt.Errorf("calibration: zone %q is of seat %d (expected 0 to %d)", z.Name, z.Seat, maxSeats-1)
		}
		for _, q := range z.Outline {
			if math.IsNaN(q.X+q.Y) || math.IsInf(q.X+q.Y, 0) {
				return fmt.Errorf("calibration: zone %q has a corner that is not a place", z.Name)
			}
			if !gridded && (q.X < 0 || q.X > 1 || q.Y < 0 || q.Y > 1) {
				return fmt.Errorf("calibration: zone %q is outside the picture at [%g,%g]: corners are fractions of its width and height, from 0 to 1", z.Name, q.X, q.Y)
			}
		}
	}
	return nil
}

const maxSeats = 8

// CheckZones says what keeps these zones from telling a game's table: one that is
// missing, of no kind or of no size, or two that overlap, so that nobody knows in which of
// them a die lies. One may lie within another. A game that needs no zones takes any.
func CheckZones(game table.Game, players int, zones []Zone) error {
	p := Profile{Game: game, Zones: zones}
	if err := p.checkZones(); err != nil {
		return err
	}
	if ZonesFor(game, players) != nil {
		if err := checkApart(zones); err != nil {
			return err
		}
	}
	for _, want := range ZonesFor(game, players) {
		if !needed[want.Kind] {
			continue
		}
		found := false
		for _, z := range zones {
			found = found || z.Kind == want.Kind && (z.Seat == want.Seat || want.Kind != ZonePlace)
		}
		if !found {
			return fmt.Errorf("calibration: %s needs a zone %q of kind %s: draw it in the set-up", game.Kit().Title, want.Name, want.Kind)
		}
	}
	return nil
}

// checkApart says which zone is no part of a table, or which two overlap.
func checkApart(zones []Zone) error {
	const (
		least  = 1e-4 // of the picture
		little = 0.06 // of a zone: hands draw no better
	)
	for i := range zones {
		z := &zones[i]
		if z.Kind == "" {
			return fmt.Errorf("calibration: zone %q has no kind (expected shop, cart, fridge, place, cards, supply or tray)", z.Name)
		}
		if z.Area() < least {
			return fmt.Errorf("calibration: zone %q has no area: give its corners in order, going around it", z.Name)
		}
		for k := range zones[:i] {
			small, big := &zones[k], z
			if small.Area() > big.Area() {
				small, big = big, small
			}
			if share := small.within(big); share > little && share < 1-little {
				return fmt.Errorf("calibration: zones %q and %q overlap: draw them apart, or one inside the other", small.Name, big.Name)
			}
		}
	}
	return nil
}

// within is the share of the zone that is in another one, from 0 to 1.
func (z *Zone) within(other *Zone) float64 {
	const steps = 40 // in each direction
	low, high := z.Outline[0], z.Outline[0]
	for _, c := range z.Outline {
		low = table.Point{X: min(low.X, c.X), Y: min(low.Y, c.Y)}
		high = table.Point{X: max(high.X, c.X), Y: max(high.Y, c.Y)}
	}
	all, both := 0, 0
	for i := range steps * steps {
		at := table.Point{
			X: low.X + (high.X-low.X)*(float64(i%steps)+0.5)/steps,
			Y: low.Y + (high.Y-low.Y)*(float64(i/steps)+0.5)/steps,
		}
		if z.Holds(at) {
			all++
			if other.Holds(at) {
				both++
			}
		}
	}
	return float64(both) / float64(max(1, all))
}

// needed are the kinds of zones without which nothing can be concluded.
var needed = map[string]bool{ZoneCart: true, ZoneFridge: true, ZonePlace: true}

// ZonesFor lists the zones that a game needs, in a layout to begin with: the middle
// across the picture, seat 0 at its lower edge, the others clockwise around it.
//
//	Fromage á Trois   shop, cart, and a place for each player
//	DiceCreams!       fridge, supply (dice set aside), and a place for each player
//
// nil for games whose board tells places.
func ZonesFor(game table.Game, players int) []Zone {
	switch game {
	case table.FromageATrois:
		return append([]Zone{
			{Name: "shop", Kind: ZoneShop, Outline: box(0.01, 0.31, 0.56, 0.69)},
			{Name: "cart", Kind: ZoneCart, Outline: box(0.58, 0.31, 0.99, 0.69)},
		}, places(players)...)
	case table.DiceCreams:
		return append([]Zone{
			{Name: "fridge", Kind: ZoneFridge, Outline: box(0.01, 0.31, 0.60, 0.69)},
			{Name: "set aside", Kind: ZoneSupply, Outline: box(0.62, 0.31, 0.99, 0.69)},
		}, places(players)...)
	}
	return nil
}

// places lays the players around the middle, clockwise from the lower edge's right end.
func places(players int) []Zone {
	lower := max(1, players/2)
	upper := players - lower
	var list []Zone
	for seat := range players {
		z := Zone{Name: "place " + strconv.Itoa(seat+1), Kind: ZonePlace, Seat: seat}
		if seat < lower {
			z.Outline = share(lower-1-seat, lower, 0.71, 0.99)
		} else {
			z.Outline = share(seat-lower, upper, 0.01, 0.29)
		}
		list = append(list, z)
	}
	return list
}

// share is the i-th of n equal parts of a strip across the picture.
func share(i, n int, top, bottom float64) []table.Point {
	const gap = 0.01
	return box(float64(i)/float64(n)+gap, top, float64(i+1)/float64(n)-gap, bottom)
}

func box(left, top, right, bottom float64) []table.Point {
	return []table.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
}
