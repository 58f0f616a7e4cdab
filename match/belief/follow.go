package belief

import (
	"errors"
	"math"

	"diceref/rules"
	"diceref/table"
)

// way is one way in which a board may have come to look as it does.
type way struct {
	world *Board
	line  []rules.Move
	acts  int
	log   float64 // of the acts
	fits  float64 // of the look
	board float64 // of that, of the squares

	when      [table.Size * table.Size]uint8 // with which act a square changed last, from 1; 0: with none
	onto, off []table.Die                    // brought onto the board and taken off it
	rolled    bool                           // dice beside the board
	open      bool                           // something must follow
	needs     *Board                         // and it must be against the rules, or not possible, in this world; nil: nothing must
	same      uint32                         // squares on which a die may have lain before, though another one stood for it
	found     int                            // moves of the line that say where something is
	first     bool                           // nobody has looked before
	redress   bool                           // what was taken back last was against the rules
	stands    float64                        // the logarithm of how likely the act before is not taken back next
}

// Follow implements rules.Follower.
func (b *Board) Follow(s *Sight) []rules.Course[*Sight] { return b.FollowAbove(s, math.Inf(-1)) }

// FollowAbove is Follow without the courses that are less likely than a bound, as a logarithm.
func (b *Board) FollowAbove(s *Sight, least float64) []rules.Course[*Sight] {
	f := follower{sight: s, start: b.board, owners: b.owners, hidden: len(b.hidden), best: least + worst}
	f.add(way{world: b, log: math.Log(prior.Nothing), first: s.Before == nil, stands: b.stands()})
	f.takeBack(b)
	f.rolls(way{world: b, stands: b.stands()})
	f.traceless(b)
	for i := 0; i < len(f.ways); i++ { // ways are added as they are found
		if w := f.ways[i]; w.acts < mostActs && w.log > f.best-worst {
			f.goOn(w)
			f.rollsAfter(w)
		}
	}
	var list []rules.Course[*Sight]
	for _, w := range f.ways {
		if log := w.log + w.fits; log > f.best-worst && !w.open && w.needs == nil {
			list = append(list, rules.Course[*Sight]{Line: w.line, Log: log, After: w.world, Fits: w.board})
		}
	}
	return list
}

// stands is the logarithm of how likely the last act is not taken back by the next one: who sees that it was against the rules
// mostly does.
func (b *Board) stands() float64 {
	if !b.wrong || b.before == nil || disturbs(b.last) || b.now.(Position).Final(plainly(b.last)) {
		return 0
	}
	return math.Log(prior.Stands)
}

// worst is how much less likely than the best way another one is followed.
const worst = 13.0

type follower struct {
	sight  *Sight
	start  rules.Board
	owners owners
	hidden int // dice that were played unseen before
	ways   []way
	best   float64
	shown  table.Observation // of view
}

func (f *follower) add(w way) {
	w.board, w.fits = f.misfit(w)
	if f.best = max(f.best, w.log+w.fits); w.log < f.best-worst {
		return // whatever follows makes it less likely
	}
	f.ways = append(f.ways, w)
}

// takeBack adds the ways in which acts are taken back.
func (f *follower) takeBack(b *Board) {
	w := way{world: b, log: math.Log(prior.Act)}
	for range mostBack {
		at := w.world
		if at.before == nil || at.now.(Position).Final(plainly(at.last)) {
			return
		}
		p := prior.Back
		if w.redress = at.wrong; at.wrong {
			p = prior.Redress
		}
		w.log += math.Log(p)
		mv := TakenBack{By: at.last.Actor(), Disturbed: disturbs(at.last)}
		w.line = append(w.line[:len(w.line):len(w.line)], mv)
		w.untrack(plainly(at.last))
		w.world = at.takenBack(mv)
		f.add(w)
	}
}

// rolls adds a roll of dice beside the board.
func (f *follower) rolls(w way) {
	r, ok := w.world.now.(rules.Roller)
	if !ok || f.sight.Before == nil {
		return
	}
	n := f.shownOtherwise(&w)
	if n == 0 {
		return
	}
	if touched := prior.Touched; !w.open { // nobody's act
		if n == 1 {
			touched = prior.Nudged
		}
		f.add(way{world: w.world, rolled: true, log: math.Log(touched)})
	}
	line := r.Roll()
	if line == nil {
		return
	}
	log := math.Log(prior.Roll) + w.stands
	if w.open {
		log += w.log - math.Log(prior.Act)
	}
	ways, logs := f.compelled(w, line, prior.Though)
	for i, next := range ways {
		next.log = log + logs[i]
		f.add(next)
	}
}

// rollsAfter adds a roll by the player who has placed a die in this view.
func (f *follower) rollsAfter(w way) {
	r, ok := w.world.now.(rules.Roller)
	if !ok || w.acts == 0 || f.sight.Before == nil || w.rolled || w.open || w.needs != nil || w.acts >= mostActs {
		return
	}
	if mv := r.RollAfter(); mv != nil && f.shownOtherwise(&w) > 0 {
		if next, ok := w.play([]rules.Move{mv}); ok {
			f.add(next)
		}
	}
}

