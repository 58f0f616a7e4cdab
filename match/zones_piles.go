package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Of the dice of a heap some may not show, and no color may say which. Those that did not show before are
// taken to be the ones that do not now, unless one has come up where none lay: then it may be another that
// is missing now, wherever it lies.

// heapedDice is the dice of a view that lie in heaps.
func heapedDice(piles []pile, seen *spread) (dice []table.Reading) {
	for _, p := range piles {
		if p.heap {
			dice = append(dice, seen.in[p.at]...)
		}
	}
	return dice
}

// heapsNow is the dice of heaps as they lay in the last view that was accounted for, or that nobody knows yet.
func (z *zoneMemory) heapsNow() []table.Reading {
	if z.next != nil {
		return z.nextHeaps
	}
	return z.heaps
}

// newcomers counts the dice that lie where none did that may be the same.
func newcomers(dice, before []table.Reading, reach float64) (n int) {
	for _, r := range dice {
		if !slices.ContainsFunc(before, func(was table.Reading) bool {
			return (was.Die == r.Die || !was.Sure || !r.Sure) && dist(was.At, r.At) < reach
		}) {
			n++
		}
	}
	return n
}

// heaped is how many dice are in heaps in a position.
func heaped(g zoneGame, s rules.State) (n int) {
	for _, p := range g.piles(s) {
		if p.heap {
			n += len(p.dice)
		}
	}
	return n
}

// gathered is how many dice a story brought to heaps, from a position on. Of acts in place of others only what
// is left counts.
func gathered(g zoneGame, at rules.State, s rules.Story) (n int) {
	if s.Back > 0 {
		return max(0, heaped(g, s.After)-heaped(g, at))
	}
	for _, mv := range s.Line {
		next, err := at.Apply(mv)
		if err != nil {
			break
		}
		n += max(0, heaped(g, next)-heaped(g, at))
		at = next
	}
	return n
}

// stillBuried is how many dice of heaps are known not to show if a story is true that goes on from a tale: as
// hiding, but for those that have come up.
func (z *zoneSearch) stillBuried(base *hypothesis, s rules.Story) int {
	before, twice := min(z.seen.hidden, base.unshown), z.seen.short-len(z.seen.lost)
	if before > 0 && z.seen.come > 0 {
		before -= max(0, z.seen.come-gathered(z.g, base.at(), s))
	}
	if twice > 0 && z.seen.justCome > 0 {
		twice -= max(0, z.seen.justCome-gathered(z.g, base.at(), s))
	}
	return max(before, twice, 0)
}

// unshown is how many dice of heaps a view does not show.
func (s *spread) unshown(g zoneGame, at rules.State) int {
	piles := g.piles(at)
	return max(0, heaped(g, at)-len(heapedDice(piles, s)))
}

// diceUnseen says whether a tale depends on dice that are not seen, and asks about it.
func (m *Match) diceUnseen(g zoneGame, seen *spread, r *ruling) (ask Phrase, is bool) {
	switch r.Verdict {
	case rules.Explained, rules.TakenBack, rules.IllegalAct:
		short := allDice(g.piles(r.After)) - seen.total
		is = short > m.zones.buried(seen, r)+len(r.lost) && g.counts(r.start, r.Story, short)
		return phrase("dice-unseen", "count", short, "acts", m.deedsOf(r.whole()...)), is
	}
	return ask, false
}

// buried is how many dice of heaps are known not to show if a tale is true: of no color more than did not show in
// the view that was accounted for last, where the tale goes on from that.
func (z *zoneMemory) buried(seen *spread, r *ruling) int {
	if len(r.before) > 0 || z.most == [10]int{} {
		return r.buried
	}
	return min(r.buried, sum(both(missing(z.most, seen.colors()), missing(z.most, z.shown))))
}

// stillUnseen says whether dice are not seen that the view before lacked as well, and that was left to this one
// to tell. Where others have come to the heaps since, and these not, they are there.
func (m *Match) stillUnseen(g zoneGame, seen *spread, r *ruling) bool {
	if held := m.zones.held; held == nil || held.Kind != "dice-unseen" {
		return false
	}
	short := allDice(g.piles(r.After)) - seen.total - len(r.lost)
	return short > sum(m.zones.hidden) && (short > r.buried || gathered(g, r.begin, r.Story) == 0)
}
