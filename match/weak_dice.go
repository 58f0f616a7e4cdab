package match

import (
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Some dice on a board are hardly seen: that nothing is read where one lies tells nothing.

// wentOn says whether a faint die may have left its square: one has come to those beside
// the board, or one of its color to a neighboring square.
func (m *Match) wentOn(from table.Square, die table.Die, obs table.Observation) bool {
	want := m.line.now().Expect().Squares
	for sq, d := range boardOf(obs) {
		if _, full := want[sq]; !full && d.Color == die.Color && max(abs(sq.Row-from.Row), abs(sq.Col-from.Col)) == 1 {
			return true
		}
	}
	before := readingsOf(m.supply)
	if !m.allKnown {
		before = besideAll(m.seen.obs)
	}
	return len(ofColor(besideAll(obs), die.Color)) > len(ofColor(before, die.Color))
}

// plainlyOther is the squares on which another die is read than should be there, or none though
// dice are seen there otherwise.
func (m *Match) plainlyOther(read boardMap) []table.Square {
	return slices.DeleteFunc(differing([]boardMap{m.line.now().Expect().Squares, read}), func(sq table.Square) bool {
		return slices.Contains(m.faint, sq) && read[sq].Color == table.NoColor
	})
}

// noteFaint notes the dice that a story takes for lying on the board though they are not seen.
func (m *Match) noteFaint(s rules.Story, obs table.Observation) {
	if m.setting.Game.Kit().Layout != table.Board || s.Back > 0 {
		return
	}
	read := boardOf(obs)
	for sq := range m.line.now().Expect().Squares {
		left := slices.ContainsFunc(m.lost, func(l *lost) bool { return l.from != nil && *l.from == sq })
		if read[sq].Color == table.NoColor && !left && !slices.Contains(m.faint, sq) {
			m.faint = append(m.faint, sq)
		}
	}
}
