package match

import (
	"diceref/rules"
	"diceref/table"
)

// mayAccuse says whether an act that is told against the rules may be told as a breach by the player whose act it is.
// Where a camera watches DICE Flick, whose turn it is, which flicks missed and which dice were scored are mostly inferred, and
// in nearly every story of what was seen nobody has broken a rule. So only what somebody has declared move by move is a breach.
func (m *Match) mayAccuse() bool {
	return m.setting.Game != table.DiceFlick || m.inFull || !m.began && m.lastFrame() == 0
}

// judge notes in an event what the rules say against a move, and gives it in words. What nobody may be accused of stays open.
func (e *Event) judge(why rules.Illegal, accuse bool) string {
	e.Why = why.Error()
	if !accuse {
		e.Open = why.Code()
		return " This may have been misread: " + e.Why
	}
	no := false
	e.Legal, e.Code, e.Codes = &no, why.Code(), why.Codes()
	return " That is not allowed: " + e.Why
}
