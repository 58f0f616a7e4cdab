package dicecreams

import (
	"encoding/binary"
	"slices"
	"strconv"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Fridge is the dice on the Fridge.
func (s *State) Fridge() []table.Die { return slices.Clone(s.fridge) }

// Unseen counts the dice on the Fridge, beyond those, that were drawn and not seen.
func (s *State) Unseen() int { return len(s.unseen) }

// Placed is the dice on a player's unfinished IceCreams.
func (s *State) Placed(p rules.Player) []table.Die {
	dice, _ := s.placedOn(int(p))
	return dice
}

// placedOn is those dice, and the number of the spot of each.
func (s *State) placedOn(p int) (dice []table.Die, on []int) {
	dice, on = []table.Die{}, []int{}
	for i := range s.creams {
		c := &s.creams[i]
		if c.place != started || c.owner != p {
			continue
		}
		for k, d := range c.dice {
			if d.Color != table.NoColor {
				dice, on = append(dice, d), append(on, i*spots+k)
			}
		}
	}
	return dice, on
}

// Aside counts the dice set aside by color, in the order of scoring.Flavours.
func (s *State) Aside() [5]int { return s.aside }

// Hazy counts the dice set aside beyond those: nobody knows their colors.
func (s *State) Hazy() int { return s.hazy }

// Drawn is the die that was drawn and is still to be placed.
func (s *State) Drawn() (table.Die, bool) {
	if d := s.next(); d != nil && d.kind == mustSet {
		return d.die, true
	}
	return table.Die{}, false
}

// Players is how many play.
func (s *State) Players() int { return s.seats }

// Lead is who has the first player token.
func (s *State) Lead() rules.Player { return rules.Player(s.lead) }

// Drafter is whose draft step it is, and whether it is the time for one.
func (s *State) Drafter() (who rules.Player, now bool) {
	return rules.Player(s.drafter), s.phase == drafting
}

// Sprinkles is how many a player has.
func (s *State) Sprinkles(p rules.Player) int { return s.sprinkles[p] }

// DrawCount is how many dice a turn begins with.
func (s *State) DrawCount() int { return s.drawCount() }

// Due is the kind of the act that must come first, if one must.
func (s *State) Due() (k Kind, by rules.Player, must bool) {
	d := s.next()
	if d == nil {
		return 0, rules.Nobody, false
	}
	return fulfills[d.kind], rules.Player(d.seat), true
}

// Drawing says whether the Fridge is to be filled.
func (s *State) Drawing() bool { return s.phase == drawing && s.next() == nil }

// Forced is the act that must come next, leaves no choice and changes no die: the
// Sprinkles of a bonus, or the token on the only Customer who is satisfied. nil: none.
func (s *State) Forced() rules.Move {
	d := s.next()
	switch {
	case s.over || d == nil:
	case d.kind == mustGain, d.kind == mustServe && len(d.satisfied) == 1:
		return s.dutyMoves(d)[0]
	}
	return nil
}

// Spots lists how a die may be placed by who is to place it, by a Take of the Fridge
// or as the drawn die, with so many pips bought. Spots of one card that are alike count once.
func (s *State) Spots(kind Kind, die table.Die, delta int) (moves []Move) {
	seat := s.drafter
	if d := s.next(); d != nil {
		seat = d.seat
	}
	m := Move{Seat: rules.Player(seat), Kind: kind, Delta: delta}
	if kind == Take {
		m.Die = die
	}
	for i := range s.creams {
		c, card := &s.creams[i], &s.box.Cards[i]
		if c.place != displayed && (c.place != started || c.owner != seat) {
			continue
		}
		for spot := range spots {
			m.Card, m.Spot = card.ID, spot
			alike := func(o Move) bool {
				return !s.opt.inOrder && o.Card == card.ID && card.Spots[o.Spot] == card.Spots[spot]
			}
			if len(s.check(&m)) == 0 && !slices.ContainsFunc(moves, alike) {
				moves = append(moves, m)
			}
		}
	}
	return moves
}

// Open lists the spots of a player's IceCreams on which a die of that color could lie,
// whoever's turn it is; where no color fits, any that is empty. Spots of one card that are
// alike count once.
func (s *State) Open(p rules.Player, color table.Color) (spotsOpen []Move) {
	for _, anyColor := range []bool{false, true} {
		for i := range s.creams {
			c := &s.creams[i]
			if c.place != started || c.owner != int(p) {
				continue
			}
			for spot, d := range c.dice {
				card := &s.box.Cards[i]
				alike := func(o Move) bool { return o.Card == card.ID && card.Spots[o.Spot] == card.Spots[spot] }
				want := card.Spots[spot].Color
				if d.Color == table.NoColor && (anyColor || want == table.NoColor || want == color) && !slices.ContainsFunc(spotsOpen, alike) {
					spotsOpen = append(spotsOpen, Move{Seat: p, Card: card.ID, Spot: spot})
				}
			}
		}
		if len(spotsOpen) > 0 {
			break
		}
	}
	return spotsOpen
}

// Melting lists every placed die in the notation of Melt ("mint-1.0"), with its owner
// and what it becomes (0: it goes); nothing where it is not the time to melt.
func (s *State) Melting() (list []Melted) {
	if s.phase != melting || s.over || s.next() != nil {
		return nil
	}
	for _, l := range s.melt() {
		list = append(list, Melted{Owner: rules.Player(l.Owner), Card: l.Card, Spot: l.Spot, Die: l.Die, After: l.After})
	}
	return list
}

// Melted is a placed die and what melting makes of it.
type Melted struct {
	Owner rules.Player
	Card  string
	Spot  int
	Die   table.Die
	After int // 0: it goes to the dice set aside
}

// MeltOf is the act of melting with what the dice show afterwards.
func (s *State) MeltOf(list []Melted) Move {
	lines := make([]meltLine, len(list))
	for i, l := range list {
		lines[i] = meltLine{Card: l.Card, Spot: l.Spot, After: l.After}
	}
	return Move{Seat: rules.Player(s.lead), Kind: Melt, List: meltText(lines)}
}

// DrawOf is the act of drawing these dice, in the order of their colors and values.
func DrawOf(dice []table.Die) Move {
	dice = slices.Clone(dice)
	sortDice(dice)
	return Move{Seat: rules.Nature, Kind: Draw, List: diceText(dice)}
}

// Full says whether a move would put the third die on its IceCream.
func (s *State) Full(m Move) bool {
	i := s.cardIndex(m.Card)
	if i < 0 || s.creams[i].place != started {
		return false
	}
	empty := 0
	for _, d := range s.creams[i].dice {
		if d.Color == table.NoColor {
			empty++
		}
	}
	return empty == 1
}

// IsFlavour says whether dice of that color belong to the game.
func IsFlavour(c table.Color) bool { return scoring.FlavourIndex(c) >= 0 }

// Bumps lists the acts that change a placed die which shows this by so many pips, one
// for each spot where such a die of the player lies.
func (s *State) Bumps(p rules.Player, die table.Die, delta int) (moves []Move) {
	for i := range s.creams {
		c := &s.creams[i]
		if c.place != started || c.owner != int(p) {
			continue
		}
		for spot, d := range c.dice {
			if d == die {
				moves = append(moves, Move{Seat: p, Kind: Bump, Card: s.box.Cards[i].ID, Spot: spot, Delta: delta})
			}
		}
	}
	return moves
}

// Key is the same for two positions of a match only if they are the same.
func (s *State) Key() string {
	const usual = 300 // bytes
	b := make([]byte, 0, usual)
	put := func(list ...int) {
		for _, n := range list {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	dice := func(list []table.Die) {
		put(len(list))
		for _, d := range list {
			put(int(d.Color), d.Face)
		}
	}
	put(int(s.phase), s.turn, s.lead, s.drafter, s.hazy, s.tossed, s.supply)
	b = strconv.AppendBool(strconv.AppendBool(strconv.AppendBool(b, s.picked), s.ending), s.over)
	put(s.pouch[:]...)
	put(s.aside[:]...)
	put(s.pouring[:]...)
	put(s.sprinkles[:]...)
	dice(s.fridge)
	dice(s.unseen)
	for i := range s.creams {
		c := &s.creams[i]
		if put(int(c.place)); c.place != inDeck {
			put(c.owner, c.order)
			dice(c.dice[:])
		}
	}
	for _, seats := range s.tokens {
		put(len(seats))
		for _, seat := range seats {
			put(int(seat))
		}
	}
	for _, d := range s.todo {
		put(int(d.kind), d.seat, d.count, d.card, d.customer, int(d.die.Color), d.die.Face, len(d.bonus), len(d.satisfied))
		put(d.satisfied...)
		b = append(b, d.bonus...)
	}
	return string(b)
}
