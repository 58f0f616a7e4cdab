package dicecreams

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// A die that was drawn may not have been seen yet. It lies on the Fridge like the others. What it is, is told by
// itself (Find), or by an act: who takes it has seen it, and its color shows in what it melts.

// hazyOf counts the dice whose color nobody knows.
func hazyOf(dice []table.Die) (n int) {
	for _, d := range dice {
		if d.Color == table.NoColor {
			n++
		}
	}
	return n
}

// missing is how many dice are counted in the pouch but are not in it, as nobody knows their colors.
func (s *State) missing() int { return s.hazy + hazyOf(s.unseen) }

// drawable says whether these dice can come out of the pouch, which is
// refilled from the dice set aside when it runs empty.
func (s *State) drawable(dice []table.Die) error {
	colors, inPouch := colorCount(dice), total(s.pouch)-s.missing()
	stay := s.missing() + hazyOf(dice) // that may seem to be left in a pouch that is empty
	for i, c := range scoring.Flavours {
		have := s.pouch[i]
		if len(dice) > inPouch {
			if stay -= max(0, have-colors[i]); stay < 0 {
				return fmt.Errorf("empty the pouch first: it still has %s in %v", table.Count(have, "die", "dice"), c)
			}
			have += s.aside[i]
		}
		if colors[i] > have {
			return fmt.Errorf("the pouch has %s in %v, not %d", table.Count(have, "die", "dice"), c, colors[i])
		}
	}
	return nil
}

// draw takes dice out of the pouch; they must be drawable.
func (s *State) draw(dice []table.Die) {
	left := total(s.pouch) - s.missing() - len(dice)
	for i, n := range colorCount(dice) {
		s.pouch[i] -= n
	}
	if left < 0 || left == 0 && s.opt.refillEarly {
		s.refill()
	}
}

func (s *State) refill() {
	for i := range s.aside {
		s.pouch[i] += s.aside[i]
		s.aside[i] = 0
	}
	s.hazy = 0 // whatever they are, they are in the pouch, and counted there
}

// drawEmpty says whether neither pouch nor the dice set aside hold any.
func (s *State) drawEmpty() bool { return total(s.pouch)+total(s.aside) == hazyOf(s.unseen) }

func total(n [5]int) (all int) {
	for _, k := range n {
		all += k
	}
	return all
}

// fill puts a drawn die on the Fridge, known or not.
func (s *State) fill(d table.Die) {
	if d.Face == 0 {
		s.unseen = append(s.unseen, d)
	} else {
		s.fridge = append(s.fridge, d)
	}
}

// found is which of the dice that were not seen may be one of which more is known now.
func (s *State) found(d table.Die) (int, error) {
	i := slices.IndexFunc(s.unseen, func(u table.Die) bool { return u != d && (u.Color == table.NoColor || u.Color == d.Color) })
	if i < 0 {
		return i, fmt.Errorf("every die on the Fridge was seen")
	}
	if k := scoring.FlavourIndex(d.Color); k < 0 || s.unseen[i].Color == table.NoColor && s.pouch[k] == 0 {
		return i, fmt.Errorf("there is no die of that color left that it could be")
	}
	return i, nil
}

// playFind notes what is known by now of a die that was drawn and not seen.
func (s *State) playFind(m *Move) error {
	i, err := s.found(m.Die)
	if err != nil {
		return err
	}
	if s.unseen[i].Color == table.NoColor {
		s.pouch[scoring.FlavourIndex(m.Die.Color)]--
	}
	s.unseen = slices.Delete(s.unseen, i, i+1)
	s.fill(m.Die)
	sortDice(s.fridge) // as if it had been seen at once
	return nil
}

// told is the position in which it is known what an act tells of a die that was drawn and not seen.
func (s *State) told(m *Move) *State {
	if len(s.unseen) == 0 {
		return s
	}
	switch m.Kind {
	case Take, Discard:
		if !slices.Contains(s.fridge, m.Die) {
			if next, ok := s.knowing(m.Die); ok {
				return next
			}
		}
	case Melt:
		for _, c := range append([]table.Color{table.NoColor}, scoring.Flavours[:]...) {
			next, ok := s.knowing(table.Die{Color: c})
			if c == table.NoColor {
				next, ok = s, true
			}
			if ok && meltText(next.melt()) == m.List {
				return next
			}
		}
	}
	return s
}

// knowing is the position in which something is known of a die that was drawn and not seen; false: it is none.
func (s *State) knowing(d table.Die) (*State, bool) {
	if _, err := s.found(d); err != nil {
		return s, false
	}
	next := s.clone()
	return next, next.playFind(&Move{Seat: rules.Nature, Kind: Find, Die: d}) == nil
}
