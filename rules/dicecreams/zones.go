package dicecreams

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The game by zones: the Fridge, each player's place with what is on their IceCreams, the dice set aside, and a tray in which drawn
// dice are rolled. On which card of a place a die lies no zone tells. Cards that are revealed are said.
var (
	fridgeZone = rules.Zone{Kind: "fridge"}
	asideZone  = rules.Zone{Kind: "supply"}
	trayZone   = rules.Zone{Kind: "tray"}
)

// Zone implements rules.Zoned.
func (s *State) Zone(kind string, seat int) (rules.Zone, bool) {
	switch kind {
	case fridgeZone.Kind, asideZone.Kind, trayZone.Kind:
		return rules.Zone{Kind: kind}, true
	}
	return rules.PlaceIn(kind, seat, s.seats)
}

// Piles implements rules.Zoned.
func (s *State) Piles() []rules.Pile {
	const colors, kinds = 5, 30
	list := append(make([]rules.Pile, 0, s.seats+3), rules.Pile{At: fridgeZone, Dice: s.Fridge(), Kinds: kinds, Plain: true})
	for p := range s.seats {
		dice, on := s.placedOn(p)
		list = append(list, rules.Pile{At: rules.Place(p), Dice: dice, Kinds: kinds, Plain: true, Spots: on})
	}
	tray := rules.Pile{At: trayZone, Kinds: kinds, Plain: true}
	if d, waits := s.Drawn(); waits {
		tray.Dice = []table.Die{d}
	}
	aside := rules.Pile{At: asideZone, Heap: true, Kinds: colors}
	for i, n := range s.aside {
		aside.Dice = append(aside.Dice, slices.Repeat([]table.Die{{Color: scoring.Flavours[i]}}, n)...)
	}
	aside.Dice = append(aside.Dice, make([]table.Die, s.hazy)...)
	return append(list, tray, aside)
}

// Final implements rules.Zoned.
func (s *State) Final(last rules.Move) bool {
	m, ok := last.(Move)
	return ok && (m.Seat == rules.Nature && m.Kind != Reveal && m.Kind != Find || m.Kind == Clean)
}

// Learns implements rules.Learned.
func (m Move) Learns() bool { return m.Kind == Find }

// Known implements rules.Knower: who takes a die has seen it.
func (s *State) Known(said rules.Move) rules.Move {
	m, ok := said.(Move)
	if !ok || m.Kind != Take && m.Kind != Discard || len(s.unseen) == 0 || slices.Contains(s.fridge, m.Die) {
		return nil
	}
	return Move{Seat: rules.Nature, Kind: Find, Die: m.Die}
}

// Guessed implements rules.Guesser: of a die that was not seen when it was drawn, and that went away before anybody looked, at most the
// color shows.
func (s *State) Guessed(line []rules.Move) (rules.Guess, table.Die) {
	for i, mv := range line {
		take, ok := mv.(Move)
		if !ok || take.Kind != Take && take.Kind != Discard || !slices.Contains(line[:i], rules.Move(Move{Seat: rules.Nature, Kind: Find, Die: take.Die})) {
			continue
		}
		gone := func(mv rules.Move) bool { m, ok := mv.(Move); return ok && m.Kind == Away && m.Card == take.Card }
		if take.Kind == Discard || slices.ContainsFunc(line[i:], gone) {
			return rules.GuessedDie, take.Die
		}
	}
	return rules.NoGuess, table.Die{}
}

// Elsewhere implements rules.Placer.
func (s *State) Elsewhere(a, b rules.Move) bool {
	x, ok := a.(Move)
	y, is := b.(Move)
	return ok && is && x.Kind == y.Kind && x.Seat == y.Seat && x.Die == y.Die && (x.Card != y.Card || x.Spot != y.Spot)
}

// Turned implements rules.Placer.
func (s *State) Turned(a, b rules.Move) bool {
	x, ok := a.(Move)
	y, is := b.(Move)
	x.Top, x.Delta = y.Top, y.Delta
	return ok && is && (x.Kind == Take || x.Kind == Set) && x == y
}

