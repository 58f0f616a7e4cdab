package match

import (
	"reflect"
	"slices"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// concludeBoard compares a settled board with what should be on it, and
// records what happened: moves, legal or not, a takeback, or a reroll beside it.
func (m *Match) concludeBoard(obs table.Observation) bool {
	if m.clearUpBoard(obs) || m.notHiding(obs) || m.tellSlipped(obs) {
		return m.concludeBoard(obs)
	}
	view := obs
	obs = m.withLost(obs)
	asRead := obs
	obs = m.withoutStrangers(obs)
	stack := m.line.stack()
	now := stack[len(stack)-1]
	if ask, offers := m.seedUnread(now, obs); offers != nil {
		return m.doubtful(ask, offers)
	}
	opt := rules.ReconcileOptions{Earlier: m.earlier(stack), LastIllegal: m.lastIllegal()}
	r := rules.Reconcile(now, onGrid(obs), opt)
	if seedWaits(r.Story, obs) {
		return m.leaving
	}
	if s := m.lostFirst(r.Stories); s != nil {
		r.Story = *s
	}
	if r.Verdict == rules.Ambiguous {
		if r.Stories = m.besideAgrees(r.Stories, obs); len(r.Stories) == 1 {
			r.Story = r.Stories[0]
		}
	} else if r.Verdict == rules.IllegalAct && m.allKnown && m.cameFromBeside(r.Story, obs) {
		if other := m.stillThere(now, r.Story, *actOf(r.Line[0]).From, obs); other != nil {
			r.Story = *other
		}
	}
	if s := m.fewerBack(now, r.Story, opt, obs); s != nil {
		r.Story = *s
	}
	if m.legalAfterAll(r, obs) {
		return m.concludeBoard(m.asAnswered(obs, m.line.now()))
	}
	if m.toldWrong(r, obs) || m.breachTakenBack(r, obs) {
		return m.concludeBoard(view)
	}
	switch r.Verdict {
	case rules.Unchanged:
		if m.noteLost(obs) && slices.ContainsFunc(m.lost, func(l *lost) bool { return m.glimpse(l, obs) != nil }) {
			return m.concludeBoard(obs)
		}
		if ask, offers := m.strangeDie(now, asRead); offers != nil {
			return m.doubtful(ask, offers)
		}
		return m.besideBoard(obs)
	case rules.Explained, rules.IllegalAct, rules.TakenBack:
		if r.Back > 0 && !m.cameBack(r.Story, obs) {
			return m.doubtful(phrase("taken-back", "parts", partsOf(now.Expect().Squares, boardOf(obs))),
				[]offer{{says: phrase("no-go-on")}, {says: phrase("yes"), story: r.Story}})
		}
		if m.tellsOfLost(r.Story, obs) || m.turnUnseen(r.Story, obs) {
			return true
		}
		if r.Verdict == rules.IllegalAct && m.dependsOnProvisional(r.Story) {
			return m.doubtful(phrase("misread", "acts", m.deedsOf(r.Story)), []offer{m.asked(r.Story), {says: phrase("nothing-changed")}})
		}
		if offers := m.unseenRoll(r.Story, obs); offers != nil {
			return m.doubtful(phrase("who-placed"), offers)
		}
		if line := m.asItLeft(r.Story, obs); line != nil {
			return m.doubtful(phrase("misread", "acts", m.deedsOf(r.Story)), []offer{m.asked(rules.Story{Line: line}), m.asked(r.Story)})
		}
		if offers := m.otherLeft(r.Story, obs); offers != nil {
			return m.doubtful(phrase("misread", "acts", m.deedsOf(r.Story)), offers)
		}
		if farFetched(r.Story) || doubtsSecond(now, r.Story, obs) {
			if offers := m.plainFirst(now, obs, []offer{m.asked(r.Story)}); len(offers) > 1 {
				return m.doubtful(whichOf(offers), offers)
			}
		}
		if ask, offers := m.boardDoubt(now, r.Story, obs); offers != nil {
			return m.doubtful(ask, m.orElsewhere(offers, obs))
		}
		if r.Verdict == rules.IllegalAct && len(r.Line) > 1 || m.othersDice(r.Story, obs) {
			return m.doubtful(phrase("at-once", "acts", m.deedsOf(r.Story)), []offer{{says: phrase("yes"), story: r.Story}, {says: phrase("no")}})
		}
		if ask, offers := m.rolledAfter(r.Line, obs); offers != nil && r.Verdict == rules.Explained {
			return m.doubtful(ask, offers)
		}
		elsewhere := m.putElsewhere(r.Story, obs)
		if n := len(m.line.acts); elsewhere != nil && m.late == m.line.acts[n-1].seq {
			return m.doubtful(whichOf(elsewhere), m.orElsewhere([]offer{m.asked(r.Story)}, obs))
		}
		if !m.tell(r.Story, obs) {
			return false
		}
		m.leaveOpen(elsewhere)
		return true
	}
	hidden := m.onlyHidden(now, obs)
	if m.plainlyHidden(hidden, obs) && (r.Verdict == rules.Unexplained || m.hardlySeen(hidden[0].story, obs)) {
		told := m.tell(hidden[0].story, obs)
		m.noteFaint(hidden[0].story, obs)
		return told
	}
	var offers []offer
	if r.Verdict == rules.Ambiguous {
		s := m.byWhatLeft(r.Stories, obs)
		stories := inOrder(r.Stories, obs.Sooner)
		if s == nil && len(stories) == 1 {
			s = &stories[0]
		}
		if s != nil && m.tell(*s, obs) {
			return true
		}
		slices.SortStableFunc(stories, func(a, b rules.Story) int { return m.unlikely(a, obs) - m.unlikely(b, obs) })
		for _, s := range stories {
			offers = append(offers, m.asked(s))
		}
		offers = m.orElsewhere(offers, obs)
		if farFetched(stories[0]) || doubtsSecond(now, stories[0], obs) {
			offers = m.plainFirst(now, obs, offers)
		}
		return m.doubtful(whichOf(offers), offers)
	}
	if len(hidden) == 0 {
		if offers = m.plainFirst(now, obs, m.atOnce(now, obs)); len(offers) > 0 {
			return m.doubtful(whichOf(offers), offers)
		}
	}
	return m.doubtful(unexplained(now.Expect().Squares, obs), append(hidden, m.rereadings(obs)...))
}

// Least confidences for acting on a reading that is not sure.
const (
	enoughLegal   = 0.6 // a legal act explains it
	enoughIllegal = 0.9 // only an illegal one does
)

// boardDoubt is what is to be asked about one act on a board that the readings seem to
// tell clearly: whether the die that came is really there, and, where one went at the
// same time that it cannot have been, whether that one is only not seen.
func (m *Match) boardDoubt(now rules.State, s rules.Story, obs table.Observation) (ask Phrase, offers []offer) {
	if len(s.Line) != 1 {
		return ask, nil
	}
	a := actOf(s.Line[0])
	if a.To == nil {
		return ask, nil
	}
	asRead := m.asked(s)
	if a.From != nil && (s.Why != nil || m.allKnown && m.cameFromBeside(s, obs)) {
		if other := m.stillThere(now, s, *a.From, obs); other != nil {
			offers = []offer{m.asked(*other), asRead}
			if s.Why == nil && hardlyRead(a.Color, beside(obs)) { // the one that seems to have left them may be overlooked
				slices.Reverse(offers)
			}
			return whichOf(offers), offers
		}
	}
	if other := m.slidAway(now, s, a, obs); other != nil {
		offers = []offer{asRead, m.asked(*other)}
		return whichOf(offers), offers
	}
	least := enoughLegal
	if s.Why != nil {
		least = enoughIllegal
	}
	for _, r := range obs.Dice {
		if r.Square != nil && *r.Square == *a.To && !r.Sure && r.Confidence < least {
			return phrase("is-that", "die", r.Die, "square", *a.To), []offer{asRead, {says: phrase("nothing-changed")}}
		}
	}
	return ask, nil
}

// slidAway is another story for a placement: the die came from a square on which one is
// still read, but not surely, and which is empty then. nil where that would be against the rules, or
// a die like it has left those beside the board, or nothing else has left its place.
func (m *Match) slidAway(now rules.State, s rules.Story, a act, obs table.Observation) *rules.Story {
	left := m.onlyLeft(obs)
	if s.Back > 0 || a.From != nil || left != nil && left.Square == nil || m.hasLeft(table.Die{Color: a.Color, Face: a.Face}, obs) {
		return nil
	}
	for i, r := range obs.Dice {
		if r.Square == nil || r.Sure || far(*r.Square, *a.To) || now.Expect().Squares[*r.Square].Color != a.Color {
			continue
		}
		less := obs
		less.Dice = slices.Delete(slices.Clone(obs.Dice), i, i+1)
		other := rules.Reconcile(now, onGrid(less), rules.ReconcileOptions{})
		if other.Verdict == rules.Explained && len(other.Line) == 1 && actOf(other.Line[0]).From != nil {
			return &other.Story
		}
	}
	return nil
}

// likelyThere is the confidence from which on a die that nothing explains is asked about.
const likelyThere = 0.3

// strangeDie asks about a die on a square that should be empty, which the rules would
// rather call a misreading.
func (m *Match) strangeDie(now rules.State, obs table.Observation) (ask Phrase, offers []offer) {
	want := now.Expect().Squares
	for _, r := range obs.Dice {
		if r.Square == nil || r.Confidence < likelyThere {
			continue
		}
		if _, full := want[*r.Square]; full {
			continue
		}
		ask = phrase("does-it-lie", "die", r.Die, "square", *r.Square)
		sure := onGrid(obs)
		for i := range sure.Dice {
			if *sure.Dice[i].Square == *r.Square {
				sure.Dice[i] = certain(r, r.Die)
			}
		}
		offers = []offer{{says: phrase("nothing-there")}}
		if s := rules.Reconcile(now, sure, rules.ReconcileOptions{}); s.Verdict == rules.Explained || s.Verdict == rules.IllegalAct {
			offers = append(offers, m.asked(s.Story))
		}
		return ask, offers
	}
	return ask, nil
}

// stillThere is another story for an illegal move: the die that seems to have gone is
// only not seen, and the other was placed. nil where a die of the same color has come up
// on a neighboring square, where moves go wrong, and none has left those beside the board,
// as long as dice on it have always been seen. One that lies farther off, even with the
// same face, may as well be another die: nobody moves dice so.
func (m *Match) stillThere(now rules.State, s rules.Story, from table.Square, obs table.Observation) *rules.Story {
	a := actOf(s.Line[0])
	was := now.Expect().Squares[from]
	came := table.Die{Color: a.Color, Face: a.Face}
	near := max(abs(from.Row-a.To.Row), abs(from.Col-a.To.Col)) == 1
	left := m.seen.ok && count(beside(m.seen.obs), came) > count(beside(obs), came)
	if s.Back > 0 || was.Color == came.Color && near && !left && !m.overlooked || m.noneTaken(came.Color, obs) {
		return nil
	}
	obs.Dice = append(slices.Clone(obs.Dice), certain(table.Reading{Square: &from}, was))
	r := rules.Reconcile(now, onGrid(obs), rules.ReconcileOptions{})
	if r.Verdict != rules.Explained && r.Verdict != rules.IllegalAct {
		return nil
	}
	return &r.Story
}

// putElsewhere is the answers to an illegal move of the very die that was played last,
// which is told all the same: that it was that, or that whoever played the die has put
// it elsewhere. nil where that is not allowed either.
func (m *Match) putElsewhere(s rules.Story, obs table.Observation) []offer {
	stack := m.line.stack()
	n := len(m.line.acts)
	if s.Why == nil || len(s.Line) != 1 || s.Back > 0 || n == 0 || len(stack) < 2 {
		return nil
	}
	last := m.line.acts[n-1]
	if last.kind != actPlay || last.nature() || len(last.moves) != 1 {
		return nil
	}
	a, to := actOf(s.Line[0]), actOf(last.moves[0]).To
	if a.From == nil || to == nil || *to != *a.From {
		return nil
	}
	lies := withDie(obs, *a.To, table.Die{Color: a.Color, Face: a.Face})
	r := rules.Reconcile(stack[len(stack)-2], onGrid(lies), rules.ReconcileOptions{})
	if r.Verdict != rules.Explained || len(r.Line) != 1 || r.Line[0].Actor() != last.moves[0].Actor() {
		return nil
	}
	asTold := m.asked(s)
	asTold.amend = &amendment{first: m.seq + 1, moves: s.Line}
	return []offer{asTold, {says: m.asked(rules.Story{Back: 1, Line: r.Line}).says, amend: &amendment{first: last.seq, moves: r.Line}}}
}

// orElsewhere adds to answers of which one moves the die that was played last against the rules that
// whoever played it has put it elsewhere, where no other says so.
func (m *Match) orElsewhere(offers []offer, obs table.Observation) []offer {
	for _, o := range offers {
		elsewhere := m.putElsewhere(o.story, obs)
		if elsewhere == nil {
			continue
		}
		said := func(o offer) bool { return reflect.DeepEqual(o.says, elsewhere[1].says) }
		if slices.ContainsFunc(offers, said) {
			break
		}
		return append(slices.Clone(offers), elsewhere[1])
	}
	return offers
}

// leaveOpen asks about what has just been told without calling it doubtful: nobody needs
// to answer, and it ends with whatever is told next.
func (m *Match) leaveOpen(offers []offer) {
	if len(offers) == 0 {
		return
	}
	for _, o := range offers {
		o.amend.last = m.seq
	}
	m.putQuestion(whichOf(offers), offers, m.seq)
}

func abs(n int) int { return max(n, -n) }

// besideAgrees leaves out the stories that the dice beside the board, where all are known, speak
// against: one that takes a die off the board that has not come to them, or moves a die on it where
// one like it has left them. All of the stories, if none is left.
func (m *Match) besideAgrees(stories []rules.Story, obs table.Observation) []rules.Story {
	if !m.allKnown {
		return stories
	}
	_, came := m.sinceBeside(obs)
	rest := slices.DeleteFunc(slices.Clone(stories), func(s rules.Story) bool {
		return s.Back > 0 && m.notBack(s, came) > 0 || m.cameFromBeside(s, obs)
	})
	if len(rest) == 0 {
		return stories
	}
	return rest
}

// cameFromBeside says whether a story moves a die on the board that more likely was placed there: one
// like it has left those beside the board.
func (m *Match) cameFromBeside(s rules.Story, obs table.Observation) bool {
	if len(s.Line) != 1 || s.Back > 0 || s.Rare() {
		return false
	}
	a := actOf(s.Line[0])
	return a.From != nil && m.hasLeft(table.Die{Color: a.Color, Face: a.Face}, obs)
}

// byWhatLeft decides between placements of different dice, the most likely first, by which of them
// has left the dice beside the board; nil where that does not tell. Against what is most likely on
// the board only a die says that was surely read beside it, and for it one that leaves no doubt of its face
// with what is read now. Where it is known which has left, all that it tells is known (byRest).
func (m *Match) byWhatLeft(stories []rules.Story, obs table.Observation) *rules.Story {
	if !m.seen.ok || m.onlyLeft(obs) != nil {
		return nil
	}
	before, now := beside(m.seen.obs), beside(obs)
	var found *rules.Story
	for i, s := range stories {
		if len(s.Line) != 1 || s.Back > 0 {
			return nil
		}
		a := actOf(s.Line[0])
		if a.Action != "place" {
			return nil
		}
		d := table.Die{Color: a.Color, Face: a.Face}
		tell := slices.DeleteFunc(slices.Clone(before), func(r table.Reading) bool { return !r.Sure && (i > 0 || !plainWith(r, *a.To, obs)) })
		if count(tell, d) > count(now, d) && len(ofColor(before, d.Color)) > len(ofColor(now, d.Color)) { // and was not only rolled
			if found != nil {
				return nil
			}
			found = &stories[i]
		}
	}
	return found
}

// asItLeft is another story for an illegal placement, or for one that is not surely read: the die is
// misread, and is one of the same color that left the dice beside the board; it may lie there, or was
// surely read beside it and is not on it. nil where a die as it was read has left them, or none has.
func (m *Match) asItLeft(s rules.Story, obs table.Observation) []rules.Move {
	if len(s.Line) != 1 || s.Back > 0 || !m.seen.ok {
		return nil
	}
	a, ok := s.Line[0].(dicebox.Act)
	if !ok || a.Kind != dicebox.Place {
		return nil
	}
	unsure := slices.ContainsFunc(obs.Dice, func(r table.Reading) bool { return r.Square != nil && *r.Square == a.To && !r.Sure })
	if s.Verdict != rules.IllegalAct && !unsure {
		return nil
	}
	before, now := beside(m.seen.obs), beside(obs)
	if count(before, a.Die) > count(now, a.Die) {
		return nil
	}
	for f := 1; f <= 6; f++ {
		a.Die.Face = f
		sure := slices.ContainsFunc(before, func(r table.Reading) bool { return r.Die == a.Die && r.Sure })
		if count(before, a.Die) > count(now, a.Die) && (unsure && sure || s.Verdict == rules.IllegalAct && m.line.now().Check(a) == nil) {
			return []rules.Move{a}
		}
	}
	return nil
}

// beside is the dice that were read beside the grid.
func beside(obs table.Observation) []table.Reading {
	var list []table.Reading
	for _, r := range obs.Dice {
		if r.Square == nil {
			list = append(list, r)
		}
	}
	return list
}

// onGrid leaves out the dice beside the grid, which a match follows in its own way.
func onGrid(obs table.Observation) table.Observation {
	dice := make([]table.Reading, 0, len(obs.Dice))
	for _, r := range obs.Dice {
		if r.Square != nil {
			dice = append(dice, r)
		}
	}
	obs.Dice = dice
	return obs
}

// live records a story: what was taken back, and what was played.
func (m *Match) live(s rules.Story, by string) bool {
	return m.liveStory(s, by) && m.followUp() == nil
}

// liveStory records a story alone.
func (m *Match) liveStory(s rules.Story, by string) bool {
	for range s.Back {
		if m.takeBack(by) != nil {
			return false
		}
	}
	for _, mv := range s.Line {
		if m.playOne(by, mv) != nil {
			return false
		}
	}
	return true
}

// tell records a story that a view tells plainly, and what it has changed beside the board.
func (m *Match) tell(s rules.Story, obs table.Observation) bool {
	if !m.live(s, ByCamera) {
		return false
	}
	m.noteTaken(s.Line, obs)
	m.beside.placed(s.Line, obs, m.seen.obs)
	return true
}

// besideBoard looks at the dice beside an unchanged board.
func (m *Match) besideBoard(obs table.Observation) bool {
	if m.setting.Game == table.DiceBox {
		return m.watchHands(obs)
	}
	return true
}
