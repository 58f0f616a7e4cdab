package dicebox

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"diceref/rules"
	"diceref/scoring"
)

// foreseen says whether the network knows such games: two players who see each
// other's dice, by the rulebook.
func (s *State) foreseen() bool {
	return s.players == 2 && !s.wrap && !s.scoreUnplaced && s.hands[0].known && s.hands[1].known
}

const (
	looked   = 12   // of the acts that are best at first sight so many are looked into
	hopeless = 0.08 // but none that is so much worse than the best
	within   = 0.05 // how far the chances told may be off: two standard errors (0.024, of 105 positions that were played on)
)

// lookAhead lists acts, the best first: those that were looked into, then the others
// as they are at first sight. Where the time is short, fewer are looked into.
func (s *State) lookAhead(acts []Act, base *sim, b rules.Budget) []rules.Suggestion {
	start := time.Now()
	rolls := rand.NewPCG(0, 0)
	a := &ahead{loadForesight(), int(acts[0].By), rand.New(rolls)}
	list := make([]rules.Suggestion, len(acts))
	tell := func(x *rules.Suggestion, worth func(*sim) prospect) {
		act, m := x.Move.(Act), *base
		m.put(a.me, scoring.BoxColor(act.Die.Color), act.Die.Face, act.To.Index())
		w := worth(&m)
		x.Win, x.Lead = w.win, w.lead
	}
	for i, x := range acts {
		list[i] = rules.Suggestion{Move: x, Text: x.String(), Within: within, Why: s.reason(x)}
		tell(&list[i], a.now)
	}
	best := func(x, y rules.Suggestion) int {
		return cmp.Or(cmp.Compare(y.Win, x.Win), cmp.Compare(y.Lead, x.Lead))
	}
	slices.SortStableFunc(list, best)
	n, bar := 0, list[0].Win-hopeless
	for n < min(looked, len(list)) && list[n].Win >= bar && (n == 0 || b.Time == 0 || time.Since(start) < b.Time) {
		rolls.Seed(b.Seed, 1) // every act meets the same rolls
		tell(&list[n], a.after)
		n++
	}
	slices.SortStableFunc(list[:n], best)
	return list
}

// ahead looks one round on for the player me of two: at every answer to an act, as
// likely as it is for somebody who plays anything, and at the best act after it,
// which is what the network likes best. Dice are rolled a few times.
type ahead struct {
	net *foresight
	me  int
	r   *rand.Rand
}

const (
	rollsOfOther = 8
	rollsOfOwn   = 4
)

// placement is a die put on a square; ways: how many colors of one owner there are to do it with.
type placement struct {
	color, face, square, ways int8
}

// mostPlacements is more than there ever are: two values of three kinds on every square.
const mostPlacements = 6 * squares

// placements lists what a player of two may place, told apart as far as they matter
// to who owns what.
func (m *sim) placements(p int, list []placement) []placement {
	worth := &m.worth[p]
	for o := m.open; o != 0; o &= o - 1 {
		sq := bits.TrailingZeros32(o)
		for c := m.cand[sq]; c != 0; c &= c - 1 {
			face := bits.TrailingZeros8(c)
			first := len(list)
		colors:
			for color := range m.hands[p].n {
				if m.hands[p].n[color][face] == 0 {
					continue
				}
				for i := first; i < len(list); i++ {
					if worth[list[i].color] == worth[color] {
						list[i].ways++
						continue colors
					}
				}
				list = append(list, placement{int8(color), int8(face), int8(sq), 1})
			}
		}
	}
	return list
}

func (m *sim) place(p int, a placement) { m.put(p, int(a.color), int(a.face), int(a.square)) }

// ended is what a game that is over is worth.
func (a *ahead) ended(m *sim) prospect {
	lead := m.lead(a.me)
	win := 0.5
	if lead != 0 {
		win = float64(boolIndex(lead > 0))
	}
	return prospect{win, float64(lead)}
}

// now is what the position is worth after an act of me, at first sight.
func (a *ahead) now(m *sim) prospect {
	if m.over() {
		return a.ended(m)
	}
	return a.net.foretell(m, a.me)
}

// after is what the position is worth after an act of me, one round on.
func (a *ahead) after(m *sim) prospect {
	other := 1 - a.me
	switch {
	case m.over():
		return a.ended(m)
	case m.hands[other].size == 0:
		return a.before(m)
	}
	var room [mostPlacements]placement
	answers := m.placements(other, room[:0])
	if len(answers) == 0 {
		return a.rolled(m, other, rollsOfOther, a.before)
	}
	var sum prospect
	ways := 0.0
	for _, x := range answers {
		next := *m
		next.place(other, x)
		sum.add(a.before(&next), float64(x.ways))
		ways += float64(x.ways)
	}
	return prospect{sum.win / ways, sum.lead / ways}
}

// before is what the position is worth when me is to act.
func (a *ahead) before(m *sim) prospect {
	if m.over() || m.hands[a.me].size == 0 {
		return a.now(m)
	}
	var room [mostPlacements]placement
	acts := m.placements(a.me, room[:0])
	if len(acts) == 0 {
		return a.rolled(m, a.me, rollsOfOwn, a.now)
	}
	best := prospect{win: -1}
	view := a.net.survey(m)
	for _, x := range acts {
		next := *m
		next.place(a.me, x)
		w := a.ended(&next)
		if !next.over() {
			w = view.foretell(&next, a.me)
		}
		if w.win > best.win || w.win == best.win && w.lead > best.lead {
			best = w
		}
	}
	return best
}

// rolled is the mean over some rolls of a player's dice.
func (a *ahead) rolled(m *sim, p, rolls int, then func(*sim) prospect) (sum prospect) {
	for range rolls {
		next := *m
		next.reroll(p, a.r)
		sum.add(then(&next), 1/float64(rolls))
	}
	return sum
}

func (p *prospect) add(q prospect, times float64) {
	p.win += times * q.win
	p.lead += times * q.lead
}
