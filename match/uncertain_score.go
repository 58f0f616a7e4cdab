package match

import (
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// shakyScored asks what a turn scores where a die that was told under doubt, and was not read since as
// it was told, was scored in it, and would count otherwise if it were another. The first
// answer is that it is what was told. No answers: the score does not hang on it.
func (m *Match) shakyScored(state *diceflick.State, mv diceflick.Score) (ask Phrase, answers []offer) {
	m.dropSettled()
	for _, at := range mv.Removed.Squares() {
		d, doubted := m.shaky[at]
		if !doubted || d.seen {
			continue
		}
		others := m.scoredAs(at, d.others, state, mv)
		if len(others) == 0 {
			continue
		}
		if len(answers) == 0 {
			ask = phrase("scored-die", "square", at)
			answers = []offer{{says: phrase("die-on", "die", d.told, "square", at), story: rules.Story{Line: []rules.Move{mv}}}}
		}
		answers = append(answers, others...)
	}
	return ask, answers[:min(len(answers), 1+mostAnswers)]
}

// scoredAs is the answers that the die in a hole is one of others: each corrects what was told of it, and
// scores what it counts then. Those with which nobody could have scored just these dice, or as many points, are none.
func (m *Match) scoredAs(at table.Square, others []table.Die, state *diceflick.State, mv diceflick.Score) (answers []offer) {
	for _, die := range others {
		words, seq := m.otherwise(at, die)
		if seq == 0 {
			continue
		}
		after, ok := m.replayed(seq, words).(*diceflick.State)
		if !ok || !after.Explain(mv.Removed).Legal() || after.Points(mv) == state.Points(mv) {
			continue
		}
		line := m.since(seq, words)
		answers = append(answers, offer{says: phrase("die-on", "die", die, "square", at), amend: &amendment{first: seq, moves: append(slices.Clip(line), mv)}})
	}
	return answers
}
