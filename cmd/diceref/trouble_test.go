package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestWatchTrouble: what keeps a table from being followed is told once, whether the eye says so or the match notices it.
func TestWatchTrouble(t *testing.T) {
	path, err := exec.LookPath("fake-eye")
	if err != nil {
		t.Fatal(err)
	}
	var seen bytes.Buffer
	frame := 0
	show := func(seconds int, at float64, grid bool, dice []table.Reading, trouble *table.Warning) {
		for range 5 * seconds {
			o := table.Observation{Game: table.DessertDice, Frame: frame, T: float64(frame) / 5, Width: 800, Height: 600, Look: table.LookStill, Read: frame%5 < 3, Dice: dice, Trouble: trouble}
			o.Grid = &table.Grid{Found: grid, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: at, Y: 100}, {X: at + 300, Y: 100}, {X: at + 300, Y: 400}, {X: at, Y: 400}}}
			if frame%25 == 0 {
				o.Look, o.Read = table.LookMoving, false
			}
			if err := json.NewEncoder(&seen).Encode(o); err != nil {
				t.Fatal(err)
			}
			frame++
		}
	}
	sq := table.Square{Row: 1, Col: 1}
	die := []table.Reading{{Die: table.Die{Color: table.Red, Face: 4}, Square: &sq, At: table.Point{X: 190, Y: 190}, Confidence: 1, Sure: true}}
	show(3, 100, true, nil, nil)
	show(3, 100, true, die, nil)
	show(4, 100, true, die, &table.Warning{Code: "covered", Text: "something keeps moving"})
	show(3, 100, true, die, nil)
	show(14, 330, true, nil, nil) // elsewhere, and no die tells how it is turned
	show(3, 100, true, die, nil)
	source := filepath.Join(t.TempDir(), "seen.jsonl")
	if err := os.WriteFile(source, seen.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DICEREF_EYE", path)
	var out, complaint bytes.Buffer
	if code := run(t.Context(), strings.Fields("watch --json --game dessert-dice --players A,B --source "+source), strings.NewReader(""), &out, &complaint); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaint.String())
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		var e struct{ Type, Code, Why string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Type == "trouble" {
			if got = append(got, e.Code); e.Why == "" {
				t.Errorf("%s without a word why", e.Code)
			}
		}
	}
	if diff := cmp.Diff([]string{"covered", "turned"}, got); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
}
