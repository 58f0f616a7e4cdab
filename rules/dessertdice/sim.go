package dessertdice

import (
	"math/bits"
	"math/rand/v2"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// sim is a position made for playing out fast: it is changed in place. How dice lie
// is not followed: a tip brings up any side face.
type sim struct {
	icons   *[5][7]scoring.Icons
	rule    scoring.ClusterRule
	masks   [4]uint32 // squares that show each dessert
	filled  uint32
	color   [squares]int8
	top     [squares]int8
	supply  [5][7]int8
	left    int // dice in the supply
	players int
	turn    int
	number  int
	placed  [4]int // by seat: the latest placement
	cards   [4]int // by seat: which dessert
}

// newSim needs to know what is in the supply, or how many dice of each color do;
// then their tops are rolled.
func (s *State) newSim(r *rand.Rand) *sim {
	m := &sim{icons: new([5][7]scoring.Icons), rule: s.cluster, players: s.players, turn: int(s.turn), number: s.number}
	for c := range colors {
		m.icons[c] = s.profile[colors[c]]
		n, _ := s.left(c)
		for range n {
			if s.supply == nil {
				m.supply[c][1+r.IntN(6)]++
			}
		}
		m.left += n
		if s.supply != nil {
			for f, k := range s.supply[c] {
				m.supply[c][f] = int8(k)
			}
		}
	}
	for i, d := range s.board {
		if d.color != table.NoColor {
			m.show(i, colorIndex(d.color), int(d.top))
		}
	}
	copy(m.placed[:], s.placed)
	return m
}

// show lets a square show a die.
func (m *sim) show(sq, c, f int) {
	m.filled |= 1 << sq
	m.color[sq], m.top[sq] = int8(c), int8(f)
	for k := range m.masks {
		m.masks[k] &^= 1 << sq
		m.masks[k] |= uint32(m.icons[c][f]>>k&1) << sq
	}
}

func (m *sim) clear(sq int) {
	m.filled &^= 1 << sq
	for k := range m.masks {
		m.masks[k] &^= 1 << sq
	}
}

// play applies an act.
func (m *sim) play(a Act) {
	c := colorIndex(a.Die.Color)
	if a.Kind == Tip {
		m.clear(a.From.Index())
	} else {
		m.supply[c][a.Die.Face]--
		m.left--
		m.placed[m.turn] = m.number
	}
	m.show(a.To.Index(), c, a.top())
	m.next()
}

func (m *sim) next() {
	m.number++
	m.turn = (m.turn + 1) % m.players
}

// option is an act of a playout; from < 0: a placement.
type option struct{ from, to, c, f int }

// draw thinks of some act.
func (m *sim) draw(r *rand.Rand) option {
	if r.IntN(4) == 0 && m.filled != 0 {
		from := nth(m.filled, r.IntN(bits.OnesCount32(m.filled)))
		near := rules.Neighbors(from)
		to := near[r.IntN(len(near))]
		if m.filled>>to&1 == 0 {
			side := 1 + r.IntN(6)
			for t := int(m.top[from]); side == t || side == 7-t; {
				side = 1 + r.IntN(6)
			}
			return option{from, to, int(m.color[from]), side}
		}
	}
	empty := ^m.filled & (1<<squares - 1)
	to := nth(empty, r.IntN(bits.OnesCount32(empty)))
	k := int8(r.IntN(m.left))
	for c := range m.supply {
		for f, n := range m.supply[c] {
			if k < n {
				return option{-1, to, c, f}
			}
			k -= n
		}
	}
	return option{-1, to, 0, 1}
}

// nth is the n-th set bit.
func nth(set uint32, n int) int {
	for range n {
		set &= set - 1
	}
	return bits.TrailingZeros32(set)
}

// thoughts is how many acts a player of a playout thinks of before taking the best.
const thoughts = 8

// step plays one turn as somebody would who wants a large cluster at once.
func (m *sim) step(r *rand.Rand) {
	own := m.masks[m.cards[m.turn]]
	best, at := -1, option{}
	for range thoughts {
		o := m.draw(r)
		mask := own
		if o.from >= 0 {
			mask &^= 1 << o.from
		}
		mask |= uint32(m.icons[o.c][o.f]>>m.cards[m.turn]&1) << o.to
		if v := 2*scoring.Cluster(mask, m.rule) + boolInt(o.from < 0); v > best {
			best, at = v, o
		}
	}
	if at.from >= 0 {
		m.clear(at.from)
	} else {
		m.supply[at.c][at.f]--
		m.left--
		m.placed[m.turn] = m.number
	}
	m.show(at.to, at.c, at.f)
	m.next()
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// playOut plays to the end and returns what the game is worth to a player: 1 for
// a victory, shared ones in parts, and by how many points the player leads.
func (m *sim) playOut(p int, r *rand.Rand) (win, lead float64) {
	for turns := 0; m.left > 0 && m.filled != 1<<squares-1 && turns < 120; turns++ {
		m.step(r)
	}
	scores := make([]int, m.players)
	best := 0
	for q := range scores {
		scores[q] = scoring.Cluster(m.masks[m.cards[q]], m.rule)
		if q != p {
			best = max(best, scores[q])
		}
	}
	winners := scoring.DessertWinners(scores, m.placed[:m.players])
	for _, w := range winners {
		if w == p {
			win = 1 / float64(len(winners))
		}
	}
	return win, float64(scores[p] - best)
}
