package match

import (
	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// In Dice Box a die that fits must be played (RULES.md 2.5). What a hand holds is known
// only by the dice that are seen beside the board, so that a breach is told only where
// the die was read surely, in two views, on a side that is the player's beyond doubt;
// where less is certain the players are asked, and where nothing is, nothing is said.

// Numbers that decide whether a breach is told.
const (
	plainlyRead = 0.9 // the confidence of a reading that leaves no doubt
	mostAskance = 0.2 // how far, in boards, a die of a side may lie beyond the end of another side
	enoughVotes = 2   // placements that tell whose a side is
)

// readyDie is a die in a player's hand that fits on a square.
type readyDie struct {
	die  table.Die
	on   table.Square
	sure bool // beyond doubt
}

// ready finds a die that a player could play before this view, the surest one; false
// where none is seen surely.
func (m *Match) ready(state *dicebox.State, by rules.Player) (best readyDie, found bool) {
	for side := range m.beside.views[1] {
		if m.beside.owner(side) != by {
			continue
		}
		for _, r := range m.beside.views[1][side] {
			on, fits := fitsOn(state, r.Face)
			left, known := state.Left(by, r.Color)
			if !r.Sure || !fits || known && left == 0 {
				continue
			}
			d := readyDie{die: r.Die, on: on}
			d.sure = r.Confidence >= plainlyRead && m.beside.steady(side, r) && m.beside.plainly(side) && m.holds(state, by, side)
			if !found || d.sure && !best.sure {
				best, found = d, true
			}
		}
	}
	return best, found
}

// fitsOn is a square that takes a value.
func fitsOn(state *dicebox.State, face int) (table.Square, bool) {
	for _, sq := range state.Fillable() {
		for _, v := range state.Candidates(sq) {
			if v == face {
				return sq, true
			}
		}
	}
	return table.Square{}, false
}

// holds says whether a side shows no more dice of any color than its player has: else
// some of them are not the player's, or are misread.
func (m *Match) holds(state *dicebox.State, by rules.Player, side int) bool {
	for _, c := range table.Colors {
		n := len(ofColor(m.beside.views[1][side], c))
		if left, known := state.Left(by, c); known && n > left {
			return false
		}
	}
	return true
}

// note keeps the dice beside the board of the last two views that were accounted for, and of the last in which
// none of those that were seen since an event was away.
func (h *hands) note(obs table.Observation, last int64) {
	now := lookBeside(obs)
	h.views = [2]besides{h.views[1], now}
	for side := range now {
		if h.told != last || len(now[side]) >= len(h.full[side]) {
			h.full[side] = now[side]
		}
	}
	h.told = last
	if obs.Grid != nil && obs.Grid.Found {
		h.plane = planeOf(obs.Grid.Corners)
	}
}

// lastTold is the number of the last event; 0: there is none.
func (m *Match) lastTold() int64 {
	if n := len(m.log); n > 0 {
		return m.log[n-1].Seq
	}
	return 0
}

// plainly says whether play has told of one player alone that the side is theirs, and
// more than once.
func (h *hands) plainly(side int) bool {
	if len(h.votes[side]) != 1 {
		return false
	}
	for _, n := range h.votes[side] {
		return n >= enoughVotes
	}
	return false
}

// steady says whether a die was read surely in both of the last two views, and lies
// beside one side of the board alone.
func (h *hands) steady(side int, r table.Reading) bool {
	q := h.plane.at(r.At)
	beyond := [4]float64{north: -q.Y, east: q.X - 1, south: q.Y - 1, west: -q.X}
	for i, far := range beyond {
		if i != side && far > mostAskance {
			return false
		}
	}
	for _, was := range h.views[0][side] {
		if was.Die == r.Die && was.Sure {
			return true
		}
	}
	return false
}

// witnessed is a roll or a pass with the die that the player could have played instead,
// if one was seen beyond doubt.
func (m *Match) witnessed(mv rules.Move) rules.Move {
	a, ok := mv.(dicebox.Act)
	state, is := m.line.now().(*dicebox.State)
	if !ok || !is || a.Kind != dicebox.Reroll && a.Kind != dicebox.Pass || a.Die.Color != table.NoColor {
		return mv
	}
	if m.ask != "" || m.dismiss != nil {
		return mv // what the camera saw is not what counts
	}
	if d, found := m.ready(state, a.By); found && d.sure {
		a.Die = d.die
	}
	return a
}
