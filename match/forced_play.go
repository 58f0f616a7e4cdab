package match

import (
	"math"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// In Dice Box a die that fits must be played (RULES.md 2.5). What a hand holds is known
// only by the dice that are seen beside the board, so that a breach is told only where
// the die was read surely, in two views, on a side that is the player's beyond doubt;
// where less is certain the players are asked, and where nothing is, nothing is said.

// Numbers that decide between telling a breach, asking and silence.
const (
	plainRoll   = 8.0 // evidence in readings alone, as logarithm: two dice that plainly show other faces
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
			d.sure = r.Confidence >= enoughIllegal && m.beside.steady(side, r) && m.beside.plainly(side) && m.holds(state, by, side)
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

// idle says whether dice of a player are seen, now and before, and none of them seems
// to show another face.
func (m *Match) idle(by rules.Player, obs table.Observation) bool {
	before, now := lookBeside(m.seen.obs), lookBeside(obs)
	seen := 0
	for side := range before {
		if m.beside.owner(side) != by {
			continue
		}
		if _, apparent := rolled(before[side], now[side]); apparent > 0 {
			return false
		}
		seen += min(len(before[side]), len(now[side]))
	}
	return seen > 0
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

// tellRoll records a roll that the camera saw. Where a die may have fit it is a breach:
// told where that is beyond doubt, else asked.
func (m *Match) tellRoll(state *dicebox.State, by rules.Player, evidence float64) bool {
	roll := dicebox.Act{By: by, Kind: dicebox.Reroll}
	d, found := m.ready(state, by)
	breach := roll
	breach.Die = d.die
	switch {
	case !found:
		return m.play(ByCamera, []rules.Move{roll})
	case d.sure && evidence >= plainRoll:
		return m.play(ByCamera, []rules.Move{breach})
	}
	name := m.name(by)
	return m.doubtful(phrase("roll-fits", "player", name, "die", d.die, "square", d.on), []offer{
		{says: phrase("rolled-none-fit", "player", name), story: rules.Story{Line: []rules.Move{roll}}},
		{says: phrase("rolled-did-fit", "player", name, "die", d.die), story: rules.Story{Line: []rules.Move{breach}}},
		{says: phrase("nobody-rolled")},
	})
}

// passedOver is the story of a player on turn who did nothing before the next one acted:
// none of their dice has changed. first says whether it is the most likely: a die that
// fits is seen beyond doubt, so that they did not even have to roll.
func (m *Match) passedOver(state *dicebox.State, obs table.Observation, then dicebox.Act) (o offer, first, ok bool) {
	by := state.ToMove()
	if by < 0 || !m.seen.ok || !m.idle(by, obs) {
		return offer{}, false, false
	}
	pass := dicebox.Act{By: by, Kind: dicebox.Pass}
	d, found := m.ready(state, by)
	if first = found && d.sure; first {
		pass.Die = d.die
	}
	after, err := state.Apply(pass)
	if err != nil || after.Check(then) != nil {
		return offer{}, false, false
	}
	return m.asked(rules.Story{Line: []rules.Move{pass, then}}), first, true
}

// rolledAfter weighs whether a player who has just placed a die rolled the others as
// well, which is not allowed; asked where it seems so, never told.
func (m *Match) rolledAfter(line []rules.Move, obs table.Observation) (ask Phrase, offers []offer) {
	if len(line) != 1 || !m.seen.ok {
		return ask, nil
	}
	a, ok := line[0].(dicebox.Act)
	if !ok || a.Kind != dicebox.Place {
		return ask, nil
	}
	before, now := lookBeside(m.seen.obs), lookBeside(obs)
	weight, apparent := 0.0, 0
	for side := range before {
		if m.beside.owner(side) == a.By && m.beside.plainly(side) {
			w, n := rolled(lessOne(before[side], a.Die), now[side])
			weight, apparent = math.Max(weight, w), max(apparent, n)
		}
	}
	if weight < plainRoll || apparent < 2 {
		return ask, nil
	}
	roll := dicebox.Act{By: a.By, Kind: dicebox.Reroll}
	both := append(line[:1:1], roll)
	return phrase("rolled-after", "player", m.name(a.By)), []offer{
		{says: phrase("no"), story: rules.Story{Line: line}},
		{says: phrase("yes"), story: rules.Story{Line: both}},
	}
}

// lessOne leaves out one die like d.
func lessOne(dice []table.Reading, d table.Die) []table.Reading {
	for i, r := range dice {
		if r.Die == d {
			return append(dice[:i:i], dice[i+1:]...)
		}
	}
	return dice
}
