package match

import (
	"cmp"
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// offer is one answer to a doubt and what it means: that a story happened, or that
// what was told already happened otherwise.
type offer struct {
	says  Phrase
	story rules.Story
	amend *amendment
	weak  bool         // only to choose from: it is not taken for what happened if nobody answers
	whose *scored      // of a question who scored
	ends  bool         // of the question whether the game is over
	right bool         // of the same: and the notepad is right
	acts  []rules.Move // of a board: what has happened then since the beginning of what is believed
	more  bool         // more has happened since than it says
	guess bool         // of acts that nobody saw one by one: the board may be taken as it is instead
}

// amendment replaces the acts of the records from the first to the last by other moves.
type amendment struct {
	first, last int64
	moves       []rules.Move
}

// act is the correction that an amendment is.
func (o *amendment) act() Act {
	return Act{Kind: actCorrect, Ref: o.first, Through: o.last, Each: true, Moves: wordsOf(o.moves)}
}

// doubtful asks about a view that cannot be explained, once it has stood still
// for long enough that it is not a passing trouble, and once only.
func (m *Match) doubtful(ask Phrase, offers []offer) bool {
	if m.stoodLong() || m.leaving && m.glanced(offers) {
		m.askNow(ask, offers)
	}
	return false
}

// stoodLong says whether a view has stood still, and was read, for so long that it is not a passing trouble.
func (m *Match) stoodLong() bool {
	const (
		rounding = 1e-6
		agreed   = 0.6 // of the patience, where another reading would tell nothing new
	)
	wait := m.patience
	if m.ballot.agree(m.line.now().Expect().Squares) {
		wait *= agreed
	}
	n := len(m.ballot.reads)
	return n > 0 && m.ballot.reads[n-1].Posed || n >= quickReads && m.t-m.ballot.reads[0].T >= wait-rounding
}

// glanced says whether the view that has ended was read too few times to be asked about while it
// stood, but surely, and something explains it: nothing else will ever say what has happened in
// it. That nothing has is only asked where it was read once.
func (m *Match) glanced(offers []offer) bool {
	reads, want := m.ballot.reads, m.line.now().Expect().Squares
	if len(offers) == 0 || offers[0].weak || len(reads) > 1 && len(offers[0].story.Line) == 0 {
		return false
	}
	return len(reads) <= quickReads && !slices.ContainsFunc(reads, func(o table.Observation) bool { return !allSure(o, want) || !sameBoard(o, reads[0]) })
}

// askNow tells a doubt, once.
func (m *Match) askNow(ask Phrase, offers []offer) {
	words := ask.String()
	if m.ask != "" && m.about == 0 && (m.ask == words || !m.stale || m.asksStill(ask, offers)) { // one question at a time; it is kept up to date
		if m.ask != words {
			m.putQuestion(ask, offers, 0)
			m.wake()
		}
		m.offers = offers
		return
	}
	m.leaveUnanswered()
	e := Event{Type: TypeDoubt, Ask: words, Question: &ask, Choices: m.choices(offers)}
	if m.emit(ByCamera, Act{}, &e, words) == nil {
		m.putQuestion(ask, offers, 0)
	}
}

// asksStill says whether a question is the one that was told last: about a table that nothing
// explains, which looks otherwise by now, or in which of the same ways something happened, whatever
// has come after it. Nobody knows more than then. By zones it is any that is asked before something else
// is told, as all of them are about what has happened since.
func (m *Match) asksStill(ask Phrase, offers []offer) bool {
	last := m.log[len(m.log)-1].Event
	if last.Type != TypeDoubt || last.Question == nil {
		return false
	}
	if m.followsZones() {
		return true
	}
	if len(offers) == 0 && len(m.offers) == 0 {
		return ask.helpless() && last.Question.helpless()
	}
	asked := firsts(m.offers)
	return ask.Kind == "which" && last.Question.Kind == ask.Kind && !slices.ContainsFunc(firsts(offers), func(act string) bool { return !slices.Contains(asked, act) })
}

// firsts is the first act of each answer: that in which it differs from the others.
func firsts(offers []offer) []string {
	list := make([]string, len(offers))
	for i, o := range offers {
		list[i] = splitActs(o.says.String())[0]
	}
	return list
}

// helpless says whether a question says what is seen, and no more: nothing explains it.
func (p Phrase) helpless() bool {
	return slices.Contains([]string{"unexplained", "not-explained", "fridge-count", "foreign-dice"}, p.Kind)
}

// putQuestion is what is asked from now on, about the event of that number if any.
func (m *Match) putQuestion(ask Phrase, offers []offer, about int64) {
	m.ask, m.question, m.offers, m.about, m.stale = ask.String(), &ask, offers, about, false
	m.turns.open = false
}

// choices is what can be answered. Where nothing else can, the board may be taken as it is.
func (m *Match) choices(offers []offer) []string {
	if slices.ContainsFunc(offers, offer.scores) {
		return append(words(offers), SomethingElse)
	}
	if m.setting.Game.Kit().Layout != table.Loose && (len(offers) == 0 || offers[0].weak || offers[0].guess) && m.stands(rules.Nobody) != nil {
		return append(words(offers), AsItStands)
	}
	return words(offers)
}

// scores says whether an answer says what is scored in DICE Flick.
func (o offer) scores() bool {
	moves := o.story.Line
	if o.amend != nil {
		moves = o.amend.moves
	}
	return o.whose != nil || !o.ends && slices.ContainsFunc(moves, func(mv rules.Move) bool { _, is := mv.(diceflick.Score); return is })
}

// rereadings are the answers to a board that nothing explains: that one of its least
// sure dice is another, so that something does.
func (m *Match) rereadings(obs table.Observation) []offer {
	const most = 4
	var unsure []table.Reading
	for _, r := range obs.Dice {
		if r.Square != nil && !r.Sure {
			unsure = append(unsure, r)
		}
	}
	slices.SortStableFunc(unsure, func(a, b table.Reading) int { return cmp.Compare(a.Confidence, b.Confidence) })
	var list []offer
	for _, r := range unsure {
		others := []table.Die{{}}
		for _, d := range likely(m.setting.Game.Kit(), r) {
			if d != r.Die {
				others = append(others, d)
			}
		}
		for _, d := range others {
			if o, ok := m.asIf(obs, r, d); ok && len(list) < most {
				list = append(list, o)
			}
		}
	}
	return list
}

// asIf is what happened if a reading is really of the die d, or of none.
func (m *Match) asIf(obs table.Observation, r table.Reading, d table.Die) (offer, bool) {
	other := onGrid(obs)
	for i := range other.Dice {
		if *other.Dice[i].Square == *r.Square {
			other.Dice[i] = certain(r, d)
		}
	}
	other.Dice = slices.DeleteFunc(other.Dice, func(r table.Reading) bool { return r.Color == table.NoColor })
	s := rules.Reconcile(m.line.now(), other, rules.ReconcileOptions{Earlier: m.earlier(m.line.stack())})
	switch s.Verdict {
	case rules.Ambiguous, rules.Unexplained:
		return offer{}, false
	}
	return offer{says: m.ifItIs(d, *r.Square, s.Story), story: s.Story, weak: true}, true
}

// remark reports a doubt that nobody needs to answer.
func (m *Match) remark(ask Phrase) error {
	words := ask.String()
	return m.emit(ByRules, Act{}, &Event{Type: TypeDoubt, Ask: words, Question: &ask}, words)
}

// forget ends a doubt.
func (m *Match) forget() {
	m.ask, m.question, m.offers, m.about, m.stale = "", nil, nil, 0, false
	m.turns.open = false
}

// answer settles the open doubt: what the choice says is taken for what happened.
func (m *Match) answer(d Declaration) error {
	if m.ask == "" {
		if d.Say == SayKeep {
			return nil // an illegal act stays unless it is taken back
		}
		if ok, err := m.answerByActs(d); ok {
			return err
		}
		return reject("no-question")
	}
	if d.Ask != "" && d.Ask != m.ask { // another was asked while this answer was on its way: it would be taken for that one's
		if ok, err := m.answerByActs(d); ok {
			return err
		}
		return reject("other-question")
	}
	for i, c := range m.offers {
		if c.says.String() != d.Choice {
			continue
		}
		if m.turns.open {
			return m.answerTurns(d, c, i == 0)
		}
		if c.ends {
			return m.answerOver(d, c)
		}
		if c.amend != nil {
			return m.putRight(d, c, i == 0)
		}
		m.forget()
		m.settled = true
		if !m.live(c.story, d.by()) {
			m.settled = false
			return m.trouble
		}
		m.agreed(c)
		if len(m.ballot.reads) > 0 {
			obs := m.ballot.count()
			m.accept(obs, true)
		}
		return nil
	}
	switch d.Choice {
	case GoOn:
		m.goOn()
		return nil
	case AsItStands:
		return m.sayStands(d)
	case SomethingElse:
		if m.turns.open {
			return m.answerElse(d)
		}
		if slices.ContainsFunc(m.offers, offer.scores) {
			return m.writeScore(d)
		}
	}
	if ok, err := m.answerByActs(d); ok {
		return err
	}
	return reject("not-a-choice")
}

// putRight applies an answer about what was told already; the first one is in force.
func (m *Match) putRight(d Declaration, c offer, inForce bool) error {
	if inForce {
		m.course.stray = true // it is known now
		m.forget()
		m.agreed(c)
		m.setPhase(m.restPhase())
		m.wake()
		return nil
	}
	e, words := &Event{Type: TypeCorrect}, "Corrected: "+c.says.String()+"."
	if m.setting.Game.Kit().Layout == table.Board {
		e, words = m.amended(c.amend)
	}
	is := *c.amend
	later := slices.ContainsFunc(m.line.acts, func(e entry) bool { return e.seq > is.last })
	if m.followsZones() && !later { // each is taken back by itself
		is.moves = is.moves[:m.room(is.first, is.moves)]
	}
	if err := m.emit(d.by(), is.act(), e, words); err != nil {
		return err
	}
	if m.liveStory(rules.Story{Line: c.amend.moves[len(is.moves):]}, d.by()) {
		m.agreed(c)
	}
	m.afterChange()
	return m.trouble
}

// amend corrects what was told, as later views show that it was otherwise.
func (m *Match) amend(o *amendment) bool {
	e, words := m.amended(o)
	if m.emit(ByCamera, o.act(), e, words) != nil {
		return false
	}
	m.forget()
	return true
}

// amended tells what was corrected: the first act as it is now.
func (m *Match) amended(o *amendment) (*Event, string) {
	e, words := &Event{Corrects: o.first}, fmt.Sprintf("Event %d did not happen.", o.first)
	if len(o.moves) > 0 {
		stack := m.line.before(o.first)
		now, moves := stack[len(stack)-1], o.moves
		for len(moves) > 1 && standsIn(moves[0]) {
			if next, err := now.Apply(moves[0]); err == nil {
				now = next
			}
			moves = moves[1:]
		}
		if e, words = m.eventAt(now, moves[0]); moves[0].Actor() == rules.Nature {
			e, words = m.nowLies(moves[0], e, words)
		}
	}
	e.Type = TypeCorrect
	return e, words
}

// nowLies tells of a die that nobody has played that it is another than was told.
func (m *Match) nowLies(mv rules.Move, e *Event, words string) (*Event, string) {
	a := actOf(mv)
	if a.To == nil {
		return e, words
	}
	why := "going by the dice next to it"
	if s := m.course.sight; s != nil && s.Sure(*a.To) {
		why = "as I can see now"
	}
	die := table.Die{Color: a.Color, Face: a.Face}
	return &Event{To: a.To, Color: die.Color, Face: &die.Face}, fmt.Sprintf("%[2]s is on %[1]v, %[3]s.", *a.To, dieWords(die), why)
}

// goOn ends a doubt without an answer: the table as it lies is not asked about again.
func (m *Match) goOn() {
	m.forget()
	if len(m.ballot.reads) > 0 {
		obs := m.ballot.count()
		m.seen.ok, m.seen.obs = true, obs
		m.settled = true
		if m.setting.Game.Kit().Layout == table.Loose {
			m.outOfForce(obs)
		} else {
			m.dismiss = boardOf(obs)
		}
	}
	m.setPhase(m.restPhase())
	m.wake()
}
