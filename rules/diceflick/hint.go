package diceflick

import (
	"cmp"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Hints tells the scorings of the best total one by one ("combo", "center", "blast");
// while dice are flicked also the hole of the bonus marker ("bonus") and the holes in
// which one more die would bring the most, whatever it shows ("aim").
func (s *State) Hints() []rules.Hint {
	if s.over() {
		return nil
	}
	list := s.scorings()
	if s.flicks < s.allowed() {
		if free := s.arena.Markers.Bonus &^ s.lying(); free != 0 {
			holes := names(free)
			list = append(list, rules.Hint{Key: "bonus", To: holes, Text: "a die on " + rules.And(holes) + " brings a bonus flick"})
		}
		list = append(list, s.aims()...)
	}
	return rules.FewHints(list)
}

// lying is the holes that hold dice.
func (s *State) lying() (h scoring.Holes) {
	for i := range s.arena.Dice {
		if s.arena.Dice[i].Color != table.NoColor {
			h |= 1 << i
		}
	}
	return h
}

func names(h scoring.Holes) (list []string) {
	for _, sq := range h.Squares() {
		list = append(list, sq.String())
	}
	return list
}

// scorings words the steps of the best total.
func (s *State) scorings() (list []rules.Hint) {
	plan := s.Best()
	sum := 0
	for i, step := range plan.Steps {
		all := scoring.Claim(&s.arena, s.worth, plan.Steps[:i+1])
		points := all.Score - sum
		sum = all.Score
		before := scoring.Claim(&s.arena, s.worth, plan.Steps[:i])
		holes := names((all.Removed | all.Used) &^ (before.Removed | before.Used))
		how := map[string]string{scoring.Combo: "the combination", scoring.Center: "the center", scoring.Blast: "the blast line"}[step.Kind]
		list = append(list, rules.Hint{Key: step.Kind, To: holes, Points: points, Text: fmt.Sprintf("%s of %s is worth %d", how, rules.And(holes), points)})
	}
	return list
}

// mostAims is how many colors are told where to aim.
const mostAims = 3

// aims tells for each color that is not wholly in the arena where one more die of it,
// were it the lowest, would raise the best total most.
func (s *State) aims() (list []rules.Hint) {
	now := s.Best().Score
	for _, letter := range []byte("BGPWY") {
		color := colorOf(letter)
		if s.pool(color) <= 0 {
			continue
		}
		h := rules.Hint{Key: "aim", Dice: []table.Die{{Color: color}}}
		for i := range s.arena.Dice {
			if s.arena.Dice[i].Color != table.NoColor {
				continue
			}
			with := s.arena
			with.Dice[i], with.Landed = table.Die{Color: color, Face: facesOf(color)[0]}, with.Landed|1<<i
			more := scoring.BestScore(&with, s.worth) - now
			if more > h.Points {
				h.Points, h.To = more, nil
			}
			if more == h.Points && more > 0 {
				h.To = append(h.To, table.SquareAt(i).String())
			}
		}
		if h.Points > 0 {
			h.Text = fmt.Sprintf("one more %s die on %s would add at least %s", color, rules.And(h.To), table.Count(h.Points, "point", "points"))
			list = append(list, h)
		}
	}
	slices.SortStableFunc(list, func(a, b rules.Hint) int { return cmp.Compare(b.Points, a.Points) })
	return list[:min(len(list), mostAims)]
}
