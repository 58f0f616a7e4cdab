package match

import (
	"cmp"
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

// withinKit is a view of a board in which no die that came there, and is not surely read, is of a color
// whose dice all lie there without it: it is of the most likely other one.
func (m *Match) withinKit(obs table.Observation) table.Observation {
	kit, want := m.setting.Game.Kit(), m.line.now().Expect().Squares
	if kit.Layout != table.Board {
		return obs
	}
	known := map[table.Color]int{}
	for _, r := range onGrid(obs).Dice {
		if r.Sure || r.Die == want[*r.Square] {
			known[r.Color]++
		}
	}
	obs.Dice = slices.Clone(obs.Dice)
	for i, r := range obs.Dice {
		if r.Square == nil || r.Sure || known[r.Color] < kit.Dice[r.Color] || want[*r.Square].Color != table.NoColor {
			continue
		}
		there, others := rules.Existence(&r), 0.0
		for _, c := range table.Colors {
			if kit.Dice[c] == 0 || known[c] >= kit.Dice[c] {
				r.Colors[c] = 0
			}
			others += r.Colors[c]
		}
		if others < leastColor {
			continue // rather it is not a die
		}
		for _, c := range table.Colors {
			if r.Colors[c] /= others; r.Colors[c] > r.Colors[r.Color] {
				r.Color = c
			}
		}
		r.Confidence = there * r.Colors[r.Color] * r.Faces[r.Face]
		obs.Dice[i] = r
	}
	return obs
}

// withoutStrangers leaves out what is read as dice on empty squares though no such dice have
// left those beside the board, and none of their color any square: prints and shadows.
func (m *Match) withoutStrangers(obs table.Observation) table.Observation {
	if !m.allKnown {
		return obs
	}
	obs = m.withoutDoubles(obs)
	now := besideAll(obs)
	gone, came := m.sinceBeside(obs)
	want, read := m.line.now().Expect().Squares, boardOf(obs)
	var left []table.Color // of dice that have left a square, or seem to
	for _, l := range m.lost {
		left = append(left, l.die.Color)
	}
	for sq, d := range want {
		if read[sq] != d {
			left = append(left, d.Color)
		}
	}
	var strange []table.Square
	plain := len(came)+len(left) == 0 // the dice that were placed are known one by one
	on := slices.DeleteFunc(onGrid(obs).Dice, func(r table.Reading) bool { _, full := want[*r.Square]; return full })
	slices.SortStableFunc(on, func(a, b table.Reading) int { return cmp.Compare(b.Confidence, a.Confidence) }) // of two alike the surer one is the die
	var placed []table.Reading
	for _, r := range on {
		if i := slices.IndexFunc(gone, func(g spare) bool { return g.Die == r.Die }); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
			placed = append(placed, r)
		} else if plain || !slices.Contains(left, r.Color) && len(ofColor(now, r.Color)) >= len(ofColor(readingsOf(m.supply), r.Color)) {
			unnoticed := m.offBoard(r.Color) > len(ofColor(now, r.Color))+len(ofColor(placed, r.Color))
			if r.Sure && (count(placed, r.Die) > 0 || unnoticed) {
				return obs // which of two like dice came is not told by what has gone, or its going was not seen
			}
			strange = append(strange, *r.Square)
		}
	}
	if len(strange) == 0 || len(gone) > 0 {
		return obs // the die that has gone may be misread
	}
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool { return r.Square != nil && slices.Contains(strange, *r.Square) })
	return obs
}

// withoutDoubles leaves out what is read on the board, though not surely and not where it should be,
// where all dice of its color are seen without it, on the board and beside it. Others that are not
// sure count if they are much surer.
func (m *Match) withoutDoubles(obs table.Observation) table.Observation {
	kit, now, want := m.setting.Game.Kit().Dice, besideAll(obs), m.line.now().Expect().Squares
	doubtful := func(r table.Reading) bool { return r.Square != nil && !r.Sure && want[*r.Square] != r.Die }
	var double []table.Square
	for _, c := range table.Colors {
		on := ofColor(onGrid(obs).Dice, c)
		some := slices.DeleteFunc(slices.Clone(on), func(r table.Reading) bool { return !doubtful(r) })
		slices.SortStableFunc(some, func(a, b table.Reading) int { return cmp.Compare(b.Confidence, a.Confidence) })
		short := kit[c] - (len(on) - len(some)) - len(ofColor(now, c))
		if short < 0 || short >= len(some) || short > 0 && (some[short-1].Confidence < enoughIllegal || some[short].Confidence >= enoughLegal) {
			continue
		}
		for _, r := range some[short:] {
			double = append(double, *r.Square)
		}
	}
	obs.Dice = slices.DeleteFunc(slices.Clone(obs.Dice), func(r table.Reading) bool { return r.Square != nil && slices.Contains(double, *r.Square) })
	return obs
}
