package match

import (
	"fmt"
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
		if swallowed := swallowed(m.flick.moved, state, c); swallowed != nil {
			second := f
			second.Shifts = nil
			missed := diceflick.Flick{By: f.By, Shifts: f.Shifts}
			return phrase("was-it-a-flick", "die", c.Landed[0].Die, "square", c.Landed[0].At, "hole", swallowed.To), []offer{
				{says: phrase("yes-die", "die", swallowed.Die, "square", swallowed.To), story: rules.Story{Line: []rules.Move{*swallowed, second}}},
				{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{missed, second}}},
			}
		}
	}
	if answers := m.knockedOn(state, f, c); answers != nil {
		first := answers[0].story.Line[0].(diceflick.Flick)
		return phrase("was-it-a-flick", "die", c.Landed[0].Die, "square", c.Landed[0].At, "hole", first.To), answers
	}
	if other := pushed(state.Arena(), f, c); other != nil {
		ask = phrase("which-flicked", "color", f.Die.Color)
		both := []diceflick.Flick{f, *other}
		if state.Arena().Dice[other.To.Index()].Color != table.NoColor {
			slices.Reverse(both) // a die that turns over leaves its hole more often than not
		}
		for _, one := range both {
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

// swallowed is the flick that an earlier view may have shown, in which it looked as if dice had
// only moved, or turned over in their holes: one like that came, and the old one left. nil:
// there was nothing like it.
func swallowed(before []diceflick.Shift, state *diceflick.State, c diceflick.Change) *diceflick.Flick {
	for _, moved := range before {
		if !slices.Contains(c.Moved, moved) {
			continue
		}
		d := table.Die{Color: state.Arena().Dice[moved.From.Index()].Color, Face: moved.Face}
		shifts := []diceflick.Shift{{From: moved.From, Off: true}}
		for _, o := range asShifts(c) {
			if o != moved {
				shifts = append(shifts, o)
			}
		}
		return &diceflick.Flick{By: state.ToMove(), Die: d, Rests: true, To: moved.To, Shifts: shifts}
	}
	return nil
}

// knockedOn is the answers to whether a die that an earlier view of the turn showed was the first of
// two flicks, and this one, the second, knocked it out: then it looked as if it were another that
// had only moved there, of which nothing is left now. nil: there was none.
func (m *Match) knockedOn(state *diceflick.State, f diceflick.Flick, c diceflick.Change) []offer {
	if _, may := state.FlicksLeft(); may < 2 {
		return nil
	}
	for _, was := range slices.Concat(m.flick.moved, m.flick.early) {
		away := diceflick.Shift{From: was.From, Off: true}
		if was.From == was.To || !slices.Contains(f.Shifts, away) || state.Arena().Dice[was.To.Index()].Color != table.NoColor {
			continue
		}
		second := f
		second.Shifts = append(without(f.Shifts, scoring.HoleSet(was.From)), diceflick.Shift{From: was.To, Off: true})
		first := diceflick.Flick{By: f.By, Die: table.Die{Color: state.Arena().Dice[was.From.Index()].Color, Face: was.Face}, Rests: true, To: was.To, Shifts: []diceflick.Shift{away}}
		missed := diceflick.Flick{By: f.By, Shifts: []diceflick.Shift{was}}
		answers := []offer{
			{says: phrase("yes-die", "die", first.Die, "square", first.To), story: rules.Story{Line: []rules.Move{first, second}}},
			{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{missed, second}}},
		}
		if played(state, answers[0].story.Line) != nil && played(state, answers[1].story.Line) != nil {
			return answers
		}
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
		if score, is := kept.(diceflick.Score); kept == nil || is && score.Removed != 0 && !before.Explain(score.Removed).Legal() {
			return nil // nobody is accused
		}
		line := []rules.Move{kept}
		for _, later := range acts[i+1:] {
			line = append(line, later.moves...)
		}
		return &amendment{first: acts[i].seq, last: m.seq, moves: line}
	}
	return nil
}

// cameBackSame puts right what was told of a die that seemed to have been knocked out, and lies now where it lay, as it lay:
// it was overlooked, as that a flick brings just this die there is far less likely.
func (m *Match) cameBackSame(landed []diceflick.Placed) bool {
	for _, l := range landed {
		before := m.neverLeft(l, longAgo)
		if before == nil {
			continue
		}
		if _, flicked := before.moves[0].(diceflick.Flick); flicked && m.amend(before) {
			return true
		}
	}
	return false
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
		return true, m.sayBonus(d, state)
	case SayNext:
		return true, m.endTurn(d, state)
	}
	return false, nil
}

