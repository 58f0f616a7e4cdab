package match

import (
	"cmp"
	"slices"

	"diceref/rules"
)

// conclude takes the most likely tale if it fits and stands out.
func (z *zoneSearch) conclude(bases []hypothesis) ruling {
	slices.SortStableFunc(z.stories, func(a, b hypothesis) int { return cmp.Compare(a.Cost, b.Cost) })
	stories := z.stories
	all := func(more ...hypothesis) []hypothesis { return worth(append(more, stories...), bases) }
	known := bases[0].at()
	i := slices.IndexFunc(z.stories, func(t hypothesis) bool { return t.Misfit <= maxMisfit && t.Verdict != rules.Unexplained })
	if i < 0 || z.tired {
		none := hypothesis{Story: rules.Story{Verdict: rules.Unexplained}}
		changed := len(z.stories) > 0 && len(z.stories[0].Line) > 0 && z.stories[0].Verdict != rules.Unexplained
		return ruling{hypothesis: none, changed: changed, tired: z.tired, ask: z.ask(known), all: all}
	}
	res := ruling{hypothesis: z.stories[i], all: all, lead: 99, ahead: 99}
	begin := standing(res.begin)
	told := []string{standing(res.After)}
	close := []hypothesis{res.hypothesis}
	margin := float64(rules.DefaultMargin)
	if res.Why != nil && res.Back == 0 || res.Back > 1 {
		margin = leastLead // nobody is accused of what may well have been something else
	}
	for k, t := range z.stories {
		if k == i || t.Cost-res.Cost >= leastLead {
			continue
		}
		if standing(t.begin) != begin {
			res.ahead = min(res.ahead, t.Cost-res.Cost)
		}
		if d := standing(t.After); !slices.Contains(told, d) { // another way to the same position is no other story
			told, res.lead = append(told, d), min(res.lead, t.Cost-res.Cost)
			if lead := t.Cost - res.Cost; lead < rules.DefaultMargin || lead < margin && t.Misfit <= maxMisfit && (res.Back > 1 || len(t.Line) <= len(res.Line)) {
				close = append(close, t)
			}
		}
	}
	if len(close) == 1 {
		return res
	}
	res.Verdict, res.tales = rules.Ambiguous, close[:min(len(close), mostQuestions)]
	res.ask = phrase("which", "parts", differences(res.tales))
	return res
}

// worth is the tales that are worth to be remembered until another view tells more:
// those found, the most likely first, and that this view was misread.
func worth(stories, bases []hypothesis) (list []hypothesis) {
	slices.SortStableFunc(stories, func(a, b hypothesis) int { return cmp.Compare(a.Cost, b.Cost) })
	nearly := len(stories) > 0 && stories[0].Verdict == rules.Explained && !stories[0].skips
	for _, t := range stories {
		if t.Cost-stories[0].Cost > keepWithin {
			break
		}
		if t.wrong = nil; t.Why != nil && t.At == len(t.Line)-1 {
			t.wrong = t.Line[t.At]
		}
		t.before, t.sofar, t.against, t.borne = t.whole(), t.Cost, false, t.bornBy()
		list = append(list, t)
	}
	for _, b := range bases {
		b.sofar, b.skips, b.against, b.borne = b.sofar+priceIgnore, true, nearly, 0
		list = append(list, b)
	}
	slices.SortStableFunc(list, func(a, b hypothesis) int { return cmp.Compare(a.sofar, b.sofar) })
	var told []string
	list = slices.DeleteFunc(list, func(t hypothesis) bool {
		d := standing(t.at())
		if len(told) >= mostTales || slices.Contains(told, d) {
			return true
		}
		told = append(told, d)
		return false
	})
	least := list[0].sofar
	for i := range list {
		list[i].sofar -= least
	}
	return list
}
