package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/table"
)

// boardWay is one way in which a game may have gone on from what was told.
type boardWay struct {
	line   []rules.Move
	all    []rules.Move // the line, and what was nobody's act
	story  rules.Story
	chance float64
	more   bool // there is more to it that is not asked about yet
}

// waysOn is how the game may have gone on after some of the acts that were told, the likeliest first.
func (m *Match) waysOn(told []rules.Move) (ways []boardWay) {
	const (
		most  = 4
		worth = 0.01
	)
	lines := m.course.inWords(told)
	for _, h := range m.course.set.Ways() {
		acts := belief.Acts(h.Line)
		if !h.Begins(told) {
			continue
		}
		line := traced(acts)
		if len(line) < len(told) {
			line = told
		}
		line = line[len(told):]
		whole := len(line)
		if m.followsZones() {
			line = oneThing(lines, len(told), line, wordsOf(acts))
		}
		w := boardWay{line: line, all: withDisturbances(h.Line, len(told), len(line)), story: storyOf(m.writtenLine(line)), more: len(line) < whole}
		i := slices.IndexFunc(ways, func(w boardWay) bool { return slices.Equal(outcome(w.line), outcome(line)) })
		switch {
		case i < 0:
			i, ways = len(ways), append(ways, w)
		case len(line) < len(ways[i].line) && h.Chance >= worth: // it tells less that is not certain
			w.chance = ways[i].chance
			ways[i] = w
		}
		ways[i].chance += h.Chance
	}
	slices.SortStableFunc(ways, func(a, b boardWay) int {
		switch {
		case a.chance > b.chance:
			return -1
		case a.chance < b.chance:
			return 1
		}
		return 0
	})
	if m.followsZones() {
		inOrder(ways)
	}
	n := slices.IndexFunc(ways, func(w boardWay) bool { return w.chance < worth })
	if n == 1 && hiddenFirst(ways[0].line) { // that nobody saw it is reason enough to ask
		n = 2
	}
	if n == 1 && ways[0].chance < enoughAtLast { // many others, as of a die that may lie on any square that is not seen
		n = most
	}
	if n >= 0 {
		ways = ways[:min(n, len(ways))]
	}
	return ways[:min(len(ways), most)]
}

// inOrder has ways that are as likely as the first one come in the order of their words, and so of the spots of a card.
func inOrder(ways []boardWay) {
	const alike = 0.99
	n := slices.IndexFunc(ways, func(w boardWay) bool { return w.chance < alike*ways[0].chance })
	if n < 0 {
		n = len(ways)
	}
	slices.SortStableFunc(ways[:n], func(a, b boardWay) int { return slices.Compare(wordsOf(a.line), wordsOf(b.line)) })
}

// wordedWay is the acts of a hypothesis in words.
type wordedWay struct {
	acts   []string
	chance float64
}

// inWords is the hypotheses that begin with some acts.
func (b *course) inWords(told []rules.Move) (list []wordedWay) {
	for _, w := range b.set.Ways() {
		if w.Begins(told) {
			list = append(list, wordedWay{wordsOf(belief.Acts(w.Line)), w.Chance})
		}
	}
	return list
}

// oneThing is moves after so many that were told, up to the first of which it is open whether it was made, and those that are known if
// it was: one thing is asked after the other. acts is all of it in words.
func oneThing(lines []wordedWay, told int, line []rules.Move, acts []string) []rules.Move {
	began := func(n int) (p float64) {
		for _, w := range lines {
			if len(w.acts) >= told+n && slices.Equal(w.acts[told:told+n], acts[told:told+n]) {
				p += w.chance
			}
		}
		return p
	}
	all, n := began(0), 0
	for open := false; n < len(line); n++ {
		if p := began(n + 1); p < beyondDoubt*all {
			if open {
				break
			}
			all, open = p, true
		}
	}
	return line[:n]
}

