package calibration

import (
	"math/rand/v2"
	"testing"
)

// cells are those of a mark turned clockwise by so many quarters.
func cells(number, quarters int) (white [FiducialCells][FiducialCells]bool) {
	for row := range FiducialCells {
		for col := range FiducialCells {
			r, c := row, col
			for range quarters {
				r, c = FiducialCells-1-c, r
			}
			white[row][col] = FiducialWhite(number, r, c)
		}
	}
	return white
}

func TestFiducialsAreKnownHoweverTurned(t *testing.T) {
	for number := range Fiducials {
		for quarters := range 4 {
			white := cells(number, quarters)
			if n, q, ok := FiducialOf(white); !ok || n != number || q != quarters {
				t.Errorf("mark %d turned by %d: %d, %d, %v", number, quarters, n, q, ok)
			}
			for i := range FiducialCells * FiducialCells {
				wrong := white
				wrong[i/FiducialCells][i%FiducialCells] = !wrong[i/FiducialCells][i%FiducialCells]
				if n, q, ok := FiducialOf(wrong); !ok || n != number || q != quarters {
					t.Errorf("mark %d turned by %d, cell %d misread: %d, %d, %v", number, quarters, i, n, q, ok)
				}
			}
		}
	}
}

// TestFiducialsDiffer: up to five misread cells, no mark is taken for another.
func TestFiducialsDiffer(t *testing.T) {
	for a := range Fiducials {
		for b := range Fiducials {
			for quarters := range 4 {
				if a == b && quarters == 0 {
					continue
				}
				differ, x, y := 0, cells(a, 0), cells(b, quarters)
				for i := range FiducialCells * FiducialCells {
					if x[i/FiducialCells][i%FiducialCells] != y[i/FiducialCells][i%FiducialCells] {
						differ++
					}
				}
				if differ < 7 {
					t.Errorf("marks %d and %d turned by %d differ in %d cells", a, b, quarters, differ)
				}
			}
		}
	}
}

// TestNoFiducialInNoise: what has a black border but random cells is seldom a mark.
func TestNoFiducialInNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	const tries = 100_000
	for range tries {
		var white [FiducialCells][FiducialCells]bool
		for row := 1; row <= 4; row++ {
			for col := 1; col <= 4; col++ {
				white[row][col] = rng.IntN(2) == 1
			}
		}
		if _, _, ok := FiducialOf(white); ok {
			found++
		}
	}
	if found > tries/100 { // 16 codes with 17 forms each of 65536
		t.Errorf("%d of %d", found, tries)
	}
}

func TestFiducialsStandBesideTheGrid(t *testing.T) {
	for number := range Fiducials {
		for _, p := range Fiducial(number) {
			outX, outY := p.X < -0.3 || p.X > 5.3, p.Y < -0.3 || p.Y > 5.3
			if !outX || !outY {
				t.Errorf("mark %d has a corner at %v", number, p)
			}
		}
	}
}
