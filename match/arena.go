package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// In an arena nothing tells whose turn it is, and a flick that misses leaves no trace. What has happened is
// believed (package belief) and told as far as it is likely enough; what is not is told as it is likeliest, and asked.

// beliefs is what is believed of a game of DICE Flick.
type beliefs struct {
	set belief.Set
	// from is how many acts of the match are certain. told is the moves of those after them, as the belief has
	// told them: where the match has others, somebody has put it right meanwhile.
	from  int
	told  []string
	asked bool // the open question is about what is believed
	on    bool
}

var debugArena func(m *Match)

// How likely something is that is told without a question, and how many times likelier than what was told something else
// must be before that is put right.
const (
	beyondDoubt = 0.99
	rethinks    = 3.0
)

// concludeArena takes in what the arena shows. A view that leaves something open is read again as long as
// it stands.
func (m *Match) concludeArena(final bool) bool {
	obs := m.ballot.count()
	if m.dismissed(obs) {
		m.seen.ok, m.seen.obs = true, obs
		return true
	}
	if !m.believe() {
		return false // the match has stopped
	}
	looks := belief.LooksOf(obs)
	if !m.seen.ok && len(m.line.acts) == m.natures() {
		return m.firstView(obs, looks)
	}
	g := rules.Glimpse{At: m.t, Awaited: m.nextToCome()}
	late := m.endHidden()
	if late != nil {
		g.Said = []rules.Word{{Say: late.Say}}
	}
	set := m.arena.set.Observe(&looks, g)
	if late == nil && !final && !m.stoodLong() && set.Chance(alike(set.Best())) < beyondDoubt {
		return false
	}
	if late != nil {
		m.queue = m.queue[1:]
	}
	m.arena.set = set
	if debugArena != nil {
		debugArena(m)
	}
	m.tellBelieved(ByCamera)
	m.accept(obs, false)
	return true
}

// dismissed says whether the board as it lies is not to be looked at: an undo has put it out of force, or it
// is of the match before.
func (m *Match) dismissed(obs table.Observation) bool {
	board := boardOf(obs)
	if m.dismiss != nil && equalBoards(board, m.dismiss) {
		return true
	}
	m.dismiss = nil
	return !m.cleared(board)
}

// stoodLong says whether a view was read often enough to be asked about.
func (m *Match) stoodLong() bool {
	const rounding = 1e-6
	n := len(m.ballot.reads)
	return m.ballot.reads[n-1].Posed || n == mostReads || n >= quickReads && m.t-m.ballot.reads[0].T >= m.patience-rounding
}

// endHidden is the end of a turn that was declared for a frame while hands lay over the arena; nil: there is none.
func (m *Match) endHidden() *Declaration {
	if len(m.queue) == 0 || !m.queue[0].due(m.frame, m.t) || !m.hidden(m.queue[0]) {
		return nil
	}
	d := m.queue[0]
	return &d
}

// nextToCome says whether the end of this turn is still to be declared, so that nothing that is seen
// before is the next player's.
func (m *Match) nextToCome() bool {
	return slices.ContainsFunc(m.queue, func(d Declaration) bool { return d.Say == SayNext })
}

// natures counts the acts in force that only tell what was found on the table.
func (m *Match) natures() (n int) {
	for _, e := range m.line.acts {
		if e.nature() {
			n++
		}
	}
	return n
}

// firstView: what is read in an arena before anybody has flicked is a sticker or a die
// left over. That is told, and nothing of it counts until it looks otherwise.
func (m *Match) firstView(obs table.Observation, looks belief.Looks) bool {
	m.arena.set = m.arena.set.First(looks)
	var offers []offer
	for _, r := range onGrid(obs).Dice {
		if !r.Sure {
			continue
		}
		die := looks[r.Square.Index()].Reading.Die
		m.fix[*r.Square] = fix{From: []table.Die{r.Die}, sure: true, lies: true}
		line := []rules.Move{diceflick.Flick{By: m.line.now().ToMove(), Die: die, Rests: true, To: *r.Square}}
		offers = append(offers, offer{says: phrase("die-flicked", "die", die, "square", *r.Square), weak: true, story: rules.Story{Line: line}})
	}
	if len(offers) > 0 {
		first := offers[0].story.Line[0].(diceflick.Flick)
		m.askNow(phrase("before-first", "die", first.Die, "square", first.To), offers)
		m.about = m.seq
	}
	m.accept(obs, false)
	return true
}

// believe brings what is believed up to date with what was said, undone and put right meanwhile, and
// with the stickers that were seen. It reports whether the match goes on.
func (m *Match) believe() bool {
	a := &m.arena
	if a.on && slices.Equal(a.told, m.toldSince(a.from)) {
		return m.learnMarkers()
	}
	m.believeAnew()
	return m.learnMarkers()
}