// withDisturbances is so many acts of a line after the first ones, and what was nobody's act in between.
func withDisturbances(line []rules.Move, after, acts int) (all []rules.Move) {
	n := 0
	for _, mv := range line {
		act := len(belief.Acts([]rules.Move{mv})) > 0
		if n >= after && (n < after+acts || !act) {
			all = append(all, mv)
		}
		if act {
			n++
		}
	}
	return all
}

// storyOf is moves as what was taken back of what was told before, and what was played then.
func storyOf(line []rules.Move) (s rules.Story) {
	for _, mv := range line {
		_, back := mv.(belief.TakenBack)
		switch n := len(s.Line); {
		case !back:
			s.Line = append(s.Line, mv)
		case n > 0:
			s.Line = s.Line[:n-1]
		default:
			s.Back++
		}
	}
	return s
}

// outcome is what acts have led to, in words: it is the same for acts that were taken back as for none.
func outcome(line []rules.Move) []string {
	s := storyOf(line)
	return append(slices.Repeat([]string{"back"}, s.Back), wordsOf(s.Line)...)
}

// boardQuestion is what is asked about a board.
type boardQuestion struct {
	known  []rules.Move // what was told, up to the last act that is beyond doubt
	told   []rules.Move // and after it
	ways   []boardWay   // how it may have gone on instead, the likeliest first
	stack  []rules.State
	ask    Phrase
	offers []offer
	since  int64   // the record of the first act in doubt, or the next one
	before []entry // plays that an answer may take back
}

// askBoard asks what has happened since the last act that is beyond doubt, and, if the view is over, goes on with the likeliest
// meanwhile.
func (m *Match) askBoard(goOn bool) {
	b, q := &m.course, m.boardInDoubt()
	if len(q.ways) < 2 {
		return
	}
	if slices.ContainsFunc(q.ways, func(w boardWay) bool { return anew(w.line) }) {
		m.askNow(m.zonesUnexplained(), nil) // whose turn it is shows in what follows
		return
	}
	b.asked = true
	if !m.askInWords(q) || !goOn {
		return
	}
	b.open = 0
	if q.ways[0].more && q.ways[0].toldIn(q.told) {
		m.tellFollowing(q)
		return
	}
	line := m.sureEnough(q)
	if len(line) == 0 && len(q.told) == 0 || !m.retellBoard(append(slices.Clip(q.known), line...)) || len(line) < len(q.ways[0].line) {
		return
	}
	m.boardInForce(q)
}

// boardInDoubt is what may be asked about the board now.
func (m *Match) boardInDoubt() *boardQuestion {
	b := &m.course
	told := b.acts()
	n := len(told)
	for n > 0 && (b.set.Began(told[:n]) < stillSure || hiddenFirst(told[n-1:])) {
		n--
	}
	n = b.unseenSince(told[:n])
	return &boardQuestion{known: slices.Clip(told[:n]), told: told[n:], ways: m.waysOn(told[:n])}
}

// askInWords words the question and asks it, and says whether it could: not if no record tells the acts in doubt.
func (m *Match) askInWords(q *boardQuestion) bool {
	if m.followsZones() {
		asTold(q.ways, q.told)
	}
	q.stack = m.line.stack()
	if len(q.told) > 0 {
		if q.since = m.recordOf(len(q.known)); q.since == 0 {
			return false
		}
		q.stack = m.line.before(q.since)
	}
	back := 0
	for _, w := range q.ways {
		back = max(back, w.story.Back)
		o := offer{says: m.saysFrom(q.stack, storyOf(w.all)), story: w.story}
		o.guess = len(q.ways[0].line) > mostBack                                       // nobody saw them one by one
		o.acts, o.more = append(append([]rules.Move{}, q.known...), w.line...), w.more // none is not the same as not known
		q.offers = append(q.offers, o)
	}
	q.ask, q.ways, q.offers = m.inWords(q.ways, q.offers, q.stack, q.told)
	if len(q.told) == 0 {
		m.askNow(q.ask, q.offers)
		q.since = m.seq + 1
		q.before = m.lastPlays(q.since, back)
		return true
	}
	q.before = m.lastPlays(q.since, back)
	m.askAboutTold(q)
	return true
}

