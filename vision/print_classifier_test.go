package vision

import (
	"testing"

	"diceref/table"
)

// TestFlatBesideTheGrid: what looks flat is less likely a die where print may lie than on a square.
func TestFlatBesideTheGrid(t *testing.T) {
	s := &scene{kit: table.Any.Kit()}
	die := placed{top: top{score: 0.9, stands: -3}}
	beside := s.prior(&die)
	die.square = &table.Square{Row: 1, Col: 1}
	if on := s.prior(&die); beside >= on {
		t.Errorf("a flat top's odds are %.2f beside the grid, %.2f on a square", beside, on)
	}
	die.square, die.stands = nil, sureStands
	doubtful := s.prior(&die)
	die.stands = sureStands - 1
	if less := doubtful - s.prior(&die); less <= standWeight {
		t.Errorf("one more against it costs %.2f, want more than %.2f", less, standWeight)
	}
}

// TestPlainPrint: a high score makes nothing sure that looks flat.
func TestPlainPrint(t *testing.T) {
	outline := [4]table.Point{{X: 0, Y: 0}, {X: 40, Y: 0}, {X: 40, Y: 40}, {X: 0, Y: 40}}
	s := &scene{obs: table.Observation{Game: table.Any}}
	plainly := func(d placed) float64 {
		v := &verdict{die: table.Die{Color: table.Red, Face: 3}, fits: 1}
		v.joint[table.Red-1][3] = 1
		e := s.evidenceOf(&d, v)
		return e.probability()
	}
	flat := placed{top: top{score: 0.97, stands: -4, outline: outline}, unlike: 0.4}
	if plainly(flat) >= sureFrom || flat.standsItself() {
		t.Error("print that the find network takes for a die is sure")
	}
	die := placed{top: top{score: 0.97, stands: 4, outline: outline}, unlike: 0.1}
	if plainly(die) < sureFrom || !die.standsItself() {
		t.Error("a die that stands beside the grid is not sure")
	}
}
