package web

import (
	"encoding/json"
	"testing"

	"diceref/table"
)

// TestRivals: what else a die may be is told with what the camera sees, the most likely first, of the game's dice alone.
func TestRivals(t *testing.T) {
	seen := seenTable()
	r := &seen.Dice[0]
	r.Die = table.Die{Color: table.Red, Face: 3}
	r.Faces = [7]float64{0, 0.05, 0, 0.6, 0, 0.35, 0}
	r.Colors[table.Red], r.Colors[table.Orange], r.Colors[table.Yellow] = 0.7, 0.2, 0.1
	s, _, feed := served(nil)
	feed.ShowObservation(seen)
	a := call(t, s.Handler(), "GET", "/api/v1/observation", "", nil)
	var got struct {
		Observation struct{ Rivals [][]rival }
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Observation.Rivals) != len(seen.Dice) {
		t.Fatalf("rivals of %d of %d dice", len(got.Observation.Rivals), len(seen.Dice))
	}
	want := []table.Die{{Color: table.Red, Face: 5}, {Color: table.Yellow, Face: 3}, {Color: table.Red, Face: 1}, {Color: table.Yellow, Face: 5}, {Color: table.Yellow, Face: 1}}
	list := got.Observation.Rivals[0]
	if len(list) != len(want) {
		t.Fatalf("rivals %+v", list)
	}
	for i, w := range want {
		if list[i].Color != w.Color || list[i].Face != w.Face {
			t.Errorf("rival %d is %+v, want %v", i, list[i], w)
		}
	}
}
