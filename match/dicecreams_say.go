package match

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// sayCreams takes a die that a player names, and that the camera did not see when the
// Fridge was filled, for the one that is missing there; false: there is nothing to it.
func (m *Match) sayCreams(d Declaration) (bool, error) {
	s, ok := m.line.now().(*dicecreams.State)
	if !ok || d.Say != SayPlay || m.byZones() == nil {
		return false, nil
	}
	mv, err := m.game.ParseMove(d.Move)
	if err != nil {
		return false, nil // whoever plays it says so
	}
	act := mv.(dicecreams.Move)
	if act.Kind != dicecreams.Take && act.Kind != dicecreams.Discard || slices.Contains(s.Fridge(), act.Die) {
		return false, nil
	}
	if err := m.findNamed(s, act); err != nil {
		return true, err
	}
	if m.settled && m.zones.halfway == nil || len(m.ballot.reads) == 0 || len(m.offers) > 0 {
		return false, nil
	}
	before := m.ballot
	obs := m.ballot.count()
	if slices.ContainsFunc(spreadOut(m.byZones(), m.seatedZones(), obs).in[fridgeKey], func(r table.Reading) bool { return r.Die == act.Die }) {
		return false, nil // it is there still, and another one is missing
	}
	obs.Dice = append(slices.Clone(obs.Dice), certain(table.Reading{At: m.middleOf(fridgeKey, obs)}, act.Die))
	m.ballot.reads = []table.Observation{obs}
	m.settled = m.conclude(true)
	m.ballot = before
	if now, ok := m.line.now().(*dicecreams.State); !m.settled || !ok || !slices.Contains(now.Fridge(), act.Die) {
		return false, nil
	}
	return true, m.declared(d, mv)
}

// saidDice is the dice that players say they took off the Fridge, but for those that lie there
// still, and nowhere else.
func (o *outlook) saidDice(there []table.Die) (dice []table.Die) {
	rest := slices.Clone(there)
	for _, mv := range o.seen.said {
		m, ok := mv.(dicecreams.Move)
		if !ok || m.Kind != dicecreams.Take && m.Kind != dicecreams.Discard {
			continue
		}
		if i := slices.Index(rest, m.Die); i >= 0 && !slices.Contains(o.maybe[m.Seat], m.Die) {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		dice = append(dice, m.Die)
	}
	return dice
}

// middleOf is a place within a zone, in pixels.
func (m *Match) middleOf(at zoneKey, obs table.Observation) (p table.Point) {
	for _, z := range m.setting.Zones {
		if k, ok := m.byZones().where(z); ok && k == at {
			for _, c := range z.Outline {
				p.X += c.X * float64(obs.Width) / float64(len(z.Outline))
				p.Y += c.Y * float64(obs.Height) / float64(len(z.Outline))
			}
			return p
		}
	}
	return p
}

// outdate: what is said after a picture that was taken on purpose makes it old. It is
// not looked at again, lest it seem that the act was taken back.
func (m *Match) outdate() {
	if n := len(m.ballot.reads); n > 0 && m.ballot.reads[n-1].Posed && m.hasZones() {
		m.ballot.clear()
		m.settled = true
		if m.about == 0 && m.openTales() == nil {
			m.forget()
		}
	}
}

// blind: a die that was taken off the Fridge, and went away with its IceCream, is known by what
// is left on the Fridge. Once that is emptied too, or if no view had shown it there, it may have been any that fits.
func (creamZones) blind(st rules.Story, said []rules.Move) (Phrase, bool) {
	for i, mv := range st.Line {
		if ask, unseen := hazy(mv); unseen && st.After.(*dicecreams.State).Unseen() > 0 {
			return ask, true
		}
		take, ok := mv.(dicecreams.Move)
		if !ok || take.Kind != dicecreams.Take && take.Kind != dicecreams.Discard || slices.Contains(said, mv) {
			continue
		}
		gone := take.Kind == dicecreams.Discard
		unknown := slices.Contains(st.Line[:i], rules.Move(dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Find, Die: take.Die}))
		for _, later := range st.Line[i+1:] {
			l, ok := later.(dicecreams.Move)
			gone = gone || ok && l.Kind == dicecreams.Away && l.Card == take.Card
			unknown = unknown || ok && l.Kind == dicecreams.Clean
		}
		if gone && unknown {
			return phrase("take-unseen", "die", take.Die), true
		}
	}
	return Phrase{}, false
}

// unrolled says whether a die that is drawn from the bag is to be rolled, or those of the Fridge.
func (creamZones) unrolled(state rules.State) bool {
	s, ok := state.(*dicecreams.State)
	if !ok {
		return false
	}
	kind, _, must := s.Due()
	return s.Drawing() || must && kind == dicecreams.Roll
}

// awaited is what players have to say before anything else can be told.
func awaited(state rules.State) (ask Phrase, awaits bool) {
	if s, ok := state.(*dicecreams.State); ok {
		if kind, _, must := s.Due(); must && kind == dicecreams.Reveal {
			return phrase("which-card"), true
		}
	}
	return ask, false
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
