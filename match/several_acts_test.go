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
// which they may have happened. Nobody answers, and what follows is told as it is.
func TestAtOnce(t *testing.T) {
	const first, last = 11, 12
	s := loadScript(t, "dessert-dice")
	m := s.play(t, s.without(first, last))
	asked := doubts(m)
	if len(asked) != 1 || len(asked[0].Choices) < 3 || !slices.Contains(asked[0].Choices, AsItStands) {
		t.Fatalf("three acts at once: asked %+v", asked)
	}
	if n := strings.Count(asked[0].Choices[0], "places") + strings.Count(asked[0].Choices[0], "moves"); n != 3 {
		t.Errorf("%q tells %d acts", asked[0].Choices[0], n)
	}
	after := last + 2
	if diff := cmp.Diff(s.want()[after:], inForceNow(m)[after:]); diff != "" {
		t.Errorf("what follows differs (- wanted, + told):\n%s", diff)
	}
}

// TestAtOnceOfHands: in which order three dice were placed under hands is told by the hands that they came from.
func TestAtOnceOfHands(t *testing.T) {
	s := loadScript(t, "dice-box")
	m := s.play(t, s.without(2, 3))
	if asked := doubts(m); len(asked) > 0 {
		t.Errorf("asked %+v", asked)
	}
	if diff := cmp.Diff(s.want(), inForceNow(m)); diff != "" {
		t.Errorf("told otherwise (- wanted, + told):\n%s", diff)
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
