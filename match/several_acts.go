package match

import (
	"maps"
	"slices"

	"diceref/rules"
	"diceref/rules/dicebox"
	"diceref/table"
)

// What is looked for where more has happened on a board than one view tells of.
const (
	mostAtOnce  = 5   // acts
	mostOrders  = 3   // in which they may have happened, to choose from
	mostLookups = 120 // of single acts
)

// atOnce is how a board may have come to look as it does by three acts or more, all of them
// legal, one answer for each that may have been the first. In what order they happened
// nobody saw: that is asked, and the board can be taken as it is too. nil: they do not explain it.
func (m *Match) atOnce(now rules.State, obs table.Observation) (offers []offer) {
	target := boardOf(obs)
	for _, r := range obs.Dice {
		if r.Square != nil && now.Expect().Squares[*r.Square] != r.Die && !r.Sure && r.Confidence < enoughIllegal {
			return nil // one of them is misread, more likely
		}
	}
	if offers = m.orders(now, rules.Story{Verdict: rules.Explained}, target); len(offers) > 0 {
		return offers
	}
	if stack := m.line.stack(); m.lastIllegal() && len(stack) > 1 {
		return m.orders(stack[len(stack)-2], rules.Story{Verdict: rules.TakenBack, Back: 1}, target)
	}
	return nil
}

// orders is the stories that go on from a position to a board, as answers.
func (m *Match) orders(from rules.State, story rules.Story, target boardMap) (offers []offer) {
	s := &sequencer{target: target, game: m.setting.Game, left: mostLookups}
	if s.missing(from.Expect().Squares) > mostAtOnce {
		return nil
	}
	for _, first := range s.next(from) {
		line := s.lead(first.after, mostAtOnce-len(first.line))
		if line == nil || len(offers) >= mostOrders {
			continue
		}
		story.Line = append(slices.Clone(first.line), line...)
		o := m.asked(story)
		o.guess = true
		offers = append(offers, o)
	}
	return offers
}

// sequencer looks for acts that lead to a board one after the other.
type sequencer struct {
	target boardMap
	game   table.Game
	left   int // lookups
}

// stride is an act on the way, with a roll before it that nobody saw if it needs one.
type stride struct {
	line  []rules.Move
	after rules.State
}

// lead is legal acts that lead from a position to the target, at most so many; nil: there are none.
func (s *sequencer) lead(from rules.State, most int) []rules.Move {
	if equalBoards(from.Expect().Squares, s.target) {
		return []rules.Move{}
	}
	if from.ToMove() < 0 || s.missing(from.Expect().Squares) > most {
		return nil
	}
	for _, n := range s.next(from) {
		if rest := s.lead(n.after, most-len(n.line)); rest != nil {
			return append(slices.Clone(n.line), rest...)
		}
	}
	return nil
}

// missing is how many squares of a board do not have the die of the target yet: each act brings
// one die.
func (s *sequencer) missing(board boardMap) (n int) {
	for sq, d := range s.target {
		if board[sq] != d {
			n++
		}
	}
	return n
}

// next lists the single acts that bring a board closer to the target.
func (s *sequencer) next(from rules.State) (list []stride) {
	for _, board := range s.closer(from.Expect().Squares) {
		if mv, after := s.act(from, board); mv != nil {
			list = append(list, stride{[]rules.Move{mv}, after})
		}
	}
	state, ok := from.(*dicebox.State)
	if !ok || len(list) > 0 {
		return list
	}
	roll := dicebox.Act{By: state.ToMove(), Kind: dicebox.Reroll}
	rolled, err := state.Apply(roll)
	if err != nil || state.Check(roll) != nil {
		return nil
	}
	for _, board := range s.closer(from.Expect().Squares) {
		if mv, after := s.act(rolled, board); mv != nil {
			list = append(list, stride{[]rules.Move{roll, mv}, after})
		}
	}
	return list
}

// act is the legal act after which a board looks so; nil: there is none.
func (s *sequencer) act(from rules.State, board boardMap) (rules.Move, rules.State) {
	if s.left--; s.left < 0 {
		return nil, nil
	}
	view := table.Observation{Game: s.game}
	for sq, d := range board {
		view.Dice = append(view.Dice, certain(table.Reading{Square: &sq}, d))
	}
	r := rules.Reconcile(from, view, rules.ReconcileOptions{})
	if r.Verdict != rules.Explained || len(r.Line) != 1 || r.Misfit > 0 {
		return nil, nil
	}
	return r.Line[0], r.After
}

// closer lists the boards with one difference less to the target: a die more, or one that has
// gone on to a neighboring square.
func (s *sequencer) closer(board boardMap) (list []boardMap) {
	for _, sq := range differing([]boardMap{board, s.target}) {
		die, comes := s.target[sq]
		if _, full := board[sq]; full || !comes {
			continue
		}
		for _, n := range rules.Neighbors(sq.Index()) {
			from := table.SquareAt(n)
			if was, there := board[from]; there && was != s.target[from] && was.Color == die.Color {
				moved := maps.Clone(board)
				delete(moved, from)
				moved[sq] = die
				list = append(list, moved)
			}
		}
		placed := maps.Clone(board)
		placed[sq] = die
		list = append(list, placed)
	}
	return list
}
