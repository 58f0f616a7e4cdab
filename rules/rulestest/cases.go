// Package rulestest is what every game's tests share: worked cases, and the
// conformance suite that random play and playthrough files go through.
package rulestest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// JudgeFunc is a game's Judge.
type JudgeFunc func(options map[string]any, state, action, query json.RawMessage) (any, error)

// Cases answers every worked case (*.json) of a folder and compares the keys that each expects.
func Cases(t *testing.T, dir string, judge JudgeFunc) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c struct {
				Options              map[string]any
				State, Action, Query json.RawMessage
				Expected             map[string]any
				Why                  string
			}
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			v, err := judge(c.Options, c.State, c.Action, c.Query)
			if err != nil {
				t.Fatalf("%v (%s)", err, c.Why)
			}
			got, err := plain(v)
			if err != nil {
				t.Fatal(err)
			}
			for key, want := range c.Expected {
				if !same(key, got[key], want) {
					t.Errorf("%s = %v, want %v (%s)", key, got[key], want, c.Why)
				}
			}
		})
	}
}

// Answer asks a game's Judge with JSON texts, empty ones for what is not given.
func Answer(t testing.TB, judge JudgeFunc, options, state, action, query string) (map[string]any, error) {
	t.Helper()
	var o map[string]any
	if options != "" {
		if err := json.Unmarshal([]byte(options), &o); err != nil {
			t.Fatal(err)
		}
	}
	raw := func(s string) json.RawMessage {
		if s == "" {
			return nil
		}
		return json.RawMessage(s)
	}
	v, err := judge(o, raw(state), raw(action), raw(query))
	if err != nil {
		return nil, err
	}
	return plain(v)
}

// plain is a value as a reader of its JSON sees it.
func plain(v any) (map[string]any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	err = json.Unmarshal(b, &m)
	return m, err
}

// anyOrder are the lists whose order says nothing.
var anyOrder = []string{"winners", "fillable", "hands", "codes"}

// same compares one key; of the position after an act only the keys that are listed,
// and not who is next once the game is over.
func same(key string, got, want any) bool {
	if after, ok := want.(map[string]any); ok && key == "after" {
		g, _ := got.(map[string]any)
		for k, w := range after {
			if !same(k, g[k], w) && !(k == "turn" && g["over"] == true) {
				return false
			}
		}
		return true
	}
	g, ok1 := got.([]any)
	w, ok2 := want.([]any)
	if ok1 && ok2 && slices.Contains(anyOrder, key) {
		sorted := func(l []any) []string {
			s := make([]string, len(l))
			for i := range l {
				s[i] = fmt.Sprint(l[i])
			}
			slices.Sort(s)
			return s
		}
		return slices.Equal(sorted(g), sorted(w))
	}
	return reflect.DeepEqual(got, want)
}
