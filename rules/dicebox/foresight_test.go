package dicebox

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestForetell compares the network with what the program that trains it says of the
// same positions (training/train --tell).
func TestForetell(t *testing.T) {
	text, err := os.ReadFile("testdata/foresight.json")
	if err != nil {
		t.Fatal(err)
	}
	var positions []struct {
		Filled, Open uint32
		Fits         [squares]uint8
		Hands        [2][4][6]int8
		Own, Lead    int
		Win, End     float64
	}
	if err := json.Unmarshal(text, &positions); err != nil || len(positions) < 10 {
		t.Fatalf("%d positions, %v", len(positions), err)
	}
	for i, x := range positions {
		m := sim{cand: x.Fits, open: x.Open, filled: x.Filled, players: 2}
		for c := range m.worth[0] {
			switch {
			case c < x.Own:
				m.worth[0][c] = 6
			case c < 2*x.Own:
				m.worth[0][c] = -6
			}
			for p := range x.Hands {
				for f, n := range x.Hands[p][c] {
					m.hands[p].n[c][f+1] = n
					m.hands[p].size += int(n)
				}
			}
		}
		m.tally[0] = x.Lead
		got := loadForesight().foretell(&m, 0)
		if math.Abs(got.win-x.Win) > 1e-4 || math.Abs(got.lead-x.End) > 1e-2 {
			t.Errorf("position %d: %+v, want %v and %v", i, got, x.Win, x.End)
		}
	}
}

// TestFits asks that the network knows every set of values that the rules can leave on a square.
func TestFits(t *testing.T) {
	known := map[uint8]bool{anything: true}
	for list := []uint8{anything}; len(list) > 0; list = list[1:] {
		for v := 1; v <= 6; v++ {
			if set := list[0] & besideTables[0][v]; set != 0 && !known[set] {
				known[set] = true
				list = append(list, set)
			}
		}
	}
	indices := map[int8]bool{}
	for set := range known {
		indices[fitIndex[set]] = true
	}
	if len(known) != fits || len(indices) != fits || indices[0] {
		t.Errorf("%d sets, %d indices (0 among them: %t), want %d", len(known), len(indices), indices[0], fits)
	}
}
