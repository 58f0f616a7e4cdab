package match

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// hands follows the dice that lie beside a board of Dice Box. They are read less
// surely than those on it, and some may be out of view, so that a change is
// weighed. Which side of the board is whose is learned from play.
type hands struct {
	votes [4]map[rules.Player]int // by side: for whom dice left it
	views [2]besides              // the last two that were accounted for, the older first
	full  besides                 // of each side, the last view since something was told with as many dice as any other
	told  int64                   // the number of the event that was told last then
	plane plane                   // of the later one
}

// The sides of a board, as an index of hands.votes.
const (
	north = iota
	east
	south
	west
)

// sideOf tells beside which side of the board a pixel lies; false on the board itself.
func sideOf(p plane, at table.Point) (int, bool) {
	q := p.at(at)
	beyond := [4]float64{north: -q.Y, east: q.X - 1, south: q.Y - 1, west: -q.X}
	side := north
	for i := range beyond {
		if beyond[i] > beyond[side] {
			side = i
		}
	}
	return side, beyond[side] > 0
}

// besides is the dice read on each side of a board.
type besides [4][]table.Reading

func lookBeside(obs table.Observation) (b besides) {
	if obs.Grid == nil || !obs.Grid.Found {
		return b
	}
	p := planeOf(obs.Grid.Corners)
	for _, r := range obs.Dice {
		if r.Square != nil {
			continue
		}
		if side, ok := sideOf(p, r.At); ok {
			b[side] = append(b[side], r)
		}
	}
	return b
}

// count is how many of the dice read as d.
func count(dice []table.Reading, d table.Die) int {
	n := 0
	for _, r := range dice {
		if r.Die == d {
			n++
		}
	}
	return n
}

// Numbers that weigh the evidence for a roll, as natural logarithms.
const (
	leastSame  = 0.003 // of two readings of one die, at least: both may be wrong however sure they are
	apart      = 0.3   // less likely the same than this: the die seems to show another face
	mustRoll   = 2.0   // a hand was at the dice of a player of whom no die in view fits
	mayNotRoll = -4.0  // a die in view fits: rolling would be against the rules
	enoughRoll = 2.0   // from here on a roll is believed
)

// rolled weighs whether the dice of a side were rolled between two views: the
// logarithm of how many times likelier that makes what is seen. Dice that came
// into view or left it say nothing. apparent counts the dice that seem to differ.
func rolled(before, now []table.Reading) (weight float64, apparent int) {
	for _, c := range table.Colors {
		for _, same := range pairs(ofColor(before, c), ofColor(now, c)) {
			weight += math.Log(1.0 / 6 / max(same, leastSame))
			if same < apart {
				apparent++
			}
		}
	}
	return weight, apparent
}

func ofColor(dice []table.Reading, c table.Color) []table.Reading {
	var list []table.Reading
	for _, r := range dice {
		if r.Color == c {
			list = append(list, r)
		}
	}
	return list
}

// pairs matches dice of one color before and now, the most likely pairs first, and
// gives the probability of each that both show the same face.
func pairs(before, now []table.Reading) []float64 {
	var list []float64
	for len(before) > 0 && len(now) > 0 {
		bi, ni, best := 0, 0, -1.0
		for i := range before {
			for k := range now {
				if p := sameFace(before[i], now[k]); p > best {
					bi, ni, best = i, k, p
				}
			}
		}
		list = append(list, best)
		before = append(before[:bi:bi], before[bi+1:]...)
		now = append(now[:ni:ni], now[ni+1:]...)
	}
	return list
}

func sameFace(a, b table.Reading) float64 {
	p := 0.0
	for f := range a.Faces {
		p += a.Faces[f] * b.Faces[f]
	}
	return p
}

// owner is whose dice are on a side, Nobody while play has not told.
func (h *hands) owner(side int) rules.Player {
	best, who, tie := 0, rules.Nobody, false
	for p, n := range h.votes[side] {
		switch {
		case n > best:
			best, who, tie = n, p, false
		case n == best:
			tie = true
		}
	}
	if tie {
		return rules.Nobody
	}
	return who
}

