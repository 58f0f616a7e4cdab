package rulestest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Judge answers one worked case, as every game's Judge does.
type Judge func(options map[string]any, state, action, query json.RawMessage) (any, error)

// Case is a worked case: one JSON file of testdata/cases.
type Case struct {
	ID       string          `json:"id"`
	Options  map[string]any  `json:"options"`
	State    json.RawMessage `json:"state"`
	Action   json.RawMessage `json:"action"`
	Query    json.RawMessage `json:"query"`
	Expected map[string]any  `json:"expected"`
}

// LoadCases reads every case of a folder, by name.
func LoadCases(t testing.TB, dir string) []Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s", dir)
	}
	cases := make([]Case, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &cases[i]); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return cases
}

// RunCases judges every case of a folder and compares the keys that it expects;
// of a position after the act ("after"), only those listed. The orders of winners, hands
// and fillable squares are not compared.
func RunCases(t *testing.T, dir string, judge Judge) {
	t.Helper()
	for _, c := range LoadCases(t, dir) {
		t.Run(c.ID, func(t *testing.T) {
			got, err := judge(c.Options, c.State, c.Action, c.Query)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			var answer map[string]any
			if err := json.Unmarshal(data, &answer); err != nil {
				t.Fatal(err)
			}
			compare(t, "", c.Expected, answer)
		})
	}
}

func compare(t *testing.T, path string, want, got map[string]any) {
	t.Helper()
	for key, w := range want {
		g, there := got[key]
		if !there && w != nil {
			t.Errorf("%s%s is missing, want %v", path, key, w)
			continue
		}
		if key == "after" {
			after, _ := g.(map[string]any)
			compare(t, "after.", w.(map[string]any), after)
			continue
		}
		if key == "turn" && got["over"] == true {
			continue // nobody is next
		}
		var opts []cmp.Option
		if key == "winners" || key == "hands" || key == "fillable" || key == "codes" {
			opts = append(opts, cmpopts.SortSlices(func(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) }))
		}
		if diff := cmp.Diff(w, g, opts...); diff != "" {
			t.Errorf("%s%s (-want +got):\n%s", path, key, diff)
		}
	}
}
