package match

import (
	"testing"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
)

// TestUnsaidEnds: where nobody declares a miss or the end of a turn, and nobody answers, every score of the recordings is told
// right, and nobody is accused. A game of ten rounds has six questions at most.
func TestUnsaidEnds(t *testing.T) {
	const mostQuestions = 6
	for _, seen := range []string{"dice-flick", "dice-flick-stickers"} {
		s := loadScript(t, "dice-flick")
		s.Declare = nil
		m := s.play(t, loadSeen(t, seen))
		asked := 0
		for _, e := range m.Events() {
			if e.Code != "" {
				t.Errorf("%s: accused: %s", seen, e.Text)
			}
			if e.Type == TypeDoubt {
				asked++
			}
		}
		if asked > mostQuestions {
			t.Errorf("%s: %d questions", seen, asked)
		}
		pad := m.line.now().(*diceflick.State).Notepad()
		for round := range pad.Rounds {
			for player, n := range pad.Rounds[round] {
				if want := s.Notepad[player][round]; n != nil && *n != want || n == nil && want != 0 {
					t.Errorf("%s: round %d of %s: %v, want %d", seen, round+1, m.name(rules.Player(player)), padOf(m.line.now().(*diceflick.State)), want)
				}
			}
		}
	}
}

// TestNobodysScore: an answer that dice were knocked out agrees with the ways in which nobody has scored them.
func TestNobodysScore(t *testing.T) {
	s := loadScript(t, "dice-flick").match(t).line.start.(*diceflick.State)
	h := belief.Hypothesis[diceflick.View]{World: diceflick.Watch(s)}
	out := taking{scored: scored{player: rules.Nobody}, took: scoring.HoleSet(onSquare("c3"))}
	for _, begun := range []bool{false, true} {
		if !agrees(h, learned{taking: out, is: out.scored}, begun) {
			t.Errorf("begun: %v: knocked out, and not believed", begun)
		}
	}
}