// How likely acts are among those that the rules allow, or do not allow.
const (
	discards = .1
	dones    = .8
	bumps    = .03 // each pip
	buys     = .03
	mistake  = .1  // one certain act against the rules
	another  = .02 // drawn die is not seen, too
	mismelts = .4  // a die melts wrongly: every die of everybody is to be turned
)

// proposal is what may be done next by what is seen.
type proposal struct {
	*State
	seen       *rules.Spread
	gone, come [][]table.Die // of each zone: of the Fridge, then of the places
	list       []rules.Likely
	short      bool // not all dice are seen that ought to be
}

// May implements rules.Zoned.
func (s *State) May(seen *rules.Spread) []rules.Likely {
	if s.over {
		return nil
	}
	p := &proposal{State: s, seen: seen}
	all := 0
	for _, pile := range s.Piles() {
		if seen.Drawn[pile.At] {
			all += len(pile.Dice)
		}
	}
	p.short = all > seen.Total
	p.changed(fridgeZone, s.fridge)
	for i := range s.seats {
		p.changed(rules.Place(i), s.Placed(rules.Player(i)))
	}
	switch d := s.next(); {
	case d != nil && d.kind == mustRoll:
		p.rolls(d.seat)
	case d != nil && d.kind == mustSet:
		p.placings(Move{Seat: rules.Player(d.seat), Kind: Set}, d.die, 0)
		p.add(Move{Seat: rules.Player(d.seat), Kind: Set, Card: Aside}, 0)
	case d != nil && d.kind == mustReveal: // that is said
	case d != nil:
		moves := s.dutyMoves(d)
		for _, m := range moves {
			p.add(m, -math.Log(float64(len(moves))))
		}
	case s.phase == drawing:
		p.draws()
	default:
		p.spends()
		p.turns()
		p.breaches()
	}
	if s.Unseen() > 0 {
		p.learns()
	}
	return p.list
}

func (p *proposal) add(mv Move, log float64) {
	if !slices.ContainsFunc(p.list, func(l rules.Likely) bool { return l.Move == rules.Move(mv) }) {
		p.list = append(p.list, rules.Likely{Move: mv, Log: log, Routine: mv.Kind == Done || mv.Kind == Melt || mv.Kind == Clean || mv.Kind == Away})
	}
}

// changed notes what has gone from a zone and come to it. A die may have gone although a doubtful reading is like it, and have come as
// whatever a doubtful reading may be.
func (p *proposal) changed(at rules.Zone, was []table.Die) {
	gone, rest := slices.Clone(was), slices.Clone(was)
	var come []table.Die
	for _, r := range p.seen.Out { // it may belong to any zone
		for _, d := range rules.MayBe(&r) {
			if IsFlavour(d.Color) && d.Face > 0 && !slices.Contains(come, d) {
				come = append(come, d)
			}
		}
	}
	for _, r := range p.seen.In[at] {
		k := slices.Index(rest, r.Die)
		for _, d := range rules.MayBe(&r) {
			if IsFlavour(d.Color) && d.Face > 0 && (k < 0 || d != r.Die) && !slices.Contains(come, d) {
				come = append(come, d)
			}
		}
		if k < 0 {
			continue
		}
		if rest = slices.Delete(rest, k, k+1); r.Sure {
			k = slices.Index(gone, r.Die)
			gone = slices.Delete(gone, k, k+1)
		}
	}
	p.gone, p.come = append(p.gone, gone), append(p.come, come)
}

// shown is the dice that may have come to a player's place.
func (p *proposal) shown(by int) []table.Die { return p.come[1+by] }

// chance is how likely these dice are drawn and rolled, as a logarithm.
func (p *proposal) chance(dice []table.Die) (log float64) {
	pouch, counts := p.pouch, map[table.Die]int{}
	if total(pouch) < len(dice) {
		for i, n := range p.aside {
			pouch[i] += n
		}
	}
	for n, d := range dice {
		i := scoring.FlavourIndex(d.Color)
		if counts[d]++; i < 0 {
			continue // it is not known what it is
		}
		log += math.Log(max(float64(pouch[i]), .1)/float64(max(1, total(pouch)))/6) + math.Log(float64(n+1)/float64(counts[d]))
		pouch[i]--
	}
	return log
}