// placed learns from a placement: the side that a die of its color and face left is the player's.
func (h *hands) placed(line []rules.Move, now, was table.Observation) {
	if len(line) != 1 {
		return
	}
	a, ok := line[0].(dicebox.Act)
	if !ok || a.Kind != dicebox.Place {
		return
	}
	from, ok := sideLeft(a.Die, now, was)
	if !ok {
		return
	}
	if h.votes[from] == nil {
		h.votes[from] = map[rules.Player]int{}
	}
	h.votes[from][a.By]++
}

// ownedAs takes over whose dice lie on which side, by player and side.
func (h *hands) ownedAs(owners [4][4]uint8) {
	for p := range owners {
		for side, n := range owners[p] {
			if n == 0 {
				continue
			}
			if h.votes[side] == nil {
				h.votes[side] = map[rules.Player]int{}
			}
			h.votes[side][rules.Player(p)] = int(n)
		}
	}
}

// sideLeft is the only side on which there are fewer dice like d than before.
func sideLeft(d table.Die, now, was table.Observation) (from int, ok bool) {
	before, after := lookBeside(was), lookBeside(now)
	sides := 0
	for side := range before {
		if count(before[side], d) > count(after[side], d) {
			from = side
			sides++
		}
	}
	return from, sides == 1
}

// unseenRoll is other stories for a placement, legal or not: the player whose turn it is rolled and nobody
// could see it, or passed, and the next one placed the die. They are told where the die left the next
// one's dice, or where the player whose turn it is has none of that color; then it was whose dice it left, and
// all between have rolled. nil otherwise.
func (m *Match) unseenRoll(s rules.Story, obs table.Observation) []offer {
	state, ok := m.line.now().(*dicebox.State)
	if !ok || len(s.Line) != 1 || s.Back > 0 || !m.seen.ok {
		return nil
	}
	a, ok := s.Line[0].(dicebox.Act)
	if !ok || a.Kind != dicebox.Place {
		return nil
	}
	next := func(p rules.Player) rules.Player { return (p + 1) % rules.Player(len(m.setting.Players)) }
	who, notYours := next(a.By), s.Why.Code() == "BX-NOTYOURS"
	if side, left := sideLeft(a.Die, obs, m.seen.obs); left && m.beside.owner(side) >= 0 && m.beside.owner(side) != a.By && (notYours || m.beside.owner(side) == who) {
		who = m.beside.owner(side)
	} else if !notYours {
		return nil
	}
	var line []rules.Move
	var after rules.State = state
	for p := a.By; p != who; p = next(p) {
		roll := dicebox.Act{By: p, Kind: dicebox.Reroll}
		then, err := after.Apply(roll)
		if err != nil || after.Check(roll) != nil {
			return nil
		}
		line, after = append(line, roll), then
	}
	a.By = who
	if breach := reasonsOf(after.Check(a)); slices.ContainsFunc(breach.Codes(), func(c string) bool { return !slices.Contains(s.Why.Codes(), c) }) {
		return nil // it would break more rules
	}
	offers := []offer{m.asked(rules.Story{Line: append(line, a)}), m.asked(s)}
	if pass, first, ok := m.passedOver(state, obs, a); ok {
		offers = slices.Insert(offers, map[bool]int{false: 1}[first], pass)
	}
	return offers
}

// othersDice says whether one of two dice that were placed in one view left the side of another player
// than the one whose turn it would have been: a roll between them was not seen.
func (m *Match) othersDice(s rules.Story, obs table.Observation) bool {
	return m.seen.ok && len(s.Line) == 2 && s.Back == 0 && slices.ContainsFunc(s.Line, func(mv rules.Move) bool {
		a, ok := mv.(dicebox.Act)
		if !ok || a.Kind != dicebox.Place {
			return false
		}
		side, left := sideLeft(a.Die, obs, m.seen.obs)
		return left && m.beside.owner(side) >= 0 && m.beside.owner(side) != a.By
	})
}

