package scoring

import "slices"

// Explanation says which scorings can have removed a set of dice.
type Explanation struct {
	Scores []int // every total that explains it, ascending; empty: no legal sequence does
	Best   Plan  // how the highest of them comes about
}

// Legal says whether any legal sequence of scorings removes exactly these dice.
func (e Explanation) Legal() bool { return len(e.Scores) > 0 }

// Explains says whether the written score fits the removed dice.
func (e Explanation) Explains(written int) bool { return slices.Contains(e.Scores, written) }

// Explain finds every total for which a legal sequence of scorings takes exactly
// the dice in the holes removed. The dice fix their own points; upgrade markers
// leave no visible trace, so each set of them is tried (RULES.md 5.7, frame contract).
func Explain(a *Arena, r ArenaRules, removed Holes) Explanation {
	b := a.board(r)
	if removed&^b.dice != 0 {
		return Explanation{}
	}
	var e Explanation
	for used := b.markers; ; used = (used - 1) & b.markers {
		if steps, ok := b.exactly(removed | used); ok {
			score := b.sum(removed | used)
			if len(e.Scores) == 0 || score > e.Best.Score {
				e.Best = Plan{Score: score, Steps: steps, Removed: removed}
			}
			if !slices.Contains(e.Scores, score) {
				e.Scores = append(e.Scores, score)
			}
		}
		if used == 0 {
			break
		}
	}
	slices.Sort(e.Scores)
	return e
}

// exactly finds a sequence of scorings that takes these items and no others.
func (b *board) exactly(items Holes) (steps []Scoring, ok bool) {
	if items == 0 {
		return []Scoring{}, true
	}
	for choices := b.sweeps(items); len(choices) > 0; choices = choices[1:] {
		lines := choices[0]
		var swept Holes
		for _, l := range lines {
			swept |= l
		}
		rest := items &^ (swept | b.center)
		white := b.white & items
		for s0 := white; ; s0 = (s0 - 1) & white {
			for s1 := white &^ s0; ; s1 = (s1 - 1) & (white &^ s0) {
				jokers := [3]Holes{s0, s1, white &^ (s0 | s1)}
				var groups [3]Holes
				for i := range groups {
					groups[i] = b.combined((b.color[i]|b.marker[i])&items|jokers[i], b.marker[i]&items)
				}
				if rest&^(groups[0]|groups[1]|groups[2]) == 0 {
					return b.steps(items, groups, lines), true
				}
				if s1 == 0 {
					break
				}
			}
			if s0 == 0 {
				break
			}
		}
	}
	return nil, false
}

// sweeps lists the ways in which blast dice can take lines that hold none but
// these items: each of them its row, its column, or no line of its own.
func (b *board) sweeps(items Holes) [][holeCount]Holes {
	all := [][holeCount]Holes{{}}
	for rest := b.chooser & items; rest != 0; rest &= rest - 1 {
		i := rest.first()
		for _, lines := range all[:len(all):len(all)] {
			for _, line := range [...]Holes{row(i), col(i)} {
				if line&(b.dice|b.markers)&^items == 0 {
					lines[i] = line
					all = append(all, lines)
				}
			}
		}
	}
	return all
}
