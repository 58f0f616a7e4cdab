package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
)

// Who is told to have broken the rules, in games by zones: what was made and taken back before anybody looked, and acts that are not likely
// enough to accuse anybody.

// settleTakenBack has ways that differ only in what was taken back again, before anything was told of it, be one: nothing hangs on it. If
// something surely was, the likeliest is told, unless it is open who has broken the rules by that: then it is asked about, and not told.
func (m *Match) settleTakenBack() {
	b, told := &m.course, m.course.acts()
	if b.picked {
		b.pick(told)
		return
	}
	net := b.set.Net(told[:min(b.since, len(told))])
	further, same := len(net.Next(told, beyondDoubt)) > 0, net.Made(told) >= beyondDoubt
	if !b.netted && (len(b.set.Next(told, beyondDoubt)) > 0 || !further && !same) {
		return
	}
	surely, known := m.takenBack()
	if b.picked = !b.netted && surely && known; b.picked {
		b.pick(told)
	} else if b.netted || further && !surely || m.ask != "" {
		b.set, b.netted = net, true
	}
}

// pick keeps one of the ways that have come to the same but for what was taken back: the likeliest that goes on from what was told.
func (b *course) pick(told []rules.Move) {
	best, ok := belief.LikeliestWay(b.set, told)
	if !ok {
		return
	}
	course, words := best.World.(*belief.Zones).Course(), wordsOf(belief.Acts(best.Line))
	b.set, _ = b.set.Where(func(w belief.Way) bool {
		return w.World.(*belief.Zones).Course() != course || slices.Equal(wordsOf(belief.Acts(w.Line)), words)
	})
}

// takenBack says whether something was made and taken back by nearly all ways, and whether it is known who has broken the rules by that.
func (m *Match) takenBack() (surely, known bool) {
	const hardly = 0.01
	b, told := &m.course, m.course.acts()
	best := belief.Acts(b.best().Line)
	if len(best) <= len(told) || b.chance(func(w belief.Way) bool { return !takesBack(w, len(told)) }) >= hardly {
		return false, false
	}
	now := m.zonesNow(0)
	wrong := wrongBy(now, best[len(told):])
	return true, b.chance(func(w belief.Way) bool {
		return w.Begins(told) && slices.Equal(wrongBy(now, belief.Acts(w.Line)[len(told):]), wrong)
	}) >= likelyEnough*b.set.Began(told)
}

// takesBack says whether something is taken back by a way after the first acts.
func takesBack(w belief.Way, after int) bool {
	acts := belief.Acts(w.Line)
	return slices.ContainsFunc(acts[min(after, len(acts)):], isTakenBack)
}

func isTakenBack(mv rules.Move) bool {
	_, back := mv.(belief.TakenBack)
	return back
}

// wrongBy lists who breaks the rules with acts.
func wrongBy(now *belief.Zones, acts []rules.Move) (list []rules.Player) {
	at := replayed{Zones: now}
	for _, mv := range acts {
		_, back := mv.(belief.TakenBack)
		if by := mv.Actor(); !back && at.demands(mv) && len(at.due) == 0 && at.State().Check(mv) != nil && !slices.Contains(list, by) {
			list = append(list, by)
		}
		if at.play(mv) != nil {
			break
		}
	}
	return list
}

// likelyEnough is how likely acts must be that somebody is told to have broken the rules with them, once that was asked.
const likelyEnough = 0.9

// beganLike is the probability that acts were made after those that were told, or such as differ from them in nothing but the spot
// on which a die lies.
func (b *course) beganLike(told, line []rules.Move, stack []rules.State) float64 {
	g, ok := stack[len(stack)-1].(rules.Placer)
	return b.chance(func(w belief.Way) bool {
		acts := belief.Acts(w.Line)
		return w.Begins(told) && len(acts) >= len(told)+len(line) && slices.EqualFunc(acts[len(told):len(told)+len(line)], line, func(a, b rules.Move) bool {
			return a.String() == b.String() || ok && g.Elsewhere(a, b)
		})
	})
}

// unaccusing is acts up to the first by which somebody breaks the rules, and what was taken back for it, unless they are likely enough, or
// that was told already.
func (m *Match) unaccusing(stack []rules.State, line, told []rules.Move, enough bool) []rules.Move {
	stack = slices.Clone(stack)
	for i, mv := range line {
		now := stack[len(stack)-1]
		if _, back := mv.(belief.TakenBack); back && len(stack) > 1 {
			stack = stack[:len(stack)-1]
			continue
		}
		already := i < len(told) && slices.Equal(wordsOf(line[:i+1]), wordsOf(told[:i+1]))
		if !enough && !already && now.Check(mv) != nil {
			for i > 0 && isTakenBack(line[i-1]) {
				i--
			}
			return line[:i]
		}
		if next, err := now.Apply(mv); err == nil {
			stack = append(stack, next)
		}
	}
	return line
}
