package fromage

import (
	"encoding/binary"
	"math"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The game by zones: the shop, in which dice are only counted, the Cart (also a tray to roll in), and each player's place.
var (
	cartZone = rules.Zone{Kind: "cart"}
	shopZone = rules.Zone{Kind: "shop"}
)

// Zone implements rules.Zoned.
func (s *State) Zone(kind string, seat int) (rules.Zone, bool) {
	switch kind {
	case cartZone.Kind, "tray":
		return cartZone, true
	case shopZone.Kind:
		return shopZone, true
	}
	return rules.PlaceIn(kind, seat, s.seats)
}

// Piles implements rules.Zoned.
func (s *State) Piles() []rules.Pile {
	list := append(make([]rules.Pile, 0, s.seats+2), rules.Pile{At: cartZone, Dice: anyColor(s.cart), Kinds: 6})
	for p := range s.seats {
		list = append(list, rules.Pile{At: rules.Place(p), Dice: anyColor(s.hands[p]), Kinds: 6})
	}
	return append(list, rules.Pile{At: shopZone, Dice: make([]table.Die, max(0, s.shop)), Heap: true, Kinds: 1})
}

// anyColor is dice of which only the face is known.
func anyColor(f scoring.Faces) []table.Die {
	dice := make([]table.Die, 0, f.Len())
	for _, face := range f.List() {
		dice = append(dice, table.Die{Face: face})
	}
	return dice
}

// Key implements rules.Zoned.
func (s *State) Key() string {
	b := make([]byte, 0, 96)
	put := func(list ...int) {
		for _, n := range list {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	flag := func(is bool) {
		if b = append(b, 0); is {
			b[len(b)-1] = 1
		}
	}
	faces := func(f scoring.Faces) {
		for _, n := range f {
			b = append(b, byte(n))
		}
	}
	put(s.shop, s.turn, s.turns, s.final, s.rolled)
	faces(s.cart)
	flag(s.over)
	flag(s.kept)
	flag(s.stole)
	flag(s.fromage)
	for p := range s.seats {
		faces(s.hands[p])
		put(s.score[p].total(), s.last[p], s.owed[p].dice, s.owed[p].points)
		flag(s.owed[p].robbed)
	}
	return string(b)
}

// Forced implements rules.Zoned: a turn of which nothing is left to do has ended.
func (s *State) Forced() rules.Move {
	if s.MustEnd() {
		return Move{Seat: rules.Player(s.turn), Kind: End}
	}
	return nil
}

// Final implements rules.Zoned.
func (s *State) Final(last rules.Move) bool {
	m, ok := last.(Move)
	return !ok || m.Kind == Roll || m.Kind == End
}

// Guessed implements rules.Guesser: a roll is known by the dice that lie in the Cart. What went back to the shop before the next view may
// have been more than what was kept.
func (s *State) Guessed(line []rules.Move) (rules.Guess, table.Die) {
	const most = 2 // acts of which the views before and after tell enough
	rolled := false
	for _, mv := range line {
		switch m, ok := mv.(Move); {
		case ok && m.Kind == Roll:
			rolled = true
		case ok && m.Kind == End && rolled:
			return rules.GuessedTurn, table.Die{}
		}
	}
	switch {
	case !rolled:
	case len(line) > most:
		return rules.GuessedMuch, table.Die{}
	case s.cart.Len() == 0:
		return rules.GuessedRoll, table.Die{}
	}
	return rules.NoGuess, table.Die{}
}

// May implements rules.Zoned.
func (s *State) May(seen *rules.Spread) []rules.Likely {
	if s.over {
		return nil
	}
	p := s.propose(seen)
	if s.rolled == notRolled {
		p.rolls()
	} else {
		p.legal()
	}
	p.breaches()
	p.stands()
	return p.list
}

// stands adds that nothing is known but how the table is read, and whose turn it may be.
func (p *proposal) stands() {
	mv := Stands{Cart: p.cart[0]}
	was, is := p.State.cart, p.cart[0]
	for i := range p.seats {
		mv.Hands[i] = p.read[i][0]
		was, is = was.Plus(p.State.hands[i]), is.Plus(p.read[i][0])
	}
	log := unknown - math.Log(float64(p.seats)) + chance(over(is, was)) // those have been rolled
	for i := range p.seats {
		mv.Next = rules.Player(i)
		for _, mv.Acted = range []bool{false, true} {
			if mv.Acted && mv.Cart.Len() == 0 || p.checkStands(mv) != nil {
				continue
			}
			p.list = append(p.list, rules.Likely{Move: mv, Log: log})
		}
	}
}

// proposal is what may be done next by what is seen.
type proposal struct {
	*State
	seen       *rules.Spread
	cart       []scoring.Faces   // what the dice in the Cart may show
	read       [][]scoring.Faces // and those of each player
	gain, loss []scoring.Faces   // what is read at each place beyond what lay there, and not any more
	list       []rules.Likely
}

func (s *State) propose(seen *rules.Spread) *proposal {
	p := &proposal{State: s, seen: seen, cart: mayShow(seen, cartZone)}
	for i := range s.seats {
		p.read = append(p.read, mayShow(seen, rules.Place(i)))
		p.gain = append(p.gain, over(p.read[i][0], s.hands[i]))
		p.loss = append(p.loss, over(s.hands[i], p.read[i][0]))
	}
	return p
}

// mayShow lists what the dice in a zone may show; first as they were read.
func mayShow(seen *rules.Spread, at rules.Zone) (list []scoring.Faces) {
	for _, dice := range seen.Readings(at) {
		var f scoring.Faces
		for _, d := range dice {
			if d.Face >= 1 && d.Face <= 6 {
				f[d.Face]++
			}
		}
		if !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// over is the dice of f beyond those of g.
func over(f, g scoring.Faces) scoring.Faces {
	for i := range f {
		f[i] = max(0, f[i]-g[i])
	}
	return f
}

// common is the dice in both.
func common(f, g scoring.Faces) scoring.Faces {
	for i := range f {
		f[i] = min(f[i], g[i])
	}
	return f
}

func (p *proposal) add(mv Move, log float64) {
	if !slices.ContainsFunc(p.list, func(l rules.Likely) bool { return l.Move == rules.Move(mv) }) {
		p.list = append(p.list, rules.Likely{Move: mv, Log: log, Routine: mv.Kind == Roll && p.rolled == notRolled})
	}
}

// unknown is how likely it is, as a logarithm, that what has happened is not one of the acts that are thought of.
const unknown = -16.0

// How likely acts are among those that the rules allow, or do not allow.
const (
	mostRolled  = .6 // as many dice are rolled as may be
	keeps       = .65
	answersDice = .6 // who is owed takes dice
	answersNone = .1 // or nothing
	declares    = .5 // a Fromage, where one may be
	mistake     = .1 // one certain act against the rules
	odd         = .0003
	soon        = .3 // dice are rolled in the view in which the turn before has ended
)

// chance is how likely these dice are rolled, as a logarithm.
func chance(f scoring.Faces) (log float64) {
	n := 0
	for _, k := range f {
		for i := range int(k) {
			n++
			log += math.Log(float64(n)/float64(i+1)) - math.Log(6)
		}
	}
	return log
}

// rolls adds rolls of the dice that lie in the Cart, and of those together with dice that seem to have been taken out of it already.
func (p *proposal) rolls() {
	var all scoring.Faces
	for _, g := range p.gain {
		all = all.Plus(g)
	}
	taken := []scoring.Faces{{}, all}
	for _, hand := range p.read[p.turn] {
		taken = append(taken, over(hand, p.State.hands[p.turn]))
	}
	for _, cart := range p.cart {
		for _, t := range taken {
			dice := cart.Plus(t)
			p.roll(dice)
			for face := 1; p.short() && face <= 6; face++ { // one of them is not seen
				more := dice
				more[face]++
				p.roll(more)
			}
		}
	}
}

func (p *proposal) roll(dice scoring.Faces) {
	n := dice.Len()
	log := math.Log(mostRolled)
	switch {
	case n == 0 || n > MaxRoll+2:
		return
	case n > MaxRoll:
		log = math.Log(mistake)
	case n < min(MaxRoll, p.State.shop):
		log = math.Log((1 - mostRolled) / (MaxRoll - 1))
	}
	p.add(Move{Seat: rules.Player(p.turn), Kind: Roll, Dice: dice}, log+math.Log(soon)+chance(dice))
}

// short says whether a die is not seen that may have been rolled.
func (p *proposal) short() bool { return p.seen.Total < Dice }

// legal adds the legal acts but for those that take dice which still lie where they were.
func (p *proposal) legal() {
	acts := p.Acts()
	var n [End + 1]float64
	for _, mv := range acts {
		n[mv.(Move).Kind]++
	}
	for _, mv := range acts {
		m := mv.(Move)
		log := 0.0
		switch m.Kind {
		case Keep:
			log = math.Log(keeps / n[Keep])
		case Steal:
			log = math.Log((1 - keeps) / n[Steal])
		case Compensate:
			switch {
			case m.Dice.Len() > 0:
				log = math.Log(answersDice / n[Compensate])
			case m.Points == 0:
				log = math.Log(answersNone)
			default:
				log = math.Log(1 - answersDice - answersNone)
			}
		case Fromage:
			log = math.Log(declares / n[Fromage])
		case End:
			m.Dice = p.Due(m.Seat)
			m.Returned = m.Dice.Len() > 0
			if n[Fromage] > 0 {
				log = math.Log(1 - declares)
			}
		}
		if p.mayBe(m) {
			p.add(m, log)
		}
	}
}

// mayBe says whether the dice that an act takes from others can have gone from there.
func (p *proposal) mayBe(m Move) bool {
	left := func(at rules.Player, face, n int) bool {
		still := 0
		for _, r := range p.seen.In[rules.Place(int(at))] {
			if r.Sure && r.Face == face {
				still++
			}
		}
		return still <= int(p.State.hands[at][face])-n+int(p.State.cart[face])
	}
	switch m.Kind {
	case Steal:
		for face, n := range m.Dice {
			if n > 0 && !left(m.From, face, int(n)) {
				return false
			}
		}
	case Fromage:
		for _, t := range m.Takes[:m.NTake] {
			if !left(t.From, t.Face, 1) {
				return false
			}
		}
	}
	return true
}

// breaches adds acts against the rules by where dice have come from and gone to.
func (p *proposal) breaches() {
	for i := range p.cart {
		if more := over(p.cart[i], p.State.cart); p.Rolled() && more.Len() > 0 && !(p.Acted() && p.State.cart.Len() == 0) {
			p.add(Move{Seat: rules.Player(p.turn), Kind: Roll, Dice: more}, math.Log(odd)+chance(more))
		}
	}
	for i := range p.gain {
		p.takes(i)
	}
	p.fromages()
	if !p.Rolled() {
		return
	}
	end := Move{Seat: rules.Player(p.turn), Kind: End, Returned: p.Due(rules.Player(p.turn)).Len() > 0}
	if end.Returned || !p.Acted() {
		end.Returned = true
		p.add(end, math.Log(mistake))
	}
	end.Returned = true
	if end.Dice = p.loss[p.turn]; end.Dice.Len() > 0 {
		p.add(end, math.Log(odd))
	}
}

// takes adds acts by which dice came to a player's place out of the Cart or from others.
func (p *proposal) takes(by int) {
	act := Move{Seat: rules.Player(by), Kind: Keep}
	if by != p.turn && (p.owed[by].dice > 0 || p.Acted()) {
		act.Kind = Compensate
	}
	gone := over(p.State.cart, p.cart[0])
	for _, hand := range p.read[by] {
		gain := over(hand, p.State.hands[by])
		if gain.Len() == 0 {
			continue
		}
		ways := []scoring.Faces{common(gain, gone), common(gain, p.State.cart)} // whatever is read of the Cart now
		if gone.Len() == gain.Len() || gone.Len() == gain.Len()+1 && p.short() {
			ways[0] = gone // whatever they are read as where they lie now, and though one may not be seen there
		}
		for _, act.Dice = range ways {
			if act.Dice.Len() > 0 {
				p.add(act, math.Log(mistake))
			}
		}
		for v := range p.loss {
			if dice := common(gain, p.loss[v]); v != by && dice.Len() > 0 {
				p.add(Move{Seat: rules.Player(by), Kind: Steal, From: rules.Player(v), Dice: dice}, math.Log(mistake))
			}
		}
	}
}

// fromages adds a Fromage against the rules: dice of others and own ones have gone to the shop.
func (p *proposal) fromages() {
	mv := Move{Seat: rules.Player(p.turn), Kind: Fromage}
	own := p.State.hands[p.turn]
	for v, lost := range p.loss {
		for _, face := range lost.List() {
			if v == p.turn || mv.NTake == len(mv.Takes) {
				continue
			}
			mv.Takes[mv.NTake] = Take{From: rules.Player(v), Face: face}
			mv.NTake++
			own[face]++
		}
	}
	if mv.Dice = over(own, p.read[p.turn][0]); mv.NTake > 0 && mv.Dice.Len() >= 3 {
		p.add(mv, math.Log(mistake)*float64(mv.NTake))
	}
}
