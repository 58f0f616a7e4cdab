package dicebox

import (
	"cmp"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Hints tells every die of the hand where it fits ("fits", with points where it is
// an own one), or, where the hand is not known, every value ("open"); that all dice
// are to be rolled ("reroll") or nothing can be done ("pass"); and which squares
// nothing can ever fit on ("dead").
func (s *State) Hints() []rules.Hint {
	p := s.ToMove()
	if p < 0 || !s.rolled {
		return nil
	}
	var list []rules.Hint
	switch s.Must(p) {
	case "pass":
		list = append(list, rules.Hint{Key: "pass", Acts: []string{Act{By: p, Kind: Pass}.String()}, Text: "no dice left: you have to pass"})
	case "reroll":
		list = append(list, rules.Hint{Key: "reroll", Acts: []string{Act{By: p, Kind: Reroll}.String()}, Text: "none of your dice fits: reroll all of them"})
	case "place":
		list = s.fittingDice(p)
	default:
		list = s.openValues()
	}
	if dead := s.dead(); len(dead) > 0 {
		list = append(list, rules.Hint{Key: "dead", To: dead, Text: "nothing can ever fit on " + rules.And(dead)})
	}
	return rules.FewHints(list)
}

// fittingDice gathers the placements by die, own dice first, high ones before low ones.
func (s *State) fittingDice(p rules.Player) []rules.Hint {
	var list []rules.Hint
	for _, m := range rules.SortMoves(s.placements(p)) {
		a := m.(Act)
		i := slices.IndexFunc(list, func(h rules.Hint) bool { return h.Dice[0] == a.Die })
		if i < 0 {
			i = len(list)
			h := rules.Hint{Key: "fits", Dice: []table.Die{a.Die}}
			if s.owner(scoring.BoxColor(a.Die.Color)) == p {
				h.Points = a.Die.Face
			}
			list = append(list, h)
		}
		list[i].To = append(list[i].To, a.To.String())
		list[i].Acts = append(list[i].Acts, a.String())
	}
	for i := range list {
		d := list[i].Dice[0]
		list[i].Text = fmt.Sprintf("%s %d fits on %s", d.Color, d.Face, rules.And(list[i].To))
	}
	slices.SortStableFunc(list, func(a, b rules.Hint) int { return cmp.Compare(b.Points, a.Points) })
	return list
}

// openValues tells for each value where it fits.
func (s *State) openValues() (list []rules.Hint) {
	for f := 1; f <= 6; f++ {
		h := rules.Hint{Key: "open", Dice: []table.Die{{Face: f}}}
		for i := range s.grid {
			if !s.filled(i) && s.cand(i)>>f&1 != 0 {
				h.To = append(h.To, table.SquareAt(i).String())
			}
		}
		if len(h.To) > 0 {
			h.Text = fmt.Sprintf("a %d fits on %s", f, rules.And(h.To))
			list = append(list, h)
		}
	}
	return list
}

// dead lists the empty squares that touch a die and take no value.
func (s *State) dead() (squares []string) {
	for i := range s.grid {
		if !s.filled(i) && !s.isolated(i) && s.cand(i) == 0 {
			squares = append(squares, table.SquareAt(i).String())
		}
	}
	return squares
}
