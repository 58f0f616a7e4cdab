package tableplan

import (
	"fmt"
	"math/rand/v2"

	"diceref/table"
)

// Sizes on the table, in millimeters. The origin is its middle, y points away from seat A.
const (
	dieSize = 16.0
	pitch   = 25.0 // from die to die: even turned ones do not touch
)

// zone is a part of the table, an upright rectangle around (X, Y).
type zone struct {
	Name  string       `json:"name"`
	Kind  string       `json:"kind"`
	Seat  *int         `json:"seat,omitempty"`
	X     float64      `json:"x"`
	Y     float64      `json:"y"`
	W     float64      `json:"w"`
	H     float64      `json:"h"`
	Slots [][2]float64 `json:"slots,omitempty"` // where dice are put, if they are marked
	slots [][2]float64
}

// rows makes a zone that holds dice in so many columns and rows.
func rows(name, kind string, x, y float64, cols, lines int) *zone {
	z := &zone{Name: name, Kind: kind, X: x, Y: y, W: float64(cols)*pitch + 8, H: float64(lines)*pitch + 8}
	for l := range lines {
		for c := range cols {
			z.slots = append(z.slots, [2]float64{x + (float64(c)-float64(cols-1)/2)*pitch, y + (float64(l)-float64(lines-1)/2)*pitch})
		}
	}
	return z
}

// of says whose zone it is.
func (z *zone) of(seat int) *zone {
	z.Seat = &seat
	return z
}

// piece is a die on the table, or off it where zone is empty.
type piece struct {
	color     table.Color
	left      bool // its chirality
	zone      string
	slot      int
	face      int
	x, y, yaw float64
	turns     int // quarter turns of the face
}

// wish is a die that should be in a zone: NoColor, 0 and -1 say that color, face
// or slot do not matter.
type wish struct {
	color table.Color
	face  int
	slot  int
}

// tabletop is the table with all its dice.
type tabletop struct {
	rng    *rand.Rand
	zones  []*zone
	pieces []*piece
}

func (t *tabletop) zone(name string) *zone {
	for _, z := range t.zones {
		if z.Name == name {
			return z
		}
	}
	panic("no zone " + name)
}

// lay brings the dice to where they should be, moving as few as it can. Zones that
// are not named are emptied; dice for which nobody wishes leave the table.
func (t *tabletop) lay(wishes map[string][]wish) {
	used := map[*piece]bool{}
	open := map[string][]wish{}
	fits := func(p *piece, w wish) bool {
		return (w.color == table.NoColor || w.color == p.color) && (w.face == 0 || w.face == p.face)
	}
	for _, z := range t.zones {
		for _, w := range wishes[z.Name] {
			p := t.find(used, func(p *piece) bool {
				return p.zone == z.Name && fits(p, w) && (w.slot < 0 || w.slot == p.slot)
			})
			if p == nil && w.slot >= 0 { // turned where it lies
				p = t.find(used, func(p *piece) bool { return p.zone == z.Name && p.slot == w.slot && p.color == w.color })
			}
			if p == nil {
				open[z.Name] = append(open[z.Name], w)
				continue
			}
			used[p] = true
			if w.face != 0 && p.face != w.face {
				p.face = w.face
				t.nudge(p)
			}
		}
	}
	for _, p := range t.pieces {
		if !used[p] {
			p.slot = -1 // in somebody's hand
		}
	}
	for _, z := range t.zones {
		for _, w := range open[z.Name] {
			p := t.find(used, func(p *piece) bool { return p.zone != "" && fits(p, w) })
			if p == nil {
				p = t.find(used, func(p *piece) bool { return w.color == table.NoColor || w.color == p.color })
			}
			if p == nil {
				panic(fmt.Sprintf("no die left for %v in %s", w, z.Name))
			}
			used[p] = true
			t.put(p, z, w)
		}
	}
	for _, p := range t.pieces {
		if !used[p] {
			p.zone = ""
		}
	}
}

// find picks any die that is not used yet and is like that.
func (t *tabletop) find(used map[*piece]bool, like func(*piece) bool) *piece {
	first := t.rng.IntN(len(t.pieces))
	for i := range t.pieces {
		if p := t.pieces[(first+i)%len(t.pieces)]; !used[p] && like(p) {
			return p
		}
	}
	return nil
}

func (t *tabletop) put(p *piece, z *zone, w wish) {
	taken := map[int]bool{}
	for _, q := range t.pieces {
		if q.zone == z.Name {
			taken[q.slot] = true
		}
	}
	slot := w.slot
	for slot < 0 || taken[slot] {
		slot = t.rng.IntN(len(z.slots))
	}
	p.zone, p.slot = z.Name, slot
	if w.face != 0 {
		p.face = w.face
	}
	at := z.slots[slot]
	p.x, p.y = at[0], at[1]
	t.nudge(p)
}

// nudge leaves a die a little askew, as hands do.
func (t *tabletop) nudge(p *piece) {
	z := t.zone(p.zone)
	at := z.slots[p.slot]
	p.x, p.y = at[0]+t.rng.NormFloat64()*0.8, at[1]+t.rng.NormFloat64()*0.8
	p.turns = t.rng.IntN(4)
	p.yaw = t.rng.NormFloat64() * 9
	if z.Seat == nil {
		p.yaw = t.rng.Float64() * 90 // rolled or pushed about
	}
}

// pose is a die in a picture: x, y, degrees, face, quarter turns; nil: not on the table.
func (p *piece) pose() []float64 {
	if p.zone == "" {
		return nil
	}
	round := func(v float64) float64 { return float64(int(v*100)) / 100 }
	return []float64{round(p.x), round(p.y), round(p.yaw), float64(p.face), float64(p.turns)}
}
