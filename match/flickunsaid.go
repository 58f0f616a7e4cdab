package match

import (
	"cmp"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
)

// unsaid is one way in which turns may have gone whose ends nobody declared.
type unsaid struct {
	line []rules.Move // from the first flick of the turn as it was told
	kept bool         // what was told of the turn is as it was told
	odd  float64
}

// How odd it is that a flick missed and nobody said so, and that nothing, or not the best, was scored where something could be.
const (
	oddMiss  = 1.0
	oddNone  = 3.5
	oddOther = 2.5
	mostEnds = 3
)

// endUnsaid goes on with a die that has come in after a turn whose end nobody declared. Which flicks missed unseen, and so whose
// turn it was, no camera can tell: that is asked, with what each answer means for the score. ok is false where
// nothing of the kind has happened, or no rule lets it.
func (m *Match) endUnsaid(flick diceflick.Flick, gone scoring.Holes) (done, ok bool) {
	base, flicks, first := m.turnSoFar()
	if base == nil {
		return false, false
	}
	list := m.unsaidWays(base, flicks, flick, gone)
	if len(list) == 0 {
		return false, false
	}
	slices.SortStableFunc(list, func(a, b unsaid) int {
		if a.kept != b.kept {
			return map[bool]int{true: -1, false: 1}[a.kept]
		}
		return cmp.Compare(a.odd, b.odd)
	})
	stack := []rules.State{base}
	var answers []offer
	for _, w := range list[:min(len(list), 1+mostAnswers)] {
		o := offer{says: Phrase{Kind: kindActs, text: m.wordsFrom(stack, rules.Story{Line: w.line})}}
		if first > 0 {
			o.amend = &amendment{first: first, moves: w.line}
		} else {
			o.story.Line = w.line
		}
		answers = append(answers, o)
	}
	if best := list[0]; best.kept {
		answers[0].story.Line = best.line[len(flicks):]
	} else if !m.amend(&amendment{first: first, last: m.seq, moves: best.line}) {
		return false, true
	}
	return m.playAsking(ByCamera, phrase("unsaid"), answers) == nil, true
}

// turnSoFar is the flicks of the turn under way as they were told, the position before them and the record of the first; no
// position where something else was told in between.
func (m *Match) turnSoFar() (base rules.State, flicks []rules.Move, first int64) {
	acts := m.line.acts
	i := len(acts)
	for i > 0 && acts[i-1].kind == actPlay && len(acts[i-1].moves) > 0 && !slices.ContainsFunc(acts[i-1].moves, func(mv rules.Move) bool { _, is := mv.(diceflick.Flick); return !is }) {
		i--
		flicks = append(slices.Clone(acts[i].moves), flicks...)
		first = acts[i].seq
	}
	stack := []rules.State{m.line.start}
	if i > 0 {
		stack = acts[i-1].stack
	}
	base = stack[len(stack)-1]
	if s, is := base.(*diceflick.State); !is || len(flicks) > 0 && flicks[0].Actor() != s.ToMove() {
		return nil, nil, 0
	}
	return base, flicks, first
}

// unsaidWays lists how these flicks may have belonged to turns, with this die the last that came in.
func (m *Match) unsaidWays(base rules.State, flicks []rules.Move, last diceflick.Flick, gone scoring.Holes) (list []unsaid) {
	var walk func(s *diceflick.State, i, ends int, w unsaid)
	play := func(s *diceflick.State, w unsaid, f diceflick.Flick) (*diceflick.State, unsaid, bool) {
		f.By = s.ToMove()
		_, may := s.FlicksLeft()
		next, err := s.Apply(f)
		if err != nil || may == 0 {
			return nil, w, false
		}
		w.line = append(slices.Clip(w.line), f)
		return next.(*diceflick.State), w, true
	}
	walk = func(s *diceflick.State, i, ends int, w unsaid) {
		if i < len(flicks) {
			if next, n, ok := play(s, w, flicks[i].(diceflick.Flick)); ok {
				walk(next, i+1, ends, n)
			}
			if ends < mostEnds && i > 0 {
				if next, n, ok := turnEnd(s, w, 0); ok {
					n.kept = false
					walk(next, i, ends+1, n)
				}
			}
			return
		}
		if gone == 0 && ends > 0 {
			if _, n, ok := play(s, w, last); ok {
				list = append(list, n)
			}
		}
		if next, n, ok := turnEnd(s, w, gone); ok {
			if _, n, ok = play(next, n, last); ok {
				list = append(list, n)
			}
		}
	}
	walk(base.(*diceflick.State), 0, 0, unsaid{kept: true})
	return list
}

// turnEnd ends a turn in which just these dice were scored; false where no rule lets that be.
func turnEnd(s *diceflick.State, w unsaid, took scoring.Holes) (*diceflick.State, unsaid, bool) {
	must, _ := s.FlicksLeft()
	w.line = slices.Clip(w.line)
	for range must {
		next, err := s.Apply(diceflick.Flick{By: s.ToMove()})
		if err != nil {
			return nil, w, false
		}
		s, w.line, w.odd = next.(*diceflick.State), append(w.line, diceflick.Flick{By: s.ToMove()}), w.odd+oddMiss
	}
	best := s.Best()
	switch {
	case took == 0 && best.Score > 0:
		w.odd += oddNone
	case took != 0 && took != best.Removed:
		w.odd += oddOther
	}
	mv := diceflick.Score{By: s.ToMove(), Seen: true, Removed: took}
	next, err := s.Apply(mv)
	if err != nil || took != 0 && !s.Explain(took).Legal() {
		return nil, w, false
	}
	w.line = append(w.line, mv)
	return next.(*diceflick.State), w, true
}

// askScored asks which dice were scored in a turn that nobody ended, where no scoring takes just those that left. Nobody is
// accused: as long as nobody says otherwise those that cannot have been scored were knocked out.
func (m *Match) askScored(state *diceflick.State, took scoring.Holes, next diceflick.Flick, shifts []diceflick.Shift) bool {
	mv := diceflick.Score{By: state.ToMove(), Seen: true, Removed: took}
	next.By = (next.By + 1) % rules.Player(len(m.setting.Players))
	var answers []offer
	for _, o := range append(scoreAnswers(state, mv, 0), scoreOffer(state, diceflick.Score{By: mv.By, Seen: true}), scoreOffer(state, mv)) {
		f := next
		f.Shifts = without(shifts, o.story.Line[0].(diceflick.Score).Removed)
		o.story.Line = append(o.story.Line, f)
		same := func(a offer) bool { return a.says.String() == o.says.String() }
		if played(state, o.story.Line) != nil && !slices.ContainsFunc(answers, same) {
			answers = append(answers, o)
		}
	}
	if len(answers) == 0 {
		return m.doubtful(phrase("which-scored"), nil)
	}
	m.flick = flickTurn{}
	return m.playAsking(ByCamera, phrase("which-scored"), answers) == nil
}
