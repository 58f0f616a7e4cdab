package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/table"
)

// TestKeepLesson: a corrected color outlives the eye, and a calibration that is made again
// for the same game; another game's dice are others.
func TestKeepLesson(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.json")
	corners := [4]table.Point{{X: 400, Y: 100}, {X: 850, Y: 120}, {X: 880, Y: 600}, {X: 380, Y: 590}}
	fresh := func(game table.Game) *calibration.Profile {
		p, err := calibration.FromGrid(game, 1280, 720, corners)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := fresh(table.DiceBox).Save(file); err != nil {
		t.Fatal(err)
	}
	lesson := table.Lesson{Look: table.Look3{0.4, -0.6, 0.1}, Color: table.Yellow}
	if err := keepLesson(file, lesson); err != nil {
		t.Fatal(err)
	}
	for game, want := range map[table.Game]int{table.DiceBox: 1, table.DessertDice: 0} {
		p := fresh(game)
		carryLessons(p, file)
		if len(p.Lessons) != want || want == 1 && p.Lessons[0] != lesson {
			t.Errorf("%s: lessons %v, want %d", game, p.Lessons, want)
		}
	}
	if err := keepLesson(filepath.Join(t.TempDir(), "none.json"), lesson); err == nil {
		t.Error("a lesson for a calibration that is gone is kept without an error")
	}
}

// TestKeepMarkers: an arena's stickers are learned once, and outlive a calibration that is made
// again of the same corners; where others are drawn, the numbering may be another.
func TestKeepMarkers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.json")
	fresh := func(left float64) *calibration.Profile {
		p, err := calibration.FromGrid(table.DiceFlick, 1280, 720, [4]table.Point{{X: left, Y: 100}, {X: 850, Y: 120}, {X: 880, Y: 600}, {X: 380, Y: 590}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := fresh(400).Save(file); err != nil {
		t.Fatal(err)
	}
	learned := []table.MarkerReading{{Row: 0, Col: 1, Marker: table.BlueMarker}, {Row: 2, Col: 2, Marker: table.CenterMarker}}
	for _, m := range [][]table.MarkerReading{learned, {{Row: 4, Col: 4, Marker: table.BonusMarker}}} {
		if err := keepMarkers(file, m); err != nil {
			t.Fatal(err)
		}
	}
	for left, want := range map[float64][]table.MarkerReading{400: learned, 390: nil} {
		p := fresh(left)
		carryLessons(p, file)
		if diff := cmp.Diff(want, p.Markers); diff != "" {
			t.Errorf("made anew with its left at %.0f, the calibration has other stickers:\n%s", left, diff)
		}
	}
	if err := keepMarkers("", learned); err != nil {
		t.Errorf("without a calibration: %v", err)
	}
}
