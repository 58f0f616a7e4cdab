package match

import (
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

// Numbers that weigh the evidence for a roll, as natural logarithms.
const (
	leastSame  = 0.003 // of two readings of one die, at least: both may be wrong however sure they are
	apart      = 0.3   // less likely the same than this: the die seems to show another face
	mustRoll   = 2.0   // a hand was at the dice of a player of whom no die in view fits
	mayNotRoll = -4.0  // a die in view fits: rolling would be against the rules
	enoughRoll = 2.0   // from here on a roll is believed
)

func ofColor(dice []table.Reading, c table.Color) []table.Reading {
	var list []table.Reading
	for _, r := range dice {
		if r.Color == c {
			list = append(list, r)
		}
	}
	return list
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
