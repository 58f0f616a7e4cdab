package match

import (
	"fmt"
	"math/bits"
	"slices"

	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// flickDoubt is what is to be asked about a flick that seems clear: whether it is the
// first of its turn (alone) after a change that nobody explained, and whether the die
// has lain there all along. The first answer is the likeliest.
func (m *Match) flickDoubt(state *diceflick.State, f diceflick.Flick, c diceflick.Change, alone bool) (ask Phrase, answers []offer) {
	if !alone {
		return ask, nil
	}
	if _, may := state.FlicksLeft(); may >= 2 {
		if swallowed := m.swallowed(state.Arena(), c); swallowed != nil {
			second := f
			second.Shifts = nil
			missed := diceflick.Flick{By: f.By, Shifts: f.Shifts}
			return phrase("was-it-a-flick", "die", c.Landed[0].Die, "square", c.Landed[0].At, "hole", swallowed.To), []offer{
				{says: phrase("yes-die", "die", swallowed.Die, "square", swallowed.To), story: rules.Story{Line: []rules.Move{*swallowed, second}}},
				{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{missed, second}}},
			}
		}
	}
	if other := pushed(state.Arena(), f, c); other != nil {
		ask = phrase("which-flicked", "color", f.Die.Color)
		for _, one := range []diceflick.Flick{f, *other} {
			answers = append(answers, offer{says: phrase("die-into", "die", one.Die, "square", one.To), story: rules.Story{Line: []rules.Move{one}}})
		}
		return ask, answers
	}
	if before := m.neverLeft(c.Landed[0], justNow); before != nil {
		return phrase("flicked-or-lay", "die", c.Landed[0].Die, "square", c.Landed[0].At), []offer{
			{says: phrase("flicked"), story: rules.Story{Line: []rules.Move{f}}},
			{says: phrase("lay-there"), amend: before},
		}
	}
	return ask, nil
}

// pushed is how a flick may have been as well: the die that came in lies where another of
// its color, that lies otherwise than before, may have been pushed to. nil: it is plain.
func pushed(before scoring.Arena, f diceflick.Flick, c diceflick.Change) *diceflick.Flick {
	for _, old := range c.Moved {
		if before.Dice[old.From.Index()].Color != f.Die.Color || far(old.From, f.To) || far(old.From, old.To) {
			continue
		}
		other := diceflick.Flick{By: f.By, Die: table.Die{Color: f.Die.Color, Face: old.Face}, Rests: true, To: old.To}
		for _, s := range f.Shifts {
			if s == old {
				s.To, s.Face = f.To, f.Die.Face
			}
			other.Shifts = append(other.Shifts, s)
		}
		return &other
	}
	return nil
}

// swallowed is the flick that an earlier view may have shown, which looked as if a die
// had only moved: one like it came, and the old one left. nil: there was nothing like it.
func (m *Match) swallowed(arena scoring.Arena, c diceflick.Change) *diceflick.Flick {
	for _, moved := range m.flick.moved {
		if moved.From == moved.To || !slices.Contains(c.Moved, moved) {
			continue
		}
		d := table.Die{Color: arena.Dice[moved.From.Index()].Color, Face: moved.Face}
		shifts := []diceflick.Shift{{From: moved.From, Off: true}}
		for _, o := range asShifts(c) {
			if o != moved {
				shifts = append(shifts, o)
			}
		}
		return &diceflick.Flick{By: m.line.now().ToMove(), Die: d, Rests: true, To: moved.To, Shifts: shifts}
	}
	return nil
}

// How many acts back a die may have left that comes in again as it was: by chance another
// one does, sooner or later.
const (
	justNow = 3
	longAgo = 8 // where no die can have been flicked
)

// neverLeft is how the act must be put right by which a die seemed to leave that now
// comes in as it was: the same die in the same hole. nil: there is none.
func (m *Match) neverLeft(l diceflick.Placed, ago int) *amendment {
	acts := m.line.acts
	for i := len(acts) - 1; i > 0 && i >= len(acts)-ago; i-- {
		if acts[i].kind != actPlay || acts[i-1].kind != actPlay {
			return nil
		}
		before := acts[i-1].stack[len(acts[i-1].stack)-1].(*diceflick.State)
		if before.Arena().Dice[l.At.Index()].Color == table.NoColor || len(acts[i].moves) != 1 {
			continue
		}
		if before.Arena().Dice[l.At.Index()] != l.Die {
			return nil
		}
		kept := keeping(acts[i].moves[0], l.At)
		if kept == nil {
			return nil
		}
		line := []rules.Move{kept}
		for _, later := range acts[i+1:] {
			line = append(line, later.moves...)
		}
		return &amendment{first: acts[i].seq, last: m.seq, moves: line}
	}
	return nil
}

