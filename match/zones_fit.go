package match

import (
	"cmp"
	"math"
	"slices"

	"diceref/calibration"
	"diceref/rules"
	"diceref/table"
)

// What it costs to call a reading wrong, as -ln of how likely that is.
const (
	costSure    = 7.0  // a die that the program would act upon is another one
	costPhantom = 8.0  // such a die is none
	costMost    = 9.0  // no reading is surer than this
	costUnseen  = 6.0  // a die that lies by itself was not seen, in a view that is free and still
	costFaint   = 4.0  // at most so much of one that was not sure in the view before
	costBuried  = 2.0  // dice of a heap were not seen: others may hide them
	costDeeper  = 0.5  // each of them after the first
	costLost    = 0.05 // a die is still not seen: that was paid for once
	costOutside = 1.0  // a die is in no zone; it is missing elsewhere, which costs more
)

// unlikelyFace is the probability below which a doubtful die is not thought to show a face.
const unlikelyFace = 0.02

// misplaced is a reading that cannot be right if a story is true. A die that was not
// read has no color in read; one that is none has a zero is.
type misplaced struct {
	at       table.Point
	read, is table.Die
	sure     bool // the players say so
}

// prices is what dice that do not match cost.
type prices struct {
	unseen, phantom float64
	lost            []lostDie  // dice of which it is known that they are not seen
	faint           []faintDie // dice that were hardly seen in the view before
}

// faintDie is a die that the reader hardly saw, or not at all in a view before, and what it costs
// not to see it any more.
type faintDie struct {
	at zoneKey
	table.Die
	price float64
	lost  bool // it was not seen at all
}

// missing is what not to have seen a die costs.
func (p *prices) missing(d table.Die) float64 {
	for _, l := range p.lost {
		if l.Die == d || l.Face == 0 && l.Color == d.Color {
			return min(costLost, p.unseen)
		}
	}
	for _, f := range p.faint {
		if f.Die == d || likeDie(d, f.Die) {
			return min(f.price, p.unseen)
		}
	}
	return p.unseen
}

// faintOnes lists the dice of a view that may well be overlooked in the next.
func faintOnes(seen *spread) (list []faintDie) {
	for at, dice := range seen.in {
		for _, r := range dice {
			if !r.Sure {
				list = append(list, faintDie{at: at, Die: r.Die, price: min(costBuried-math.Log(1-there(&r)), costFaint)})
			}
		}
	}
	return list
}

// overlooked lists the dice of players that once were not seen where they lie: such a die may be
// overlooked again, as long as one like it is known to lie there. Elsewhere others come soon.
func (s *spread) overlooked(piles []pile) (list []faintDie) {
	for _, p := range piles {
		once := func(d table.Die) bool {
			return slices.Contains(s.lost, lostDie{p.at, d}) || slices.ContainsFunc(s.faint, func(f faintDie) bool { return f.lost && f.at == p.at && f.Die == d })
		}
		for i, d := range p.dice {
			if p.at.kind == calibration.ZonePlace && once(d) && !slices.Contains(p.dice[:i], d) {
				list = append(list, faintDie{p.at, d, costBuried, true})
			}
		}
	}
	return list
}

// likeDie says whether a die may be the one wanted.
func likeDie(want, d table.Die) bool {
	return (want.Color == table.NoColor || want.Color == d.Color) && (want.Face == 0 || want.Face == d.Face)
}

// unlikeDie is the price of calling a reading wrong that is really the die wanted.
func unlikeDie(r *table.Reading, want table.Die) float64 {
	if likeDie(want, r.Die) {
		return 0
	}
	least := 0.0
	if r.Sure {
		least = costSure
	}
	cost := 0.0
	if want.Color != table.NoColor && want.Color != r.Color {
		cost += logRatio(r.Colors[r.Color], r.Colors[want.Color])
	}
	if want.Face != 0 && want.Face != r.Face {
		cost += logRatio(r.Faces[r.Face], r.Faces[want.Face])
	}
	return min(max(cost, least), costMost)
}

// logRatio is how much less likely b is than a.
func logRatio(a, b float64) float64 {
	if a <= 0 { // nothing is known but the reading itself
		return costSure
	}
	return math.Log(a / max(b, 1e-4))
}

// unreal is the price of calling a reading no die at all.
func unreal(r *table.Reading, phantom float64) float64 {
	if r.Sure {
		return phantom
	}
	p := there(r)
	return min(max(math.Log(p/(1-p)), 0.5), phantom)
}

// there is how likely a reading is of a die at all. What its faces lack of one speaks for no die: how
// likely its own is if there is a die is told by its share of them.
func there(r *table.Reading) float64 {
	const most = 0.9999
	if known := asShares(r.Faces)[max(0, min(r.Face, 6))] * r.Colors[r.Color]; known > 0 {
		return min(r.Confidence/known, most)
	}
	return min(1-(1-r.Confidence)/4, most) // most doubts are about the face
}

