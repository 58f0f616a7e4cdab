package dicecreams

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Hints tells for every die of the Fridge, or the one drawn, where it completes an
// IceCream that a Customer wants ("serves"), where it completes one ("completes") and
// where it fits ("fits"), all without Sprinkles; that nothing fits ("discard"); and
// which own dice the three that are left have melted away ("melts").
func (s *State) Hints() []rules.Hint {
	var list []rules.Hint
	switch d := s.next(); {
	case s.over:
	case d != nil && d.kind == mustServe:
		for _, m := range s.dutyMoves(d) {
			i := s.customerIndex(m.List)
			fame := s.box.Customers[i].fameOf(len(s.tokens[i]))
			list = append(list, rules.Hint{Key: "serves", For: m.List, Points: fame, Acts: []string{m.String()}, Text: fmt.Sprintf("a token on %s is worth %d", m.List, fame)})
		}
	case d != nil && d.kind == mustSet:
		list = s.places(Move{Seat: rules.Player(d.seat), Kind: Set}, d.die)
	case d != nil:
	case s.phase == drafting && !s.picked:
		list = s.choices()
	case s.phase == melting:
		list = s.lost()
	}
	slices.SortStableFunc(list, func(a, b rules.Hint) int { return cmp.Compare(b.Points, a.Points) })
	return rules.FewHints(list)
}

// choices goes through the dice of the Fridge.
func (s *State) choices() (list []rules.Hint) {
	m := Move{Seat: rules.Player(s.drafter), Kind: Take}
	dice := slices.Clone(s.fridge)
	sortDice(dice)
	for _, die := range slices.Compact(dice) {
		m.Die = die
		list = append(list, s.places(m, die)...)
	}
	if len(list) == 0 {
		list = append(list, rules.Hint{Key: "discard", Text: "no die fits: discard one for a Sprinkle"})
	}
	return list
}

// places says where a die may go as it is.
func (s *State) places(m Move, die table.Die) (list []rules.Hint) {
	fits := rules.Hint{Key: "fits", Dice: []table.Die{die}}
	for _, t := range s.placings(m, die) {
		if t.Delta != 0 || len(s.check(&t)) > 0 {
			continue
		}
		spot := t.Card + "." + strconv.Itoa(t.Spot)
		c := &s.creams[s.cardIndex(t.Card)]
		with := *c
		if with.dice[t.Spot] = die; c.place == started && with.full() {
			list = append(list, s.completing(&with, t, spot))
			continue
		}
		fits.To, fits.Acts = append(fits.To, spot), append(fits.Acts, t.String())
	}
	if len(fits.To) > 0 {
		fits.Text = fmt.Sprintf("%s %d fits on %s", die.Color, die.Face, rules.And(fits.To))
		list = append(list, fits)
	}
	return list
}

// completing words what a third die brings: the IceCream's Fame and that of the Customer who gives most.
func (s *State) completing(c *cream, m Move, spot string) rules.Hint {
	die := c.dice[m.Spot]
	h := rules.Hint{Key: "completes", Dice: []table.Die{die}, To: []string{spot}, Points: s.box.Cards[s.cardIndex(m.Card)].Fame, Acts: []string{m.String()}}
	fame := -1
	for i, customer := range s.box.Customers {
		values := [spots]int{c.dice[0].Face, c.dice[1].Face, c.dice[2].Face}
		if f := customer.fameOf(len(s.tokens[i])); f > fame && scoring.Satisfied(customer.Requirement, values, s.opt.inOrder) {
			h.Key, h.For, fame = "serves", customer.ID, f
		}
	}
	h.Text = fmt.Sprintf("%s %d completes %s", die.Color, die.Face, m.Card)
	if fame >= 0 {
		h.Points += fame
		h.Text += " and serves " + h.For
	}
	h.Text += fmt.Sprintf(": %d Fame", h.Points)
	return h
}

// lost is the dice of the player that melt away.
func (s *State) lost() []rules.Hint {
	h := rules.Hint{Key: "melts"}
	for _, l := range s.melt() {
		if l.Owner == s.lead && l.After == 0 {
			h.Dice = append(h.Dice, l.Die)
			h.To = append(h.To, l.Card+"."+strconv.Itoa(l.Spot))
		}
	}
	if len(h.To) == 0 {
		return nil
	}
	h.Text = "the dice on " + rules.And(h.To) + " melt away"
	return []rules.Hint{h}
}
