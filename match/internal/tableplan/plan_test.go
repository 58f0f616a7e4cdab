package tableplan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestPlans: the games whose pictures lie in match/testdata are still played the same by
// the rules, mistakes and scores included.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		game table.Game
		seed uint64
		dir  string
	}{{table.FromageATrois, 46, "fromage"}, {table.DiceCreams, 18, "dicecreams"}} {
		p, err := Play(c.game, c.seed)
		if err != nil {
			t.Errorf("%s: %v", c.game, err)
			continue
		}
		if len(p.Left) > 0 {
			t.Errorf("%s: no chance for the mistakes %v", c.game, p.Left)
		}
		dir := filepath.Join("..", "..", "testdata", c.dir)
		said := ""
		for _, s := range p.Says {
			line, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			said += string(line) + "\n"
		}
		if diff := cmp.Diff(read(t, filepath.Join(dir, "declare.jsonl")), strings.ReplaceAll(strings.ReplaceAll(said, `":`, `": `), `,"`, `, "`)); diff != "" {
			t.Errorf("%s: what is said (-kept +played):\n%s", c.game, diff)
		}
		truth, err := json.Marshal(p.Truth)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value(t, []byte(read(t, filepath.Join(dir, "truth.json")))), value(t, truth)); diff != "" {
			t.Errorf("%s: the truth (-kept +played):\n%s", c.game, diff)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func value(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPlaysAlike: a seed gives one game, wherever its dice lie.
func TestPlaysAlike(t *testing.T) {
	for _, c := range []struct {
		game table.Game
		seed uint64
	}{{table.FromageATrois, 46}, {table.DiceCreams, 20002}} {
		first, err := Play(c.game, c.seed)
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			again, err := Play(c.game, c.seed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first.Truth, again.Truth); diff != "" {
				t.Fatalf("%s %d is played in two ways:\n%s", c.game, c.seed, diff)
			}
		}
	}
}
