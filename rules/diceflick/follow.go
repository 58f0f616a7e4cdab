package diceflick

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// The words of this game, as they are declared.
const (
	SayMiss = "miss"
	SayNext = "next"
)

// Follower is a game as one who only sees the arena follows it: the position, the dice that were taken
// out and are scored once the turn is over, and how these people play.
type Follower struct {
	State  *State
	taken  scoring.Holes // dice that were taken out since the last flick
	order  string        // the visible acts of this turn: which came first is not forgotten before it is over
	at     float64       // when something was last seen to happen
	timed  bool          // at is known
	pace   *pace
	habit  habit
	unsaid bool // nobody said that the turn before was over
	// last is how the turn before was ended by declaration, as long as nothing has come in since: the dice
	// that were scored may show only later.
	last *ending
	memo *memo
}

// ending is a turn that a player has ended.
type ending struct {
	before *Follower // with what was taken by then
	log    float64   // how likely that score was
	word   rules.Word
}

// habit counts what players have declared, and what they have not.
type habit struct{ nextSaid, nextUnsaid, missSaid, missUnsaid float64 }

// silent is how likely it is that one who could say something does not.
func silent(said, unsaid float64) float64 { return (unsaid + .5) / (said + unsaid + 1) }

// Follow begins to follow a game from a position that is certain.
func Follow(s *State) *Follower {
	return &Follower{State: s, pace: newPace(), memo: &memo{}}
}

// From goes on from another position with what is known of the people.
func (f *Follower) From(s *State) *Follower {
	next := *f
	next.State, next.taken, next.order, next.last = s, 0, "", nil
	return &next
}

// Taking is the same with dice that are known to have been taken out already.
func (f *Follower) Taking(taken scoring.Holes) *Follower {
	next := *f
	next.taken = taken
	return &next
}

// Taken is the dice that were taken out since the last flick, and are scored when the turn is over.
func (f *Follower) Taken() scoring.Holes { return f.taken }

// Places implements rules.Follower.
func (f *Follower) Places() rules.Places {
	p := rules.Places(f.State.arena.Dice)
	for _, sq := range f.taken.Squares() {
		p[sq.Index()] = table.Die{}
	}
	return p
}

// Stickers implements rules.Follower.
func (f *Follower) Stickers() (list [len(rules.Places{})]bool) {
	k := f.State.arena.Markers
	for _, sq := range (k.Center | k.Bonus | k.Upgrade[0] | k.Upgrade[1] | k.Upgrade[2]).Squares() {
		list[sq.Index()] = true
	}
	return list
}

// Key implements rules.Follower.
func (f *Follower) Key() string {
	s := f.State
	b := make([]byte, 0, 128)
	for _, d := range s.arena.Dice {
		b = append(b, byte(d.Color)<<3|byte(d.Face))
	}
	b = append(b, byte(s.seat), byte(s.round), byte(s.flicks), byte(s.earned), byte(s.required), byte(s.between))
	for h := uint64(f.taken)<<32 | uint64(s.arena.Landed); h != 0; h >>= 8 {
		b = append(b, byte(h))
	}
	b = append(b, '|')
	for _, line := range s.pad.Rounds {
		for _, n := range line {
			if n == nil {
				b = append(b, 255)
			} else {
				b = append(b, byte(*n))
			}
		}
	}
	return string(append(b, f.order...))
}

// Follow implements rules.Follower.
func (f *Follower) Follow(g rules.Glimpse) []rules.Course {
	return rules.Likeliest(f.follow(g), mostCourses)
}

// mostCourses is how many ways are looked at further.
const mostCourses = 40

func (f *Follower) follow(g rules.Glimpse) []rules.Course {
	before := f.Places()
	if before == g.Places && len(g.Said) == 0 {
		return []rules.Course{{After: f}}
	}
	now := &walk{from: f, g: g, times: map[stretch]outlook{}}
	var was *walk
	if f.last != nil {
		was = &walk{from: f.last.before, g: g, times: map[stretch]outlook{}}
	}
	for _, c := range apart(before, g.Places) {
		for _, scored := range f.mayBeScored(c) {
			now.change, now.scored = c, scored
			now.on(step{w: *f})
			if was != nil && scored != 0 {
				was.change, was.scored = c, scored
				was.late(f.last)
			}
		}
	}
	list := append(now.found, f.moved(g)...)
	if was != nil {
		list = append(list, was.found...)
	}
	return list
}