// believeAnew takes the position for certain as the match has it.
func (m *Match) believeAnew() {
	a := &m.arena
	state := m.line.now().(*diceflick.State)
	if a.on {
		a.set = a.set.Again(a.set.Best().World.(*diceflick.Follower).From(state))
	} else {
		a.set = belief.New(m.setting.Game, diceflick.Follow(state))
		if m.seen.ok {
			a.set = a.set.First(belief.LooksOf(m.seen.obs))
		}
	}
	a.on, a.from, a.told, a.asked = true, len(m.line.acts), nil, false
}

// toldSince is the moves of the acts from a number on, in their notation.
func (m *Match) toldSince(from int) (words []string) {
	for _, e := range m.line.acts[min(from, len(m.line.acts)):] {
		words = append(words, wordsOf(e.moves)...)
	}
	return words
}

// alike is whether all that a hypothesis tells has happened by another one as well. Misses that nobody has seen or
// declared make no difference: they only fill up a turn.
func alike(h belief.Hypothesis) func(belief.Hypothesis) bool {
	want := shows(h.Line)
	return func(o belief.Hypothesis) bool {
		got := shows(o.Line)
		return len(got) >= len(want) && slices.Equal(got[:len(want)], want)
	}
}

// shows is the moves of a line in their notation, without misses that have done nothing.
func shows(line []rules.Move) (words []string) {
	for _, mv := range line {
		if f, is := mv.(diceflick.Flick); is && !f.Rests && len(f.Shifts) == 0 {
			continue
		}
		words = append(words, mv.String())
	}
	return words
}

// tellBelieved tells what is believed to have happened, asks about it where it is not plain, and puts right what
// was told and is not believed any more.
func (m *Match) tellBelieved(by string) {
	a := &m.arena
	best := m.believed()
	open := a.set.Chance(alike(best)) < beyondDoubt
	ask, offers := Phrase{}, []offer(nil)
	if open {
		ask, offers = m.openQuestion(best)
		open = len(offers) > 1
	}
	switch {
	case open && (m.ask == "" || !a.asked):
		m.forget()
		e := Event{Type: TypeDoubt, Ask: ask.String(), Question: &ask, Choices: words(offers)}
		if m.emit(ByCamera, Act{}, &e, e.Ask) != nil {
			return
		}
	case !open && m.ask != "":
		m.forget() // it has settled itself
	}
	if !m.tellLine(by, best.Line) {
		return
	}
	if a.asked = open; open {
		m.putQuestion(ask, m.amending(offers), m.seq)
	}
	m.settleBelief()
	m.wake()
}

// believed is the hypothesis that is told: the likeliest, or the one that was told already if it is nearly
// as likely. Nobody is told to have broken a rule where something else may have happened.
func (m *Match) believed() belief.Hypothesis {
	const may = 0.003
	a := &m.arena
	best := a.set.Best()
	for _, h := range a.set.Hypotheses() {
		line := wordsOf(h.Line)
		if len(line) >= len(a.told) && slices.Equal(line[:len(a.told)], a.told) {
			if h.Chance*rethinks > best.Chance {
				best = h
			}
			break
		}
	}
	if m.nextToCome() || m.lawful(best) {
		return best
	}
	for _, h := range a.set.Hypotheses() {
		if h.Chance >= may && m.lawful(h) {
			return h
		}
	}
	return best
}

// lawful says whether no rule is broken by the moves of a hypothesis that are not told yet.
func (m *Match) lawful(h belief.Hypothesis) bool {
	now := m.certain()
	for _, mv := range h.Line {
		if mv.Actor() >= 0 && now.Check(mv) != nil {
			return false
		}
		next, err := now.Apply(mv)
		if err != nil {
			return false
		}
		now = next
	}
	return true
}

// certain is the position from which the lines of all hypotheses begin.
func (m *Match) certain() rules.State {
	if m.arena.from == 0 {
		return m.line.start
	}
	stack := m.line.acts[m.arena.from-1].stack
	return stack[len(stack)-1]
}

// tellLine tells a line, as far as it is not told yet, and puts right what was told otherwise.
func (m *Match) tellLine(by string, line []rules.Move) bool {
	a := &m.arena
	acts, i := m.line.acts[a.from:], 0 // the first move that was told otherwise
	for k, e := range acts {
		n := len(e.moves)
		if i+n <= len(line) && slices.Equal(wordsOf(e.moves), wordsOf(line[i:i+n])) {
			i += n
			continue
		}
		var right []rules.Move
		for range acts[k:] {
			if i < len(line) {
				right = append(right, line[i])
				i++
			}
		}
		if !m.amendBelieved(e.seq, right) {
			return false
		}
		break
	}
	for ; i < len(line); i++ {
		who := by
		if f, is := line[i].(diceflick.Flick); is && !f.Rests && len(f.Shifts) == 0 && by == ByCamera {
			who = ByRules // nobody has seen it
		}
		if m.playOne(who, line[i]) != nil {
			return false
		}
	}
	a.told = m.toldSince(a.from)
	return m.followUp() == nil
}

