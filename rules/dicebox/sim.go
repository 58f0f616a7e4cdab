package dicebox

import (
	"math/bits"
	"math/rand/v2"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// sim is a position made for playing out fast: it is changed in place.
type sim struct {
	cand    [squares]uint8 // values that fit, for squares that touch a die
	open    uint32         // empty squares that touch a die and can be filled
	filled  uint32
	beside  *[7]uint8
	hands   [4]simHand
	players int
	turn    int
	tally   [4]int // by color
	worth   [4][4]int8
	extra   bool    // dice in the hands count as well
	random  [4]bool // by seat: plays anything
}

type simHand struct {
	n    [4][7]int8
	size int
}

var besideTables = func() (t [2][7]uint8) {
	for wrap := range t {
		s := State{setup: &setup{wrap: wrap == 1}}
		for v := 1; v <= 6; v++ {
			t[wrap][v] = s.beside(v)
		}
	}
	return t
}()

// newSim needs hands that are known wholly or by color; what is not known is rolled.
func (s *State) newSim(r *rand.Rand) *sim {
	m := &sim{players: s.players, turn: int(s.turn), extra: s.scoreUnplaced, beside: &besideTables[boolIndex(s.wrap)]}
	for i, d := range s.grid {
		if d.Color != table.NoColor {
			m.filled |= 1 << i
		}
		m.cand[i] = s.cand(i)
		if c := scoring.BoxColor(d.Color); c >= 0 {
			m.tally[c] += d.Face
		}
	}
	for i := range s.grid {
		if m.filled>>i&1 == 0 && m.cand[i] != 0 {
			m.open |= 1 << i
		} else if m.cand[i] == 0 && s.isolated(i) {
			m.cand[i] = 0b1111110 // nothing beside it yet
		}
	}
	for p := range s.hands {
		d := s.hands[p].dice
		if !s.hands[p].known {
			d = s.roll(rules.Player(p), r)
		}
		m.hands[p] = simHand{n: d, size: d.Count()}
	}
	for p := range m.players {
		for c := range m.worth[p] {
			m.worth[p][c] = s.worth(p, c)
		}
	}
	return m
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// worth is how much a player wants pips of a color: own ones wholly, those of
// others against, less so the more others there are; unclaimed ones not at all.
func (s *State) worth(p, color int) int8 {
	for q, own := range s.owners {
		for _, c := range own {
			if c == color && q == p {
				return 6
			}
			if c == color {
				return int8(-6 / (s.players - 1))
			}
		}
	}
	return 0
}

// put places a die on a square that takes it.
func (m *sim) put(p, c, f, sq int) {
	m.hands[p].n[c][f]--
	m.hands[p].size--
	m.tally[c] += f
	m.filled |= 1 << sq
	m.open &^= 1 << sq
	for _, n := range rules.Neighbors(sq) {
		if m.filled>>n&1 != 0 {
			continue
		}
		m.cand[n] &= m.beside[f]
		if m.cand[n] != 0 {
			m.open |= 1 << n
		} else {
			m.open &^= 1 << n
		}
	}
}

func (m *sim) fitting() (set uint8) {
	for o := m.open; o != 0; o &= o - 1 {
		set |= m.cand[bits.TrailingZeros32(o)]
	}
	return set
}

func (m *sim) over() bool {
	if m.open == 0 {
		return true
	}
	for p := range m.players {
		if m.hands[p].size > 0 {
			return false
		}
	}
	return true
}

// reroll rolls all dice of a player.
func (m *sim) reroll(p int, r *rand.Rand) {
	h := &m.hands[p]
	var n [4][7]int8
	for c := range h.n {
		for _, k := range h.n[c] {
			for range k {
				n[c][1+r.IntN(6)]++
			}
		}
	}
	h.n = n
}

// step plays one turn as somebody would who wants own pips high and those of others
// low, and who spoils squares for others; or at random, as some players do.
func (m *sim) step(r *rand.Rand) {
	p := m.turn
	m.turn = (p + 1) % m.players
	h := &m.hands[p]
	if h.size == 0 {
		return
	}
	set := m.fitting()
	random := m.random[p] || r.IntN(8) == 0
	c, f := m.pick(p, set, random, r)
	if f == 0 {
		m.reroll(p, r)
		return
	}
	spoil := 1
	if random {
		spoil = 0
	} else if m.worth[p][c] == 0 && m.keen(p) {
		spoil = -1
	}
	m.put(p, c, f, m.square(f, spoil, r))
}

// keen says whether a player still holds more good dice of the own color than bad ones to be rid of.
func (m *sim) keen(p int) bool {
	v := 0
	for c := range m.hands[p].n {
		if m.worth[p][c] <= 0 {
			continue
		}
		for f := 1; f <= 6; f++ {
			v += int(m.hands[p].n[c][f])
		}
	}
	return v > 0
}

// pick chooses a die that fits somewhere; face 0: none does.
func (m *sim) pick(p int, set uint8, random bool, r *rand.Rand) (color, face int) {
	best, ties := -1000, 0
	for c := range m.hands[p].n {
		for f := 1; f <= 6; f++ {
			n := int(m.hands[p].n[c][f])
			if n <= 0 || set>>f&1 == 0 {
				continue
			}
			v := int(m.worth[p][c]) * (2*f - 7)
			if m.worth[p][c] > 0 {
				v = int(m.worth[p][c]) * 2 * f // better a low one of your own than none
			}
			if random {
				v = 0
			}
			if v > best {
				best, ties = v, 0
			}
			if v == best {
				if ties += n; r.IntN(ties) < n {
					color, face = c, f
				}
			}
		}
	}
	return color, face
}

// square chooses a square that takes the value: the one after which the fewest
// values fit beside it (spoil 1), the most (-1), or any.
func (m *sim) square(f, spoil int, r *rand.Rand) int {
	at, n, best := -1, 0, -1000
	for o := m.open; o != 0; o &= o - 1 {
		sq := bits.TrailingZeros32(o)
		if m.cand[sq]>>f&1 == 0 {
			continue
		}
		v := 0
		if spoil != 0 {
			for _, k := range rules.Neighbors(sq) {
				if m.filled>>k&1 == 0 {
					v -= bits.OnesCount8(m.cand[k] & m.beside[f])
				}
			}
			v *= spoil
		}
		if v > best {
			best, n = v, 0
		}
		if v == best {
			if n++; r.IntN(n) == 0 {
				at = sq
			}
		}
	}
	return at
}

// playOut plays to the end and returns what the game is worth to a player: 1 for
// a victory, shared ones in parts, and by how many points the player leads.
func (m *sim) playOut(s *State, p int, r *rand.Rand) (win, lead float64) {
	for turns := 0; !m.over() && turns < 400; turns++ {
		m.step(r)
	}
	if m.extra {
		for q := range m.players {
			for c := range m.hands[q].n {
				for f, n := range m.hands[q].n[c] {
					m.tally[c] += f * int(n)
				}
			}
		}
	}
	var totals [4]int
	claimed := [4]bool{}
	best := 0
	for q, own := range s.owners {
		for _, c := range own {
			totals[q] += m.tally[c]
			claimed[c] = true
		}
		if q != p {
			best = max(best, totals[q])
		}
	}
	unclaimed := 0
	for c, t := range m.tally {
		if !claimed[c] {
			unclaimed = max(unclaimed, t)
		}
	}
	winners := scoring.BoxWinners(totals[:m.players], unclaimed)
	for _, w := range winners {
		if w == p {
			win = 1 / float64(len(winners))
		}
	}
	return win, float64(totals[p] - best)
}
