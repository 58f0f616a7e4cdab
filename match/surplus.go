package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// withoutSurplus leaves out dice on a board of which there are more than the game has: those that
// were not surely read, where all others of their color were, they can hardly be of another, and
// what is left is a board as it was or after one legal act. Not ok: it is not as plain as that.
func (m *Match) withoutSurplus(obs table.Observation) (less table.Observation, ok bool) {
	kit := m.setting.Game.Kit()
	if kit.Layout != table.Board {
		return obs, false
	}
	read := map[table.Color]int{}
	for _, r := range onGrid(obs).Dice {
		read[r.Color]++
	}
	less = obs
	less.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool {
		if r.Square == nil || r.Sure || r.Confidence >= enoughLegal || read[r.Color] <= kit.Dice[r.Color] {
			return false
		}
		return !slices.ContainsFunc(table.Colors[:], func(c table.Color) bool {
			return c != r.Color && kit.Dice[c] > 0 && r.Colors[c]*slices.Max(r.Faces[:]) >= unlikelySame
		})
	})
	for _, r := range onGrid(less).Dice {
		if read[r.Color] > kit.Dice[r.Color] && !r.Sure {
			return obs, false
		}
	}
	if _, many := m.tooMany(less); many {
		return obs, false
	}
	s := rules.Reconcile(m.line.now(), onGrid(less), rules.ReconcileOptions{})
	return less, s.Verdict == rules.Unchanged || s.Verdict == rules.Explained && len(s.Line) == 1
}
