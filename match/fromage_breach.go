package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
)

func (fromageZones) astray(state rules.State, seen *spread) (moves []rules.Move) {
	s, ok := state.(*fromage.State)
	if !ok || s.ToMove() == rules.Nobody {
		return nil
	}
	b := breach{s: s, seen: seen, cart: facesIn(seen.in[cartKey])}
	for p := range s.Players() {
		hand := facesIn(seen.in[placeKey(rules.Player(p))])
		b.gain = append(b.gain, over(hand, s.Hand(rules.Player(p))))
		b.loss = append(b.loss, over(s.Hand(rules.Player(p)), hand))
	}
	b.roll()
	for p := range b.gain {
		if b.gain[p].Len() > 0 {
			b.take(rules.Player(p))
		}
	}
	b.fromage()
	b.end()
	return b.moves
}

// strange names what is plainly wrong with a view that nothing explains: dice show other
// faces than they did in the Cart.
func (fromageZones) strange(state rules.State, seen *spread) (ask Phrase, is bool) {
	s, ok := state.(*fromage.State)
	if !ok || s.ToMove() == rules.Nobody {
		return ask, false
	}
	gone := over(s.Cart(), facesIn(seen.in[cartKey]))
	var come scoring.Faces
	for p := range s.Players() {
		come = come.Plus(over(facesIn(seen.in[placeKey(rules.Player(p))]), s.Hand(rules.Player(p))))
	}
	if gone.Len() == 0 || gone.Len() != come.Len() {
		return ask, false
	}
	return phrase("other-faces", "dice", facesOf(gone), "others", facesOf(come)), true
}

// breach looks for acts against the rules by where dice have come from and gone to.
type breach struct {
	s          *fromage.State
	seen       *spread
	cart       scoring.Faces
	gain, loss []scoring.Faces // of each place
	moves      []rules.Move
}

func (b *breach) add(mv fromage.Move) { b.moves = append(b.moves, mv) }

// roll: too many dice in the Cart, or more of them after it was rolled.
func (b *breach) roll() {
	if b.s.Acted() && b.s.Cart().Len() == 0 {
		return // it is the next player's
	}
	for _, cart := range readings(b.seen.in[cartKey]) {
		if more := over(cart, b.s.Cart()); more.Len() > 0 {
			mv := fromage.Move{Seat: b.s.Turn(), Kind: fromage.Roll, Dice: more}
			b.add(mv)
			for face := 1; !b.s.Rolled() && more.Len() == fromage.MaxRoll && oneShort(b.seen) && face <= 6; face++ {
				mv.Dice = more
				mv.Dice[face]++
				b.add(mv)
			}
		}
	}
}

// take: dice that came to a player's place out of the Cart or from others. Doubtful ones may
// show whatever else is at all likely.
func (b *breach) take(p rules.Player) {
	act := fromage.Move{Seat: p, Kind: fromage.Keep}
	if owed, _ := b.s.Owed(p); p != b.s.Turn() && (owed > 0 || b.s.Acted()) {
		act.Kind = fromage.Compensate
	}
	gone := over(b.s.Cart(), b.cart)
	for _, hand := range readings(b.seen.in[placeKey(p)]) {
		gain := over(hand, b.s.Hand(p))
		ways := []scoring.Faces{common(gain, gone), common(gain, b.s.Cart())} // whatever is read of the Cart now
		if gone.Len() == gain.Len() {
			ways[0] = gone // whatever they are read as where they lie now
		}
		for _, act.Dice = range ways {
			b.addOnce(act)
		}
		for v := range b.loss {
			b.addOnce(fromage.Move{Seat: p, Kind: fromage.Steal, From: rules.Player(v), Dice: common(gain, b.loss[v])})
		}
	}
}

// addOnce adds an act that moves dice and is not in the list already.
func (b *breach) addOnce(mv fromage.Move) {
	if mv.Dice.Len() > 0 && !slices.ContainsFunc(b.moves, func(m rules.Move) bool { return m == mv }) {
		b.add(mv)
	}
}

// fromage: dice of others and own ones have gone to the shop.
func (b *breach) fromage() {
	mv := fromage.Move{Seat: b.s.Turn(), Kind: fromage.Fromage}
	own := b.s.Hand(mv.Seat)
	for v, lost := range b.loss {
		if rules.Player(v) == mv.Seat {
			continue
		}
		for face, n := range lost {
			for range n {
				if mv.NTake == len(mv.Takes) {
					return
				}
				mv.Takes[mv.NTake] = fromage.Take{From: rules.Player(v), Face: face}
				mv.NTake++
				own[face]++
			}
		}
	}
	if mv.Dice = over(own, facesIn(b.seen.in[placeKey(mv.Seat)])); mv.NTake > 0 && mv.Dice.Len() >= 3 {
		b.add(mv)
	}
}

// end: the Cart was cleared too early, or with the wrong dice returned.
func (b *breach) end() {
	if !b.s.Rolled() {
		return
	}
	mv := fromage.Move{Seat: b.s.Turn(), Kind: fromage.End, Returned: true, Dice: b.loss[b.s.Turn()]}
	b.add(mv)
	if mv.Dice.Len() > 0 { // others may have taken them since
		mv.Dice = scoring.Faces{}
		b.add(mv)
	}
}
