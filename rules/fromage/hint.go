package fromage

import (
	"fmt"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Hints says what each choice brings: dice of the Cart to keep ("keeps") or to steal
// ("steals") that make sets of three or more, and acts after which a Fromage is
// possible ("opens"); every Fromage ("fromage"); what goes back at the end of the turn
// ("sets"); and what may be had for dice that were taken away ("answer").
func (s *State) Hints() []rules.Hint {
	if s.over {
		return nil
	}
	if p := s.ToMove(); s.owed[p].dice > 0 {
		d := s.owed[p]
		m := Move{Seat: p, Kind: Compensate, Points: d.points, Pointed: true}
		return []rules.Hint{{
			Key: "answer", For: p.String(), Points: d.points, Acts: []string{m.String()},
			Text: fmt.Sprintf("%s may take %s from the Cart, or %s", p, table.Count(d.dice, "die", "dice"), table.Count(d.points, "point", "points")),
		}}
	}
	if !s.Rolled() {
		return nil
	}
	var list []rules.Hint
	for _, m := range Fromages(s) {
		f := m.(Move)
		list = append(list, rules.Hint{
			Key: "fromage", Dice: dice(f.Dice), From: []string{f.Takes[0].From.String(), f.Takes[1].From.String()}, Points: scoring.FromagePoints,
			Acts: []string{f.String()}, Text: fmt.Sprintf("a Fromage of %s with %d of %s and %d of %s", digits(f.Dice), f.Takes[0].Face, f.Takes[0].From, f.Takes[1].Face, f.Takes[1].From),
		})
	}
	if back := s.Due(rules.Player(s.turn)); s.Acted() && back.Len() > 0 {
		list = append(list, rules.Hint{
			Key: "sets", Dice: dice(back), Points: back.Len(), Text: fmt.Sprintf("%s goes back at the end of the turn, for %s", digits(back), table.Count(back.Len(), "point", "points")),
		})
	}
	list = append(list, s.choices()...)
	return rules.FewHints(list)
}

// choices points out the keeps and steals that lead to points in this turn: those that
// open a Fromage, then those that bring the most for sets.
func (s *State) choices() (list []rules.Hint) {
	before := s.Due(rules.Player(s.turn)).Len()
	most := before
	var sets []rules.Hint
	for _, m := range rules.SortMoves(append(s.keeps(), Steals(s)...)) {
		a := m.(Move)
		next := *s
		if next.play(&a) != nil {
			continue
		}
		next.owed = [maxSeats]debt{} // what the victim takes is not known yet
		h := rules.Hint{Key: "keeps", Dice: dice(a.Dice), Acts: []string{a.String()}, Text: "keeping " + digits(a.Dice)}
		if a.Kind == Steal {
			h.Key, h.From, h.Text = "steals", []string{a.From.String()}, fmt.Sprintf("taking %s from %s", digits(a.Dice), a.From)
		}
		if len(Fromages(&next)) > 0 {
			open := h
			open.Key, open.Points, open.Text = "opens", scoring.FromagePoints, h.Text+" makes a Fromage possible"
			list = append(list, open)
		}
		if h.Points = next.Due(a.Seat).Len(); h.Points > most {
			most, sets = h.Points, nil
		}
		if h.Points == most && most > before {
			h.Text += " makes sets for " + table.Count(most, "point", "points")
			sets = append(sets, h)
		}
	}
	return append(list, sets...)
}

// dice are cheeses; their colors do not count.
func dice(f scoring.Faces) []table.Die {
	list := make([]table.Die, 0, f.Len())
	for _, face := range f.List() {
		list = append(list, table.Die{Face: face})
	}
	return list
}
