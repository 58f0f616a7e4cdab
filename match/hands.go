package match

import (
	"fmt"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// hands follows the dice that lie beside a board of Dice Box. They are read less
// surely than those on it, and some may be out of view, so that only a change of
// several is believed. Which side of the board is whose is learned from play.
type hands struct {
	votes [4]map[rules.Player]int // by side: for whom dice left it
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

// besides counts the dice on each side by color and face. Sure holds those on
// whose reading the program would act.
type besides [4]struct {
	all, sure map[table.Die]int
	n         int
}

func lookBeside(obs table.Observation) (b besides) {
	for i := range b {
		b[i].all, b[i].sure = map[table.Die]int{}, map[table.Die]int{}
	}
	if obs.Grid == nil || !obs.Grid.Found {
		return b
	}
	p := planeOf(obs.Grid.Corners)
	for _, r := range obs.Dice {
		if r.Square != nil {
			continue
		}
		if side, ok := sideOf(p, r.At); ok {
			b[side].n++
			b[side].all[r.Die]++
			if r.Sure {
				b[side].sure[r.Die]++
			}
		}
	}
	return b
}

// changed is how many dice of a side certainly show another face than before:
// per color, the fewer of the sure dice that are only there before and only there now.
func changed(before, now besides, side int) int {
	total := 0
	for _, c := range table.Colors {
		gone, come := 0, 0
		for f := 1; f <= 6; f++ {
			d := table.Die{Color: c, Face: f}
			gone += min(max(before[side].all[d]-now[side].all[d], 0), before[side].sure[d])
			come += min(max(now[side].all[d]-before[side].all[d], 0), now[side].sure[d])
		}
		total += min(gone, come)
	}
	return total
}

// owner is whose dice lie on a side, Nobody while play has not told.
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
	before, after := lookBeside(was), lookBeside(now)
	from, sides := 0, 0
	for side := range before {
		if before[side].all[a.Die] > after[side].all[a.Die] {
			from = side
			sides++
		}
	}
	if sides != 1 {
		return
	}
	if h.votes[from] == nil {
		h.votes[from] = map[rules.Player]int{}
	}
	h.votes[from][a.By]++
}

// watchHands looks for a reroll: the board is as it was, and among the dice of
// the player to move several show other faces while their number is the same.
func (m *Match) watchHands(obs table.Observation) bool {
	state, ok := m.line.now().(*dicebox.State)
	if !ok || !m.seen.ok || state.ToMove() < 0 || !sameBoard(obs, m.seen.obs) {
		return true
	}
	by := state.ToMove()
	before, now := lookBeside(m.seen.obs), lookBeside(obs)
	own, others, dice := 0, 0, 0
	for side := range before {
		n := changed(before, now, side)
		if n == 0 {
			continue
		}
		if a, b := before[side].n, now[side].n; 4*max(a-b, b-a) > max(a, b)+3 {
			return false // dice are missing: a hand is still at work, or they are out of view
		}
		if who := m.beside.owner(side); who == by || who == rules.Nobody {
			own += n
			dice += now[side].n
		} else {
			others += n
		}
	}
	switch {
	case own == 0 && others == 0:
		return true
	case own > others && 4*own >= dice:
		return m.play(ByCamera, []rules.Move{dicebox.Act{By: by, Kind: dicebox.Reroll}})
	case others > own && others > 1:
		ask := fmt.Sprintf("Dice beside the board show other faces, but not those of %s, whose turn it is. Has %s rolled too?", m.name(by), m.name(by))
		return m.doubtful(ask, []offer{
			{words: "yes", line: []rules.Move{dicebox.Act{By: by, Kind: dicebox.Reroll}}},
			{words: "no"},
		})
	}
	return true
}

// sayHands applies what only players know in Dice Box.
func (m *Match) sayHands(d Declaration) (ok bool, err error) {
	state, is := m.line.now().(*dicebox.State)
	if !is || d.Say != SayReroll {
		return false, nil
	}
	if m.settled && m.rolledInView() {
		return true, nil // the camera could tell after all
	}
	by := state.ToMove()
	if by < 0 {
		return true, fmt.Errorf("match: nobody can roll now")
	}
	return true, m.declared(d, dicebox.Act{By: by, Kind: dicebox.Reroll})
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
