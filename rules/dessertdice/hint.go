package dessertdice

import (
	"fmt"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// Hints tells for each of the four desserts, as cards are secret, what makes its
// largest cluster as large as one act can: any of some dice of the supply on any of
// some squares ("grows"), or a die of the board that is tipped ("tips").
func (s *State) Hints() []rules.Hint {
	if s.ToMove() < 0 {
		return nil
	}
	board := s.shows()
	var now, best [4]int
	for k, set := range board {
		now[k] = scoring.Cluster(set, s.cluster)
	}
	var good [4][]Act
	for _, a := range s.acts() {
		for k, set := range s.after(a, board) {
			if set == board[k] {
				continue
			}
			points := scoring.Cluster(set, s.cluster)
			if points > best[k] {
				best[k], good[k] = points, nil
			}
			if points == best[k] && points > now[k] {
				good[k] = append(good[k], a)
			}
		}
	}
	var list []rules.Hint
	for k := range good {
		list = append(list, hintsFor(k, best[k], good[k])...)
	}
	return rules.FewHints(list)
}

// after is which squares show each dessert once a legal act is done.
func (s *State) after(a Act, shows [4]uint32) [4]uint32 {
	for k := range shows {
		if a.Kind == Tip {
			shows[k] &^= 1 << a.From.Index()
		}
		shows[k] |= uint32(s.profile[a.Die.Color][a.Die.Face]>>k&1) << a.To.Index()
	}
	return shows
}

// mostTips is how many tips are pointed out for one dessert.
const mostTips = 3

// hintsFor words the acts that make a dessert's cluster that large. What a die does
// on a square hangs on whether it shows the dessert, so every such die does it on
// every such square.
func hintsFor(dessert, points int, acts []Act) []rules.Hint {
	letter, name := scoring.DessertLetters[dessert:dessert+1], scoring.DessertNames[dessert]
	grows := rules.Hint{Key: "grows", For: letter, Points: points}
	var tips []rules.Hint
	for _, a := range acts {
		if a.Kind == Tip {
			if len(tips) < mostTips {
				from, to := a.From.String(), a.To.String()
				tips = append(tips, rules.Hint{
					Key: "tips", Dice: []table.Die{a.Die}, From: []string{from}, To: []string{to}, For: letter, Points: points,
					Acts: []string{a.String()}, Text: fmt.Sprintf("%s: tipping %s to %s makes a cluster of %d", name, from, to, points),
				})
			}
			continue
		}
		if len(grows.Dice) == 0 || a.To.String() == grows.To[0] {
			grows.Dice = append(grows.Dice, a.Die)
		}
		if n := len(grows.To); n == 0 || grows.To[n-1] != a.To.String() {
			grows.To = append(grows.To, a.To.String())
			grows.Acts = append(grows.Acts, a.String())
		}
	}
	if len(grows.To) == 0 {
		return tips
	}
	grows.Text = fmt.Sprintf("%s: a die showing it on %s makes a cluster of %d", name, rules.And(grows.To), points)
	return append([]rules.Hint{grows}, tips...)
}
