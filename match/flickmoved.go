package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// movedOrFlicked tells what has happened where a die seems to have moved, or to have turned over, though none has come in, and
// where nobody says which flicks missed: a flick that missed has moved it, or one like it was flicked, and it is gone. Both are
// believed. It reports whether anything was told.
func (m *Match) movedOrFlicked(state *diceflick.State, obs table.Observation, c diceflick.Change) bool {
	if len(c.Moved) == 0 || !m.turns.on || !m.seen.ok || !m.missesUnsaid() || m.nextToCome() {
		return false
	}
	moved := c.Moved[0]
	clear := slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == moved.To && m.isClear(&r) })
	if !clear {
		return false
	}
	took := m.flick.gone & scoring.HoleSet(c.Removed...)
	missed := diceflick.Flick{By: state.ToMove(), Shifts: without(asShifts(c), took)}
	d := table.Die{Color: state.Arena().Dice[moved.From.Index()].Color, Face: moved.Face}
	flick := diceflick.Flick{By: missed.By, Die: d, Rests: true, To: moved.To, Shifts: []diceflick.Shift{{From: moved.From, Off: true}}}
	for _, s := range missed.Shifts {
		if s != moved {
			flick.Shifts = append(flick.Shifts, s)
		}
	}
	told := m.likeliestTurn(diceflick.Glimpse{Flick: &flick, Instead: &missed, Took: took, Left: left(flick)})
	if told == nil || !m.play(ByCamera, told) {
		return false
	}
	m.flick = flickTurn{}
	return true
}

// oneByOne tells several dice that have come in as flicks, where nobody says when a turn is over: which of them came first hardly
// matters then, and whose they are is believed, not asked. What has left, had left before the first. It reports whether any was told.
func (m *Match) oneByOne(obs table.Observation, c diceflick.Change) (told bool) {
	if !m.quiet() || !m.seen.ok {
		return false
	}
	took, shifts := m.flick.gone&scoring.HoleSet(c.Removed...), asShifts(c)
	for _, l := range c.Landed {
		state := m.line.now().(*diceflick.State)
		m.turns.doubt(obs, l.At)
		flick := diceflick.Flick{By: state.ToMove(), Die: l.Die, Rests: true, To: l.At, Shifts: without(shifts, took)}
		line := m.likeliestTurn(diceflick.Glimpse{Flick: &flick, Took: took, Left: left(flick)})
		if line == nil || !m.play(ByCamera, line) {
			return told
		}
		m.flick = flickTurn{}
		m.followTurns()
		told, took, shifts = true, 0, nil
	}
	return told
}

// pushedUnseen puts right what was told of a die that the last flick seemed to have knocked out, where more dice have come in since
// than may have been flicked: one like it that lies beside its hole is that die, and was overlooked. It reports whether there was one.
func (m *Match) pushedUnseen(state *diceflick.State, c diceflick.Change) bool {
	_, may := state.FlicksLeft()
	acts := m.line.acts
	if n := len(acts); n < 2 || len(c.Landed) <= may || len(acts[n-1].moves) != 1 {
		return false
	}
	last, before := acts[len(acts)-1], acts[len(acts)-2].stack
	f, is := last.moves[0].(diceflick.Flick)
	if !is {
		return false
	}
	dice := before[len(before)-1].(*diceflick.State).Arena().Dice
	for _, l := range c.Landed {
		for i, s := range f.Shifts {
			if s.Off && dice[s.From.Index()].Color == l.Die.Color && !far(s.From, l.At) {
				f.Shifts = slices.Clone(f.Shifts)
				f.Shifts[i] = diceflick.Shift{From: s.From, To: l.At, Face: l.Die.Face}
				return m.amend(&amendment{first: last.seq, last: m.seq, moves: []rules.Move{f}})
			}
		}
	}
	return false
}