// askAboutTold asks about acts that have been told, unless the same was asked before.
func (m *Match) askAboutTold(q *boardQuestion) {
	b, first := &m.course, q.since
	if len(q.before) > 0 {
		first = q.before[0].seq
	}
	onlyOrder := m.ask != "" && m.about > 0 && b.leadsTo(q.known, q.ways[0].line) >= beyondDoubt*b.set.Began(q.known) // as was asked
	if b.askedOf != first && !onlyOrder || len(q.ways) > 0 && hiddenFirst(q.told) && !hiddenFirst(q.ways[0].line) {
		m.askNow(q.ask, q.offers)
	}
	m.inForce(q.ask, q.offers, q.since, q.before)
	b.askedOf = first
}

// tellFollowing tells what has followed from what was told, where that is the likeliest still.
func (m *Match) tellFollowing(q *boardQuestion) {
	next := m.unaccusing(m.line.stack(), m.course.set.Next(append(slices.Clip(q.known), q.told...), enoughToAsk), nil, false)
	if m.followsZones() && len(next) > 0 && m.tellLine(next) {
		m.boardInForce(q)
	}
}

// sureEnough is what of the likeliest way is sure enough to go on with before anybody answers.
func (m *Match) sureEnough(q *boardQuestion) []rules.Move {
	b := &m.course
	line, all := q.ways[0].line, b.set.Began(q.known)
	if unseen := hiddenFirst(line) || hiddenFirst(q.told); !unseen && b.leadsTo(q.known, line) < enoughToAsk*all {
		for len(line) > 0 && b.set.Began(append(slices.Clip(q.known), line...)) < enoughToAsk*all {
			line = line[:len(line)-1]
		}
	}
	if m.followsZones() {
		line = m.unaccusing(q.stack, line, q.told, b.beganLike(q.known, line, q.stack) >= likelyEnough*all)
	}
	return line
}

// boardInForce leaves the question open while its first answer is told.
func (m *Match) boardInForce(q *boardQuestion) {
	m.inForce(q.ask, q.offers, q.since, q.before)
	m.course.askedOf = m.offers[0].amend.first
}

// toldIn says whether acts that were told begin with a way.
func (w *boardWay) toldIn(told []rules.Move) bool {
	return len(told) >= len(w.line) && slices.Equal(wordsOf(told[:len(w.line)]), wordsOf(w.line))
}

// asTold puts the way that was told first, if the likeliest is hardly likelier: nothing is told otherwise for that.
func asTold(ways []boardWay, told []rules.Move) {
	const hardly = 0.8
	i := slices.IndexFunc(ways, func(w boardWay) bool { return len(w.line) > 0 && w.toldIn(told) })
	if i > 0 && ways[i].chance >= hardly*ways[0].chance {
		w := ways[i]
		copy(ways[1:i+1], ways[:i])
		ways[0] = w
	}
}

// saysFrom is an answer that tells what has happened from a position on. A die that nobody has played is named first.
func (m *Match) saysFrom(stack []rules.State, s rules.Story) Phrase {
	if m.followsZones() {
		if len(s.Line)+s.Back == 0 {
			return phrase("nothing-more")
		}
		s.Verdict = rules.Explained
		return Phrase{Kind: kindActs, text: s.String()}
	}
	if len(s.Line)+s.Back == 0 {
		return phrase("nothing-changed")
	}
	if len(s.Line) > 0 && s.Line[0].Actor() == rules.Nature {
		if a := actOf(s.Line[0]); a.To != nil && a.From == nil {
			die := table.Die{Color: a.Color, Face: a.Face}
			if len(belief.Acts(s.Line)) == 1 {
				return phrase("die-on", "die", die, "square", *a.To)
			}
			return phrase("then-die", "die", die, "square", *a.To, "acts", m.deedsFrom(stack, s))
		}
	}
	return Phrase{Kind: kindActs, text: m.wordsFrom(stack, s)}
}

