package dicecreams

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// sampleDraws is how many of the millions of possible draws Legal names.
const sampleDraws = 12

// Legal lists the legal acts in the order of their notation. It is complete but for
// the dice that a turn begins with: of those there are too many.
func (s *State) Legal() ([]rules.Move, bool) {
	if s.over {
		return nil, true
	}
	var tries []Move
	complete := true
	if d := s.next(); d != nil {
		tries = s.dutyMoves(d)
	} else {
		switch s.phase {
		case drawing:
			complete = false
			for i := range uint64(sampleDraws) {
				tries = append(tries, s.Chance(rand.New(rand.NewPCG(uint64(s.turn), i))).(Move))
			}
		case drafting:
			tries = s.draftMoves()
		case melting:
			tries = append(tries, Move{Seat: rules.Player(s.lead), Kind: Melt, List: meltText(s.melt())})
		case cleaning:
			tries = s.cleanMoves()
		}
		tries = append(tries, s.spendMoves()...)
	}
	var moves []rules.Move
	for i := range tries {
		if len(s.check(&tries[i])) == 0 {
			moves = append(moves, tries[i])
		}
	}
	moves = rules.SortMoves(moves)
	return slices.CompactFunc(moves, func(a, b rules.Move) bool { return a == b }), complete
}

// dutyMoves lists what could fulfill a duty.
func (s *State) dutyMoves(d *duty) (tries []Move) {
	m := Move{Seat: rules.Player(d.seat), Kind: fulfills[d.kind]}
	switch d.kind {
	case mustReveal:
		m.Seat = rules.Nature
		for _, i := range s.revealable() {
			m.Card = s.box.Cards[i].ID
			tries = append(tries, m)
		}
	case mustRoll:
		m.Seat = rules.Nature
		for _, c := range scoring.Flavours {
			for f := 1; f <= 6; f++ {
				m.Die = table.Die{Color: c, Face: f}
				tries = append(tries, m)
			}
		}
	case mustGain:
		m.Count = d.count
		tries = append(tries, m)
	case mustSet:
		tries = s.placings(m, d.die)
		m.Card = Aside
		tries = append(tries, m)
	case mustServe:
		for _, i := range d.satisfied {
			m.List = s.box.Customers[i].ID
			tries = append(tries, m)
		}
	case mustAway:
		m.Card = s.box.Cards[d.card].ID
		tries = append(tries, m)
	case mustSecond:
		for _, list := range []string{None, s.box.Customers[d.customer].ID} {
			m.List = list
			tries = append(tries, m)
		}
	}
	return tries
}

// placings is m with every spot, and every change that can be paid for, for the die.
func (s *State) placings(m Move, die table.Die) (tries []Move) {
	pips := s.sprinkles[m.Seat]
	if !s.opt.onPlacing {
		pips = 0
	}
	for i := range s.creams {
		c := &s.creams[i]
		if c.place != displayed && (c.place != started || c.owner != int(m.Seat)) {
			continue
		}
		for spot := range spots {
			for v := max(1, die.Face-pips); v <= min(6, die.Face+pips); v++ {
				m.Card, m.Spot, m.Delta = s.box.Cards[i].ID, spot, v-die.Face
				tries = append(tries, m)
			}
		}
	}
	return tries
}

func (s *State) draftMoves() (tries []Move) {
	m := Move{Seat: rules.Player(s.drafter)}
	if s.picked {
		m.Kind = Done
		return []Move{m}
	}
	for _, d := range s.fridge {
		m.Die, m.Kind = d, Discard
		tries = append(tries, m)
		m.Kind = Take
		tries = append(tries, s.placings(m, d)...)
	}
	return tries
}

// spendMoves lists how Sprinkles could be spent, by whoever may.
func (s *State) spendMoves() (tries []Move) {
	for seat := range s.seats {
		if !s.mayChange(seat) {
			continue
		}
		if s.sprinkles[seat] >= 2 {
			tries = append(tries, Move{Seat: rules.Player(seat), Kind: Buy})
		}
		for _, l := range s.melt() {
			m := Move{Seat: rules.Player(seat), Kind: Bump, Card: l.Card, Spot: l.Spot}
			for v := max(1, l.Die.Face-s.sprinkles[seat]); v <= min(6, l.Die.Face+s.sprinkles[seat]); v++ {
				m.Delta = v - l.Die.Face
				tries = append(tries, m)
			}
		}
	}
	return tries
}

func (s *State) cleanMoves() []Move {
	tries := []Move{{Seat: rules.Player(s.lead), Kind: Clean, Next: rules.Player((s.lead + 1) % s.seats)}}
	for i := range s.creams {
		if c := &s.creams[i]; c.place == started {
			tries = append(tries, Move{Seat: rules.Player(c.owner), Kind: Toss, Card: s.box.Cards[i].ID})
		}
	}
	return tries
}

// Chance draws, rolls or reveals the way a shaken pouch, fair dice and a shuffled
// deck would; it is asked only while ToMove is Nature.
func (s *State) Chance(rng *rand.Rand) rules.Move {
	if d := s.next(); d != nil && d.kind == mustReveal {
		cards := s.revealable()
		return Move{Seat: rules.Nature, Kind: Reveal, Card: s.box.Cards[cards[rng.IntN(len(cards))]].ID}
	}
	if s.next() != nil {
		return Move{Seat: rules.Nature, Kind: Roll, Die: s.shake(1, rng)[0]}
	}
	dice := s.shake(s.drawCount(), rng)
	sortDice(dice)
	return Move{Seat: rules.Nature, Kind: Draw, List: diceText(dice)}
}

// sortDice orders dice by color, then by value.
func sortDice(dice []table.Die) {
	slices.SortFunc(dice, func(a, b table.Die) int {
		return cmp.Or(cmp.Compare(scoring.FlavourIndex(a.Color), scoring.FlavourIndex(b.Color)), cmp.Compare(a.Face, b.Face))
	})
}

func diceText(dice []table.Die) string {
	names := make([]string, len(dice))
	for i, d := range dice {
		names[i] = dieText(d)
	}
	return strings.Join(names, ",")
}

// shake draws n dice and rolls them, refilling the pouch when it is empty; fewer
// only where there are no more.
func (s *State) shake(n int, rng *rand.Rand) (dice []table.Die) {
	pouch, aside := s.pouch, s.aside
	for range n {
		if pouch == [5]int{} {
			pouch, aside = aside, pouch
		}
		total := 0
		for _, k := range pouch {
			total += k
		}
		if total == 0 {
			break
		}
		pick := rng.IntN(total)
		for i := range pouch {
			if pick < pouch[i] {
				pouch[i]--
				dice = append(dice, table.Die{Color: scoring.Flavours[i], Face: 1 + rng.IntN(6)})
				break
			}
			pick -= pouch[i]
		}
	}
	return dice
}
