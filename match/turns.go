package match

import (
	"math"
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// In DICE Flick nothing that a camera sees tells whose flick it was: one that misses leaves no trace, and a turn in which
// nothing is scored does not either. What is told is one way in which the turns may have gone. All of them are believed
// (package belief), and where they differ in a score that is told, that is asked.

// turns is what is believed of a game of DICE Flick.
type turns struct {
	set         belief.Set[diceflick.View]
	on          bool
	from        int // so many acts of the match are certain: with the position after them all that is believed begins
	earlier     belief.Set[diceflick.View]
	past        past
	before      *belief.Sight   // the view before, as it was read
	sight       *belief.Sight   // the view under way
	read        int             // so many of its readings are believed
	word        *diceflick.View // that was said before it, while the arena was hidden
	unexplained bool            // nothing that is believed explains what was seen or said last
	telling     bool            // what is told now is what is believed
	stray       bool            // something else was told

	known []learned
	// open: the question that is asked is whose this score is.
	open     bool
	about    taking
	asked    string        // the kind of question
	answered []taking      // whose they are has been answered
	marks    map[Cell]bool // cells that are provisional, whatever is believed
	put      []Cell        // cells that a player has put right
	// lost: something was seen that nothing that is believed explains, in the turn of the number lostAt.
	lost   bool
	lostAt int
	odd    odd     // in the view under way
	busy   float64 // when something moved last, seconds
	rested bool    // since then it was asked whether the game is over
}

// How likely a score must be that nobody is asked about, and what has happened that nothing else is thought of any more; and how
// many hypotheses are kept.
const (
	beyondDoubt = 0.99
	settled     = 1 - 1e-6
	arenaBeam   = 400
	mostPruned  = 0.1 // more: what has happened is not followed any more
	mostOdd     = 0.5 // that something has happened of which nobody has thought; more: the same
)

// arenaOf is the world of a hypothesis.
func arenaOf(h belief.Hypothesis[diceflick.View]) *diceflick.Watched {
	return h.World.(*diceflick.Watched)
}

// noteTurns notes a record for the belief of turns.
func (m *Match) noteTurns(r Record, before rules.State) {
	a := &m.turns
	if m.setting.Game != table.DiceFlick {
		return
	}
	if e := r.Event; r.Act.Kind == actPlay && e != nil && e.Type == TypeScore && (e.Code != "" || e.Open != "") { // more likely something was misread
		s := before.(*diceflick.State)
		m.doubtCell(Cell{int(s.ToMove()), s.Round()})
	}
	switch r.Act.Kind {
	case actPlay, actUndo, actRedo, actOrder, actCorrect:
	default:
		return
	}
	if a.telling {
		return
	}
	a.stray = true
	if reading := r.Act.Each || r.Event != nil && r.Event.To != nil; r.Act.Kind == actCorrect && r.By == ByPlayer && !reading {
		a.put = append(a.put, m.changedCells(before)...)
	}
	if n := len(m.line.acts); r.Act.Kind == actPlay && n > 0 && m.line.acts[n-1].seq == r.Seq {
		for _, mv := range m.line.acts[n-1].moves {
			if pad, is := mv.(diceflick.Amend); is {
				a.settle(Cell{int(pad.Player), pad.Round})
			}
		}
	}
}

// syncTurns takes what players have told, or put right, for what has happened.
func (m *Match) syncTurns() {
	if a := &m.turns; !a.on || a.stray || a.from > len(m.line.acts) {
		m.turnsAnew()
	}
}

// followTurns asks where a score is not certain.
func (m *Match) followTurns() {
	if m.setting.Game != table.DiceFlick || m.trouble != nil {
		return
	}
	m.syncTurns()
	a := &m.turns
	if best := a.set.Best(); best.Chance > settled && !a.open && a.read == 0 && slices.Equal(wordsOf(best.Line), m.toldSince(a.from)) {
		m.keepProvisional()
		for _, c := range a.put {
			a.settle(c)
		}
		a.from, a.put, a.known = len(m.line.acts), nil, nil
		a.set = belief.New[diceflick.View](arenaOf(best).At(m.line.now().(*diceflick.State)).Rested(m.restedBefore(len(m.line.acts)))).Keeping(arenaBeam)
		a.begin()
	}
	m.askTurns()
}

// turnsAnew goes on from what is told alone. What was provisional stays so.
func (m *Match) turnsAnew() {
	m.keepProvisional()
	a := &m.turns
	for _, c := range a.put {
		a.settle(c)
	}
	state := m.line.now().(*diceflick.State)
	start := diceflick.Watch(state)
	if a.on {
		start = arenaOf(a.set.Best()).From(state)
	} else {
		a.busy = m.t
	}
	if a.open {
		m.forget()
	}
	if a.read > 0 {
		a.before = a.sight // it was looked at, whatever is told of it
	}
	start = start.Rested(m.restedBefore(len(m.line.acts)))
	a.set = belief.New[diceflick.View](start).Keeping(arenaBeam)
	a.begin()
	a.on, a.from, a.stray, a.word = true, len(m.line.acts), false, nil
	a.known, a.put, a.open, a.odd, a.read = nil, nil, false, odd{}, 0
}

// nextSight ends the view under way.
func (m *Match) nextSight() {
	a := &m.turns
	if a.odd.chance > mostPruned {
		m.doubtCell(a.odd.in)
	}
	if a.odd.chance > mostOdd {
		m.loseTrack()
	}
	a.odd = odd{}
	if a.read > 0 {
		a.before, a.read, a.word = a.sight, 0, nil
		a.pass()
	}
}

// lastSight is the last view by which something is believed; nil: there was none.
func (a *turns) lastSight() *belief.Sight {
	if a.read > 0 {
		return a.sight
	}
	return a.before
}

// concludeFlick takes in what a still view of the arena shows, with all that was read of it so far.
func (m *Match) concludeFlick() bool {
	a := &m.turns
	m.syncTurns()
	m.learnMarkers(m.line.now().(*diceflick.State))
	reads := m.ballot.reads
	if n := len(reads); n == a.read || a.read > 0 && n > 1 && alike(reads[n-1], reads[n-2]) {
		return true
	}
	a.sight, a.read = belief.SightOf(reads, a.before), len(reads)
	v := diceflick.Look(reads[0].T, a.sight)
	v.First, v.Hidden = a.before == nil, m.cover.lay
	d, waits := m.takeHidden()
	said := diceflick.Score{By: m.line.now().ToMove(), Seen: true}
	if waits {
		if a.word != nil { // one was said before it
			a.pass()
		}
		word := m.wordOf(d, said)
		a.word = &word
	}
	v.Before = a.word
	if m.sighted(v, true); !waits {
		return m.tellArena()
	}
	if err := m.tellWord(d, said); err != nil && m.trouble == nil {
		m.refused(d, err, Act{})
	}
	return m.trouble == nil
}

// sighted takes in something that was seen or said. more: it is the view under way, of which more was read.
func (m *Match) sighted(v diceflick.View, more bool) {
	a := &m.turns
	from, seen := a.set, a.past.seen
	if more {
		from, seen = a.earlier, a.past.before()
	}
	set, ok := from.Observe(v)
	if a.unexplained = !ok; !ok {
		m.loseTrack()
		return
	}
	a.past.seen = append(seen, glimpse{view: v.Anew()})
	if a.set, ok = a.agreeing(set, len(a.past.seen)); !ok || a.set.Pruned() > mostPruned {
		m.loseTrack()
	}
	a.odd = oddly(from, set, v)
}

// odd is the probability that something has happened that no hypothesis explains, and the cell of the turn in which it did.
type odd struct {
	chance float64
	in     Cell
}

// oddly compares how likely a view or a word was by all hypotheses with how likely it is by none of them.
func oddly(from, then belief.Set[diceflick.View], v diceflick.View) odd {
	s := arenaOf(from.Best()).State()
	return odd{1 / (1 + math.Exp(then.Likelihood()-v.Unthought())), Cell{int(s.ToMove()), s.Round()}}
}

// fact takes in a move that holds whatever has happened.
func (m *Match) fact(mv rules.Move) {
	a := &m.turns
	a.past.seen = append(a.past.seen, glimpse{fact: mv})
	for _, set := range []*belief.Set[diceflick.View]{&a.set, &a.earlier} {
		next, ok := done(*set, mv)
		if *set = next; !ok {
			a.stray = true
		}
	}
}

// done is what is believed once a move was made that holds whatever has happened; false: it cannot be.
func done(set belief.Set[diceflick.View], mv rules.Move) (next belief.Set[diceflick.View], ok bool) {
	var kept []belief.Hypothesis[diceflick.View]
	for _, h := range set.Hypotheses() {
		if world, made, err := arenaOf(h).Do(mv); err == nil {
			h.World, h.Line = world, append(h.Line[:len(h.Line):len(h.Line)], made)
			kept = append(kept, h)
		}
	}
	return set.Of(kept)
}

// certainTurn is the position with which the lines of all that is believed begin.
func (m *Match) certainTurn() rules.State {
	if m.turns.from == 0 {
		return m.line.start
	}
	stack := m.line.acts[m.turns.from-1].stack
	return stack[len(stack)-1]
}

// restedBefore is how many dice have come to rest in the first acts.
func (m *Match) restedBefore(acts int) (n int) {
	for _, e := range m.line.acts[:acts] {
		for _, mv := range e.moves {
			if f, is := mv.(diceflick.Flick); is && f.Rests {
				n++
			}
		}
	}
	return n
}
