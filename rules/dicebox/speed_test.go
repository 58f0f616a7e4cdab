package dicebox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"diceref/rules"
)

// perftStart is a position with known hands, two players and the Seed 3.
const perftStart = "seed 3; hand A R1 R2 R4 Y2 Y4 Y6 B1 B3 B5 W2 W4 W5; hand B R2 R3 R5 Y1 Y2 Y4 B2 B4 B6 W1 W3 W6"

func played(t testing.TB, players int, acts string) *State {
	t.Helper()
	s, err := rules.Replay(Game, rules.Setup{Players: players}, splitActs(acts))
	if err != nil {
		t.Fatal(err)
	}
	return s.(*State)
}

// TestPerft counts lines of legal acts; the numbers change whenever the rules do.
// Depth 1 by hand, the others by another program: 2 or 4 beside the Seed 3, which A has as R2 R4 Y2 Y4 W2 W4, on four squares.
func TestPerft(t *testing.T) {
	s := played(t, 2, perftStart)
	for depth, want := range []int{1, 24, 612, 16140} {
		n, err := rules.Perft(s, depth)
		if err != nil {
			t.Fatal(err)
		}
		if n != want {
			t.Errorf("perft %d = %d, want %d", depth, n, want)
		}
	}
}

func BenchmarkPerft3(b *testing.B) {
	s := played(b, 2, perftStart)
	for b.Loop() {
		if _, err := rules.Perft(s, 3); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		b.Fatal("no cases")
	}
	type worked struct {
		Options              map[string]any
		State, Action, Query json.RawMessage
	}
	cases := make([]worked, len(files))
	for i, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		if err := json.Unmarshal(text, &cases[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c := cases[i%len(cases)]
		if _, err := Judge(c.Options, c.State, c.Action, c.Query); err != nil {
			b.Fatal(err)
		}
	}
}
