package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWatchCreams: the pictures of a whole game of DiceCreams! with planted mistakes, read
// by the eye itself: every act in order, none invented, the final scores. Questions are
// as many as there are steps that no rule explains, and one more for fifty events.
func TestWatchCreams(t *testing.T) {
	path := builtEye(t)
	dir := filepath.Join("..", "..", "match", "testdata", "dicecreams")
	var truth struct {
		Players []string
		Steps   []struct {
			Doubt  bool // no rule explains it: a question is right
			Events []struct {
				Type, Code string
				Move       json.RawMessage
			}
		}
		Scores  map[string]int
		Winners []string
	}
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DICEREF_EYE", path)
	var out, complaint bytes.Buffer
	if code := run(t.Context(), []string{
		"watch", "--game", "dicecreams", "--players", strings.Join(truth.Players, ","), "--source", dir, "--json",
		"--calibration", filepath.Join(dir, "calibration.json"), "--declare", filepath.Join(dir, "declare.jsonl"),
	}, strings.NewReader(""), &out, &complaint); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaint.String())
	}
	line := func(typ, code string, move json.RawMessage) string {
		var v any
		if len(move) > 0 {
			if err := json.Unmarshal(move, &v); err != nil {
				t.Fatal(err)
			}
		}
		b, err := json.Marshal(v) // keys in order
		if err != nil {
			t.Fatal(err)
		}
		return typ + " " + code + " " + string(b)
	}
	var want, got []string
	allowed := 0
	for _, s := range truth.Steps {
		if s.Doubt {
			allowed++
		}
		for _, e := range s.Events {
			want = append(want, line(e.Type, e.Code, e.Move))
		}
	}
	questions := ""
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var e struct {
			Type, Code, Ask string
			Move            json.RawMessage
			Scores          map[string]int
			Winners         []string
		}
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		switch e.Type {
		case "move", "takeback", "pass":
			got = append(got, line(e.Type, e.Code, e.Move))
		case "doubt":
			allowed--
			questions += e.Ask + "\n"
		case "end":
			if diff := cmp.Diff(truth.Scores, e.Scores) + cmp.Diff(truth.Winners, e.Winners); diff != "" {
				t.Errorf("the end (-want +got):\n%s", diff)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	const events = 50 // to one question about what a rule explains
	if allowed += len(want) / events; allowed < 0 {
		t.Errorf("%d questions too many:\n%s", -allowed, questions)
	}
}