// draws adds what may have been drawn: the dice on the Fridge, with one that was taken of them since, and with up to two that are not seen.
func (p *proposal) draws() {
	n := p.drawCount()
	var taken []table.Die
	for i := range p.seats {
		taken = append(taken, p.shown(i)...)
	}
	add := func(dice []table.Die) {
		log := p.chance(dice)
		if unseen := n - len(dice); unseen > 0 {
			dice, log = append(slices.Clone(dice), make([]table.Die, unseen)...), log+float64(unseen-1)*math.Log(another)
		}
		if m := DrawOf(dice); p.Check(m) == nil {
			p.add(m, log)
		}
	}
	for _, dice := range p.seen.Readings(fridgeZone) {
		if dice = slices.DeleteFunc(slices.Clone(dice), func(d table.Die) bool { return !IsFlavour(d.Color) || d.Face < 1 }); len(dice) > n+1 || len(dice) < n-2 {
			continue
		}
		for k := range dice { // one of them is none
			if len(dice) == n+1 {
				add(slices.Delete(slices.Clone(dice), k, k+1))
			}
		}
		if len(dice) <= n {
			add(dice)
		}
		if len(dice) < n {
			for _, t := range taken {
				add(append(slices.Clone(dice), t))
			}
		}
	}
}

// learns adds what a die may be that was drawn and not seen: one that lies on the Fridge now, or that was taken off it, or one that
// melts others.
func (p *proposal) learns() {
	dice := slices.Clone(p.come[0])
	if p.phase == drafting {
		dice = append(append(dice, p.shown(p.drafter)...), p.gonePast(p.drafter)...)
	}
	for _, d := range dice {
		p.legal(Move{Seat: rules.Nature, Kind: Find, Die: d}, p.chance([]table.Die{d}))
	}
	for _, l := range p.Melting() {
		p.legal(Move{Seat: rules.Nature, Kind: Find, Die: table.Die{Color: l.Die.Color}}, -math.Log(float64(len(scoring.Flavours))))
	}
}

// rolls adds what the die that is drawn may show: it is in the tray, or was placed already, and may have melted since; it may have
// gone with the IceCream that it completed, or been set aside, before anybody looked.
func (p *proposal) rolls(by int) {
	var dice []table.Die
	for i := range p.seen.In[trayZone] {
		dice = append(dice, rules.MayBe(&p.seen.In[trayZone][i])...)
	}
	for _, d := range p.shown(by) {
		for ; d.Face <= 6; d.Face++ {
			dice = append(dice, d)
		}
	}
	if len(p.seen.In[trayZone]) == 0 {
		dice = append(dice, p.gonePast(by)...)
	}
	for _, d := range dice {
		if IsFlavour(d.Color) && d.Face > 0 {
			p.add(Move{Seat: rules.Nature, Kind: Roll, Die: d}, p.chance([]table.Die{d}))
		}
	}
}

// gonePast lists the dice that may have gone past before anybody looked: dice of their color have come to those set aside, by
// themselves or with an IceCream.
func (p *proposal) gonePast(by int) (dice []table.Die) {
	for i, c := range scoring.Flavours {
		n := 0
		for _, r := range p.seen.In[asideZone] {
			if r.Color == c {
				n++
			}
		}
		if n <= p.aside[i] && !slices.ContainsFunc(p.Open(rules.Player(by), c), p.Full) {
			continue
		}
		for f := 1; f <= 6; f++ {
			dice = append(dice, table.Die{Color: c, Face: f})
		}
	}
	return dice
}