// keeping is the act without taking away the die at a hole; nil if it did not.
func keeping(mv rules.Move, at table.Square) rules.Move {
	switch v := mv.(type) {
	case diceflick.Score:
		if v.Removed.Has(at) {
			v.Removed &^= scoring.HoleSet(at)
			return v
		}
	case diceflick.Flick:
		off := func(s diceflick.Shift) bool { return s.From == at && s.Off }
		if slices.ContainsFunc(v.Shifts, off) {
			v.Shifts = slices.DeleteFunc(slices.Clone(v.Shifts), off)
			return v
		}
	}
	return nil
}

// clearUp puts flicks right that were told under doubt, once their dice are read surely and
// as others.
func (m *Match) clearUp(obs table.Observation) {
	for i := range obs.Dice {
		r := &obs.Dice[i]
		if r.Square == nil || !m.shaky[*r.Square] || !m.isClear(r) {
			continue
		}
		is := m.line.now().Expect().Squares[*r.Square]
		die := r.Die
		if die.Color == m.setting.Game.Kit().Blast {
			die.Face = 0
		}
		delete(m.shaky, *r.Square)
		if is.Color == table.NoColor || is == die {
			continue
		}
		moves, seq := m.otherwise(*r.Square, die)
		if seq == 0 {
			continue
		}
		sq, face := *r.Square, die.Face
		e := Event{Type: TypeCorrect, To: &sq, Color: die.Color, Face: &face}
		if m.emit(ByCamera, Act{Kind: actCorrect, Ref: seq, Moves: moves}, &e, fmt.Sprintf("On %v lies %s, as is seen now.", sq, dieWords(die))) != nil {
			return // the match has stopped
		}
	}
}

// sayFlick applies what only players know in DICE Flick; ok is false for words of other games.
func (m *Match) sayFlick(d Declaration) (ok bool, err error) {
	state, is := m.line.now().(*diceflick.State)
	if !is {
		return false, nil
	}
	switch d.Say {
	case SayMiss:
		return true, m.sayMiss(d, state)
	case SayBonus:
		if _, may := state.FlicksLeft(); may == 0 {
			return true, fmt.Errorf("match: no flicked die lies on the bonus marker")
		}
		return true, nil
	case SayNext:
		return true, m.endTurn(d, state)
	}
	return false, nil
}

// sayMiss records a flick that brought no die into the arena, with what it moved there. A
// die that lies far from the hole that lost one like it may as well have been flicked, as
// long as the turn has two flicks left: that is asked.
func (m *Match) sayMiss(d Declaration, state *diceflick.State) error {
	missed := diceflick.Flick{By: state.ToMove()}
	var before *diceflick.Flick
	if m.seen.ok {
		arena := state.Arena()
		c := diceflick.Changes(arena.Dice, m.believed(arena, m.seen.obs))
		if len(c.Landed) == 0 {
			missed.Shifts = asShifts(c)
			before = m.swallowed(arena, c)
		}
	}
	m.flick = flickTurn{}
	if _, may := state.FlicksLeft(); may >= 2 && before != nil && far(before.Shifts[0].From, before.To) {
		return m.playAsking(d.by(), phrase("moved-or-flicked", "die", before.Die, "square", before.To), []offer{
			{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{missed}}},
			{says: phrase("yes-die", "die", before.Die, "square", before.To), story: rules.Story{Line: []rules.Move{*before, diceflick.Flick{By: missed.By}}}},
		})
	}
	return m.declared(d, missed)
}

// far says whether two squares are no neighbors, diagonally either.
func far(a, b table.Square) bool { return max(abs(a.Row-b.Row), abs(a.Col-b.Col)) > 1 }