// sayMiss records a flick that brought no die into the arena, with what it moved there. A
// die that lies far from the hole that lost one like it, or in its place, may as well have
// been flicked, as long as the turn has two flicks left: that is asked.
func (m *Match) sayMiss(d Declaration, state *diceflick.State) error {
	missed := diceflick.Flick{By: state.ToMove()}
	var before *diceflick.Flick
	if line := m.missAfter(state); line != nil {
		m.flick = flickTurn{}
		return m.said(d, line)
	}
	if m.seen.ok {
		arena := state.Arena()
		c := diceflick.Changes(arena.Dice, m.believed(arena, m.seen.obs))
		if len(c.Landed) == 0 {
			missed.Shifts = asShifts(c)
			before = swallowed(m.flick.moved, state, c)
		}
	}
	m.flick = flickTurn{}
	if _, may := state.FlicksLeft(); may < 2 || before == nil {
		return m.declared(d, missed)
	}
	no := offer{says: phrase("no-missed"), story: rules.Story{Line: []rules.Move{missed}}}
	yes := offer{says: phrase("yes-die", "die", before.Die, "square", before.To), story: rules.Story{Line: []rules.Move{*before, diceflick.Flick{By: missed.By}}}}
	switch from := before.Shifts[0].From; {
	case from == before.To:
		return m.playAsking(d.by(), phrase("turned-or-flicked", "die", before.Die, "square", before.To), []offer{yes, no})
	case far(from, before.To):
		return m.playAsking(d.by(), phrase("moved-or-flicked", "die", before.Die, "square", before.To), []offer{no, yes})
	}
	return m.declared(d, missed)
}

// missAfter is what has happened until a miss was declared, where the turn that is told as under way is most likely over: all of
// its flicks are made, or dice have left the arena since. nil: the miss is its.
func (m *Match) missAfter(state *diceflick.State) []rules.Move {
	must, may := state.FlicksLeft()
	if !m.seen.ok || m.nextToCome() || may > 0 && (must > 0 || m.flick.gone == 0) {
		return nil
	}
	missed := diceflick.Flick{By: state.ToMove()}
	return m.likeliestTurn(diceflick.Glimpse{Flick: &missed, Took: m.flick.gone, Say: diceflick.SayMiss, Shown: state.ToMove()})
}

// far says whether two squares are no neighbors, diagonally either.
func far(a, b table.Square) bool { return max(abs(a.Row-b.Row), abs(a.Col-b.Col)) > 1 }

// latestScore is the score that the latest record in force told, the position before it and the
// number of the record; no position where that record told something else.
func (m *Match) latestScore() (before *diceflick.State, score diceflick.Score, seq int64) {
	acts := m.line.acts
	n := len(acts)
	if n < 2 || acts[n-1].kind != actPlay || len(acts[n-1].moves) != 1 {
		return nil, score, 0
	}
	score, is := acts[n-1].moves[0].(diceflick.Score)
	stack := acts[n-2].stack
	before, ok := stack[len(stack)-1].(*diceflick.State)
	if !is || !ok {
		return nil, score, 0
	}
	return before, score, acts[n-1].seq
}

