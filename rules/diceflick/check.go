package diceflick

import (
	"fmt"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

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
		var r rules.Illegal
		if m.Score != nil && !scoring.PossibleScore(*m.Score) {
			r.Add("DF-IMPOSSIBLE", "No turn can score %d.", *m.Score)
		}
		return r.Err()
	}
	var r rules.Illegal
	by := move.Actor()
	if s.over() {
		r.Add("DF-OVER", "The game ended after round %d.", Rounds)
	} else if by != rules.Player(s.seat) {
		r.Add("DF-TURN", "It is the turn of player %v, not of %v.", rules.Player(s.seat), by)
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
	return r.Err()
}

func (s *State) checkDraw(m Draw, r *rules.Illegal) {
	if s.over() || m.By != rules.Player(s.seat) {
		return // how many dice they ought to have is told on their own turn
	}
	want := min(InHand, s.held[m.By]+s.bag)
	if s.flicks > 0 {
		want = s.held[m.By] + min(1, s.bag)
	}
	switch {
	case s.flicks == 0 && s.drawn || s.flicks > 0 && s.bonusDrawn >= s.earned:
		r.Add("DF-DRAW", "Draw dice once, before the first flick, and one more for a bonus.")
	case m.InFront != want:
		r.Add("DF-DRAW", "%s in front of the player after drawing: there must be %d.", table.Count(m.InFront, "die", "dice"), want)
	}
}

func (s *State) checkFlick(m Flick, r *rules.Illegal) error {
	if !s.over() && !s.anyFlick && m.By == rules.Player(s.seat) && s.flicks >= s.allowed() {
		r.Add("DF-FLICKS", "All %d flicks of this turn are made.", s.allowed())
		r.Add("DF-BONUS", "Another flick needs a flicked die that landed on the bonus marker.")
	}
	if m.Base != "" && !s.options.Bool(ruleShiftBase) {
		r.Add("DF-BASE", "Flick from one of the four bases on their green spots.")
	}
	if m.Kept || m.Rests && !m.To.On() {
		r.Add("DF-TRENCH", "A die in the trench or outside goes back into the bag at once.")
	}
	_, _, err := s.after(m)
	return err
}

// checkScore looks at the dice first and at the number last.
func (s *State) checkScore(m Score, r *rules.Illegal) {
	if must, _ := s.FlicksLeft(); must > 0 && !s.anyFlick && m.By == rules.Player(s.seat) && !s.options.Bool(ruleBetween) {
		r.Add("DF-FLICKS", "Flicks to make before scoring: %d more.", must)
	}
	var totals []int
	switch {
	case m.Claim != nil:
		t := scoring.Claim(&s.arena, s.worth, m.Claim)
		for _, f := range t.Faults {
			r.Note(f.Code, f.Square, "%s", f.Text)
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
func (s *State) checkRemoved(m Score, r *rules.Illegal) []int {
	e := s.Explain(m.Removed)
	if !e.Legal() {
		r.Add("DF-REMOVE", "There is no way to score exactly the dice on %s.", holesText(m.Removed))
	} else if s.options.Bool(ruleMax) {
		if best := s.Best(); !e.Explains(best.Score) {
			s.compareRemoved(m.Removed, best.Removed, r)
		}
	}
	return e.Scores
}

// checkNumber judges the written number by the totals that the dice allow; nil: they are not known.
func (s *State) checkNumber(written int, totals []int, r *rules.Illegal) {
	if !scoring.PossibleScore(written) {
		r.Add("DF-IMPOSSIBLE", "No turn can score %d.", written)
	}
	if s.options.Bool(ruleMax) {
		return // the program writes the number
	}
	if totals != nil {
		if !slices.Contains(totals, written) {
			r.Add("DF-SUM", "The scored dice are worth %s, not %d.", alternatives(totals), written)
		}
	} else if best := scoring.BestScore(&s.arena, s.worth); written > best {
		r.Add("DF-SUM", "The arena is worth at most %d, not %d.", best, written)
	}
}

func (s *State) compareRemoved(removed, scored scoring.Holes, r *rules.Illegal) {
	if left := scored &^ removed; left != 0 {
		at := left.Squares()[0]
		r.At(at, "DF-REMOVE", "The scored die on %v is still in the arena: put it back into the bag.", at)
	}
	if taken := removed &^ scored; taken != 0 {
		at := taken.Squares()[0]
		r.At(at, "DF-REMOVE", "The die on %v was taken but not scored: dice that are not scored stay.", at)
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
