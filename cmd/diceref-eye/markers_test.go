package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/eye"
)

// TestLearnedMarkers shows an eye an empty arena, again and again: it tells the stickers once,
// and not when the calibration has them.
func TestLearnedMarkers(t *testing.T) {
	empty, err := os.ReadFile(filepath.Join("..", "..", "vision", "testdata", "known", "arena-empty.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"1.jpg", "2.jpg", "3.jpg"} {
		if err := os.WriteFile(filepath.Join(dir, name), empty, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := eyePath(t)
	r := eye.NewReader(path)
	defer r.Close()
	o, err := r.Read(t.Context(), table.DiceFlick, empty)
	if err != nil || o.Grid == nil || !o.Grid.Found {
		t.Fatalf("the arena is not found: %+v, %v", o.Grid, err)
	}
	p, err := calibration.FromGrid(table.DiceFlick, o.Width, o.Height, o.Grid.Corners)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "table.json")
	if err := p.Save(file); err != nil {
		t.Fatal(err)
	}
	learned := watchMarkers(t, path, dir, file)
	if len(learned) != 1 || len(learned[0]) != 5 {
		t.Fatalf("learned %v, want five stickers, told once", learned)
	}
	p.Markers = learned[0]
	if err := p.Save(file); err != nil {
		t.Fatal(err)
	}
	if again := watchMarkers(t, path, dir, file); len(again) != 0 {
		t.Errorf("what the calibration knows is learned again: %v", again)
	}
}

// watchMarkers watches a folder of pictures to its end and collects what is learned. All pictures
// after that are told with those stickers.
func watchMarkers(t *testing.T, path, dir, file string) (learned [][]table.MarkerReading) {
	t.Helper()
	c, err := eye.Start(t.Context(), eye.Config{Path: path, Game: table.DiceFlick, Source: dir, Calibration: file})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for m := range c.Frames() {
		switch {
		case m.Status != nil && m.Status.State == eye.Failed:
			t.Fatal(m.Status.Reason)
		case m.Markers != nil:
			learned = append(learned, m.Markers)
		case m.Observation != nil && len(learned) > 0:
			if diff := cmp.Diff(learned[0], m.Observation.Markers); diff != "" {
				t.Errorf("frame %d tells other stickers than were learned:\n%s", m.Observation.Frame, diff)
			}
		}
	}
	return learned
}
