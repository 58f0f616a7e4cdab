package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
)

// played is a whole game in pictures, as match/internal/tableplan writes it.
type played struct {
	Game    table.Game
	Players []string
	Steps   []struct {
		Doubt  bool // no rule explains it: a question is right
		Events []struct{ Type, Player, Text, Code string }
	}
	Scores  map[string]int
	Winners []string
}

// playedIn reads what was played in a folder's pictures.
func playedIn(t *testing.T, dir string) played {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var game played
	if err := json.Unmarshal(data, &game); err != nil {
		t.Fatal(err)
	}
	return game
}

// TestWholeGameByZones reads the pictures of a whole game of Fromage á Trois, with
// planted mistakes, through the eye, and has a match follow it by the zones of the
// table: everything is told, in order, and nothing else; the scores are right.
func TestWholeGameByZones(t *testing.T) {
	dir := filepath.Join("..", "..", "match", "testdata", "fromage")
	game := playedIn(t, dir)
	m := follow(t, &game, dir)
	told, asked, last := []string{}, []string{}, match.EventView{}
	for _, e := range m.Events() {
		switch e.Type {
		case match.TypeMove:
			told = append(told, line(e.Type, e.Player, fmt.Sprint(e.Move), e.Code))
		case match.TypeTakeback:
			told = append(told, line(e.Type, e.Player))
		case match.TypeDoubt:
			asked = append(asked, fmt.Sprintf("picture %d: %s", e.Frame, e.Ask))
		case match.TypeEnd:
			last = e
		}
	}
	want := []string{}
	allowed := 0
	for _, s := range game.Steps {
		if s.Doubt {
			allowed++
		}
		for _, e := range s.Events {
			want = append(want, line(e.Type, e.Player, e.Text, e.Code))
		}
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Errorf("told otherwise (- wanted, + told):\n%s", d)
	}
	if d := cmp.Diff(game.Scores, last.Scores); d != "" {
		t.Errorf("scores (- wanted, + told):\n%s", d)
	}
	if d := cmp.Diff(game.Winners, last.Winners); d != "" {
		t.Errorf("winners (- wanted, + told):\n%s", d)
	}
	t.Logf("%d events, asked in %d of %d pictures:\n%s", len(told), len(asked), len(game.Steps), strings.Join(asked, "\n"))
	const events = 50 // to one question about what a rule explains
	if allowed += len(want) / events; len(asked) > allowed {
		t.Errorf("asked %d times in %d pictures, want %d", len(asked), len(game.Steps), allowed)
	}
}

// line is an event in a few words. Who returns no set says so with a dash or without.
func line(words ...string) string {
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return strings.TrimSuffix(text, " -")
}

// follow has a match see what the eye reads of the folder's pictures.
func follow(t *testing.T, game *played, dir string) *match.Match {
	t.Helper()
	return followPictures(t, game, dir, pictures(t, dir))
}

// followPictures does so with other pictures than those of the folder.
func followPictures(t *testing.T, game *played, dir, pics string) *match.Match {
	t.Helper()
	layout := filepath.Join(dir, "calibration.json")
	profile, err := calibration.Load(layout)
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.New(match.Config{Game: game.Game, Players: game.Players, Zones: profile.Zones})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "declare.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	says, err := match.ReadDeclarations(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range says {
		if err := m.Declare(d); err != nil {
			t.Fatal(err)
		}
	}
	c, err := eye.Start(t.Context(), eye.Config{Path: eyePath(t), Game: game.Game, Source: pics, Calibration: layout})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	seen := 0
	for msg := range c.Frames() {
		if msg.Status != nil && msg.Status.State == eye.Failed {
			t.Fatal(msg.Status.Reason)
		}
		if msg.Observation != nil {
			seen++
			m.See(*msg.Observation)
		}
	}
	if seen != len(game.Steps) {
		t.Fatalf("%d pictures were read of %d", seen, len(game.Steps))
	}
	m.Finish()
	return m
}

// pictures is a folder with the pictures alone.
func pictures(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	names, err := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(name)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
