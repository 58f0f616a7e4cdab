package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// without is the frames of a game in which some of its steps are not seen.
func (s *script) without(first, last int) (frames []table.Observation) {
	for _, o := range s.frames() {
		if o.Frame < s.Steps[first].First || o.Frame > s.Steps[last].Last {
			frames = append(frames, o)
		}
	}
	return frames
}

// doubts is the questions that a match has told.
func doubts(m *Match) (list []Event) {
	for _, e := range m.Events() {
		if e.Type == TypeDoubt {
			list = append(list, e.Event)
		}
	}
	return list
}

// TestAtOnce: three acts that were played under hands are asked about once, with the orders in
// which they may have happened. Nobody answers, and what follows is told as it is; or the
// board is taken as it stands.
func TestAtOnce(t *testing.T) {
	for game, unseen := range map[string][2]int{"dessert-dice": {11, 12}, "dice-box": {2, 3}} {
		s := loadScript(t, game)
		m := s.play(t, s.without(unseen[0], unseen[1]))
		asked := doubts(m)
		if len(asked) != 1 || len(asked[0].Choices) < 3 || !slices.Contains(asked[0].Choices, AsItStands) {
			t.Errorf("%s: three acts at once: asked %+v", game, asked)
			continue
		}
		if n := strings.Count(asked[0].Choices[0], "places") + strings.Count(asked[0].Choices[0], "moves"); n != 3 {
			t.Errorf("%s: %q tells %d acts", game, asked[0].Choices[0], n)
		}
		got, want := inForceNow(m), s.want()
		after := unseen[1] + 2
		if diff := cmp.Diff(want[after:], got[after:]); diff != "" {
			t.Errorf("%s: what follows differs (- wanted, + told):\n%s", game, diff)
		}
	}
}

// TestAskedOnce: as long as nothing explains a board, the one question is kept up to date.
func TestAskedOnce(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	m := s.play(t, s.without(2, 12)) // too much to be told
	if asked := doubts(m); len(asked) != 1 || !slices.Contains(asked[0].Choices, AsItStands) {
		t.Errorf("asked %d times: %+v", len(asked), asked)
	}
}
