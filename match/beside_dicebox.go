package match

import (
	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

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

// witnessed is a roll or a pass that was declared with the die that the player could have played instead, if one was seen beyond
// doubt.
func (m *Match) witnessed(mv rules.Move) rules.Move {
	b := &m.course
	a, ok := mv.(dicebox.Act)
	if !ok || a.Kind != dicebox.Reroll && a.Kind != dicebox.Pass || a.Die.Color != table.NoColor {
		return mv
	}
	if m.ask != "" || m.dismiss != nil || !b.on || b.sight == nil {
		return mv // what the camera saw is not what counts
	}
	if d, had := b.best().World.(*belief.Board).Fitting(a.By, b.sight); had {
		a.Die = d
	}
	return a
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
