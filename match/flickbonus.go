package match

import (
	"fmt"

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
			return fmt.Errorf("match: no die of this turn landed on the bonus marker, which is in hole %v", markers.Bonus.Squares()[0])
		}
		return nil
	}
	flick, seq := m.latestFlick(state.ToMove())
	switch {
	case seq == 0:
		return fmt.Errorf("match: no die was flicked last that may lie on the bonus marker")
	case holdsMarker(markers, flick.To):
		return fmt.Errorf("match: another marker is in hole %v, where the die lies that was flicked last", flick.To)
	}
	markers.Bonus = scoring.HoleSet(flick.To)
	act := Act{Kind: actCorrect, Ref: seq, Moves: []string{diceflick.Markers{Markers: markers}.String(), flick.String()}}
	e := &Event{Type: TypeCorrect, Corrects: seq, Player: m.name(flick.By)}
	if err := m.emit(d.by(), act, e, fmt.Sprintf("The bonus marker is in hole %v: %s has earned one more flick.", flick.To, m.name(flick.By))); err != nil {
		return err
	}
	m.afterChange()
	return nil
}

// latestFlick is the flick of a player that the latest record in force told, if its die rests in a hole, and the
// number of that record; 0 where there is none.
func (m *Match) latestFlick(by rules.Player) (flick diceflick.Flick, seq int64) {
	acts := m.line.acts
	for i := len(acts) - 1; i > 0; i-- {
		if acts[i].kind != actPlay || len(acts[i].moves) == 0 {
			continue
		}
		mv, is := acts[i].moves[len(acts[i].moves)-1].(diceflick.Flick)
		if !is || len(acts[i].moves) != 1 || mv.By != by || !mv.Rests {
			return flick, 0
		}
		return mv, acts[i].seq
	}
	return flick, 0
}
