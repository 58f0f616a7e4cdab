package main

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/web"
)

// tapTable is a table without a camera that keeps its match in a journal.
func tapTable(t *testing.T, cfg match.Config) *host {
	t.Helper()
	data := t.TempDir()
	h := newTable(t, data, "")
	h.file = filepath.Join(data, "journal.db")
	if err := h.begin(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}, false); err != nil {
		t.Fatal(err)
	}
	return h
}

// journalOf closes a table and opens its journal again.
func journalOf(t *testing.T, h *host) *match.Journal {
	t.Helper()
	h.close()
	j, err := match.OpenJournal(h.file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// TestRematchGoesOn: a rematch after the players were given other names goes on after a
// restart, though the set-up still has their first names.
func TestRematchGoesOn(t *testing.T) {
	cfg := match.Config{Game: table.DiceFlick, Players: []string{"Player 1", "Player 2"}}
	h := tapTable(t, cfg)
	for _, d := range []match.Declaration{
		{Say: match.SayNames, Names: []string{"Ann", "Ben"}}, {Say: match.SaySeats, Names: []string{"Ben", "Ann"}}, {Say: match.SayRematch}, {Say: match.SayMiss},
	} {
		if err := h.Declare(d); err != nil {
			t.Fatalf("%s: %v", d.Say, err)
		}
	}
	want := h.current().Snapshot()
	j := journalOf(t, h)
	m, err := unfinished(j, cfg)
	if err != nil || m == nil {
		t.Fatalf("the rematch does not go on: %v", err)
	}
	if got := m.Snapshot(); got.ID != want.ID || !slices.Equal(got.Players, want.Players) || !slices.Equal(got.Seats, want.Seats) || len(got.Events) != len(want.Events) {
		t.Errorf("goes on as %+v, want %+v", got, want)
	}
	if m, err := unfinished(j, match.Config{Game: cfg.Game, Players: []string{"Cleo", "Dan"}}); m != nil || err != nil {
		t.Errorf("others go on with it: %v", err)
	}
}

// TestEndedStays: a restart just after the end of a match shows who has won, and lets the
// last act be taken back; the day after it begins a new one.
func TestEndedStays(t *testing.T) {
	cfg := match.Config{Game: table.DiceBox, Players: []string{"Ann", "Ben"}}
	h := tapTable(t, cfg)
	for turns := 0; h.current().Snapshot().Phase != match.PhaseOver; turns++ {
		d := match.Declaration{Say: match.SayRoll}
		if acts := h.current().Legal(nil, 0, 1).Acts; len(acts) > 0 {
			d = match.Declaration{Say: match.SayAct, Move: acts[0].Act}
		}
		if err := h.Declare(d); err != nil || turns > 500 {
			t.Fatalf("turn %d, %+v: %v", turns, d, err)
		}
	}
	want := h.current().Snapshot()
	j := journalOf(t, h)
	m, err := unfinished(j, cfg)
	if err != nil || m == nil {
		t.Fatalf("the match that ended is gone: %v", err)
	}
	if got := m.Snapshot(); got.ID != want.ID || got.Seq != want.Seq || !reflect.DeepEqual(got.Sheets, want.Sheets) {
		t.Errorf("shows %+v, want %+v", got, want)
	}
	if err := m.Declare(match.Declaration{Say: match.SayUndo}); err != nil || m.Snapshot().Phase == match.PhaseOver {
		t.Errorf("its last act cannot be taken back: %v", err)
	}
	yesterday := match.Setting{Created: time.Now().Add(-24 * time.Hour)}
	if !overLong(yesterday, want) {
		t.Error("goes on with what ended yesterday")
	}
}
