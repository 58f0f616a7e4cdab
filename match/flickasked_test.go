package match

import "testing"

// TestUnsaidEnds: where nobody declares a miss or the end of a turn, no score is told without a question, the dice that
// left in the first turn are its score, and nobody is accused.
func TestUnsaidEnds(t *testing.T) {
	for _, seen := range []string{"dice-flick", "dice-flick-stickers"} {
		s := loadScript(t, "dice-flick")
		s.Declare = nil
		m := s.play(t, loadSeen(t, seen))
		asked, scores := false, 0
		for _, e := range m.Events() {
			switch {
			case e.Code != "":
				t.Errorf("%s: accused: %s", seen, e.Text)
			case e.Type == TypeDoubt && len(e.Choices) > 0:
				asked = true
			case e.Type == TypeScore:
				if !asked {
					t.Errorf("%s: told in silence: %s", seen, e.Text)
				}
				if scores++; scores == 1 && (e.Player != "A" || *e.Score != 8) {
					t.Errorf("%s: the first score is %s", seen, told(e.Event))
				}
				asked = false
			}
		}
		if scores < 12 {
			t.Errorf("%s: %d scores are told", seen, scores)
		}
	}
}