// apart is the ways in which dice may have come, moved and gone between two views: a die that has come
// where one of its color has gone is the same, or another.
func apart(before, after rules.Places) []Change {
	const most = 12
	var gone, come []table.Square
	var plain Change
	for i := range before {
		b, a, at := before[i], after[i], table.SquareAt(i)
		switch {
		case b == a:
		case b.Color == a.Color && b.Color != table.NoColor:
			gone, come = append(gone, at), append(come, at)
		default:
			if b.Color != table.NoColor {
				gone = append(gone, at)
			}
			if a.Color != table.NoColor {
				come = append(come, at)
			}
		}
	}
	list := []Change{plain}
	for _, to := range come {
		var next []Change
		for _, c := range list {
			other := c
			other.Landed = append(slices.Clip(c.Landed), Placed{to, after[to.Index()]})
			next = append(next, other)
			for _, from := range gone {
				if before[from.Index()].Color != after[to.Index()].Color || slices.ContainsFunc(c.Moved, func(s Shift) bool { return s.From == from }) {
					continue
				}
				other := c
				other.Moved = append(slices.Clip(c.Moved), Shift{From: from, To: to, Face: after[to.Index()].Face})
				next = append(next, other)
			}
		}
		list = next
		if len(list) > most { // the fewest that came, the nearest that moved
			slices.SortStableFunc(list, func(a, b Change) int { return a.far() - b.far() })
			list = list[:most]
		}
	}
	for i := range list {
		for _, at := range gone {
			if !slices.ContainsFunc(list[i].Moved, func(s Shift) bool { return s.From == at }) {
				list[i].Removed = append(list[i].Removed, at)
			}
		}
	}
	return list
}

// far is a measure of how much a change is.
func (c Change) far() int {
	n := 20 * len(c.Landed)
	for _, s := range c.Moved {
		dr, dc := s.From.Row-s.To.Row, s.From.Col-s.To.Col
		n += 2 * (dr*dr + dc*dc)
	}
	return n
}

// mayBeScored is which of the dice that have gone may have been taken out to be scored: all, none, or
// those that score best.
func (f *Follower) mayBeScored(c Change) []scoring.Holes {
	all := scoring.HoleSet(c.Removed...)
	list := []scoring.Holes{0}
	if all == 0 {
		return list
	}
	best := f.memo.best(f.State).Removed &^ f.taken & all
	list = append(list, all)
	for _, at := range c.Removed {
		if one := all &^ scoring.HoleSet(at); len(c.Removed) <= 4 {
			list = append(list, one)
		}
	}
	list = append(list, best)
	slices.Sort(list)
	return slices.Compact(list)
}

// moved explains what is seen by a hand that has pushed dice, or by what was believed and was wrong: the
// arena is as it is, and no act has led to it.
func (f *Follower) moved(g rules.Glimpse) []rules.Course {
	if len(g.Said) > 0 {
		return nil
	}
	n := 0
	before := f.Places()
	for i, d := range g.Places {
		if d != before[i] {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mv := Arrange{Dice: g.Places}
	arena := *f
	arena.taken = 0
	if f.taken != 0 { // they are scored all the same
		for _, sq := range f.taken.Squares() {
			mv.Dice[sq.Index()] = f.State.arena.Dice[sq.Index()]
		}
		arena.taken = f.taken
	}
	next, err := f.State.Apply(mv)
	if err != nil {
		return nil
	}
	more := count(mv.Dice) - count(f.State.arena.Dice)
	arena.State, arena.at, arena.timed = next.(*State), g.At, true
	return []rules.Course{{Line: []rules.Move{mv}, Log: handPushes + float64(n)*eachPushed + float64(max(more, 0))*eachBrought, After: &arena}}
}

// memo remembers what arenas are worth, which is asked again and again.
type memo struct {
	plans   map[scoring.Arena]scoring.Plan
	reasons map[claimed]scoring.Explanation
}

type claimed struct {
	arena   scoring.Arena
	removed scoring.Holes
}

const mostRemembered = 2000

func (m *memo) best(s *State) scoring.Plan {
	if p, ok := m.plans[s.arena]; ok {
		return p
	}
	if m.plans == nil || len(m.plans) > mostRemembered {
		m.plans = map[scoring.Arena]scoring.Plan{}
	}
	p := s.Best()
	m.plans[s.arena] = p
	return p
}

func (m *memo) explain(s *State, removed scoring.Holes) scoring.Explanation {
	k := claimed{s.arena, removed}
	if e, ok := m.reasons[k]; ok {
		return e
	}
	if m.reasons == nil || len(m.reasons) > mostRemembered {
		m.reasons = map[claimed]scoring.Explanation{}
	}
	e := s.Explain(removed)
	m.reasons[k] = e
	return e
}

func ln(p float64) float64 { return math.Log(p) }

// Do is the game after a move that is certain.
func (f *Follower) Do(mv rules.Move) (*Follower, error) {
	s, err := f.State.Apply(mv)
	if err != nil {
		return nil, err
	}
	next := *f
	next.State = s.(*State)
	return &next, nil
}
