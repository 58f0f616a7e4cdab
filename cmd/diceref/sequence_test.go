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

// sequence is a played game of zones as pictures, with what really happened.
type sequence struct {
	dir     string
	Game    string
	Players []string
	Steps   []struct {
		Picture string
		Doubt   bool // no rule explains it: a question is right
		Events  []struct {
			Type, Code, Text string
			Move             json.RawMessage
		}
	}
	Scores  map[string]int
	Winners []string
}

func sequenceOf(t *testing.T, game string) *sequence {
	t.Helper()
	s := &sequence{dir: filepath.Join("..", "..", "match", "testdata", game)}
	data, err := os.ReadFile(filepath.Join(s.dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// eventLine is an event as text that can be compared.
func eventLine(t *testing.T, typ, code string, move json.RawMessage) string {
	t.Helper()
	var v any
	if len(move) > 0 {
		if err := json.Unmarshal(move, &v); err != nil {
			t.Fatal(err)
		}
	}
	if m, ok := v.(map[string]any); ok {
		if back, ok := m["return"].([]any); ok && len(back) == 0 {
			delete(m, "return") // an end that returns nothing need not say so
		}
	}
	b, err := json.Marshal(v) // keys in order
	if err != nil {
		t.Fatal(err)
	}
	return typ + " " + code + " " + string(b)
}

// truth is the events of the first steps, and how many of these steps no rule explains.
func (s *sequence) truth(t *testing.T, steps int) (events []string, odd int) {
	t.Helper()
	for _, step := range s.Steps[:steps] {
		if step.Doubt {
			odd++
		}
		for _, e := range step.Events {
			events = append(events, eventLine(t, e.Type, e.Code, e.Move))
		}
	}
	return events, odd
}

// told is what diceref watch tells.
type told struct {
	events    []string
	questions []string
	scores    map[string]int
	winners   []string
}

// watch has the eye itself watch a source with the players' words.
func (s *sequence) watch(t *testing.T, source, declare string) (all told) {
	t.Helper()
	t.Setenv("DICEREF_EYE", builtEye(t))
	var out, complaint bytes.Buffer
	if code := run(t.Context(), []string{
		"watch", "--game", s.Game, "--players", strings.Join(s.Players, ","), "--source", source, "--json",
		"--calibration", filepath.Join(s.dir, "calibration.json"), "--declare", declare,
	}, strings.NewReader(""), &out, &complaint); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaint.String())
	}
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
			all.events = append(all.events, eventLine(t, e.Type, e.Code, e.Move))
		case "doubt":
			all.questions = append(all.questions, e.Ask)
		case "end":
			all.scores, all.winners = e.Scores, e.Winners
		}
	}
	return all
}

// TestWatchCreams: the pictures of a whole game of DiceCreams! with planted mistakes, read
// by the eye itself: every act in order, none invented, the final scores. Questions are
// as many as there are steps that no rule explains, and one more for fifty events.
func TestWatchCreams(t *testing.T) {
	s := sequenceOf(t, "dicecreams")
	want, allowed := s.truth(t, len(s.Steps))
	got := s.watch(t, s.dir, filepath.Join(s.dir, "declare.jsonl"))
	if diff := cmp.Diff(s.Scores, got.scores) + cmp.Diff(s.Winners, got.winners); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, got.events); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	const events = 50 // to one question about what a rule explains
	if allowed += len(want) / events; len(got.questions) > allowed {
		t.Errorf("%d questions, %d are allowed:\n%s", len(got.questions), allowed, strings.Join(got.questions, "\n"))
	}
}