// amendBelieved puts right what was told from a record on.
func (m *Match) amendBelieved(first int64, moves []rules.Move) bool {
	e, text := &Event{Corrects: first}, "It is not so, as is seen now."
	stack := m.line.before(first)
	now := stack[len(stack)-1]
	for i, mv := range moves {
		if mv.Actor() >= 0 {
			what, words := m.told(now, mv)
			if i == 0 || what.Type == TypeScore {
				what.Corrects = first
				e, text = what, words[:len(words)-1]+", as is seen now."
			}
		}
		next, err := now.Apply(mv)
		if err != nil {
			return false
		}
		now = next
	}
	e.Type = TypeCorrect
	act := Act{Kind: actCorrect, Ref: first, Through: m.seq, Each: true, Moves: wordsOf(moves)}
	return m.emit(ByCamera, act, e, text) == nil
}

// settleBelief takes for certain what no hypothesis doubts any more.
func (m *Match) settleBelief() {
	a := &m.arena
	sure, _ := a.set.Told(1 - 1e-9)
	acts := m.line.acts[a.from:]
	n, cut := 0, 0
	for _, e := range acts {
		if n+len(e.moves) > len(sure) || !slices.Equal(wordsOf(e.moves), wordsOf(sure[n:n+len(e.moves)])) {
			break
		}
		n += len(e.moves)
		cut++
	}
	a.from += cut
	a.set = a.set.Cut(n)
	a.told = m.toldSince(a.from)
}

// learnMarkers notes stickers that show in holes and are not known yet. It reports whether the match goes on.
func (m *Match) learnMarkers() bool {
	state := m.line.now().(*diceflick.State)
	now := state.Arena()
	known, news := now.Markers, false
	for _, r := range m.ballot.markers() {
		sq := table.Square{Row: r.Row, Col: r.Col}
		if !sq.On() || holdsMarker(known, sq) || now.Dice[sq.Index()].Color != table.NoColor {
			continue
		}
		if slot := markerSlot(&known, r.Marker); slot != nil && *slot == 0 {
			*slot, news = scoring.HoleSet(sq), true
		}
	}
	if !news {
		return true
	}
	mv := diceflick.Markers{Markers: known}
	if err := m.playOne(ByCamera, mv); err != nil {
		m.trouble = err
		return false
	}
	a := &m.arena
	a.set = a.set.Map(func(h belief.Hypothesis) belief.Hypothesis {
		if next, err := h.World.(*diceflick.Follower).Do(mv); err == nil {
			h.World, h.Line = next, append(slices.Clip(h.Line), mv)
		}
		return h
	})
	a.told = m.toldSince(a.from)
	return true
}

func holdsMarker(k scoring.Markers, sq table.Square) bool {
	return (k.Center | k.Bonus | k.Upgrade[0] | k.Upgrade[1] | k.Upgrade[2]).Has(sq)
}

// markerSlot is where a marker of that name belongs; nil for an unknown name.
func markerSlot(k *scoring.Markers, name string) *scoring.Holes {
	switch name {
	case table.CenterMarker:
		return &k.Center
	case table.BonusMarker:
		return &k.Bonus
	}
	for i, c := range scoring.Upgrades {
		if c.String() == name {
			return &k.Upgrade[i]
		}
	}
	return nil
}

// sayFlick applies what only players know in DICE Flick; ok is false for words of other games.
func (m *Match) sayFlick(d Declaration) (ok bool, err error) {
	state, is := m.line.now().(*diceflick.State)
	if !is {
		return false, nil
	}
	switch d.Say {
	case SayBonus:
		return true, m.sayBonus(d, state)
	case SayMiss, SayNext:
		return true, m.sayWord(d)
	}
	return false, nil
}

// sayWord takes a word for a part of what has happened.
func (m *Match) sayWord(d Declaration) error {
	if !m.believe() {
		return m.trouble
	}
	g := rules.Glimpse{At: m.t, Said: []rules.Word{{Say: d.Say, Score: d.Score}}, Awaited: !m.seen.ok || m.nextToCome()}
	m.arena.set = m.arena.set.Observe(nil, g)
	if debugArena != nil {
		debugArena(m)
	}
	m.tellBelieved(d.by())
	return m.trouble
}

// played is the position that moves lead to; nil where they cannot have happened.
func played(s rules.State, line []rules.Move) rules.State {
	for _, mv := range line {
		next, err := s.Apply(mv)
		if err != nil {
			return nil
		}
		s = next
	}
	return s
}
