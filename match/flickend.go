package match

import (
	"cmp"
	"math/bits"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// endHidden ends a turn whose end was declared while hands lay over the arena, now that it
// shows which dice are gone. Where a die has come in as well nobody knows whose
// flick it was, or what it took. It reports whether there was such a turn.
func (m *Match) endHidden(state *diceflick.State, c diceflick.Change) bool {
	if len(m.queue) == 0 || !m.queue[0].due(m.frame, m.t) || !m.hidden(m.queue[0]) {
		return false
	}
	d := m.queue[0]
	m.queue = m.queue[1:]
	end := m.endTurn
	switch {
	case len(c.Landed) > 0 && m.still < *d.Frame-gap && swallowed(m.flick.moved, state, c) == nil:
		end = func(d Declaration, state *diceflick.State) error { return m.endAndOn(d, state, c) }
	case len(c.Landed) == 0:
		m.flick = flickTurn{gone: scoring.HoleSet(c.Removed...)}
		if len(c.Removed) > 0 {
			m.flick.moved = c.Moved // else it may as well be what the next player did
		}
	}
	if err := end(d, state); err != nil {
		m.refused(d, err, Act{})
	}
	return true
}

// endTurn scores the dice that left since the last flick. What speaks against the
// score as it was seen is asked.
func (m *Match) endTurn(d Declaration, state *diceflick.State) error {
	by, turn := state.ToMove(), m.flick.ended()
	m.flick = flickTurn{}
	mv := diceflick.Score{By: by, Seen: true, Removed: turn.gone}
	if d.Score != nil {
		mv.Told, mv.Written = true, *d.Score
	}
	if line := m.endAfter(mv, turn); line != nil {
		return m.said(d, line)
	}
	ask, answers := m.unseenFlick(state, mv, turn)
	must, _ := state.FlicksLeft()
	if answers != nil {
		must--
	}
	if must > 0 {
		// A die that was not seen is likelier than a flick that was not made.
		if m.missesSaid() {
			if err := m.remark(phrase("flicks-unseen", "player", m.name(by), "count", must)); err != nil {
				return err
			}
		}
		for range must {
			if err := m.emit(ByRules, Act{Kind: actPlay, Moves: []string{diceflick.Flick{By: by}.String()}}, nil, ""); err != nil {
				return err
			}
		}
		state = m.line.now().(*diceflick.State)
	}
	if answers != nil {
		return m.playAsking(d.by(), ask, answers)
	}
	if m.knownByScoring(state, mv.Removed) {
		state = m.line.now().(*diceflick.State)
	}
	ask, answers = scoreDoubt(state, mv, turn)
	if answers == nil && d.Score == nil {
		ask, answers = m.knockedOut(state, mv)
	}
	if answers != nil {
		return m.playAsking(d.by(), ask, answers)
	}
	unseen := m.seen.ok && !m.settled && !mv.Told && d.Frame == nil
	if err := m.declared(d, mv); err != nil || !unseen {
		return err
	}
	m.endUnseen = m.line.acts[len(m.line.acts)-1].seq
	return nil
}

// endAfter is what has happened until the end of a turn was declared, where another turn has most likely ended before it. nil:
// none has.
func (m *Match) endAfter(mv diceflick.Score, turn flickTurn) []rules.Move {
	if !m.seen.ok || m.nextToCome() || turn.unclear != 0 || len(turn.moved) > 0 {
		return nil
	}
	line := m.likeliestTurn(diceflick.Glimpse{Say: diceflick.SayNext, Score: &mv, Shown: mv.By})
	ends := 0
	for _, mv := range line {
		if _, is := mv.(diceflick.Score); is {
			ends++
		}
	}
	if ends < 2 {
		return nil
	}
	return line
}

// course is how a turn may have ended out of view, and the next may have begun.
type course struct {
	line   []rules.Move // with the flicks that nobody saw, as misses at its beginning
	unseen int          // of them
	odd    float64      // how unlikely it is
}

// endAndOn ends a turn that ended out of view, and goes on with the dice that have come in since
// the arena was seen last. Whose flicks they were, and whether the dice that left were scored
// or knocked out, is asked where it is not plain.
func (m *Match) endAndOn(d Declaration, state *diceflick.State, c diceflick.Change) error {
	const most = 5
	turn := m.flick
	m.flick = flickTurn{}
	list := m.courses(d, state, c)
	plain := len(list) > 0 && list[0].odd == 0 && len(c.Removed) == 0
	if _, may := state.FlicksLeft(); len(list) == 0 || plain && may == 0 && len(c.Landed) == 1 {
		m.flick = turn
		return m.endTurn(d, state) // and the dice are the next player's
	}
	first := m.seq + 1
	for _, mv := range list[0].line[:list[0].unseen] {
		if err := m.emit(ByRules, Act{Kind: actPlay, Moves: []string{mv.String()}}, nil, ""); err != nil {
			return err
		}
	}
	var answers []offer
	for i, k := range list[:min(len(list), most)] {
		o := m.asked(rules.Story{Line: k.line[k.unseen:]})
		if i > 0 {
			o.amend = &amendment{first: first, moves: k.line}
		}
		answers = append(answers, o)
	}
	if err := m.playAsking(d.by(), phrase("out-of-view"), answers); err != nil {
		return err
	}
	m.settled = true
	return nil
}

// courses lists how a turn may have ended out of view with these changes, the likeliest first.
func (m *Match) courses(d Declaration, state *diceflick.State, c diceflick.Change) (list []course) {
	by := state.ToMove()
	next := (by + 1) % rules.Player(len(m.setting.Players))
	must, may := state.FlicksLeft()
	gone := scoring.HoleSet(c.Removed...)
	for _, order := range orders(c.Landed) {
		for k := range min(may, len(order)) + 1 { // so many were flicked before the end
			for _, took := range []scoring.Holes{gone, 0} {
				h := course{unseen: max(0, must-k), odd: float64(max(0, must-k) + max(0, k-must))}
				mv := diceflick.Score{By: by, Seen: true, Removed: took}
				if d.Score != nil {
					mv.Told, mv.Written = true, *d.Score
				}
				shifts := asShifts(c)
				if took != 0 {
					shifts = without(shifts, took)
				} else {
					h.odd += float64(len(c.Removed))
				}
				for range h.unseen {
					h.line = append(h.line, diceflick.Flick{By: by})
				}
				flicks := flicksOf(by, order, shifts)
				h.line = append(h.line, flicks[:k]...)
				before, ok := played(state, h.line).(*diceflick.State)
				if !ok || took != 0 && !before.Explain(took).Legal() {
					continue
				}
				h.line = append(h.line, mv)
				for _, f := range flicks[k:] {
					flick := f.(diceflick.Flick)
					flick.By = next
					h.line = append(h.line, flick)
				}
				if played(state, h.line) != nil {
					list = append(list, h)
				}
				if gone == 0 {
					break
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b course) int { return cmp.Compare(a.odd, b.odd) })
	return list
}

// orders is the dice that came in, in every order for two of them, else each one first.
func orders(landed []diceflick.Placed) (list [][]diceflick.Placed) {
	for i, l := range landed {
		list = append(list, append([]diceflick.Placed{l}, slices.Delete(slices.Clone(landed), i, i+1)...))
	}
	return list
}

// flicksOf is the flicks of dice that came in one after the other. What became of the others
// was the doing of the one that lies in their hole now, or else of the first.
func flicksOf(by rules.Player, order []diceflick.Placed, shifts []diceflick.Shift) (line []rules.Move) {
	doer := func(s diceflick.Shift) int {
		return max(0, slices.IndexFunc(order, func(l diceflick.Placed) bool { return l.At == s.From }))
	}
	for i, l := range order {
		f := diceflick.Flick{By: by, Die: l.Die, Rests: true, To: l.At}
		for _, s := range shifts {
			if doer(s) == i {
				f.Shifts = append(f.Shifts, s)
			}
		}
		line = append(line, f)
	}
	return line
}

// unseenFlick asks at the end of a turn whether a change that looks as if a die had only moved
// was one of its flicks that was not seen as such, or one that missed and moved the die; each
// answer with what is scored then. The first is that it was, unless only the other explains
// which dice left. No answers: there was no such change, or no flick is missing.
func (m *Match) unseenFlick(state *diceflick.State, mv diceflick.Score, turn flickTurn) (ask Phrase, answers []offer) {
	if _, may := state.FlicksLeft(); may == 0 {
		return ask, nil
	}
	c := diceflick.Change{Moved: turn.moved}
	for _, s := range turn.moved {
		if s.From != s.To && mv.Removed.Has(s.To) && state.Arena().Dice[s.To.Index()].Color != table.NoColor { // it was pushed out of the hole
			c.Removed = append(c.Removed, s.To)
			mv.Removed &^= scoring.HoleSet(s.To)
		}
	}
	f := swallowed(turn.moved, state, c)
	if f == nil {
		return ask, nil
	}
	explained := func(o offer) bool {
		after, ok := played(state, o.story.Line[:1]).(*diceflick.State)
		return ok && (mv.Removed == 0 || after.Explain(mv.Removed).Legal())
	}
	answers = []offer{
		{says: phrase("yes-die", "die", f.Die, "square", f.To), story: rules.Story{Line: []rules.Move{*f, mv}}},
		{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{diceflick.Flick{By: f.By, Shifts: asShifts(c)}, mv}}},
	}
	if !explained(answers[0]) && explained(answers[1]) {
		slices.Reverse(answers)
	}
	answers = slices.DeleteFunc(answers, func(o offer) bool { return played(state, o.story.Line) == nil })
	if len(answers) > 0 && !explained(answers[0]) {
		first := answers[0].story.Line[0]
		for _, o := range scoreAnswers(played(state, []rules.Move{first}).(*diceflick.State), mv, turn.unclear) {
			o.story.Line = []rules.Move{first, o.story.Line[0]}
			answers = append(answers, o)
		}
	}
	if len(answers) == 0 {
		return ask, nil
	}
	return phrase("unseen-or-flicked", "player", m.name(f.By), "die", f.Die, "square", f.To), answers
}

// scoreDoubt is what is to be asked about a scoring as it was seen, with the likeliest
// answer first: no scoring takes just these dice, a hole is unclear, or a die was moved.
func scoreDoubt(state *diceflick.State, mv diceflick.Score, turn flickTurn) (ask Phrase, answers []offer) {
	explained := mv.Removed == 0 || state.Explain(mv.Removed).Legal()
	switch {
	case turn.unclear != 0:
		ask = phrase("still-there", "hole", turn.unclear.Squares()[0])
	case len(turn.moved) > 0:
		ask = phrase("changed-there", "hole", turn.moved[0].To)
	case !explained:
		ask = phrase("which-scored")
	default:
		return ask, nil
	}
	maybe := turn.unclear
	for _, s := range turn.moved {
		if s.From != s.To {
			maybe |= scoring.HoleSet(s.From)
		}
	}
	answers = scoreAnswers(state, mv, maybe)
	asSeen := scoreOffer(state, mv)
	if explained || maybe == 0 || len(answers) == 0 {
		return ask, append([]offer{asSeen}, answers...)
	}
	return ask, append(answers, asSeen)
}

// mostAnswers is how many other scorings are offered.
const mostAnswers = 4

// scoreAnswers are legal scorings close to the one that was seen: without some of its
// dice, which may only not have been seen, and with some of those that may be gone too.
func scoreAnswers(state *diceflick.State, mv diceflick.Score, maybe scoring.Holes) []offer {
	type near struct {
		removed scoring.Holes
		far     int
	}
	var list []near
	add := func(removed scoring.Holes) {
		far := bits.OnesCount32(uint32(removed ^ mv.Removed))
		if far == 0 || far > 2 || removed != 0 && !state.Explain(removed).Legal() {
			return
		}
		if !slices.ContainsFunc(list, func(n near) bool { return n.removed == removed }) {
			list = append(list, near{removed, far})
		}
	}
	uncertain := (mv.Removed | maybe).Squares()
	for i, a := range uncertain {
		add(mv.Removed ^ scoring.HoleSet(a))
		for _, b := range uncertain[:i] {
			add(mv.Removed ^ scoring.HoleSet(a, b))
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.far - b.far })
	var answers []offer
	for _, n := range list[:min(len(list), mostAnswers)] {
		other := mv
		other.Removed = n.removed
		answers = append(answers, scoreOffer(state, other))
	}
	return answers
}

func scoreOffer(state *diceflick.State, mv diceflick.Score) offer {
	says := phrase("no-holes", "count", state.Points(mv))
	if mv.Removed != 0 {
		says = phrase("holes", "holes", mv.Removed.Squares(), "count", state.Points(mv))
	}
	return offer{says: says, story: rules.Story{Line: []rules.Move{mv}}}
}

// askScored asks which dice were scored in a turn that nobody ended, where no scoring takes just those that left. Nobody is
// accused: as long as nobody says otherwise those that cannot have been scored were knocked out.
func (m *Match) askScored(state *diceflick.State, took scoring.Holes, next diceflick.Flick, shifts []diceflick.Shift) bool {
	mv := diceflick.Score{By: state.ToMove(), Seen: true, Removed: took}
	next.By = (next.By + 1) % rules.Player(len(m.setting.Players))
	var answers []offer
	for _, o := range append(scoreAnswers(state, mv, 0), scoreOffer(state, diceflick.Score{By: mv.By, Seen: true}), scoreOffer(state, mv)) {
		f := next
		f.Shifts = without(shifts, o.story.Line[0].(diceflick.Score).Removed)
		o.story.Line = append(o.story.Line, f)
		same := func(a offer) bool { return a.says.String() == o.says.String() }
		if played(state, o.story.Line) != nil && !slices.ContainsFunc(answers, same) {
			answers = append(answers, o)
		}
	}
	if len(answers) == 0 {
		return m.doubtful(phrase("which-scored"), nil)
	}
	m.flick = flickTurn{}
	return m.playAsking(ByCamera, phrase("which-scored"), answers) == nil
}
