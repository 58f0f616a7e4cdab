package diceflick

import (
	"diceref/rules"
	"diceref/table"
)

// Where a die lies aslant, or between holes, people gently shake the arena until it settles (RULES.md 5.4). Dice then lie in other holes,
// or on other faces, and nobody has flicked.

const (
	shook   = 0.002 // the arena was shaken between two views
	stirred = 0.06  // a die then lies in just that neighboring hole, or shows just that face
	strayed = 0.003 // the same, in another hole
)

// shaken is how the game may have gone on until the arena looked like this, if the arena was shaken and nothing else has happened but that
// dice were taken out.
func (f *watching) shaken(w *Watched, c Change, before [25]table.Die, a arena) {
	log := a.log + ln(shook) + c.moving(stirred, strayed)
	if len(c.Landed) > 0 || log < f.least {
		return
	}
	dice, lay := w.turns.State.arena.Dice, before
	for _, m := range c.Moved {
		dice[m.From.Index()], lay[m.From.Index()] = table.Die{}, table.Die{}
	}
	for _, m := range c.Moved {
		i := m.To.Index()
		if dice[i].Color != table.NoColor {
			return // one lies there that may be gone
		}
		dice[i], lay[i] = a.dice[i], a.dice[i]
	}
	turns, mv, err := w.turns.Do(Arrange{dice})
	if err != nil {
		return
	}
	was := *w
	was.turns = turns
	sub := &watching{view: f.view, least: f.least}
	sub.explain(&was, 0, lay, arena{a.dice, log})
	for _, way := range sub.found {
		way.Line = append([]rules.Move{mv}, way.Line...)
		f.note(way)
	}
}
