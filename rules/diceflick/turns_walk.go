package diceflick

import (
	"slices"

	"diceref/rules"
	"diceref/scoring"
)

// walk looks for the ways to a glimpse.
type walk struct {
	from  *Turns
	g     Glimpse
	times map[stretch]outlook
	found []rules.Course[Glimpse]
	best  float64 // of those that were found, but for their time
	least float64 // less likely ways are not looked for
	both  float64 // how likely nobody saw the arena between a die that came in and the scoring
}

// step is a way that was gone for a part.
type step struct {
	Turns
	line []rules.Move
	log  float64
	rest scoring.Holes // of the dice that have gone, those that were not scored so far
	ends int
	out  scoring.Holes // of them, those that a flick knocked out that missed
	// unseen is the hole of a die that nobody saw, and that is scored as this turn ends, without another flick.
	unseen scoring.Holes
}

// on goes every way from here.
func (w *walk) on(s step) {
	if s.State.over() && w.g.Say == SayOver && s.rest == 0 {
		w.note(s)
	}
	if s.State.over() || s.log < w.least || len(w.found) > 0 && s.log < w.best-cutOff {
		return
	}
	if s.unseen == 0 || w.g.Say == SayNext {
		w.arrive(s)
	}
	if _, may := s.State.FlicksLeft(); may > 0 && s.unseen == 0 {
		w.unseenScored(s)
		h := &s.habit
		log := ln(prior.Miss) + ln(silent(h.missSaid, h.missUnsaid))
		missed := func(mv Flick, out scoring.Holes, log float64) {
			if next, ok := s.play(mv, log); ok {
				next.habit.missUnsaid++
				next.late += unread(silent(h.missSaid, h.missUnsaid))
				next.since.flicks++
				next.rest &^= out
				next.out |= out
				w.on(next)
			}
		}
		missed(Flick{By: rules.Player(s.State.seat)}, 0, log)
		out := s.rest
		if w.g.Say == "" { // a die that comes in is taken for what knocked those out that had not left before
			out &= w.g.Took
		}
		if s.out == 0 {
			for _, at := range out.Squares() {
				missed(Flick{By: rules.Player(s.State.seat), Shifts: []Shift{{From: at, Off: true}}}, scoring.HoleSet(at), log+ln(knockedOut))
			}
		}
	}
	for _, taken := range w.mayTake(s) {
		if next, ok := w.end(s, taken, nil); ok {
			w.on(next)
		}
	}
}

// mostEnds is how many turns may end that nobody has seen.
func (w *walk) mostEnds() int {
	if w.g.Say == SayOver {
		return lastEnds
	}
	return mostEnds
}

// mayTake is the dice that may be scored as the turn ends: none, those that had left, all that are gone, or the best of them.
func (w *walk) mayTake(s step) []scoring.Holes {
	if must, _ := s.State.FlicksLeft(); must > 0 || s.ends == w.mostEnds() {
		return nil
	}
	if s.unseen != 0 {
		return []scoring.Holes{s.rest}
	}
	var list []scoring.Holes
	list = append(list, 0)
	for _, taken := range []scoring.Holes{s.rest & w.g.Took, s.rest, s.memo.best(s.State).Removed} {
		if taken != 0 && taken&^s.rest == 0 && !slices.Contains(list, taken) && s.State.Explain(taken).Legal() {
			list = append(list, taken)
		}
	}
	return list
}

// end ends a turn: nobody says so, or it is told.
func (w *walk) end(s step, taken scoring.Holes, told *Score) (step, bool) {
	h := &s.habit
	_, may := s.State.FlicksLeft()
	log := float64(may) * ln(prior.BonusDeclined)
	mv := Score{By: rules.Player(s.State.seat), Seen: true, Removed: taken}
	if told != nil {
		mv = *told
		mv.Removed, taken = s.rest, s.rest
		mv.By = rules.Player(s.State.seat)
		log += ln(1 - silent(h.nextSaid, h.nextUnsaid))
	} else {
		log += ln(silent(h.nextSaid, h.nextUnsaid))
	}
	next, ok := s.play(mv, log+s.scoreLog(taken))
	if !ok {
		return s, false
	}
	if told != nil {
		next.habit.nextSaid++
	} else {
		next.habit.nextUnsaid++
	}
	if s.unseen != 0 && next.takings != s.takings {
		next.takings.Unseen = s.unseen
	}
	next.rest &^= taken
	next.unseen = 0
	if taken&w.g.Left != 0 {
		next.log += ln(takenUnseen)
	}
	next.ends++
	next.since.turns++
	return next, true
}

