package match

import (
	"math"
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

// fromageZones is Fromage á Trois by zones: the shop, in which dice are only
// counted, the Cart (also a tray to roll in), and each player's place.
type fromageZones struct{ zoneDefaults }

var cartKey, shopKey = zoneKey{kind: calibration.ZoneCart}, zoneKey{kind: calibration.ZoneShop}

func placeKey(p rules.Player) zoneKey { return zoneKey{calibration.ZonePlace, int(p)} }

func (fromageZones) where(z calibration.Zone) (zoneKey, bool) {
	switch z.Kind {
	case calibration.ZoneCart, calibration.ZoneTray:
		return cartKey, true
	case calibration.ZoneShop:
		return shopKey, true
	case calibration.ZonePlace:
		return zoneKey{z.Kind, z.Seat}, true
	}
	return zoneKey{}, false
}

// lay is the dice of a position by where they are.
type lay struct {
	shop  int
	cart  scoring.Faces
	hands []scoring.Faces
}

func layOf(s *fromage.State) lay {
	l := lay{shop: s.Shop(), cart: s.Cart(), hands: make([]scoring.Faces, s.Players())}
	for p := range l.hands {
		l.hands[p] = s.Hand(rules.Player(p))
	}
	return l
}

func (l lay) piles() []pile {
	list := make([]pile, 0, len(l.hands)+2)
	list = append(list, pile{at: cartKey, dice: anyColor(l.cart)})
	for p, h := range l.hands {
		list = append(list, pile{at: placeKey(rules.Player(p)), dice: anyColor(h)})
	}
	return append(list, pile{at: shopKey, dice: make([]table.Die, max(0, l.shop)), heap: true})
}

// anyColor is dice of which only the face is known.
func anyColor(f scoring.Faces) []table.Die {
	dice := make([]table.Die, 0, f.Len())
	for face := 1; face <= 6; face++ {
		for range f[face] {
			dice = append(dice, table.Die{Face: face})
		}
	}
	return dice
}

func (fromageZones) piles(s rules.State) []pile {
	if f, ok := s.(*fromage.State); ok {
		return layOf(f).piles()
	}
	return nil
}

// facesIn counts the dice of a zone as they were read.
func facesIn(dice []table.Reading) (f scoring.Faces) {
	for _, r := range dice {
		if r.Face >= 1 && r.Face <= 6 {
			f[r.Face]++
		}
	}
	return f
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

func (fromageZones) toward(state rules.State, seen *spread) []rules.Move {
	s, ok := state.(*fromage.State)
	if !ok || s.ToMove() == rules.Nobody {
		return nil
	}
	if !s.Rolled() {
		return rollsToward(s, seen)
	}
	var moves []rules.Move
	for _, mv := range s.Acts() {
		if act := mv.(fromage.Move); possibleAct(s, act, seen) {
			moves = append(moves, withSets(s, act))
		}
	}
	return moves
}

// withSets has the end of a turn name the sets that go back.
func withSets(s *fromage.State, mv fromage.Move) fromage.Move {
	if back := s.Due(mv.Seat); mv.Kind == fromage.End && back.Len() > 0 {
		mv.Returned, mv.Dice = true, back
	}
	return mv
}

// possibleAct leaves out acts that take dice which still lie where they were, and
// that the Cart could not have given back.
func possibleAct(s *fromage.State, mv fromage.Move, seen *spread) bool {
	left := func(p rules.Player, face, n int) bool {
		return int(facesIn(seen.in[placeKey(p)])[face]) <= int(s.Hand(p)[face])-n+int(s.Cart()[face])
	}
	switch mv.Kind {
	case fromage.Steal:
		for face, n := range mv.Dice {
			if n > 0 && !left(mv.From, face, int(n)) {
				return false
			}
		}
	case fromage.Fromage:
		for _, t := range mv.Takes[:mv.NTake] {
			if !left(t.From, t.Face, 1) {
				return false
			}
		}
	}
	return true
}

// rollsToward lists rolls of the dice that lie in the Cart, and of those together
// with dice that seem to have been taken out of it already.
func rollsToward(s *fromage.State, seen *spread) (moves []rules.Move) {
	told := map[scoring.Faces]bool{}
	add := func(dice scoring.Faces) {
		mv := fromage.Move{Seat: s.Turn(), Kind: fromage.Roll, Dice: dice}
		if !told[dice] && s.Check(mv) == nil {
			told[dice] = true
			moves = append(moves, mv)
		}
	}
	var all scoring.Faces
	for p := range s.Players() {
		all = all.Plus(over(facesIn(seen.in[placeKey(rules.Player(p))]), s.Hand(rules.Player(p))))
	}
	var kept []scoring.Faces // what the player whose turn it is may hold of the roll already
	for _, hand := range readings(seen.in[placeKey(s.Turn())]) {
		for _, held := range []scoring.Faces{s.Hand(s.Turn()), over(s.Hand(s.Turn()), seen.lostAt(placeKey(s.Turn())))} {
			if gain := over(hand, held); !slices.Contains(kept, gain) {
				kept = append(kept, gain)
			}
		}
	}
	short := oneShort(seen)
	for _, cart := range readings(seen.in[cartKey]) {
		with := []scoring.Faces{cart, cart.Plus(all)}
		for _, own := range kept {
			with = append(with, cart.Plus(own))
		}
		for _, dice := range with {
			add(dice)
			for face := 1; short && face <= 6; face++ { // one of them may not have been seen
				more := dice
				more[face]++
				add(more)
			}
		}
	}
	return moves
}

// oneShort says whether a die may not have been seen that lay in the Cart.
func oneShort(seen *spread) bool { return seen.total < fromage.Dice-seen.surelyHiding()-len(seen.lost) }

// readings lists what dice may show: as they were read, and with doubtful ones read
// as whatever else is at all likely.
func readings(dice []table.Reading) []scoring.Faces {
	const most = 24
	list := []scoring.Faces{facesIn(dice)}
	for _, r := range dice {
		if r.Sure || r.Face < 1 || r.Face > 6 {
			continue
		}
		for _, f := range list[:len(list):len(list)] {
			for other := 1; other <= 6; other++ {
				if other != r.Face && r.Faces[other] > unlikelyFace && len(list) < most {
					g := f
					g[r.Face]--
					g[other]++
					list = append(list, g)
				}
			}
		}
	}
	return list
}

func (fromageZones) stands(mv rules.Move) bool {
	if _, is := mv.(fromage.Stands); is {
		return true
	}
	m, ok := mv.(fromage.Move)
	return ok && (m.Kind == fromage.Roll || m.Kind == fromage.End)
}

// price makes answers that nobody sees less likely than waiting for them, points
// likelier than nothing, and mistakes that nobody makes less likely than others.
func (fromageZones) price(state rules.State, mv rules.Move) float64 {
	const unseen, nothing, odd = 1.2, 1.7, 4.0
	m, ok := mv.(fromage.Move)
	s, is := state.(*fromage.State)
	switch {
	case !ok || !is:
	case m.Kind == fromage.Compensate && m.Dice.Len() == 0 && m.Points > 0:
		return unseen
	case m.Kind == fromage.Compensate && m.Dice.Len() == 0:
		return nothing
	case m.Kind == fromage.Roll && s.Acted():
		return 2*odd + chance(m.Dice)
	case m.Kind == fromage.Roll && s.Rolled():
		return odd + chance(m.Dice)
	case m.Kind == fromage.Roll:
		return chance(m.Dice)
	case m.Kind == fromage.End && !s.Acted():
		return odd / 2
	case m.Kind == fromage.End && (m.Dice.Len() > 0 || s.ToMove() != s.Turn()) && s.Check(m) != nil:
		return odd
	}
	return 0
}

// chance is how unlikely it is to roll these dice, beyond what most rolls are: that
// another roll shows just what lay there before is.
func chance(f scoring.Faces) float64 {
	const usual, fewer = 2.0, 0.7 // most roll as many as they may
	n, price := 0, 0.0
	for _, k := range f {
		for i := range int(k) {
			n++
			price += math.Log(6) - math.Log(float64(n)/float64(i+1))
		}
	}
	if n < 5 {
		price += fewer
	}
	return max(0, price-usual)
}

// stirred: where no die lies where it lay in the Cart, most likely they were rolled again and show
// the same.
func (fromageZones) stirred(seen *spread) float64 {
	const all = 4.5 // of them pushed about
	for i := range seen.in[cartKey] {
		if !seen.moved(&seen.in[cartKey][i]) {
			return 0
		}
	}
	if len(seen.in[cartKey]) == 0 || len(seen.was) == 0 {
		return 0
	}
	return all
}

// early: what is left in the Cart while it is being cleared looks like another roll.
func (fromageZones) early(now rules.State, st rules.Story) bool {
	n := len(st.Line)
	if n < 2 || st.Back > 0 {
		return false
	}
	for _, mv := range st.Line[:n-2] {
		next, err := now.Apply(mv)
		if err != nil {
			return false
		}
		now = next
	}
	end, roll := st.Line[n-2].(fromage.Move), st.Line[n-1].(fromage.Move)
	return end.Kind == fromage.End && roll.Kind == fromage.Roll && now.(*fromage.State).Cart().Has(roll.Dice)
}

func (g fromageZones) halfway(state rules.State, seen *spread) (list []movement) {
	s, ok := state.(*fromage.State)
	if !ok || s.ToMove() == rules.Nobody {
		return nil
	}
	before := layOf(s)
	if !s.Rolled() {
		return []movement{rolling(before)}
	}
	add := func(from, to lay) { list = append(list, movement{from.piles(), to.piles()}) }
	for _, mv := range s.Acts() {
		act := mv.(fromage.Move)
		next, err := s.Apply(act)
		if err != nil {
			continue
		}
		after := next.(*fromage.State)
		switch act.Kind {
		case fromage.Fromage:
			taken := withTakes(before, act)
			add(before, taken)
			add(taken, layOf(after))
		default:
			add(before, layOf(after))
		}
		if act.Kind == fromage.End {
			list = append(list, rolling(layOf(after)))
		} else if end, err := after.Apply(fromage.Move{Seat: s.Turn(), Kind: fromage.End}); err == nil {
			add(layOf(after), layOf(end.(*fromage.State)))
		}
	}
	return list
}

// rolling is the movement of the dice that are taken out of the shop to be rolled.
func rolling(l lay) movement {
	n := min(fromage.MaxRoll, l.shop)
	after := l
	after.shop -= n
	m := movement{l.piles(), after.piles()}
	m.after[0].dice = append(m.after[0].dice, make([]table.Die, n)...)
	return m
}

// withTakes is the table once the dice for a Fromage have been taken from the others.
func withTakes(l lay, mv fromage.Move) lay {
	l.hands = append([]scoring.Faces{}, l.hands...)
	for _, t := range mv.Takes[:mv.NTake] {
		l.hands[t.From][t.Face]--
		l.hands[mv.Seat][t.Face]++
	}
	return l
}

// counts: a roll is of as many dice as lie in the Cart, unless that are as many as may be rolled, which
// shows that the turn before has ended too. That a turn has ended is known once any of its dice are seen
// in the shop. Those that are laid down for a Fromage are seen, and so are those that nobody had to return.
func (fromageZones) counts(begin rules.State, st rules.Story, short int) bool {
	ended := false
	for _, mv := range st.Line {
		next, err := begin.Apply(mv)
		if err != nil {
			return true
		}
		switch m := mv.(fromage.Move); m.Kind {
		case fromage.Roll:
			if m.Dice.Len() < fromage.MaxRoll {
				return true
			}
			ended = false
		case fromage.End:
			if len(st.Why) > 0 {
				return true
			}
			ended = short >= next.(*fromage.State).Shop()-begin.(*fromage.State).Shop()
		case fromage.Fromage:
			return true
		}
		begin = next
	}
	return ended
}

// limit: as many dice are rolled as may be, or one more.
func (fromageZones) limit(st rules.Story) (reached, passed bool) {
	for _, mv := range st.Line {
		if m, ok := mv.(fromage.Move); ok && m.Kind == fromage.Roll {
			reached = reached || m.Dice.Len() == fromage.MaxRoll
			passed = passed || m.Dice.Len() == fromage.MaxRoll+1
		}
	}
	return reached, passed
}

// blind: a roll is known by the dice that lie in the Cart. What went back to the shop
// before the next picture may have been more than what was kept.
func (fromageZones) blind(st rules.Story, _ []rules.Move) (Phrase, bool) {
	const most = 2 // acts of which the pictures before and after tell enough
	rolled := false
	for _, mv := range st.Line {
		switch act := mv.(fromage.Move); act.Kind {
		case fromage.Roll:
			rolled = true
		case fromage.End:
			if rolled {
				return phrase("turn-unseen"), true
			}
		}
	}
	if rolled && len(st.Line) > most {
		return phrase("much-unseen"), true
	}
	if s, ok := st.After.(*fromage.State); ok && rolled && s.Cart().Len() == 0 {
		return phrase("roll-unseen"), true
	}
	return Phrase{}, false
}

func (fromageZones) unseen(state rules.State) rules.Move {
	if s, ok := state.(*fromage.State); ok && s.MustEnd() {
		return fromage.Move{Seat: s.Turn(), Kind: fromage.End}
	}
	return nil
}
