package vision

import (
	"diceref/table"
	"diceref/vision/detect"
)

// Boards often have the same dot, ring or star in many of their squares. Print in one square
// looks the same at the same place of another, pixel for pixel on the plane of the board; two dice of
// one color and face do not, as they are turned and put a little otherwise and seen from another side.

const (
	repeatFrom = 0.7  // share of what a top hides that another square explains, from which that counts: hardly any die reaches it
	repeatFull = 0.85 // and from which it counts fully: none of 5000 does
)

// markRepeated tells of tops on the grid how much likelier they are print, as the same is
// seen in another square, where no die plainly stands.
func (s *scene) markRepeated(tops []detect.Top) {
	if !s.grid.Sure() {
		return
	}
	cam, height := &s.grid.Camera, topHeight(s.kit.Layout, usualSide(s.kit.Layout))
	hides := make([][]int, len(tops)) // what each hides that plainly stands
	hidden := make([]int, groundFraming.Size*groundFraming.Size)
	hide := func(i, by int) {
		for _, c := range hides[i] {
			hidden[c] += by
		}
	}
	for i := range tops {
		if t := &tops[i]; t.Stands >= plainlyStands && t.Score >= sureScore {
			hides[i] = under(cam, &t.Outline, 0, height)
			hide(i, 1)
		}
	}
	for i := range tops {
		if t := &tops[i]; !t.Cut && t.Shown == 0 {
			hide(i, -1)
			share := repeated(s.fromAbove(), under(cam, &t.Outline, 0), hidden)
			t.Again = lowMost * min(max((share-repeatFrom)/(repeatFull-repeatFrom), 0), 1)
			hide(i, 1)
		}
	}
}

// repeated is how much of what is seen in cells another square explains, the best of all.
func repeated(above []float32, cells []int, hidden []int) (share float64) {
	for dr := 1 - table.Size; dr < table.Size; dr++ {
		for dc := 1 - table.Size; dc < table.Size; dc++ {
			if dr != 0 || dc != 0 {
				share = max(share, inSquare(above, cells, hidden, dr, dc))
			}
		}
	}
	return share
}

// inSquare is how much of it the square explains that lies so many rows and columns away.
func inSquare(above []float32, cells []int, hidden []int, dr, dc int) (share float64) {
	n, open := groundFraming.Size, make([]int, 0, len(cells))
	const first, last = groundAround * groundCells, (groundAround + table.Size) * groundCells
	for _, i := range cells {
		x, y := i%n+dc*groundCells, i/n+dr*groundCells
		if x >= first && y >= first && x < last && y < last && hidden[i] == 0 && hidden[y*n+x] == 0 {
			open = append(open, i)
		}
	}
	if len(open) < groundLeast || float64(len(open)) < groundShare*float64(len(cells)) {
		return 0
	}
	return sameLook(above, above, open, (dr*n+dc)*groundCells)
}
