package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func events(m *Match) []string {
	var list []string
	for _, e := range m.Events() {
		list = append(list, told(e.Event))
	}
	return list
}

func TestWholeGames(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		t.Run(game, func(t *testing.T) {
			s := loadScript(t, game)
			m := s.play(t, s.frames())
			if diff := cmp.Diff(s.want(), events(m)); diff != "" {
				t.Errorf("events differ (- wanted, + told):\n%s", diff)
			}
			for i, e := range m.Events()[:len(s.Steps)] {
				if e.Frame > s.Steps[i].Last {
					t.Errorf("event %d %s was told at frame %d, after frame %d", i, told(e.Event), e.Frame, s.Steps[i].Last)
				}
			}
		})
	}
}
