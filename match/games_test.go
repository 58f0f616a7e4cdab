package match

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules"
	"diceref/table"
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

// TestRecorded follows three games as an eye read them from video, with dice beside
// the board that come and go, doubtful faces, and the grid found in another quarter turn.
func TestRecorded(t *testing.T) {
	for _, c := range []struct{ game, seen string }{
		{"dessert-dice", "dessert-dice"},
		{"dice-box", "dice-box"},
		{"dice-flick", "dice-flick"},
		{"dice-flick", "dice-flick-stickers"}, // a sticker is taken for a die all through the game
	} {
		t.Run(c.seen, func(t *testing.T) {
			s := loadScript(t, c.game)
			frames := loadSeen(t, c.seen)
			m := s.play(t, frames)
			got := events(m)
			want := s.want()
			k := s.numbering(frames)
			for i, e := range want {
				want[i] = renumbered(e, k)
			}
			for i, e := range got {
				got[i] = renumbered(e, 0)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("events differ (- wanted, + told):\n%s", diff)
			}
		})
	}
}

// loadSeen reads what an eye told of a game's frames.
func loadSeen(t testing.TB, name string) []table.Observation {
	f, err := os.Open(filepath.Join("testdata", name+".seen.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []table.Observation
	for dec := json.NewDecoder(z); dec.More(); {
		var o table.Observation
		if err := dec.Decode(&o); err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

// numbering is how many quarter turns the recorded numbering is away from the script's.
func (s *script) numbering(frames []table.Observation) int {
	a := anchor{set: true, corners: s.Corners}
	for _, o := range frames {
		if o.Grid != nil && o.Grid.Found {
			k, _ := a.bestTurn(o, nil)
			return (4 - k) % 4
		}
	}
	return 0
}

// renumbered turns the squares in a told event; lists of squares are sorted.
func renumbered(e string, k int) string {
	words := strings.FieldsFunc(e, func(r rune) bool { return strings.ContainsRune(" []", r) })
	var tail []string
	for i, w := range words {
		if sq, err := rules.ParseSquare(w); err == nil {
			words[i] = turnSquare(sq, k).String()
		}
		if words[0] == "score" && i > 4 {
			tail = append(tail, words[i])
		}
	}
	if words[0] == "score" {
		slices.Sort(tail)
		words = append(words[:5], tail...)
	}
	return strings.Join(words, " ")
}
