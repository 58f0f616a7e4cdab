package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// In DICE Flick nothing that a camera sees tells whose flick it was: one that misses leaves no trace, and a turn in which
// nothing is scored does not either. What is told is one way in which the turns may have gone. All of them are believed
// (package belief), and where they differ in a score that is told, that is asked.

// turns is what is believed of the turns of a game of DICE Flick.
type turns struct {
	set    belief.Set[diceflick.Glimpse]
	on     bool
	from   int              // so many acts of the match are certain,
	start  *diceflick.Turns // which have led here
	told   []string         // the moves of those after them: where the match has others, they were put right
	new    []newAct
	seen   []sight // since then, what the belief was made of
	known  []learned
	came   *diceflick.Glimpse         // what the flick that is told next was seen as
	doubts map[table.Square]diceDoubt // of dice that are told as flicked next, by their holes
	// certain: a player has put right what happened, and so what is told is so.
	certain bool
	// open: the question that is asked is whose this score is.
	open     bool
	about    taking
	answered []taking      // whose they are has been answered
	marks    map[Cell]bool // cells that are provisional, whatever is believed
	put      []Cell        // cells that a player has put right
	// lost: something was seen that nothing that is believed explains, in the turn of the number lostAt.
	lost   bool
	lostAt int
	pruned float64 // what is not thought of any more, since whose a score is was answered last
	busy   float64 // when something moved last, seconds
	rested bool    // since then it was asked whether the game is over
}

// is says whether its last move is that flick.
func (n newAct) is(f diceflick.Flick) bool { return n.moves[len(n.moves)-1].String() == f.String() }

// newAct is an act that was told since the belief was brought up to date.
type newAct struct {
	by    string
	t     float64
	shown rules.Player // whose turn the page showed before
	moves []rules.Move
}

// How likely a score must be that nobody is asked about, and what has happened that nothing else is thought of any more.
const (
	beyondDoubt = 0.99
	settled     = 1 - 1e-6
)

// noteTurns notes a record for the belief of turns.
func (m *Match) noteTurns(r Record, before rules.State) {
	if m.setting.Game != table.DiceFlick {
		return
	}
	switch r.Act.Kind {
	case actPlay:
		if e := r.Event; e != nil && e.Type == TypeScore && (e.Code != "" || e.Open != "") { // more likely something was misread
			s := before.(*diceflick.State)
			m.doubtCell(Cell{int(s.ToMove()), s.Round()})
		}
	case actUndo, actRedo, actOrder:
		m.turns.certain = true
		return
	case actCorrect:
		reading := r.Act.Each || r.Event != nil && r.Event.To != nil // an answer, or what a die really is
		if r.By == ByPlayer && !reading {
			m.turns.certain = true
			m.turns.put = append(m.turns.put, m.changedCells(before)...)
		}
		return
	default:
		return
	}
	if last := m.line.acts[len(m.line.acts)-1]; last.seq == r.Seq {
		for _, mv := range last.moves {
			if pad, is := mv.(diceflick.Amend); is {
				m.turns.settle(Cell{int(pad.Player), pad.Round})
			}
		}
		m.turns.new = append(m.turns.new, newAct{by: r.By, t: r.T, shown: before.ToMove(), moves: last.moves})
	}
}

// followTurns brings what is believed of the turns up to date with what was told, and asks where a score is not certain.
func (m *Match) followTurns() {
	if m.setting.Game != table.DiceFlick || m.trouble != nil {
		return
	}
	a := &m.turns
	words := m.toldSince(a.from)
	switch {
	case !a.on, a.certain, a.from > len(m.line.acts), !m.began && len(a.seen) == 0: // without a camera all is said
		m.turnsAnew()
	case !m.startStands(), len(words) < len(a.told), !slices.Equal(words[:len(a.told)], a.told):
		m.turnsPutRight()
	case len(a.new) == 0:
		return
	case !m.observeTurns():
		m.loseTrack()
		m.turnsAnew()
	}
	if a.set.Best().Chance > settled && slices.Equal(wordsOf(a.set.Best().Line), m.toldSince(a.from)) && !a.open {
		m.turnsAnew()
	}
	a.new, a.came, a.doubts, a.told = nil, nil, nil, m.toldSince(a.from)
	m.askTurns()
	for _, hole := range a.set.Best().World.(*diceflick.Turns).Phantoms().Squares() {
		m.phantoms[hole] = true
	}
}