// fitPile is how wrong the readings must be if just these dice are there, at most
// limit or a little more. wrong, unless nil, collects the readings called wrong.
func fitPile(want []table.Die, got []table.Reading, p prices, limit float64, wrong *[]misplaced) float64 {
	w, g := unmatched(want, got, false)
	if len(w) == 0 && len(g) == 0 {
		return 0
	}
	// A doubtful die may be another one so that those left over fit better.
	const most = 9
	if w2, g2 := unmatched(want, got, true); max(len(w2), len(g2)) <= most {
		w, g = w2, g2
	}
	// A die too few or too many costs at least the cheaper of both prices.
	if d := len(w) - len(g) - len(p.lost) - len(p.faint); d > 0 && float64(d)*p.unseen > limit {
		return limit + 1
	}
	f := fitter{want: w, got: g, p: p, best: limit + 1, used: make([]bool, len(g)), pick: make([]int, len(w))}
	f.try(0, 0)
	if wrong != nil && f.best <= limit {
		*wrong = append(*wrong, f.wrong()...)
	}
	return f.best
}

// unmatched cancels dice against readings of them, the surest first (or those that are
// sure alone) and the most particular dice first, and returns the rest of both.
func unmatched(want []table.Die, got []table.Reading, sure bool) ([]table.Die, []*table.Reading) {
	rest := make([]*table.Reading, len(got))
	for i := range got {
		rest[i] = &got[i]
	}
	slices.SortStableFunc(rest, func(a, b *table.Reading) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var left []table.Die
	for _, w := range byDetail(want) {
		i := slices.IndexFunc(rest, func(r *table.Reading) bool { return likeDie(w, r.Die) && (r.Sure || !sure) })
		if i < 0 {
			left = append(left, w)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return left, rest
}

// byDetail puts the dice of which most is known first.
func byDetail(dice []table.Die) []table.Die {
	detail := func(d table.Die) int {
		n := 0
		if d.Color != table.NoColor {
			n++
		}
		if d.Face != 0 {
			n++
		}
		return n
	}
	if slices.IsSortedFunc(dice, func(a, b table.Die) int { return detail(b) - detail(a) }) {
		return dice
	}
	dice = slices.Clone(dice)
	slices.SortStableFunc(dice, func(a, b table.Die) int { return detail(b) - detail(a) })
	return dice
}

// fitter pairs dice that are wanted with readings that match none, at the least cost.
type fitter struct {
	want []table.Die
	got  []*table.Reading
	p    prices
	used []bool
	pick []int // reading of each die, -1: not seen
	best float64
	how  []int
}

func (f *fitter) try(i int, cost float64) {
	if cost >= f.best {
		return
	}
	if i == len(f.want) {
		for k, r := range f.got {
			if !f.used[k] {
				cost += unreal(r, f.p.phantom)
			}
		}
		if cost < f.best {
			f.best, f.how = cost, slices.Clone(f.pick)
		}
		return
	}
	for _, first := range []bool{true, false} { // those that match, then the others
		for k, r := range f.got {
			if off := unlikeDie(r, f.want[i]); !f.used[k] && (off == 0) == first {
				f.used[k], f.pick[i] = true, k
				f.try(i+1, cost+off)
				f.used[k] = false
			}
		}
	}
	f.pick[i] = -1
	f.try(i+1, cost+f.p.missing(f.want[i]))
}

func (f *fitter) wrong() (list []misplaced) {
	taken := make([]bool, len(f.got))
	for i, k := range f.how {
		if k < 0 {
			list = append(list, misplaced{is: f.want[i]})
			continue
		}
		if taken[k] = true; likeDie(f.want[i], f.got[k].Die) {
			continue
		}
		list = append(list, misplaced{at: f.got[k].At, read: f.got[k].Die, is: f.want[i]})
	}
	for k, r := range f.got {
		if !taken[k] {
			list = append(list, misplaced{at: r.At, read: r.Die})
		}
	}
	return list
}

// misfitZones is how wrong the readings must be if the table is as these piles say;
// what is above limit is not told exactly.
func misfitZones(piles []pile, seen *spread, limit float64) float64 {
	return fitZones(piles, seen, limit, nil)
}

// misread lists the readings that cannot be right in a position.
func misread(g zoneGame, s rules.State, seen *spread) []misplaced {
	var wrong []misplaced
	fitZones(g.piles(s), seen, maxMisfit, &wrong)
	return wrong
}

// prices is what dice that do not match cost in a zone.
func (s *spread) prices(at zoneKey) prices {
	p := prices{unseen: costUnseen, phantom: costPhantom}
	for _, l := range s.lost {
		if l.at == at {
			p.lost = append(p.lost, l)
		}
	}
	for _, f := range s.faint {
		if f.at == at || f.at.kind == calibration.ZoneCart && at.kind == calibration.ZonePlace { // it may have been kept
			p.faint = append(p.faint, f)
		}
	}
	return p
}

// free is the same prices where dice may lie that are not asked for.
func (p prices) free() prices {
	p.phantom = 0
	return p
}

func fitZones(piles []pile, seen *spread, limit float64, wrong *[]misplaced) float64 {
	cost, hidden := 0.0, seen.hiding()
	for _, p := range piles {
		if !seen.drawn[p.at] {
			continue // out of view
		}
		price := seen.prices(p.at)
		want, got := p.dice, p.besides(seen.in[p.at])
		if p.heap {
			short := max(0, len(want)-len(got))
			want = want[:len(want)-short]
			cost += buried(short - hidden)
			hidden = max(0, hidden-short)
		}
		if cost += fitPile(want, got, price, limit-cost, wrong); cost > limit {
			return cost
		}
	}
	for i := range seen.out {
		cost += min(costOutside, unreal(&seen.out[i], costPhantom))
	}
	return cost
}

// buried is the price of not having seen so many dice of heaps.
func buried(n int) float64 {
	if n <= 0 {
		return 0
	}
	return costBuried + costDeeper*float64(n-1)
}

// veils says whether a view lacks dice and is otherwise as it should be: something lies over them,
// of which fewer dice than those that are gone may be read in doubt.
func veils(piles []pile, seen *spread) bool {
	gone, come := 0, 0
	for _, p := range piles {
		if !seen.drawn[p.at] {
			continue
		}
		left, more := unmatched(p.dice, seen.in[p.at], false)
		if slices.ContainsFunc(more, plainly) {
			return false
		}
		come += len(more)
		if !p.heap {
			gone += len(left)
		}
	}
	return gone > come && len(seen.out) == 0
}

// underway says whether a view can be one in the middle of what the player whose turn it is
// may do: everything that does not move is where it was.
func (m *Match) underway(g zoneGame, seen *spread) bool {
	const little = 2.0 // of doubt in the readings
	var moves []movement
	for _, b := range m.bases(g) {
		for _, mv := range g.halfway(b.at(), seen) {
			moves = append(moves, movement{mv.before, m.zones.unmoved(g, b.at(), mv.after)})
		}
	}
	if was := m.zones.agreed; was != nil && was != m.line.now() && !m.zones.posed { // what was declared is still to be done
		moves = append(moves, movement{g.piles(was), g.piles(m.line.now())})
	}
	for _, mv := range moves {
		if between(mv, seen, little) <= little {
			return true
		}
	}
	return false
}

// unmoved is what there may be after a movement of dice, of which those do not move that have only
// been said to have come: a view is to show them where they are, and as they were said, first.
func (z *zoneMemory) unmoved(g zoneGame, now rules.State, after []pile) []pile {
	if z.agreed == nil || z.agreed == now {
		return after
	}
	after = slices.Clone(after)
	shown := g.piles(z.agreed)
	for i, p := range g.piles(now) {
		_, both := meet(p.dice, shown[i].dice)
		_, after[i].dice = meet(both[len(shown[i].dice):], after[i].dice)
	}
	return after
}

// between is how wrong the readings must be if dice are on their way.
func between(mv movement, seen *spread, limit float64) float64 {
	cost := 0.0
	after := map[zoneKey]pile{}
	for _, p := range mv.after {
		after[p.at] = p
	}
	for _, p := range mv.before {
		if !seen.drawn[p.at] {
			continue
		}
		still, both := meet(p.dice, after[p.at].dice)
		got := seen.in[p.at]
		if p.heap { // all alike: they can only be counted
			if over := len(got) - len(both); over > 0 {
				cost += float64(over) * costPhantom
			}
			cost += buried(len(still) - seen.hiding() - len(got))
		} else {
			cost += fitPile(still, got, seen.prices(p.at).free(), limit, nil)
			cost += fitPile(both, got, prices{unseen: 0, phantom: costPhantom}, limit, nil)
		}
		if cost > limit {
			return cost
		}
	}
	return cost
}

// meet is the dice in both lists, and the least list that has the dice of each.
func meet(a, b []table.Die) (still, both []table.Die) {
	n := map[table.Die]int{}
	for _, d := range b {
		n[d]++
	}
	both = slices.Clone(b)
	for _, d := range a {
		if n[d] > 0 {
			n[d]--
			still = append(still, d)
		} else {
			both = append(both, d)
		}
	}
	return still, both
}

// forcer is a game in which acts force others that nobody sees.
type forcer interface {
	forced(s rules.State) rules.Move
}

// follow adds to a line what its last act forces.
func follow(g zoneGame, at rules.State, line []rules.Move) (rules.State, []rules.Move) {
	f, ok := g.(forcer)
	for ok {
		mv := f.forced(at)
		if mv == nil {
			break
		}
		next, err := at.Apply(mv)
		if err != nil {
			break
		}
		at, line = next, append(line, mv)
	}
	return at, line
}

// asShares is probabilities made to add up to one.
func asShares(faces [7]float64) [7]float64 {
	sum := 0.0
	for _, p := range faces {
		sum += p
	}
	for f := range faces {
		faces[f] /= max(sum, 1e-9)
	}
	return faces
}
