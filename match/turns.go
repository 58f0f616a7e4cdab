package match

import (
	"math"
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
	sure   int     // so many scores since then have been confirmed
	came   *came
	doubts map[table.Square]diceDoubt // of dice that are told as flicked next, by their holes
	// certain: a player has put right what happened, and so what is told is so.
	certain bool
	// open: the question that is asked is who scored, of the scores since those acts the one of that number.
	open bool
	at   int
}

// sight is something that was seen or said, or a move that holds whatever has happened.
type sight struct {
	diceflick.Glimpse
	fact rules.Move
	kept keptSight
}

// came is what had left the arena as a die came in.
type came struct{ took, left scoring.Holes }

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

// scored is one score that is not 0, on the notepad.
type scored struct {
	player rules.Player
	round  int
	points int
}

// noteTurns notes a record for the belief of turns.
func (m *Match) noteTurns(r Record, before rules.State) {
	if m.setting.Game != table.DiceFlick {
		return
	}
	switch r.Act.Kind {
	case actPlay:
	case actUndo, actRedo, actOrder:
		m.turns.certain = true
		return
	case actCorrect:
		reading := r.Act.Each || r.Event != nil && r.Event.To != nil // an answer, or what a die really is
		m.turns.certain = m.turns.certain || r.By == ByPlayer && !reading
		return
	default:
		return
	}
	if last := m.line.acts[len(m.line.acts)-1]; last.seq == r.Seq {
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
				if !said && !mv.Rests && len(mv.Shifts) == 0 {
					continue // nobody has seen it
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
					g.Took, g.Left, a.came = a.came.took, a.came.left, nil
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

// diceDoubt is how much a reading leaves open.
type diceDoubt struct {
	none   float64 // there is no die at all
	others []diceflick.Maybe
}

// doubt notes what a reading that is not sure leaves open.
func (a *turns) doubt(obs table.Observation, at table.Square) {
	const (
		phantom = 0.3 // of readings of no confidence at all
		sharper = 2   // the power of a reader's probabilities that fits how often it errs
		least   = 0.002
	)
	delete(a.doubts, at)
	i := slices.IndexFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == at })
	if i < 0 || obs.Dice[i].Sure {
		return
	}
	r := &obs.Dice[i]
	d, sum := diceDoubt{none: phantom * (1 - r.Confidence)}, 0.0
	for _, die := range likely(obs.Game.Kit(), *r) {
		p := math.Pow(r.Colors[die.Color]*r.Faces[die.Face], sharper)
		sum += p
		d.others = append(d.others, diceflick.Maybe{Die: die, Chance: p})
	}
	for i := range d.others {
		d.others[i].Chance *= (1 - d.none) / sum
	}
	d.others = slices.DeleteFunc(d.others, func(o diceflick.Maybe) bool { return !(o.Chance >= least) })
	if a.doubts == nil {
		a.doubts = map[table.Square]diceDoubt{}
	}
	a.doubts[at] = d
}

// known keeps what agrees with a die that was clearly seen where it was told under doubt.
func (a *turns) known(at table.Square, die table.Die) {
	for i := range a.seen {
		if f := a.seen[i].Flick; f != nil && f.Rests && f.To == at && f.Die == die {
			a.seen[i].Doubt, a.seen[i].Others = 0, nil
			a.seen[i].kept = a.seen[i].keep()
		}
	}
	if set, ok := a.set.Condition(func(h belief.Hypothesis[diceflick.Glimpse]) bool {
		return h.World.(*diceflick.Turns).State.Arena().Dice[at.Index()] == die
	}); a.on && ok {
		a.set = set
	}
}

// othersThan is what a die may be besides what it is told as.
func othersThan(told table.Die, list []diceflick.Maybe) []diceflick.Maybe {
	return slices.DeleteFunc(slices.Clone(list), func(o diceflick.Maybe) bool { return o.Die == told })
}

// left is the dice that were gone after a flick, but for one from the hole in which its die lies.
func left(f diceflick.Flick) (holes scoring.Holes) {
	for _, s := range f.Shifts {
		if s.Off && (!f.Rests || s.From != f.To) {
			holes |= scoring.HoleSet(s.From)
		}
	}
	return holes
}

// sighted takes in something that was seen or said. It is false where nothing that is believed explains it.
func (m *Match) sighted(s sight) (ok bool) {
	a := &m.turns
	s.kept = s.keep()
	a.seen = append(a.seen, s)
	if s.fact == nil {
		a.set, ok = a.set.Observe(s.Glimpse)
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

// likeliestTurn is what is told as something is seen or said after a turn whose end nobody declared: the likeliest of the ways
// that begin with what was told. nil: none of them does.
func (m *Match) likeliestTurn(g diceflick.Glimpse) []rules.Move {
	a := &m.turns
	if !a.on {
		return nil
	}
	told := m.toldSince(a.from)
	g.At, g.Awaited = m.t, m.nextToCome()
	if g.Flick != nil && g.Say == "" {
		d := a.doubts[g.Flick.To]
		g.Doubt, g.Others = d.none, othersThan(g.Flick.Die, d.others)
	}
	next, ok := a.set.Observe(g)
	if !ok {
		return nil
	}
	a.came = &came{g.Took, g.Left}
	best := next.Best()
	var tail []rules.Move
	for _, h := range next.Hypotheses() {
		if n := len(told); len(h.Line) > n && slices.Equal(wordsOf(h.Line[:n]), told) {
			if slices.Equal(m.scoresOf(h.Line), m.scoresOf(best.Line)) {
				return h.Line[n:]
			}
			if tail == nil {
				tail = h.Line[n:]
			}
		}
	}
	if n := len(best.Line); n > 1 && g.Say == "" && len(m.scoresOf(best.Line)) > len(m.scoresOf(m.movesSince(a.from))) {
		if s, is := best.Line[n-2].(diceflick.Score); is {
			if flick, is := best.Line[n-1].(diceflick.Flick); is {
				return m.closing(s.Removed, flick)
			}
		}
	}
	return tail
}

// said plays what has happened until a word was said, which is the last of the moves.
func (m *Match) said(d Declaration, line []rules.Move) error {
	for _, mv := range line[:len(line)-1] {
		if err := m.playOne(ByCamera, mv); err != nil {
			return err
		}
	}
	return m.declared(d, line[len(line)-1])
}

// quiet says whether a turn may well be over though nobody has said so.
func (m *Match) quiet() bool {
	const well = 0.5 // as if nothing were known of them
	return m.turns.on && !m.nextToCome() && m.turns.set.Best().World.(*diceflick.Turns).Quiet() > well
}

// closing ends the turn that is told as under way with these dice scored, and goes on with the next player's flick.
func (m *Match) closing(taken scoring.Holes, flick diceflick.Flick) (line []rules.Move) {
	state := m.line.now().(*diceflick.State)
	must, _ := state.FlicksLeft()
	by := state.ToMove()
	for range must {
		line = append(line, diceflick.Flick{By: by})
	}
	flick.By = (by + 1) % rules.Player(len(m.setting.Players))
	line = append(line, diceflick.Score{By: by, Seen: true, Removed: taken}, flick)
	if played(state, line) == nil {
		return nil
	}
	return line
}

// turnsAnew takes what is told for certain.
func (m *Match) turnsAnew() {
	a := &m.turns
	state := m.line.now().(*diceflick.State)
	start := diceflick.Follow(state)
	if a.on {
		start = a.set.Best().World.(*diceflick.Turns).From(state)
	}
	if a.open {
		m.forget()
	}
	*a = turns{set: belief.New[diceflick.Glimpse](start), on: true, from: len(m.line.acts), start: start}
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
	told := m.movesSince(m.turns.from)
	ok := len(seen) > 0
	scores := m.scoresOf(told)
	for _, s := range sightsOf(seen, told) {
		ok = ok && m.sighted(s) && (m.turns.sure == 0 || m.condition(scores, m.turns.sure, true))
	}
	if !ok || m.turns.sure > 0 && !m.condition(scores, m.turns.sure, false) {
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

// sightsOf is what was seen and said, as it is told by now: which flicks were seen, what had left before, and what was scored
// as the end of a turn was declared.
func sightsOf(seen []sight, told []rules.Move) (list []sight) {
	var rested []sight
	var scores []diceflick.Score
	var took scoring.Holes
	for _, mv := range told {
		switch mv := mv.(type) {
		case diceflick.Flick:
			if mv.Rests || len(mv.Shifts) > 0 {
				rested = append(rested, sight{Glimpse: diceflick.Glimpse{Flick: &mv, Took: took, Left: left(mv)}})
				took = 0
			}
		case diceflick.Score:
			took |= mv.Removed
			scores = append(scores, mv)
		}
	}
	for _, s := range seen {
		if s.Score != nil {
			i := slices.IndexFunc(scores, func(mv diceflick.Score) bool { return mv.By == s.Score.By })
			if i >= 0 {
				s.Score, scores = &scores[i], scores[i+1:]
			}
		}
		if s.Flick == nil || !s.Flick.Rests {
			if s.Flick != nil && len(rested) > 0 && rested[0].Flick.String() == s.Flick.String() {
				rested = rested[1:]
			}
			list = append(list, s)
			continue
		}
		i := slices.IndexFunc(rested, func(r sight) bool { return r.Flick.Rests && r.Flick.To == s.Flick.To })
		if i < 0 {
			continue // nothing came to rest there
		}
		for k := range rested[:i] {
			rested[k].At = s.At
		}
		if s.Flick.Die != rested[i].Flick.Die {
			s.Doubt, s.Others = 0, nil // it is known by now
		}
		list, s.Flick, s.Left = append(list, rested[:i]...), rested[i].Flick, s.Left|rested[i].Left
		list, rested = append(list, s), rested[i+1:]
	}
	for _, r := range rested {
		if len(seen) > 0 {
			r.At = seen[len(seen)-1].At
		}
		list = append(list, r)
	}
	return list
}

// condition keeps what agrees with the first so many of these scores, if begun as far as it has come, and reports whether
// anything does.
func (m *Match) condition(scores []scored, n int, begun bool) (ok bool) {
	scores = scores[:min(len(scores), n)]
	m.turns.set, ok = m.turns.set.Condition(func(h belief.Hypothesis[diceflick.Glimpse]) bool {
		got := m.scoresOf(h.Line)
		got = got[:min(len(got), n)]
		if begun {
			return len(got) <= len(scores) && slices.Equal(got, scores[:len(got)])
		}
		return slices.Equal(got, scores)
	})
	return ok
}

// movesSince is the moves of the acts from a number on.
func (m *Match) movesSince(from int) (line []rules.Move) {
	for _, e := range m.line.acts[min(from, len(m.line.acts)):] {
		line = append(line, e.moves...)
	}
	return line
}

// toldSince is the same in their notation.
func (m *Match) toldSince(from int) []string { return wordsOf(m.movesSince(from)) }

// certainTurn is the position with which the lines of all that is believed begin.
func (m *Match) certainTurn() rules.State {
	if m.turns.from == 0 {
		return m.line.start
	}
	stack := m.line.acts[m.turns.from-1].stack
	return stack[len(stack)-1]
}

// scoresOf is the scores of a line that are not 0, in the order in which they came.
func (m *Match) scoresOf(line []rules.Move) (list []scored) {
	now := m.certainTurn()
	for _, mv := range line {
		s := now.(*diceflick.State)
		if score, is := mv.(diceflick.Score); is {
			if points := s.Points(score); points > 0 {
				list = append(list, scored{score.By, s.Round(), points})
			}
		}
		next, err := now.Apply(mv)
		if err != nil {
			return list
		}
		now = next
	}
	return list
}

// askTurns asks who scored, where that is told and not certain. Of several such scores the first is asked about.
func (m *Match) askTurns() {
	a := &m.turns
	if m.ask != "" && !a.open || m.ended {
		return // one question at a time
	}
	told := m.scoresOf(m.movesSince(a.from))
	lists := make([][]scored, len(a.set.Hypotheses()))
	for i, h := range a.set.Hypotheses() {
		lists[i] = m.scoresOf(h.Line)
	}
	for k := range slices.MaxFunc(lists, func(a, b []scored) int { return len(a) - len(b) }) {
		sure := 0.0
		for i, h := range a.set.Hypotheses() {
			if slices.Equal(lists[i][:min(len(lists[i]), k+1)], told[:min(len(told), k+1)]) {
				sure += h.Chance
			}
		}
		if sure < beyondDoubt {
			m.askWhoScored(k, lists)
			return
		}
	}
	if a.open {
		a.open = false
		m.forget() // it has settled itself
	}
}

// whoScored is one answer to who scored.
type whoScored struct {
	scored
	chance float64
	line   []rules.Move // the likeliest way
}

// askWhoScored asks about the score of a number, and tells the likeliest answer meanwhile.
func (m *Match) askWhoScored(k int, lists [][]scored) {
	const worth = 0.0005 // asking
	a := &m.turns
	var ways []whoScored
	for i, h := range a.set.Hypotheses() {
		s := scored{player: rules.Nobody}
		if len(lists[i]) > k {
			s = lists[i][k]
		}
		n := slices.IndexFunc(ways, func(w whoScored) bool { return w.scored == s })
		if n < 0 {
			n, ways = len(ways), append(ways, whoScored{scored: s, line: h.Line})
		}
		ways[n].chance += h.Chance
	}
	slices.SortStableFunc(ways, func(a, b whoScored) int {
		switch {
		case a.chance > b.chance:
			return -1
		case a.chance < b.chance:
			return 1
		}
		return 0
	})
	for len(ways) > 1+mostAnswers || len(ways) > 1 && ways[len(ways)-1].chance < worth {
		ways = ways[:len(ways)-1]
	}
	if len(ways) < 2 || !m.tellTurns(ways[0].line) {
		return
	}
	count := ways[0].points
	if count == 0 {
		count = ways[1].points
	}
	ask, says := m.whichDieScored(ways)
	if says == nil {
		ask, says = phrase("who-scored", "count", count), m.whoAndWhen(ways)
	}
	var offers []offer
	for i, w := range ways {
		offers = append(offers, offer{says: says[i], amend: m.otherTurns(w.line)})
	}
	if !a.open || a.at != k || m.ask != ask.String() {
		e := Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask, Choices: words(offers)}
		if m.emit(ByCamera, Act{}, &e, e.Ask) != nil {
			return
		}
	}
	m.putQuestion(ask, offers, m.seq)
	a.open, a.at = true, k
	m.setPhase(m.restPhase())
	m.wake()
}

// whoAndWhen is the answers to who scored, and in which round.
func (m *Match) whoAndWhen(ways []whoScored) (says []Phrase) {
	for _, w := range ways {
		if w.player == rules.Nobody {
			says = append(says, phrase("nobody-scored"))
			continue
		}
		says = append(says, phrase("scored-in", "player", m.name(w.player), "round", w.round, "count", w.points))
	}
	return says
}

// whichDieScored is the question which die lay in a hole, if that is all in which the ways differ, and the answers. nil: they
// differ in more.
func (m *Match) whichDieScored(ways []whoScored) (ask Phrase, says []Phrase) {
	at := -1 // the move
	for i, mv := range ways[0].line {
		if len(ways[1].line) > i && ways[1].line[i].String() != mv.String() {
			at = i
			break
		}
	}
	if at < 0 {
		return ask, nil
	}
	first, is := ways[0].line[at].(diceflick.Flick)
	for _, w := range ways {
		if len(w.line) != len(ways[0].line) || !is {
			return ask, nil
		}
		for i, mv := range w.line {
			f, flick := mv.(diceflick.Flick)
			if i == at && flick && f.Rests && f.To == first.To && f.By == first.By {
				says = append(says, phrase("die-on", "die", f.Die, "square", f.To))
			} else if mv.String() != ways[0].line[i].String() {
				return ask, nil
			}
		}
	}
	return phrase("scored-die", "square", first.To), says
}

// tellTurns tells a way in which the turns may have gone, where another one was told.
func (m *Match) tellTurns(line []rules.Move) bool {
	a := &m.turns
	if slices.Equal(wordsOf(line), m.toldSince(a.from)) {
		return true
	}
	o := m.otherTurns(line)
	open := a.open
	if o == nil || !m.amend(o) {
		return false
	}
	a.open, a.told = open, m.toldSince(a.from)
	return true
}

// otherTurns is what puts right what was told, where the turns have gone as a line has them.
func (m *Match) otherTurns(line []rules.Move) *amendment {
	acts, i := m.line.acts[m.turns.from:], 0
	for n, e := range acts {
		same := i+len(e.moves) <= len(line) && slices.Equal(wordsOf(e.moves), wordsOf(line[i:i+len(e.moves)]))
		if !same || n == len(acts)-1 {
			return &amendment{first: e.seq, last: m.seq, moves: line[i:]}
		}
		i += len(e.moves)
	}
	return nil
}

// answerTurns takes an answer to who scored. What is seen on the table stays as it is.
func (m *Match) answerTurns(d Declaration, o offer, inForce bool) error {
	a := &m.turns
	if !inForce {
		act := Act{Kind: actCorrect, Ref: o.amend.first, Through: o.amend.last, Each: true, Moves: wordsOf(o.amend.moves)}
		if err := m.emit(d.by(), act, &Event{Type: TypeCorrect}, "Corrected: "+o.says.String()+"."); err != nil {
			return err
		}
	}
	m.forget()
	if a.sure = a.at + 1; !m.condition(m.scoresOf(m.movesSince(a.from)), a.sure, false) {
		m.turnsAnew()
	}
	a.open, a.new, a.told = false, nil, m.toldSince(a.from)
	if m.ended {
		return m.tellResult()
	}
	m.askTurns()
	m.setPhase(m.restPhase())
	m.wake()
	return nil
}
