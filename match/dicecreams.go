package match

import (
	"fmt"
	"slices"

	"diceref/calibration"
	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// strangeFridge says what players have to say before anything else can be told, or what is plainly wrong with the Fridge: dice come to
// it only when they are drawn, all at once.
func strangeFridge(state rules.State, lies *belief.Layout) (ask Phrase, is bool) {
	s, ok := state.(*dicecreams.State)
	if !ok {
		return ask, false
	}
	if kind, _, must := s.Due(); must && kind == dicecreams.Reveal {
		return phrase("which-card"), true
	}
	fridge, _ := s.Zone(calibration.ZoneFridge, 0)
	n, come := len(lies.In[fridge]), 0
	left := s.Fridge()
	for _, r := range lies.In[fridge] {
		if k := slices.Index(left, r.Die); k >= 0 {
			left = slices.Delete(left, k, k+1)
		} else {
			come++
		}
	}
	return phrase("fridge-count", "count", n, "of", s.DrawCount()), come > 1 && n != s.DrawCount()
}

// creamEvent reports an act of DiceCreams! in words.
func (m *Match) creamEvent(e *Event, mv dicecreams.Move) string {
	e.Type, e.Move = TypeMove, mv
	on := func() string {
		switch {
		case mv.Card == dicecreams.Aside || mv.Card == "":
			return "aside"
		case mv.Delta != 0:
			return fmt.Sprintf("on %s, changed by %+d", mv.Card, mv.Delta)
		}
		return "on " + mv.Card
	}
	switch mv.Kind {
	case dicecreams.Take:
		return fmt.Sprintf("%s places %s %s.", e.Player, dieWords(mv.Die), on())
	case dicecreams.Discard:
		return fmt.Sprintf("%s discards %s for a Sprinkle.", e.Player, dieWords(mv.Die))
	case dicecreams.Bump:
		return fmt.Sprintf("%s changes a die on %s by %+d.", e.Player, mv.Card, mv.Delta)
	case dicecreams.Buy:
		return e.Player + " pays two Sprinkles for a die."
	case dicecreams.Set:
		return fmt.Sprintf("%s places the drawn die %s.", e.Player, on())
	case dicecreams.Gain:
		return fmt.Sprintf("%s gets %s.", e.Player, table.Count(mv.Count, "Sprinkle", "Sprinkles"))
	case dicecreams.Serve:
		return fmt.Sprintf("%s serves %s.", e.Player, mv.List)
	case dicecreams.Away:
		return fmt.Sprintf("%s finishes %s.", e.Player, mv.Card)
	case dicecreams.Second:
		return fmt.Sprintf("%s places a second token on: %s.", e.Player, mv.List)
	case dicecreams.Melt:
		return "The dice melt."
	case dicecreams.Toss:
		return fmt.Sprintf("%s discards %s.", e.Player, mv.Card)
	case dicecreams.Clean:
		return fmt.Sprintf("The Fridge is cleared; %s goes first.", m.name(mv.Next))
	}
	return e.Player + " is done."
}