// watchHands looks for a reroll: the board is as it was, and the dice of the
// player to move show other faces, while those of the others do not.
func (m *Match) watchHands(obs table.Observation) bool {
	state, ok := m.line.now().(*dicebox.State)
	if !ok || !m.seen.ok || state.ToMove() < 0 {
		return true
	}
	by := state.ToMove()
	before, now := lookBeside(m.seen.obs), lookBeside(obs)
	own, readings, others := mustRoll, 0.0, 0.0
	changed, strange := 0, 0
	for side := range before {
		was := before[side]
		if full := m.beside.full[side]; len(was) < len(now[side]) && len(full) >= len(now[side]) && !anyFits(state, full) {
			was = full // dice that were out of view for a while were in a hand
		}
		w, n := rolled(was, now[side])
		if who := m.beside.owner(side); who == by || who == rules.Nobody && n > 0 {
			own += w
			readings += w
			changed += n
			if anyFits(state, was) {
				own += mayNotRoll
			}
		} else {
			others = max(others, w)
			strange += n
		}
	}
	switch {
	case changed > 0 && own > enoughRoll && (others < enoughRoll || strange == 0):
		return m.tellRoll(state, by, readings)
	case changed == 0 && (strange == 0 || others < enoughRoll):
		return true
	case changed > 0 && own < 0 && others < enoughRoll:
		return true // a misreading now or before
	}
	roll := dicebox.Act{By: by, Kind: dicebox.Reroll}
	next := dicebox.Act{By: (by + 1) % rules.Player(len(m.setting.Players)), Kind: dicebox.Reroll}
	alone := offer{says: phrase("rolled", "player", m.name(by)), story: rules.Story{Line: []rules.Move{roll}}}
	both := offer{says: phrase("rolled-both", "player", m.name(by), "next", m.name(next.By)), story: rules.Story{Line: []rules.Move{roll, next}}}
	offers := []offer{alone, both, {says: phrase("nobody-rolled")}}
	if changed == 0 {
		offers = []offer{both, alone, {says: phrase("nobody-rolled")}}
		if pass, first, ok := m.passedOver(state, obs, next); ok {
			offers = slices.Insert(offers, map[bool]int{false: 1}[first], pass)
		}
	}
	return m.doubtful(phrase("who-rolled", "player", m.name(by)), offers)
}

// anyFits says whether a die that is read surely could be placed, so that its owner must not roll.
func anyFits(state *dicebox.State, dice []table.Reading) bool {
	for _, sq := range state.Fillable() {
		for _, v := range state.Candidates(sq) {
			for _, r := range dice {
				if r.Sure && r.Face == v {
					return true
				}
			}
		}
	}
	return false
}

// sayHands applies what only players know in Dice Box.
func (m *Match) sayHands(d Declaration) (ok bool, err error) {
	state, is := m.line.now().(*dicebox.State)
	if !is || d.Say != SayReroll && d.Say != SayPass {
		return false, nil
	}
	if d.Say == SayReroll && m.settled && m.rolledInView() {
		return true, nil // the camera could tell after all
	}
	by := state.ToMove()
	if by < 0 {
		return true, reject("no-roll-or-pass")
	}
	kind := dicebox.Reroll
	if d.Say == SayPass {
		kind = dicebox.Pass
	}
	return true, m.declared(d, m.witnessed(dicebox.Act{By: by, Kind: kind}))
}

// rolledInView says whether the last event is a reroll that the camera found in the view that still lasts.
func (m *Match) rolledInView() bool {
	if len(m.log) == 0 || len(m.ballot.reads) == 0 {
		return false
	}
	last := m.log[len(m.log)-1]
	a, ok := last.Move.(dicebox.Act)
	return ok && a.Kind == dicebox.Reroll && last.By == ByCamera && last.Frame >= m.ballot.reads[0].Frame
}
