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
// by the eye itself: every act in order or asked about, none invented, the final scores.
// Questions are as many as there are steps that no rule explains, and one more for fifty events.
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
	var got []string
	told, asked := map[int]bool{}, map[int]bool{} // at which pictures
	questions, count := "", 0
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var e struct {
			Frame           int
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
			told[e.Frame] = true
		case "doubt":
			count++
			asked[e.Frame] = true
			questions += e.Ask + "\n"
		case "end":
			if diff := cmp.Diff(truth.Scores, e.Scores) + cmp.Diff(truth.Winners, e.Winners); diff != "" {
				t.Errorf("the end (-want +got):\n%s", diff)
			}
		}
	}
	var want []string
	allowed, open := 0, false
	for i, s := range truth.Steps {
		if s.Doubt {
			allowed++
		}
		// What is asked about need not be told, nor that it was then put right.
		if open = len(s.Events) > 0 && (asked[i] && !told[i] || open && !told[i] && s.Events[0].Type == "takeback"); open {
			continue
		}
		for _, e := range s.Events {
			want = append(want, line(e.Type, e.Code, e.Move))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	const events = 50 // to one question about what a rule explains
	if allowed += len(want) / events; count > allowed {
		t.Errorf("%d questions too many:\n%s", count-allowed, questions)
	}
}