// leadsTo is the probability of the position to which acts lead after those that were told: in which order they were made may be
// open.
func (b *course) leadsTo(told, line []rules.Move) float64 {
	all := append(told[:len(told):len(told)], line...)
	h, ok := belief.LikeliestWay(b.set, all)
	if !ok || len(belief.Acts(h.Line)) != len(all) {
		return 0
	}
	if zones, is := h.World.(*belief.Zones); is {
		return b.chance(func(o belief.Way) bool { return o.World.(*belief.Zones).State().Key() == zones.State().Key() })
	}
	at := h.World.(*belief.Board).State()
	return b.chance(func(o belief.Way) bool {
		now := o.World.(*belief.Board).State()
		return now.ToMove() == at.ToMove() && equalBoards(now.Expect().Squares, at.Expect().Squares)
	})
}

// recordOf is the record that tells an act; 0: none does.
func (m *Match) recordOf(n int) int64 {
	for _, t := range m.course.told {
		if len(belief.Acts([]rules.Move{t.move})) == 0 {
			continue
		}
		if n == 0 {
			return t.seq
		}
		n--
	}
	return 0
}

// lastPlays is the last plays in force before a record, the oldest first.
func (m *Match) lastPlays(seq int64, n int) (list []entry) {
	for range n {
		e := m.playBefore(seq)
		if e == nil {
			break
		}
		list, seq = append([]entry{*e}, list...), e.seq
	}
	return list
}

// inForce leaves a question open whose first answer was told since a record; before are the plays that it has taken back.
func (m *Match) inForce(ask Phrase, offers []offer, first int64, before []entry) {
	var plays []rules.Move
	for _, e := range before {
		plays = append(plays, e.moves...)
	}
	if len(before) > 0 {
		first = before[0].seq
	}
	offers = slices.DeleteFunc(offers, func(o offer) bool { return o.story.Back > len(plays) })
	for i := range offers {
		o := &offers[i]
		line := append(slices.Clone(plays[:len(plays)-o.story.Back]), o.story.Line...)
		o.amend = &amendment{first: first, last: m.seq, moves: line}
	}
	m.putQuestion(ask, offers, m.seq)
}

// askDisturbed asks about dice that nobody's act has moved.
func (m *Match) askDisturbed() {
	b := &m.course
	h, ok := belief.LikeliestWay(b.set, b.acts())
	if !ok {
		return
	}
	for _, mv := range belief.Disturbances(h.Line) {
		same := func(d rules.Move) bool { return d.String() == mv.String() }
		p := b.chance(func(h belief.Way) bool {
			return slices.ContainsFunc(belief.Disturbances(h.Line), same)
		})
		if p < beyondDoubt || b.knocked[mv.String()] {
			continue
		}
		if _, back := mv.(belief.TakenBack); back {
			continue
		}
		if b.knocked == nil {
			b.knocked = map[string]bool{}
		}
		b.knocked[mv.String()] = true
		if _, err := m.line.now().Apply(mv); err == nil {
			o := m.asked(rules.Story{Line: []rules.Move{mv}})
			m.askNow(whichOf([]offer{{says: phrase("nothing-changed")}, o}), []offer{{says: phrase("nothing-changed")}, o})
		}
	}
}

// asksOfDisturbed says whether the open question is about a die that nobody's act has moved.
func (m *Match) asksOfDisturbed() bool {
	return slices.ContainsFunc(m.offers, func(o offer) bool {
		return o.amend == nil && len(belief.Disturbances(o.story.Line)) > 0 && m.about == 0
	})
}
