package diceflick_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/rules/diceflick"
)

type workedCase struct {
	ID       string          `json:"id"`
	Options  map[string]any  `json:"options"`
	State    json.RawMessage `json:"state"`
	Action   json.RawMessage `json:"action"`
	Query    json.RawMessage `json:"query"`
	Expected map[string]any  `json:"expected"`
}

// ask answers a case and returns the answer as a reader of the JSON sees it.
func ask(t testing.TB, c workedCase) map[string]any {
	t.Helper()
	answer, err := diceflick.Judge(c.Options, c.State, c.Action, c.Query)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestWorkedCases(t *testing.T) {
	files, _ := filepath.Glob("testdata/cases/*.json")
	if len(files) < 32 {
		t.Fatalf("only %d cases in testdata/cases", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c workedCase
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			got := ask(t, c)
			for key, want := range c.Expected {
				if diff := cmp.Diff(want, got[key]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", key, diff)
				}
			}
		})
	}
}