// placings adds the spots on which a die may come to lie, as it was or changed by Sprinkles.
func (p *proposal) placings(mv Move, d table.Die, log float64) {
	pips := p.sprinkles[mv.Seat]
	for face := max(1, d.Face-pips); face <= min(6, d.Face+pips); face++ {
		shows := slices.Contains(p.shown(int(mv.Seat)), table.Die{Color: d.Color, Face: face})
		if !shows && face != d.Face {
			continue
		}
		moves := p.Spots(mv.Kind, d, face-d.Face)
		for _, m := range moves {
			if shows || p.Full(m) || p.short && face == d.Face {
				p.add(m, log-math.Log(float64(len(moves)))+math.Log(bumps)*math.Abs(float64(face-d.Face)))
			}
		}
	}
}

// spends adds Sprinkles that are spent on dice which show another face than they did, and on another die.
func (p *proposal) spends() {
	for i := range p.seats {
		for _, was := range p.gone[1+i] {
			for _, is := range p.shown(i) {
				if delta := is.Face - was.Face; is.Color == was.Color && delta != 0 {
					for _, m := range p.Bumps(rules.Player(i), was, delta) {
						p.legal(m, math.Log(bumps)*math.Abs(float64(delta)))
					}
				}
			}
		}
		if len(p.seen.In[trayZone]) > 0 || len(p.shown(i)) > 0 {
			p.legal(Move{Seat: rules.Player(i), Kind: Buy}, math.Log(buys))
		}
	}
}

func (p *proposal) legal(m Move, log float64) {
	if p.Check(m) == nil {
		p.add(m, log)
	}
}

// turns adds what belongs to every turn.
func (p *proposal) turns() {
	if p.phase != drafting {
		p.legal(p.MeltOf(p.Melting()), 0)
		p.legal(Move{Seat: p.Lead(), Kind: Clean, Next: (p.Lead() + 1) % rules.Player(p.seats)}, 0)
		return
	}
	by := rules.Player(p.drafter)
	p.legal(Move{Seat: by, Kind: Done}, math.Log(dones))
	n := math.Log(float64(max(1, len(p.fridge))))
	for i, d := range p.gone[0] {
		if !slices.Contains(p.gone[0][:i], d) {
			p.legal(Move{Seat: by, Kind: Discard, Die: d}, math.Log(discards)-n)
			p.placings(Move{Seat: by, Kind: Take}, d, math.Log(1-discards)-n)
		}
	}
}

// breaches adds acts against the rules: a die of the Fridge came to a place out of turn, or changed its face on the way, and one that
// did not melt as it should.
func (p *proposal) breaches() {
	for _, d := range p.gone[0] {
		for i := range p.seats {
			p.wrongTakes(i, d)
		}
	}
	list := p.Melting()
	for i, l := range list {
		faces := []int{l.Die.Face}
		for _, r := range p.seen.In[rules.Place(int(l.Owner))] {
			if r.Color == l.Die.Color && r.Face >= 1 {
				faces = append(faces, r.Face)
			}
		}
		for _, face := range faces {
			if face != l.After && face <= l.Die.Face {
				other := slices.Clone(list)
				other[i].After = face
				p.add(p.MeltOf(other), math.Log(mismelts/float64(len(list))))
			}
		}
	}
}

// wrongTakes adds the ways in which a player takes a die out of turn, or turns it on the way, or both, which are two mistakes.
func (p *proposal) wrongTakes(by int, d table.Die) {
	mine := p.phase == drafting && by == p.drafter
	for _, is := range p.shown(by) {
		outOfTurn, turned := !mine || p.picked, is.Face != d.Face
		if is.Color != d.Color || !outOfTurn && !turned {
			continue
		}
		m, log := Move{Seat: rules.Player(by), Kind: Take, Die: d}, 0.0
		if outOfTurn {
			log += math.Log(mistake)
		}
		if turned {
			m.Top = is.Face
			log += math.Log(mistake)
		}
		spots := p.Open(m.Seat, d.Color)
		if mine {
			spots = append(p.Spots(Take, d, 0), spots...)
		}
		for _, spot := range spots {
			m.Card, m.Spot = spot.Card, spot.Spot
			p.add(m, log-math.Log(float64(len(spots))))
		}
	}
}
