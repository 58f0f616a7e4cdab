package match

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
)

// sayBonus takes the players' word that a die of the one on turn landed on the bonus marker (RULES.md 5.4). Where nobody
// knows yet in which hole that is, it is the one of the die that was flicked last, and the flick is judged anew.
func (m *Match) sayBonus(d Declaration, state *diceflick.State) error {
	markers := state.Arena().Markers
	if markers.Bonus != 0 {
		if state.Earned() == 0 {
			return reject("not-on-bonus", "square", markers.Bonus.Squares()[0])
		}
		return nil
	}
	flick, seq := m.latestFlick(state.ToMove())
	switch {
	case seq == 0:
		return reject("no-flick-for-bonus")
	case holdsMarker(markers, flick.To):
		return reject("other-sticker", "square", flick.To)
	}
	markers.Bonus = scoring.HoleSet(flick.To)
	last := m.line.acts[len(m.line.acts)-1].seq // markers that were learned since are known before it now
	act := Act{Kind: actCorrect, Ref: seq, Through: last, Moves: []string{diceflick.Markers{Markers: markers}.String(), flick.String()}}
	e := &Event{Type: TypeCorrect, Corrects: seq, Player: m.name(flick.By)}
	if err := m.emit(d.by(), act, e, fmt.Sprintf("The bonus marker is in hole %v: %s has earned one more flick.", flick.To, m.name(flick.By))); err != nil {
		return err
	}
	m.afterChange()
	return nil
}

// latestFlick is the flick of a player that was told last and is in force, if its die rests in a hole, and the number
// of its record; 0 where there is none. Where markers lie that were learned since does not count.
func (m *Match) latestFlick(by rules.Player) (flick diceflick.Flick, seq int64) {
	for _, e := range slices.Backward(m.line.acts) {
		if e.kind == actPlay && len(e.moves) == 0 {
			continue // a correction has emptied it
		}
		if e.kind != actPlay || len(e.moves) != 1 {
			return flick, 0
		}
		switch mv := e.moves[0].(type) {
		case diceflick.Markers:
		case diceflick.Flick:
			if mv.By == by && mv.Rests {
				return mv, e.seq
			}
			return flick, 0
		default:
			return flick, 0
		}
	}
	return flick, 0
}
