package dicebox

import (
	"math/bits"
	"math/rand/v2"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Whose a color is, and who plays, as one of two players sees it.
const (
	mine   = 0
	theirs = 1
	nones  = 2
)

// duel is a game of two as one of them sees it, made for playing out fast: it is
// changed in place. The other one plays anything that is legal.
type duel struct {
	cand   [squares]uint8 // values that fit, squares that touch no die included
	sort   [squares]int8  // see sorts; none: filled or dead
	parity int            // of the values on squares with an even index
	open   uint32         // empty squares that touch a die and can be filled
	filled uint32
	hands  [2][4][7]int8
	sizes  [2]int
	class  *[4]int8 // whose each color is
	lead   int      // points ahead
	turn   int      // mine or theirs
}

// sorts numbers what an empty square takes: 0 to 4 for even values, 5 for any even
// one where no neighbor is filled, 6 to 11 the same for odd ones.
const (
	sorts     = 12
	none      = int8(-1)
	untouched = 0b1111110
)

// sortOf is the number of a set of values by the parity of the square.
var sortOf = func() (t [2][1 << 7]int8) {
	for p := range t {
		for set := range t[p] {
			t[p][set] = none
		}
		for i, set := range [2][5]int{{1 << 2, 1 << 4, 1 << 6, 1<<2 | 1<<4, 1<<4 | 1<<6}, {1 << 1, 1 << 3, 1 << 5, 1<<1 | 1<<3, 1<<3 | 1<<5}}[p] {
			t[p][set] = int8(6*p + i)
		}
		t[p][untouched] = int8(6*p + 5)
	}
	return t
}()

// newDuel is the game as p sees it; ok is false where it is none that a duel can be:
// more players, other rules, hands that are not known, or a grid that breaks them.
func (s *State) newDuel(p rules.Player) (d *duel, ok bool) {
	if s.players != 2 || s.wrap || s.scoreUnplaced || !s.hands[0].known || !s.hands[1].known {
		return nil, false
	}
	d = &duel{class: new([4]int8), parity: s.grid[center.Index()].Face & 1}
	tally := s.Tally()
	for c := range d.class {
		switch s.owner(c) {
		case p:
			d.class[c] = mine
			d.lead += tally[c]
		case rules.Nobody:
			d.class[c] = nones
		default:
			d.class[c] = theirs
			d.lead -= tally[c]
		}
	}
	for q, seat := range [2]rules.Player{p, 1 - p} {
		d.hands[q], d.sizes[q] = s.hands[seat].dice, s.hands[seat].size
	}
	for i, die := range s.grid {
		if d.cand[i] = s.cand(i); s.isolated(i) {
			d.cand[i] = untouched
		}
		if die.Color == table.NoColor {
			continue
		}
		d.filled |= 1 << i
		if die.Face&1 != (d.parity+i)&1 {
			return nil, false
		}
	}
	for i := range d.sort {
		if d.mark(i); d.sort[i] != none && !s.isolated(i) {
			d.open |= 1 << i
		}
	}
	return d, true
}

// mark notes the sort of a square.
func (d *duel) mark(i int) {
	d.sort[i] = none
	if d.filled>>i&1 == 0 {
		d.sort[i] = sortOf[(i+d.parity)&1][d.cand[i]]
	}
}

// option is an act in a duel: a die on a square.
type option struct{ color, face, square int8 }

// put places a die; who is mine or theirs.
func (d *duel) put(who int, o option) {
	d.hands[who][o.color][o.face]--
	d.sizes[who]--
	switch d.class[o.color] {
	case mine:
		d.lead += int(o.face)
	case theirs:
		d.lead -= int(o.face)
	}
	d.fill(int(o.square), int(o.face))
}

func (d *duel) fill(sq, face int) {
	d.filled |= 1 << sq
	d.open &^= 1 << sq
	d.sort[sq] = none
	for _, n := range rules.Neighbors(sq) {
		if d.filled>>n&1 != 0 {
			continue
		}
		d.cand[n] &= besideTables[0][face]
		if d.mark(n); d.sort[n] != none {
			d.open |= 1 << n
		} else {
			d.open &^= 1 << n
		}
	}
}

func (d *duel) over() bool { return d.open == 0 || d.sizes[mine]+d.sizes[theirs] == 0 }

// mostOptions is room for every act of a hand of twelve.
const mostOptions = 160

// options lists the own acts by square and face; of colors that are worth the same one counts.
func (d *duel) options(list []option) []option {
	hand := &d.hands[mine]
	for o := d.open; o != 0; o &= o - 1 {
		sq := bits.TrailingZeros32(o)
		for set := d.cand[sq]; set != 0; set &= set - 1 {
			f := bits.TrailingZeros8(set)
			seen := [3]bool{}
			for c := range hand {
				if k := d.class[c]; hand[c][f] > 0 && !seen[k] {
					seen[k] = true
					list = append(list, option{int8(c), int8(f), int8(sq)})
				}
			}
		}
	}
	return list
}

// anything is an act of the other player, each legal one as likely; false if there is none.
func (d *duel) anything(r *rand.Rand) (option, bool) {
	hand := &d.hands[theirs]
	var colors [7]int // that the hand has of each face
	for c := range hand {
		for f := 1; f <= 6; f++ {
			colors[f] += boolIndex(hand[c][f] > 0)
		}
	}
	n := 0
	for o := d.open; o != 0; o &= o - 1 {
		for set := d.cand[bits.TrailingZeros32(o)]; set != 0; set &= set - 1 {
			n += colors[bits.TrailingZeros8(set)]
		}
	}
	if n == 0 {
		return option{}, false
	}
	n = r.IntN(n)
	for o := d.open; o != 0; o &= o - 1 {
		sq := bits.TrailingZeros32(o)
		for set := d.cand[sq]; set != 0; set &= set - 1 {
			f := bits.TrailingZeros8(set)
			if n -= colors[f]; n >= 0 {
				continue
			}
			for c := range hand {
				if hand[c][f] > 0 {
					if n++; n == 0 {
						return option{int8(c), int8(f), int8(sq)}, true
					}
				}
			}
		}
	}
	return option{}, false
}

// reroll rolls all dice of one of the two.
func (d *duel) reroll(who int, r *rand.Rand) {
	var now [4][7]int8
	for c, faces := range d.hands[who] {
		for _, k := range faces {
			for range k {
				now[c][1+r.IntN(6)]++
			}
		}
	}
	d.hands[who] = now
}

// mostTurns ends a game in which nobody ever rolls what fits.
const mostTurns = 400

// play goes on until it is the own turn with something to choose, which it lists, or
// the game is over.
func (d *duel) play(r *rand.Rand, room []option) []option {
	for range mostTurns {
		if d.over() {
			break
		}
		who := d.turn
		d.turn = 1 - who
		if d.sizes[who] == 0 {
			continue
		}
		if who == mine {
			if list := d.options(room[:0]); len(list) > 0 {
				return list
			}
		} else if o, ok := d.anything(r); ok {
			d.put(theirs, o)
			continue
		}
		d.reroll(who, r)
	}
	return nil
}

// won is the end of a game: 1 for a victory, 0.5 for a shared one.
func won(lead int) float64 {
	switch {
	case lead > 0:
		return 1
	case lead == 0:
		return 0.5
	}
	return 0
}

// optionOf is an act in the terms of a duel.
func optionOf(a Act) option {
	return option{int8(scoring.BoxColor(a.Die.Color)), int8(a.Die.Face), int8(a.To.Index())}
}