// scoreLog is how likely a player takes just these dice at the end of a turn.
func (t *Turns) scoreLog(taken scoring.Holes) float64 {
	best := t.memo.best(t.State)
	switch {
	case best.Score == 0 && taken == 0:
		return 0
	case taken == 0:
		return ln(prior.TakesNone)
	case best.Removed == taken:
		return ln(1 - prior.TakesNone - prior.TakesOther)
	case t.State.Explain(taken).Legal():
		return ln(prior.TakesOther)
	}
	return ln(takesWrong)
}

// arrive brings what was seen or said.
func (w *walk) arrive(s step) {
	said := w.g.Say
	if said == SayOver {
		return
	}
	log := 0.0
	if said != "" && s.State.seat != int(w.g.Shown) {
		log += ln(s.habit.heedless())
		s.habit.others++
	}
	must, may := s.State.FlicksLeft()
	if said == SayNext {
		if must > 0 {
			return
		}
		if next, ok := w.end(s, 0, w.g.Score); ok {
			next.log += log
			w.note(next)
		}
		return
	}
	if may == 0 {
		for _, next := range s.onBonus() {
			w.arrive(next)
		}
		return
	}
	w.bring(s, *w.g.Flick, log)
}

// bring brings a flick that was seen.
func (w *walk) bring(s step, mv Flick, log float64) {
	mv.By = rules.Player(s.State.seat)
	h := &s.habit
	switch {
	case mv.Rests:
		log += ln(1 - prior.Miss)
	case w.g.Say == SayMiss:
		log += ln(prior.Miss) + ln(1-silent(h.missSaid, h.missUnsaid))
		h.missSaid++
	default:
		log += ln(prior.Miss)
	}
	mv.Shifts = slices.DeleteFunc(slices.Clone(mv.Shifts), func(sh Shift) bool {
		return sh.Off && (w.g.Took | w.g.Left).Has(sh.From)
	})
	w.land(s, mv, log, s.rest)
}

// onBonus is the ways in which a flick may be earned that nobody knew of: a die of this turn lies on the bonus marker.
func (s step) onBonus() (list []step) {
	k := s.State.arena.Markers
	if k.Bonus != 0 || s.State.flicks != s.State.required {
		return nil
	}
	for _, at := range s.State.arena.Landed.Squares() {
		k.Bonus = scoring.HoleSet(at)
		if next, ok := s.play(Markers{Markers: k}, ln(onBonus)); ok && next.State.earned > 0 {
			list = append(list, next)
		}
	}
	return list
}

// land makes a flick that knocks out these dice.
func (w *walk) land(s step, mv Flick, log float64, out scoring.Holes) {
	for _, at := range out.Squares() {
		mv.Shifts = append(mv.Shifts[:len(mv.Shifts):len(mv.Shifts)], Shift{From: at, Off: true})
		if log += ln(knockedOut); !w.g.Left.Has(at) {
			log += ln(goneBefore)
		}
	}
	next, ok := s.play(mv, log)
	if !ok {
		return
	}
	next.since.flicks++
	if w.g.Say == "" {
		w.timed(&next)
	}
	w.note(next)
}

// timed weighs how long all of it took.
func (w *walk) timed(s *step) {
	if s.timed {
		o, ok := w.times[s.since]
		if !ok {
			o = s.pace.took(w.g.times.of(w.g.At-s.at, s.since))
			w.times[s.since] = o
		}
		s.log += o.log
		s.pace = o.then
	}
	s.at, s.Turns.timed, s.since = w.g.At, true, stretch{}
}

// note keeps a way that explains all.
func (w *walk) note(s step) {
	if len(w.found) == 0 || s.log > w.best {
		w.best = s.log
	}
	after := s.Turns
	w.found = append(w.found, rules.Course[Glimpse]{Line: s.line, Log: s.log, After: &after})
}

// play makes a move; false where it cannot be.
func (s step) play(mv rules.Move, log float64) (step, bool) {
	next := *s.State
	if next.play(mv) != nil {
		return s, false
	}
	s.note(s.State, mv)
	s.State, s.line = &next, append(s.line[:len(s.line):len(s.line)], mv)
	s.log += log
	return s, true
}
