package diceflick

import (
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// A die that came in and is not read is taken for a flick that missed. Once it is read it lies where it lay all along, and nobody has
// flicked it now. The likelihood of that is kept as the game goes on (Turns.late): each flick that was taken for a miss, and of which
// nobody said so, may have been one.

const staysUnread = 0.8 // a die that was not read in a view is not read in the next one either (as belief.ObservationModel.Again)

// unread is how much likelier than a miss a die was that came in and was not read, where so likely nobody says that it missed.
func unread(silent float64) float64 { return unseen * (1 - prior.Miss) / (prior.Miss * silent) }

// wasThere is how the game may have gone on until the arena looked like this, if one of the dice that came in was there before, and was not
// read.
func (f *watching) wasThere(w *Watched, c Change, back scoring.Holes, before [25]table.Die, a arena) {
	log := a.log + ln(w.turns.late) + ln(1-staysUnread) + ln(inHole)
	if w.turns.late == 0 || log < f.least {
		return
	}
	for _, l := range c.Landed {
		i := l.At.Index()
		dice := w.turns.State.arena.Dice
		if dice[i].Color != table.NoColor {
			continue // one that is gone
		}
		dice[i] = l.Die
		turns, mv, err := w.turns.Do(Arrange{dice})
		if err != nil {
			continue
		}
		turns.late = 0
		turns.habit.missUnsaid = max(turns.habit.missUnsaid-1, 0)
		was := *w
		was.turns = turns
		lay := before
		lay[i] = l.Die
		sub := &watching{view: f.view, least: f.least}
		sub.explain(&was, back, lay, arena{a.dice, log})
		for _, way := range sub.found {
			way.Line = slices.Concat([]rules.Move{mv}, way.Line)
			f.note(way)
		}
	}
}
