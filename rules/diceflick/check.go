package diceflick

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// reasons collects why a move is illegal, each code once.
type reasons rules.Illegal

func (r *reasons) add(code string, at *table.Square, format string, args ...any) {
	for i := range *r {
		if (*r)[i].Code == code {
			return
		}
	}
	*r = append(*r, rules.Reason{Code: code, Square: at, Text: fmt.Sprintf(format, args...)})
}

func (r reasons) err() error {
	if len(r) == 0 {
		return nil
	}
	return rules.Illegal(r)
}

// Check implements rules.State (RULES.md 5.7). A move that makes no sense at all,
// such as one that takes a die from an empty hole, gives an ordinary error.
func (s *State) Check(move rules.Move) error {
	switch m := move.(type) {
	case Markers:
		return m.Markers.Check()
	case Arrange:
		a := scoring.Arena{Dice: m.Dice}
		return a.Check()
	case Amend:
		var r reasons
		if m.Score != nil && !scoring.PossibleScore(*m.Score) {
			r.add("DF-IMPOSSIBLE", nil, "No turn can score %d.", *m.Score)
		}
		return r.err()
	}
	var r reasons
	by := move.Actor()
	if s.over() {
		r.add("DF-OVER", nil, "The game ended after round %d.", Rounds)
	} else if by != rules.Player(s.seat) {
		r.add("DF-TURN", nil, "It is the turn of player %v, not of %v.", rules.Player(s.seat), by)
	}
	switch m := move.(type) {
	case Draw:
		s.checkDraw(m, &r)
	case Flick:
		if err := s.checkFlick(m, &r); err != nil && len(r) == 0 {
			return err
		}
	case Score:
		s.checkScore(m, &r)
	default:
		return fmt.Errorf("%T is no move of DICE Flick", move)
	}
	return r.err()
}

func (s *State) checkDraw(m Draw, r *reasons) {
	if s.over() || m.By != rules.Player(s.seat) {
		return // how many dice they ought to have is told on their own turn
	}
	want := min(InHand, s.held[m.By]+s.bag)
	switch {
	case s.drawn || s.flicks > 0:
		r.add("DF-DRAW", nil, "Dice are drawn once, before the first flick.")
	case m.InFront != want:
		r.add("DF-DRAW", nil, "%d dice lie in front of the player after drawing: there must be %d.", m.InFront, want)
	}
}

func (s *State) checkFlick(m Flick, r *reasons) error {
	if !s.over() && !s.anyFlick && m.By == rules.Player(s.seat) && s.flicks >= s.allowed() {
		r.add("DF-FLICKS", nil, "All %d flicks of this turn have been made.", s.allowed())
		r.add("DF-BONUS", nil, "A further flick needs a flicked die that landed on the bonus marker.")
	}
	if m.Base != "" && !s.options.Bool(ruleShiftBase) {
		r.add("DF-BASE", nil, "Dice are flicked from one of the four bases on their green spots.")
	}
	if m.Kept || m.Rests && !m.To.On() {
		r.add("DF-TRENCH", nil, "A die in the trench or outside goes back into the bag at once.")
	}
	_, _, err := s.after(m)
	return err
}

// checkScore looks at the dice first and at the number last.
func (s *State) checkScore(m Score, r *reasons) {
	if must, _ := s.FlicksLeft(); must > 0 && !s.anyFlick && m.By == rules.Player(s.seat) && !s.options.Bool(ruleBetween) {
		r.add("DF-FLICKS", nil, "%d more of the flicks of this turn must be made before scoring.", must)
	}
	var totals []int
	switch {
	case m.Claim != nil:
		t := scoring.Claim(&s.arena, s.worth, m.Claim)
		for _, f := range t.Faults {
			r.add(f.Code, f.Square, "%s", f.Text)
		}
		if t.Bad >= 0 {
			return // the first illegal scoring decides
		}
		if m.Seen {
			s.compareRemoved(m.Removed, t.Removed, r)
		}
		totals = []int{t.Score}
	case m.Seen:
		totals = s.checkRemoved(m, r)
	}
	if m.Told {
		s.checkNumber(m.Written, totals, r)
	}
}

// checkRemoved judges a scoring by what left the arena alone, and returns the totals that explain it.
func (s *State) checkRemoved(m Score, r *reasons) []int {
	e := s.Explain(m.Removed)
	if !e.Legal() {
		r.add("DF-REMOVE", nil, "No scoring takes exactly the dice on %s.", holesText(m.Removed))
	} else if s.options.Bool(ruleMax) {
		if best := s.Best(); !e.Explains(best.Score) {
			s.compareRemoved(m.Removed, best.Removed, r)
		}
	}
	return e.Scores
}

// checkNumber judges the written number by the totals that the dice allow; nil: they are not known.
func (s *State) checkNumber(written int, totals []int, r *reasons) {
	if !scoring.PossibleScore(written) {
		r.add("DF-IMPOSSIBLE", nil, "No turn can score %d.", written)
	}
	if s.options.Bool(ruleMax) {
		return // the program writes the number
	}
	if totals != nil {
		if !slices.Contains(totals, written) {
			r.add("DF-SUM", nil, "The scored dice are worth %s, not %d.", alternatives(totals), written)
		}
	} else if best := scoring.BestScore(&s.arena, s.worth); written > best {
		r.add("DF-SUM", nil, "The arena is worth at most %d, not %d.", best, written)
	}
}

func (s *State) compareRemoved(removed, scored scoring.Holes, r *reasons) {
	if left := scored &^ removed; left != 0 {
		at := left.Squares()[0]
		r.add("DF-REMOVE", &at, "The scored die on %v is still in the arena: it goes back into the bag at once.", at)
	}
	if taken := removed &^ scored; taken != 0 {
		at := taken.Squares()[0]
		r.add("DF-REMOVE", &at, "The die on %v was taken but not scored: dice that are not scored remain.", at)
	}
}

func alternatives(scores []int) string {
	text := ""
	for i, n := range scores {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprint(n)
	}
	return text
}