// endHidden ends a turn whose end was declared while hands lay over the arena, now that it
// shows which dice are gone. Where a die has come in as well nobody knows whose
// flick it was, or what it took. It reports whether there was such a turn.
func (m *Match) endHidden(state *diceflick.State, c diceflick.Change) bool {
	if len(m.queue) == 0 || !m.queue[0].due(m.frame, m.t) || !m.hidden(m.queue[0]) {
		return false
	}
	d := m.queue[0]
	m.queue = m.queue[1:]
	if len(c.Landed) == 0 {
		m.flick.gone, m.flick.moved = scoring.HoleSet(c.Removed...), c.Moved
	} else if _, may := state.FlicksLeft(); may > 0 || len(c.Removed) > 0 {
		m.missed(d)
	}
	if err := m.endTurn(d, state); err != nil {
		m.refused(d, err, Act{})
	}
	return true
}

// endTurn scores the dice that left since the last flick. What speaks against the
// score as it was seen is asked.
func (m *Match) endTurn(d Declaration, state *diceflick.State) error {
	by := state.ToMove()
	if must, _ := state.FlicksLeft(); must > 0 {
		// A die that was not seen is likelier than a flick that was not made.
		if err := m.remark(phrase("flicks-unseen", "player", m.name(by), "count", must)); err != nil {
			return err
		}
		for range must {
			if err := m.emit(ByRules, Act{Kind: actPlay, Moves: []string{diceflick.Flick{By: by}.String()}}, nil, ""); err != nil {
				return err
			}
		}
		state = m.line.now().(*diceflick.State)
	}
	mv := diceflick.Score{By: by, Seen: true, Removed: m.flick.gone}
	if d.Score != nil {
		mv.Told, mv.Written = true, *d.Score
	}
	turn := m.flick
	m.flick = flickTurn{}
	ask, answers := scoreDoubt(state, mv, turn)
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

// scoredUnseen puts the score of a turn right whose end a player declared while hands lay
// over the arena, once it shows which dice were taken and before anything is flicked. It
// reports whether there was such a turn.
func (m *Match) scoredUnseen(c diceflick.Change) bool {
	acts, seq := m.line.acts, m.endUnseen
	m.endUnseen = 0
	n := len(acts)
	if seq == 0 || n < 2 || acts[n-1].seq != seq || len(c.Moved) > 0 || len(c.Removed) == 0 {
		return false
	}
	stack := acts[n-2].stack
	before, is := stack[len(stack)-1].(*diceflick.State)
	mv, ok := acts[n-1].moves[0].(diceflick.Score)
	if !is || !ok {
		return false
	}
	mv.Removed |= scoring.HoleSet(c.Removed...)
	if !before.Explain(mv.Removed).Legal() {
		return false
	}
	points := before.Points(mv)
	e := Event{Type: TypeCorrect, Player: m.name(mv.By), Round: before.Round(), Score: &points}
	text := fmt.Sprintf("%s scores %d in round %d, as is seen now.", e.Player, points, e.Round)
	return m.emit(ByCamera, Act{Kind: actCorrect, Ref: seq, Moves: []string{mv.String()}}, &e, text) == nil
}

// knockedOut asks about a die that left in the view in which a flick of this turn came to
// rest: it may have lain there unseen until it was scored. Only where that would have
// been worth more.
func (m *Match) knockedOut(state *diceflick.State, mv diceflick.Score) (ask Phrase, answers []offer) {
	acts := m.line.acts
	for i := len(acts) - 1; i > 0; i-- {
		if acts[i].kind != actPlay || len(acts[i].moves) != 1 {
			return ask, nil
		}
		flick, ok := acts[i].moves[0].(diceflick.Flick)
		if !ok || flick.By != mv.By {
			return ask, nil
		}
		before := acts[i-1].stack[len(acts[i-1].stack)-1]
		for _, s := range flick.Shifts {
			if !s.Off || !flick.Rests {
				continue
			}
			line := []rules.Move{keeping(flick, s.From)}
			for _, later := range acts[i+1:] {
				line = append(line, later.moves...)
			}
			other := mv
			other.Removed |= scoring.HoleSet(s.From)
			kept, ok := played(before, line).(*diceflick.State)
			if !ok || !kept.Explain(other.Removed).Legal() || kept.Points(other) <= state.Points(mv) {
				continue
			}
			scored := scoreOffer(kept, other)
			if other.Removed != 0 {
				scored.says.Kind = "holes-scored"
			}
			scored.amend = &amendment{first: acts[i].seq, moves: append(line, other)}
			return phrase("knocked-or-scored", "was", before.Expect().Squares[s.From], "hole", s.From, "die", flick.Die, "square", flick.To),
				[]offer{{says: phrase("knocked-out"), story: rules.Story{Line: []rules.Move{mv}}}, scored}
		}
	}
	return ask, nil
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