// observeTurns takes in what was told since. It is false where nothing that is believed explains it.
func (m *Match) observeTurns() (ok bool) {
	a := &m.turns
	var took scoring.Holes // dice that were scored at the end of turns that nobody declared, since the last flick
	for _, n := range a.new {
		said := n.by == ByPlayer || n.by == ByReferee
		for _, mv := range n.moves {
			g := diceflick.Glimpse{At: n.t, Took: took, Shown: n.shown, Awaited: m.nextToCome()}
			switch mv := mv.(type) {
			case diceflick.Flick:
				if a.came != nil && !said && a.came.Instead != nil && a.new[len(a.new)-1].is(mv) {
					g, a.came, took = *a.came, nil, 0
					g.Shown = n.shown
					break
				}
				if !said && !mv.Rests && (len(mv.Shifts) == 0 || a.came != nil) {
					continue // nobody has seen it: it is told as the likeliest before what came
				}
				if g.Flick, g.Left = &mv, left(mv); said && !mv.Rests {
					g.Say = diceflick.SayMiss
				}
				took = 0
				if mv.Rests && !said {
					d := a.doubts[mv.To]
					g.Doubt, g.Others = d.none, othersThan(mv.Die, d.others)
				}
				if a.came != nil && (mv.Rests || said) {
					g.Took, g.Left, a.came = a.came.Took, a.came.Left, nil
				}
			case diceflick.Score:
				if !said {
					took |= mv.Removed
					continue
				}
				g.Say, g.Score, g.Took, took = diceflick.SayNext, &mv, 0, 0
			default:
				if !m.sighted(sight{fact: mv}) {
					return false
				}
				continue
			}
			if !m.sighted(sight{Glimpse: g}) {
				return false
			}
		}
	}
	return true
}

// sighted takes in something that was seen or said. It is false where nothing that is believed explains it.
func (m *Match) sighted(s sight) (ok bool) {
	a := &m.turns
	s.kept = s.keep()
	a.seen = append(a.seen, s)
	if s.fact == nil {
		if a.set, ok = a.set.Observe(s.Glimpse); ok {
			a.pruned += a.set.Pruned()
		}
		if a.pruned > 1-beyondDoubt {
			m.loseTrack()
		}
		return ok
	}
	var kept []belief.Hypothesis[diceflick.Glimpse]
	for _, h := range a.set.Hypotheses() {
		next, mv, err := h.World.(*diceflick.Turns).Do(s.fact)
		if err != nil {
			continue
		}
		h.World, h.Line = next, append(h.Line[:len(h.Line):len(h.Line)], mv)
		kept = append(kept, h)
	}
	a.set, ok = a.set.Of(kept)
	return ok
}

// turnsAnew goes on from what is told alone. What was provisional stays so.
func (m *Match) turnsAnew() {
	m.keepProvisional()
	a := &m.turns
	for _, c := range a.put {
		a.settle(c)
	}
	state := m.line.now().(*diceflick.State)
	start := diceflick.Follow(state)
	if a.on {
		start = a.set.Best().World.(*diceflick.Turns).From(state)
	}
	if a.open {
		m.forget()
	}
	if !a.on {
		a.busy = m.t
	}
	*a = turns{set: belief.New[diceflick.Glimpse](start), on: true, from: len(m.line.acts), start: start, marks: a.marks, answered: a.answered, lost: a.lost, lostAt: a.lostAt, busy: a.busy, rested: a.rested}
}

// turnsPutRight brings what is believed up to date where a die was put right, or what it did.
func (m *Match) turnsPutRight() {
	a := &m.turns
	seen := a.seen
	a.start, a.seen = a.start.From(m.certainTurn().(*diceflick.State)), nil
	a.set = belief.New[diceflick.Glimpse](a.start)
	m.believeSights(seen)
}

// believeSights believes what was seen, as it is told by now.
func (m *Match) believeSights(seen []sight) {
	ok := len(seen) > 0
	for _, s := range sightsOf(seen, m.movesSince(m.turns.from)) {
		ok = ok && m.sighted(s) && m.relearn()
	}
	if !ok {
		m.loseTrack()
		m.turnsAnew()
	}
}

// startStands says whether the acts that are certain lead to where they did.
func (m *Match) startStands() bool {
	a, now := &m.turns, m.certainTurn().(*diceflick.State)
	if now != a.start.State && diceflick.Follow(now).Key() == a.start.Key() {
		a.start = a.start.At(now)
	}
	return now == a.start.State
}
