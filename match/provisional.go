package match

import (
	"maps"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// How a die lies is known from how it came where it is. Where that was told under doubt, nobody is accused of what
// it shows after the next move, or where it went, without a question.

// guess notes that what a record tells is not known for certain.
func (m *Match) guess(seq int64) {
	m.guessed = maps.Clone(m.guessed)
	if m.guessed == nil {
		m.guessed = map[int64]bool{}
	}
	m.guessed[seq] = true
}

// dependsOnProvisional says whether a story moves a die that nobody has seen where it is told to lie, or one that cannot show what it
// does then as it came where it lies by what was told under doubt.
func (m *Match) dependsOnProvisional(s rules.Story) bool {
	if len(m.guessed) == 0 || s.Back > 0 || len(s.Line) != 1 {
		return false
	}
	at := map[table.Square]bool{}
	for _, e := range m.line.acts {
		for _, mv := range e.moves {
			a := actOf(mv)
			if a.To == nil {
				continue
			}
			doubted := m.guessed[e.seq] || a.From != nil && at[*a.From]
			if a.From != nil {
				delete(at, *a.From)
			}
			at[*a.To] = doubted
		}
	}
	from := actOf(s.Line[0]).From
	if from == nil {
		return false
	}
	unseen := slices.ContainsFunc(m.lost, func(l *lost) bool { return l.at != nil && *l.at == *from })
	return unseen || at[*from] && s.Why.Code() == "DD-MOVE-ORIENT"
}
