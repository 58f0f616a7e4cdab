package rules

import (
	"math/bits"

	"diceref/table"
)

// patcher makes the views that stories may begin from: some of the differences
// between the expected board and the seen one are taken at face value, the others
// for misreadings.
type patcher struct {
	want    Board
	read    Board
	by      [table.Size * table.Size]*table.Reading
	seen    table.Observation
	changes []int // squares that differ
}

// mostChanges is how many differences are looked at one by one; with more, only all of them together.
const mostChanges = 4

func newPatcher(want Board, seen table.Observation) *patcher {
	p := &patcher{want: want, read: SeenBoard(seen), seen: seen}
	for i := range seen.Dice {
		if r := &seen.Dice[i]; r.Square != nil && r.Square.On() && p.read[r.Square.Index()] == r.Die {
			p.by[r.Square.Index()] = r
		}
	}
	for i := range want {
		if p.want[i] != p.read[i] {
			p.changes = append(p.changes, i)
		}
	}
	return p
}

// parts are the sets of differences to take at face value, as bits over changes.
func (p *patcher) parts() []uint {
	n := len(p.changes)
	if n == 0 || n > mostChanges {
		return nil // all together is what was read; that has been looked at
	}
	var list []uint
	for part := uint(1); part < 1<<n; part++ {
		list = append(list, part)
	}
	return list
}

// views are the observation with only that part of the differences: as read, and
// with each die of it read in its next likely ways, or as none.
func (p *patcher) views(part uint) []table.Observation {
	b := p.want
	for rest := part; rest != 0; rest &= rest - 1 {
		i := p.changes[bits.TrailingZeros(rest)]
		b[i] = p.read[i]
	}
	list := []table.Observation{p.view(b)}
	for rest := part; rest != 0; rest &= rest - 1 {
		i := p.changes[bits.TrailingZeros(rest)]
		if p.by[i] == nil {
			continue
		}
		others := likely(p.by[i], p.seen.Game)
		if !p.by[i].Sure && p.want[i].Color != table.NoColor {
			others = append(others, table.Die{}) // its die has gone, and what is read is printed there
		}
		for _, d := range others {
			if d != b[i] && d != p.want[i] {
				other := b
				other[i] = d
				list = append(list, p.view(other))
			}
		}
	}
	return list
}

// whole is the observation as it was read.
func (p *patcher) whole() table.Observation { return p.seen }

// view is an observation with that board and what was read beside it.
func (p *patcher) view(b Board) table.Observation {
	v := p.seen
	v.Dice = nil
	for i, d := range b {
		if d.Color != table.NoColor {
			sq := table.SquareAt(i)
			v.Dice = append(v.Dice, table.Reading{Die: d, Square: &sq, Confidence: 1, Sure: true})
		}
	}
	for _, r := range p.seen.Dice {
		if r.Square == nil {
			v.Dice = append(v.Dice, r)
		}
	}
	return v
}

// likely lists other dice of the game that a reading may really be of, by face and by color.
func likely(r *table.Reading, g table.Game) []table.Die {
	var list []table.Die
	kit := g.Kit()
	for f := 1; f <= 6; f++ {
		if d := (table.Die{Color: r.Color, Face: f}); d != r.Die && r.Face != 0 && unlike(r, d) < priceMost {
			list = append(list, d)
		}
	}
	for _, c := range table.Colors {
		if _, has := kit.Dice[c]; has && c != r.Color {
			d := table.Die{Color: c, Face: r.Face}
			if (c == kit.Blast) == (r.Face == 0) && unlike(r, d) < priceMost {
				list = append(list, d)
			}
		}
	}
	return list
}