// scoredUnseen puts the score of a turn right whose end a player declared while hands lay
// over the arena, once it shows which dice were taken and before anything is flicked. It
// reports whether there was such a turn.
func (m *Match) scoredUnseen(c diceflick.Change) bool {
	seq := m.endUnseen
	m.endUnseen = 0
	before, mv, scored := m.latestScore()
	if seq == 0 || before == nil || scored != seq || len(c.Moved) > 0 || len(c.Removed) == 0 {
		return false
	}
	mv.Removed |= scoring.HoleSet(c.Removed...)
	if !before.Explain(mv.Removed).Legal() {
		return false
	}
	return m.scoreWas(before, mv, seq)
}

// leftSince is the answers to whether dice that are gone as the first flick of a turn comes in were
// scored in the turn before, or knocked out by it. Where the end of that turn was not seen they
// were scored, most likely, and its score is put right before. nil: no scoring takes them.
func (m *Match) leftSince(flick diceflick.Flick, c diceflick.Change) []offer {
	before, was, seq := m.latestScore()
	if before == nil {
		return nil
	}
	unseen := m.endUnseen == seq
	gone := scoring.HoleSet(c.Removed...)
	score := was
	score.Removed |= gone
	if !before.Explain(score.Removed).Legal() || was.Told {
		return nil
	}
	out, after := flick, flick
	out.Shifts, after.Shifts = asShifts(c), without(asShifts(c), gone)
	scored := scoreOffer(before, score)
	scored.says.Kind, scored.story.Line = "holes-scored", []rules.Move{after}
	knocked := offer{says: phrase("knocked-out"), story: rules.Story{Line: []rules.Move{out}}}
	if m.endUnseen = 0; !unseen {
		scored.amend = &amendment{first: seq, moves: []rules.Move{score, after}}
		return []offer{knocked, scored}
	}
	knocked.amend = &amendment{first: seq, moves: []rules.Move{was, out}}
	if !m.scoreWas(before, score, seq) {
		return nil
	}
	return []offer{scored, knocked}
}

// scoreWas puts the score of a turn right whose end was not seen.
func (m *Match) scoreWas(before *diceflick.State, mv diceflick.Score, seq int64) bool {
	points := before.Points(mv)
	e := Event{Type: TypeCorrect, Player: m.name(mv.By), Round: before.Round(), Score: &points}
	text := fmt.Sprintf("%s scores %d in round %d, as is seen now.", e.Player, points, e.Round)
	return m.emit(ByCamera, Act{Kind: actCorrect, Ref: seq, Moves: []string{mv.String()}}, &e, text) == nil
}

// knockedOut asks about dice that left in the view in which a flick of this turn came to
// rest: they may have lain there unseen until they were scored. Only where that would have
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
		all := scoring.Holes(0)
		for _, s := range flick.Shifts {
			if s.Off && flick.Rests {
				all |= scoring.HoleSet(s.From)
			}
		}
		tries := []scoring.Holes{all}
		for _, hole := range all.Squares() {
			tries = append(tries, scoring.HoleSet(hole))
		}
		for _, out := range tries {
			var kept rules.Move = flick
			for _, hole := range out.Squares() {
				kept = keeping(kept, hole)
			}
			line := []rules.Move{kept}
			for _, later := range acts[i+1:] {
				line = append(line, later.moves...)
			}
			other := mv
			other.Removed |= out
			after, ok := played(before, line).(*diceflick.State)
			if out == 0 || !ok || !after.Explain(other.Removed).Legal() || after.Points(other) <= state.Points(mv) {
				continue
			}
			scored := scoreOffer(after, other)
			scored.says.Kind = "holes-scored"
			scored.amend = &amendment{first: acts[i].seq, moves: append(line, other)}
			hole := out.Squares()[0]
			return phrase("knocked-or-scored", "was", before.Expect().Squares[hole], "hole", hole, "die", flick.Die, "square", flick.To),
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