// shownOtherwise is how many dice beside the board show another face than before, but for those that a way has brought onto it.
func (f *follower) shownOtherwise(w *way) int {
	was, is := f.sight.Before.countBeside(), f.sight.countBeside()
	for _, d := range w.onto {
		was[d.Color][d.Face] = max(was[d.Color][d.Face]-1, 0)
	}
	f.sight.Before.rolledBack(&was, &is)
	return changed(was, is)
}

// traceless adds an act that nobody can have seen, before another one.
func (f *follower) traceless(b *Board) {
	u, ok := b.now.(rules.Unwatched)
	if !ok {
		return
	}
	for _, t := range u.Traceless() {
		p, against := max(prior.Roll*t.None, prior.Hidden), prior.Though
		switch {
		case t.Move.Actor() == rules.Nature: // it must have been
			p = t.None
		case b.now.Check(t.Move) != nil:
			p, against = prior.Skipped, 1
		}
		p *= math.Exp(b.stands())
		ways, logs := f.compelled(way{world: b}, []rules.Move{t.Move}, against)
		for i, w := range ways {
			w.log, w.open, w.rolled, w.acts = math.Log(p*prior.Act)+logs[i], true, false, 0
			w.board, w.fits = f.misfit(w)
			f.ways = append(f.ways, w)
			f.rolls(w)
		}
	}
}

// goOn adds the ways that have one act more than this one.
func (f *follower) goOn(w way) {
	if f.find(w) {
		return
	}
	f.unseenAct(w)
	for _, line := range f.propose(&w) {
		next, ok := w.play(line)
		if !ok || next.log < f.best-worst || !f.possible(next.world.board) {
			continue
		}
		f.add(next)
	}
}

// play is the way with one act more, after passes that the rules demand before it.
func (w way) play(line []rules.Move) (way, bool) {
	elsewhere := false
	switch {
	case w.acts == 0 && len(w.line) == w.found && !w.open:
		w.log += math.Log(prior.Act/prior.Nothing) + w.stands
	case w.open:
		w.open = false
	case w.acts == 0:
		if elsewhere = w.putsElsewhere(line); elsewhere {
			if w.log += math.Log(prior.Elsewhere); w.redress {
				w.log += math.Log(prior.Instead / prior.Elsewhere)
			}
		} else {
			w.log += math.Log(prior.Instead)
		}
	}
	w.line = w.line[:len(w.line):len(w.line)]
	for _, is := range line {
		var why rules.Illegal
		mv := plainly(is)
		if w.needs != nil && !w.tells(mv) {
			return w, false
		}
		w.needs = nil
		if err := w.world.now.Check(mv); err != nil && !errors.As(err, &why) {
			return w, false
		}
		if w.acts > 0 && (rules.Story{Why: why}).Rare() {
			return w, false // whether it was before the others or after them is the same, and nobody's act
		}
		next, err := w.world.now.Apply(mv)
		if err != nil {
			return w, false
		}
		w.log += actLog(w.world.now, mv, why, w.acts)
		if p, ok := mv.(rules.Placement); ok && elsewhere { // there is the choice of where, but not of which die
			w.log += math.Log(p.Choices(w.world.now, why != nil)) / 2
		}
		if w.first && mv.Actor() != rules.Nature {
			w.log += math.Log(prior.First)
		}
		was := w.world.board
		w.world = w.world.after(is, why != nil, next)
		w.line = append(w.line, is)
		w.track(mv)
		for i, d := range w.world.board {
			if d != was[i] {
				w.when[i] = uint8(w.acts + 1)
			}
		}
	}
	w.acts++
	w.pass()
	return w, true
}

// putsElsewhere says whether an act places the only die that has just been taken back.
func (w *way) putsElsewhere(line []rules.Move) bool {
	p, ok := plainly(line[len(line)-1]).(rules.Placement)
	if !ok || len(w.off) != 1 {
		return false
	}
	d, places := p.Places()
	return places && d == w.off[0]
}

// tells says whether an act tells of a die that is not seen where a way has it: the act is within the rules, and
// it is moved from there, or it would not be else.
func (w *way) tells(mv rules.Move) bool {
	if w.world.now.Check(mv) != nil {
		return false
	}
	if p, ok := mv.(rules.Placement); ok {
		if from, leaves := p.Leaves(); leaves && w.needs.board[from.Index()] != w.world.board[from.Index()] {
			return true
		}
	}
	return w.needs.now.Check(mv) != nil
}

// pass makes the passes that the rules demand.
func (w *way) pass() {
	for range 8 {
		p, ok := w.world.now.(rules.Passer)
		if !ok {
			return
		}
		mv, must := p.MustPass()
		if !must {
			return
		}
		next, err := w.world.now.Apply(mv)
		if err != nil {
			return
		}
		w.world = w.world.after(mv, false, next)
		w.line = append(w.line, mv)
	}
}

// actLog is the logarithm of how likely an act is at a position, with so many before it in the same view.
func actLog(now rules.State, mv rules.Move, why rules.Illegal, acts int) float64 {
	if mv.Actor() == rules.Nature {
		return 0
	}
	log := 0.0
	if acts > 0 {
		log += math.Log(prior.More)
	}
	switch s := (rules.Story{Why: why}); {
	case s.Rare():
		log += math.Log(prior.Rare / prior.Act)
	case why != nil:
		log += math.Log(prior.Illegal / prior.Act)
	}
	if p, ok := mv.(rules.Placement); ok {
		log -= math.Log(p.Choices(now, why != nil))
	}
	return log
}
