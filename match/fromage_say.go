package match

import (
	"errors"
	"fmt"

	"diceref/rules"
	"diceref/rules/fromage"
	"diceref/scoring"
	"diceref/table"
)

// sayFromage applies what is said in Fromage á Trois alone; false: the word is not its own.
func (m *Match) sayFromage(d Declaration) (bool, error) {
	s, ok := m.line.now().(*fromage.State)
	if !ok {
		return false, nil
	}
	switch d.Say {
	case SayNext, SayPoints, SayPass:
	default:
		return false, nil
	}
	if m.followsZones() {
		return true, m.hear(Declaration{Say: d.Say, By: d.By})
	}
	mv, err := m.meaningOf(d)(s)
	if errors.Is(err, errEnded) {
		return true, nil // the end of the turn was told already
	}
	if err != nil {
		return true, err
	}
	return true, m.declared(d, mv)
}

// endOf is the end of the turn.
func endOf(state rules.State) (rules.Move, error) {
	s, ok := state.(*fromage.State)
	if !ok {
		return nil, errNotFromage
	}
	if !s.Rolled() {
		return nil, errEnded
	}
	return fromage.Move{Seat: s.Turn(), Kind: fromage.End}, nil
}

var errNotFromage = reject("only-fromage")

// answerOf is the answer of who lost dice and takes points for them, or nothing.
func answerOf(state rules.State, points bool) (rules.Move, error) {
	s, ok := state.(*fromage.State)
	if !ok {
		return nil, errNotFromage
	}
	who := s.ToMove()
	_, owed := s.Owed(who)
	if owed == 0 {
		return nil, reject("nothing-owed")
	}
	if !points {
		owed = 0
	}
	return fromage.Move{Seat: who, Kind: fromage.Compensate, Pointed: true, Points: owed}, nil
}

// fromageEvent reports an act of Fromage á Trois in words.
func (m *Match) fromageEvent(e *Event, mv fromage.Move) string {
	e.Type, e.Move = TypeMove, mv
	dice := facesText(mv.Dice)
	switch mv.Kind {
	case fromage.Roll:
		return fmt.Sprintf("%s rolls %s.", e.Player, dice)
	case fromage.Keep:
		return fmt.Sprintf("%s keeps %s.", e.Player, dice)
	case fromage.Steal:
		return fmt.Sprintf("%s takes %s from %s.", e.Player, dice, m.name(mv.From))
	case fromage.Compensate:
		switch {
		case mv.Dice.Len() > 0:
			return fmt.Sprintf("%s takes %s from the Cart.", e.Player, dice)
		case mv.Points > 0:
			return fmt.Sprintf("%s takes %s.", e.Player, table.Count(mv.Points, "point", "points"))
		}
		return e.Player + " takes nothing."
	case fromage.Fromage:
		text := e.Player + " declares a Fromage"
		for i, t := range mv.Takes[:min(mv.NTake, len(mv.Takes))] {
			text += fmt.Sprintf("%s a %d from %s", map[bool]string{true: " with", false: " and"}[i == 0], t.Face, m.name(t.From))
		}
		return fmt.Sprintf("%s: %s.", text, dice)
	}
	if mv.Returned && mv.Dice.Len() > 0 {
		return fmt.Sprintf("%s returns %s and ends the turn.", e.Player, dice)
	}
	return e.Player + " ends the turn."
}

func facesText(f scoring.Faces) string {
	text := ""
	for _, n := range f.List() {
		if text != "" {
			text += " "
		}
		text += fmt.Sprint(n)
	}
	if text == "" {
		return "no dice"
	}
	return text
}
