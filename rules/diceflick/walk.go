package diceflick

import (
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// How likely the acts of a game are. They are what is believed of people as such; how these people
// play is learned beside it (pace, habit).
const (
	missChance    = 0.25 // that a flick brings no die to rest in the arena
	bonusDeclined = 0.1
	takesBest     = 0.93 // that the dice which score best are taken, where some score
	takesNone     = 0.03
	takesOther    = 0.008 // each other set that scores, as there are several
	takesWrong    = 0.001 // a set that no scoring takes
	together      = 0.15  // two things that are seen happened since the view before
	unknownBonus  = 0.04  // a die lay on the bonus marker, if nobody knows where that is
	againstRules  = 0.0003
	lateTaken     = 0.6 // dice are taken out once the turn was said to be over
	lateSaid      = 0.15
	promised      = 0.0001 // the turn was over, though its end is still to be declared
	nudged        = 0.03   // a flick pushes a die to a hole beside its own
	nudgedFar     = 0.003
	turnedOver    = 0.004 // a die turns in its hole
	knockedOut    = 0.03
	displaced     = 0.25 // a die comes to rest where one lay, by comparison with an empty hole
	untaken       = 0.05 // dice that left before a flick came in were knocked out by it
	holes         = table.Size * table.Size
	faces         = 6.0
)

// A hand that pushes dice about, as a logarithm, each die that it pushes, and each that nobody flicked and that lies there now.
const (
	handPushes  = -9.0
	eachPushed  = -2.5
	eachBrought = -5.0
)

// Limits of what is thought of between two views.
const (
	mostTurns = 3 // that end
	mostIdle  = 2 // misses of a turn that nobody declares before a die comes in
)

// walk looks for the ways to a change.
type walk struct {
	from   *Follower
	g      rules.Glimpse
	change Change
	scored scoring.Holes // of the dice that have gone
	times  map[stretch]outlook
	found  []rules.Course
	best   float64 // of those that were found, but for their time
}

// cutOff is how much less likely than the best, but for its time, a way is not gone on; as a logarithm.
const cutOff = 11

// step is a way that was gone for a part.
type step struct {
	w      Follower
	back   int
	line   []rules.Move
	log    float64
	landed int  // dice of the change that have come in
	took   bool // those that are scored were taken out
	pushed bool // what became of the other dice is told
	said   int  // words that were heard
	idle   int  // misses that nobody declared since a die came in, or the turn began
	flicks int
	turns  float64
	ends   int
}

// on goes every way from here.
func (k *walk) on(s step) {
	if len(k.found) > 0 && s.log < k.best-cutOff {
		return
	}
	if k.done(s) {
		k.arrive(s)
		return
	}
	word := ""
	if s.said < len(k.g.Said) {
		word = k.g.Said[s.said].Say
	}
	switch word {
	case SayMiss:
		k.miss(s, true)
	case SayNext:
		k.end(s, true)
		k.heard(s)
	}
	k.take(s)
	k.land(s)
	k.miss(s, false)
	k.end(s, false)
}

// done says whether all that is seen and said is explained.
func (k *walk) done(s step) bool {
	return s.landed == len(k.change.Landed) && (s.took || k.scored == 0) && (s.pushed || len(k.shifts()) == 0) && s.said == len(k.g.Said)
}

// shifts is what became of dice that lay there and were not scored.
func (k *walk) shifts() []Shift {
	list := slices.Clone(k.change.Moved)
	for _, at := range k.change.Removed {
		if !k.scored.Has(at) {
			list = append(list, Shift{From: at, Off: true})
		}
	}
	return list
}

// apply makes a move; false where it cannot be.
func (s *step) apply(mv rules.Move, log float64) bool {
	next := *s.w.State
	if next.over() || next.play(mv) != nil {
		return false
	}
	s.w.State = &next
	s.line = append(slices.Clip(s.line), mv)
	s.log += log
	return true
}

// land brings the next die in.
func (k *walk) land(s step) {
	if s.landed == len(k.change.Landed) || s.w.State.over() {
		return
	}
	for i := s.landed; i < len(k.change.Landed); i++ {
		list := slices.Clone(k.change.Landed)
		list[s.landed], list[i] = list[i], list[s.landed]
		was := k.change
		k.change.Landed = list
		k.landOne(s)
		k.change = was
	}
}

func (k *walk) landOne(s step) {
	p, st := k.change.Landed[s.landed], s.w.State
	mv := Flick{By: rules.Player(st.seat), Die: p.Die, Rests: true, To: p.At}
	log := ln(1-missChance) + k.identity(st, p.Die) - ln(holes) + s.extra()
	if s.landed > 0 || s.took {
		log += ln(together)
	}
	if st.arena.Dice[p.At.Index()].Color != table.NoColor {
		log += ln(displaced)
	}
	for _, sh := range k.shifts() {
		if k.pushedBy(sh) == s.landed && !s.pushed {
			mv.Shifts = append(mv.Shifts, sh)
			log += shiftLog(st, sh, p.At)
		}
	}
	if s.w.taken != 0 { // none of them was scored
		for _, at := range s.w.taken.Squares() {
			mv.Shifts = append(mv.Shifts, Shift{From: at, Off: true})
			log += ln(knockedOut)
		}
		log += ln(untaken)
		s.w.taken = 0
		if s.took {
			return
		}
	}
	if !s.apply(mv, log) {
		return
	}
	s.landed++
	s.pushed = s.pushed || s.landed > k.lastPush()
	s.flicks++
	s.idle, s.w.last = 0, nil
	s.w.order += mv.To.String()
	k.on(s)
}

// pushedBy is which of the dice that have come in pushed another one: the one that lies in its hole now, or else the first.
func (k *walk) pushedBy(s Shift) int {
	return max(0, slices.IndexFunc(k.change.Landed, func(p Placed) bool { return p.At == s.From }))
}

// lastPush is the last of the dice that came in which pushed others.
func (k *walk) lastPush() (last int) {
	for _, s := range k.shifts() {
		last = max(last, k.pushedBy(s))
	}
	return last
}

// identity is how likely just this die is drawn and shows what it does.
func (k *walk) identity(s *State, d table.Die) float64 {
	all, of := 0, 0
	for c := range table.DiceFlick.Kit().Dice {
		n := max(s.pool(c), 0)
		all += n
		if c == d.Color {
			of = n
		}
	}
	if of == 0 {
		return ln(againstRules) // there are no more of them; it cannot be played
	}
	log := ln(float64(of) / float64(all))
	if d.Color != table.Pink {
		log -= ln(faces)
	}
	return log
}

// extra is how likely a flick is as such: one more than the turn has is not.
func (s *step) extra() float64 {
	_, may := s.w.State.FlicksLeft()
	switch {
	case may > 0:
		return 0
	case s.w.State.arena.Markers.Bonus == 0 && s.w.State.flicks == s.w.State.allowed():
		return ln(unknownBonus)
	}
	return ln(againstRules)
}

// shiftLog is how likely a flick that came to rest at some hole, or in none, does this to another die.
func shiftLog(s *State, sh Shift, to table.Square) float64 {
	if sh.Off {
		if sh.From == to {
			return ln(.5) // where another lies now it must go somewhere
		}
		return ln(knockedOut)
	}
	log := ln(nudgedFar)
	switch {
	case sh.From == sh.To:
		return ln(turnedOver / (faces - 1))
	case sh.From == to:
		log = ln(.06)
	case max(abs(sh.From.Row-sh.To.Row), abs(sh.From.Col-sh.To.Col)) == 1:
		log = ln(nudged / 4)
	}
	if d := s.arena.Dice[sh.From.Index()]; d.Color != table.Pink && d.Face != sh.Face {
		return log + ln(.5/(faces-1))
	}
	return log + ln(.5)
}

func abs(x int) int { return max(x, -x) }

// miss is a flick that brought no die in: a player says so, or nobody does and it is
// thought of because of what comes next, or because of what it has done to other dice.
func (k *walk) miss(s step, said bool) {
	_, may := s.w.State.FlicksLeft()
	push := !s.pushed && len(k.shifts()) > 0 && len(k.change.Landed) == 0
	if s.w.State.over() || !said && (may == 0 || s.idle == mostIdle || !push && s.landed == len(k.change.Landed)) {
		return
	}
	h := &s.w.habit
	log := ln(missChance)
	if said {
		log += ln(1-silent(h.missSaid, h.missUnsaid)) + s.extra()
	} else {
		log += ln(silent(h.missSaid, h.missUnsaid))
	}
	if s.w.taken != 0 || s.took {
		return // they are scored, or nobody knows any more
	}
	for _, pushes := range []bool{false, true} {
		n := s
		mv := Flick{By: rules.Player(s.w.State.seat)}
		with := log
		if pushes {
			if !push {
				break
			}
			mv.Shifts = k.shifts()
			for _, sh := range mv.Shifts {
				with += shiftLog(s.w.State, sh, table.Square{Row: -1})
			}
			n.pushed = true
		} else if !said && !(n.landed < len(k.change.Landed)) {
			continue
		}
		if !n.apply(mv, with) {
			continue
		}
		n.flicks++
		if said {
			n.said++
			n.idle = 0
			n.w.habit.missSaid++
		} else {
			n.idle++
			n.w.habit.missUnsaid++
		}
		if pushes {
			n.w.order += "*"
		}
		n.w.last = nil
		k.on(n)
	}
}

// take takes out the dice that are scored at the end of the turn.
func (k *walk) take(s step) {
	if s.took || k.scored == 0 || s.w.State.over() {
		return
	}
	s.took = true
	s.w.taken |= k.scored
	s.turns += .5
	if s.landed > 0 {
		s.log += ln(together)
	}
	k.on(s)
}

// end ends the turn: a player says so, or nobody does and it is thought of because of what comes next.
func (k *walk) end(s step, said bool) {
	if s.w.State.over() || s.ends == mostTurns || !said && (s.landed == len(k.change.Landed) && (s.took || k.scored == 0) && s.said == len(k.g.Said)) {
		return
	}
	must, may := s.w.State.FlicksLeft()
	if !said && s.said < len(k.g.Said) && s.landed == len(k.change.Landed) && (s.took || k.scored == 0) && (may > 0 || k.g.Said[s.said].Say == SayNext) {
		return // it is this end that was declared, or this turn's flick
	}
	h := &s.w.habit
	for range must {
		if !s.apply(Flick{By: rules.Player(s.w.State.seat)}, ln(missChance)+ln(silent(h.missSaid, h.missUnsaid))) {
			return
		}
		s.flicks++
		h.missUnsaid++
	}
	for range may - must {
		s.log += ln(bonusDeclined + (1-bonusDeclined)*missChance)
	}
	mv := Score{By: rules.Player(s.w.State.seat), Seen: true, Removed: s.w.taken}
	log := s.w.scoreLog(s.w.taken)
	before := s.w
	var word rules.Word
	if said {
		word = k.g.Said[s.said]
		s.said++
		if word.Score != nil {
			mv.Told, mv.Written = true, *word.Score
			log = s.w.writtenLog(s.w.taken, *word.Score)
		}
		s.log += ln(1 - silent(h.nextSaid, h.nextUnsaid))
		h.nextSaid++
	} else {
		s.log += ln(silent(h.nextSaid, h.nextUnsaid))
		if k.g.Awaited {
			s.log += ln(promised)
		}
		h.nextUnsaid++
	}
	if s.w.taken != 0 {
		s.turns += .5
	} else {
		s.turns++
	}
	if !s.apply(mv, log) {
		return
	}
	s.w.taken, s.w.order, s.w.last, s.idle = 0, "", nil, 0
	s.w.unsaid = !said
	if said {
		s.w.last = &ending{before: &before, log: log, word: word}
	}
	s.ends++
	k.on(s)
}

// heard takes the word that a turn is over for the one before, whose end somebody has said late.
func (k *walk) heard(s step) {
	if !s.w.unsaid || s.w.State.flicks > 1 || s.w.taken != 0 || k.g.Said[s.said].Score != nil {
		return
	}
	h := &s.w.habit
	h.nextSaid, h.nextUnsaid = h.nextSaid+1, h.nextUnsaid-1
	s.w.unsaid = false
	s.said++
	s.log += ln(lateSaid)
	k.on(s)
}

// scoreLog is how likely a player takes just these dice at the end of a turn.
func (f *Follower) scoreLog(taken scoring.Holes) float64 {
	best := f.memo.best(f.State)
	switch {
	case best.Score == 0 && taken == 0:
		return ln(1 - takesWrong)
	case taken == 0:
		return ln(takesNone)
	case best.Removed == taken:
		return ln(takesBest)
	}
	switch e := f.memo.explain(f.State, taken); {
	case !e.Legal():
		return ln(takesWrong)
	case e.Best.Score == best.Score:
		return ln(takesBest)
	}
	return ln(takesOther)
}

// writtenLog is the same where the points are known that were written down.
func (f *Follower) writtenLog(taken scoring.Holes, points int) float64 {
	if taken == 0 && points == 0 || taken != 0 && f.memo.explain(f.State, taken).Explains(points) {
		return f.scoreLog(taken)
	}
	return ln(takesWrong)
}

// late scores dice in the turn before, whose end was declared before anybody saw that they were taken out.
func (k *walk) late(was *ending) {
	s := step{w: *k.from, back: 1, took: true, turns: .5, ends: 1, log: ln(lateTaken) - was.log}
	s.w.taken |= k.scored
	mv := Score{By: rules.Player(s.w.State.seat), Seen: true, Removed: s.w.taken}
	log := s.w.scoreLog(s.w.taken)
	if points := was.word.Score; points != nil {
		mv.Told, mv.Written = true, *points
		log = s.w.writtenLog(s.w.taken, *points)
	}
	before := s.w
	if !s.apply(mv, log) {
		return
	}
	s.w.habit.nextSaid++
	s.w.taken, s.w.order, s.w.last = 0, "", &ending{before: &before, log: log, word: was.word}
	k.on(s)
}

// arrive notes a way that explains all, and how well its time fits.
func (k *walk) arrive(s step) {
	w := s.w
	if len(k.found) == 0 || s.log > k.best {
		k.best = s.log
	}
	if span := (stretch{s.flicks, s.turns}); span != (stretch{}) {
		if w.timed {
			o, ok := k.times[span]
			if !ok {
				o = w.pace.took(k.g.At-w.at, span)
				k.times[span] = o
			}
			s.log += o.log
			w.pace = o.then
		}
		w.at, w.timed = k.g.At, true
	}
	k.found = append(k.found, rules.Course{Back: s.back, Line: s.line, Log: s.log, After: &w})
}
