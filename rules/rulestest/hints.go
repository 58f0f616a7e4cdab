package rulestest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
)

// hints is what a state points out.
func hints(s rules.State) []rules.Hint {
	if h, ok := s.(rules.Hinter); ok {
		return h.Hints()
	}
	return nil
}

// checkHints holds what a state points out against the rules: whole hints, legal acts.
func (p *player) checkHints(s rules.State) {
	if _, ok := s.(rules.Hinter); !ok {
		p.fatalf("the game has no hints (rules.Hinter)")
	}
	list := hints(s)
	if len(rules.FewHints(list)) != len(list) {
		p.fatalf("%d hints are too many (rules.FewHints)", len(list))
	}
	for _, h := range list {
		if h.Key == "" || h.Text == "" {
			p.fatalf("hint without key or text: %+v", h)
		}
		if n := len(h.Acts); n > 1 && n != len(h.To) {
			p.fatalf("hint %q has %d acts for %d places", h.Text, n, len(h.To))
		}
		for _, act := range h.Acts {
			m, err := p.g.ParseMove(act)
			if err != nil {
				p.fatalf("hint %q: %v", h.Text, err)
			}
			if err := s.Check(m); err != nil {
				p.fatalf("hint %q: %s is illegal: %v", h.Text, act, err)
			}
		}
	}
}

// Hints compares what a state points out with lines "key points: text", in order; no
// points if there are none.
func Hints(t *testing.T, s rules.State, want string) {
	t.Helper()
	var got []string
	for _, h := range hints(s) {
		line := h.Key
		if h.Points != 0 {
			line += fmt.Sprintf(" %d", h.Points)
		}
		got = append(got, line+": "+h.Text)
	}
	lines := strings.FieldsFunc(want, func(r rune) bool { return r == '\n' || r == '\t' })
	if !slices.Equal(got, lines) {
		t.Errorf("hints:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}
