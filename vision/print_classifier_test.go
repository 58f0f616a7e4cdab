package vision

import (
	"testing"

	"diceref/table"
	"diceref/vision/detect"
)

// TestFlatBesideTheGrid: what looks flat is less likely a die where print may lie than on a square.
func TestFlatBesideTheGrid(t *testing.T) {
	s := &scene{kit: table.Any.Kit()}
	die := placed{Top: detect.Top{Score: 0.9, Stands: -3}}
	beside := s.prior(&die)
	die.square = &table.Square{Row: 1, Col: 1}
	if on := s.prior(&die); beside >= on {
		t.Errorf("a flat top's odds are %.2f beside the grid, %.2f on a square", beside, on)
	}
	die.square, die.Stands = nil, sureStands
	doubtful := s.prior(&die)
	die.Stands = sureStands - 1
	if less := doubtful - s.prior(&die); less <= standWeight {
		t.Errorf("one more against it costs %.2f, want more than %.2f", less, standWeight)
	}
}

// TestPlainPrint: a high score makes nothing sure that looks flat.
func TestPlainPrint(t *testing.T) {
	flat := placed{Top: detect.Top{Score: 0.97, Stands: -4}, unlike: 0.4}
	if flat.surelyThere() || flat.standsItself() {
		t.Error("print that the find network takes for a die is sure")
	}
	die := placed{Top: detect.Top{Score: 0.97, Stands: 4}, unlike: 0.1}
	if !die.surelyThere() || !die.standsItself() {
		t.Error("a die that stands beside the grid is not sure")
	}
}
