package vision

import (
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/detect"
	"diceref/vision/pixels"
)

// TestDominoes reads tables on which dominoes lie among the dice: every die is surely read, and no half of a domino surely
// a die.
func TestDominoes(t *testing.T) {
	r := opened(t)
	dice := 0
	for _, p := range picturesOf(t, "dominoes", 3) {
		m := readTurned(t, r, p, "", 0)
		dice += m.Sure
		if m.Sure < m.Dice {
			t.Errorf("%s: %d of %d dice are sure", filepath.Base(p.Path), m.Sure, m.Dice)
		}
	}
	if dice < 21 {
		t.Errorf("only %d dice were there to be read", dice)
	}
}

// TestHalves paints tops: behind an edge of a domino's half its ground goes on for as long again, and ends; behind one of a
// die's it does not, or goes on beyond.
func TestHalves(t *testing.T) {
	const width, at, side = 120, 45, 26
	ivory, cloth, shade, green := [3]uint8{225, 215, 190}, [3]uint8{90, 70, 60}, [3]uint8{150, 140, 120}, [3]uint8{40, 140, 70}
	for _, c := range []struct {
		name          string
		ground        [3]uint8
		right, beyond [3]uint8 // of the next square, and the one after it
		below         [3]uint8 // of what lies along the lower edge of both
		want          bool
	}{
		{"half of a domino", cloth, ivory, cloth, cloth, true},
		{"half of a domino whose own side is as bright", cloth, ivory, cloth, ivory, true},
		{"half of a domino whose own side is in the shade", cloth, ivory, cloth, shade, true},
		{"a die", cloth, cloth, cloth, cloth, false},
		{"a die that shows a side", cloth, shade, cloth, cloth, false},
		{"a die on a cloth of its own color", ivory, ivory, ivory, ivory, false},
		{"a die of a row", cloth, ivory, ivory, cloth, false},
		{"a die beside one of another color", cloth, green, cloth, cloth, false},
	} {
		px := &pixels.Picture{Width: width, Height: width, Data: make([]uint8, 3*width*width)}
		paint := func(x0, y0, x1, y1 int, rgb [3]uint8) {
			for y := max(y0, 0); y < min(y1, width); y++ {
				for x := max(x0, 0); x < min(x1, width); x++ {
					px.Data[3*(y*width+x)], px.Data[3*(y*width+x)+1], px.Data[3*(y*width+x)+2] = rgb[2], rgb[1], rgb[0]
				}
			}
		}
		paint(0, 0, width, width, c.ground)
		paint(at, at+side, at+2*side, at+side+6, c.below)
		paint(at, at, at+side, at+side, ivory)
		paint(at+side, at, at+2*side, at+side, c.right)
		paint(at+2*side, at, at+3*side, at+side, c.beyond)
		paint(at+side-1, at+2, at+side+1, at+side-2, cloth) // a line between them
		square := [4]table.Point{{X: at, Y: at}, {X: at + side, Y: at}, {X: at + side, Y: at + side}, {X: at, Y: at + side}}
		for turn := range 4 {
			dice := make([]placed, 1)
			for k := range square {
				dice[0].Outline[k] = square[(k+turn)%4]
			}
			if markHalves(px, dice); dice[0].half != c.want {
				t.Errorf("%s, turned %d times: half is %v", c.name, turn, dice[0].half)
			}
			dice[0].square, dice[0].half = &table.Square{}, false
			if markHalves(px, dice); dice[0].half {
				t.Errorf("%s, turned %d times: half on a square", c.name, turn)
			}
		}
	}
}

// TestHalfIsNotSure: what may be half of a domino is sure only if it plainly stands, as a die that touches one of its own color may.
func TestHalfIsNotSure(t *testing.T) {
	half := placed{Top: detect.Top{Score: 0.97, Stands: 1}, unlike: 0.05, half: true}
	if half.surelyThere() {
		t.Error("half of a domino is surely a die")
	}
	half.Stands = plainlyStands
	if !half.surelyThere() {
		t.Error("a die that stands beside one of its own color is not sure")
	}
	if alone := (placed{Top: detect.Top{Score: 0.97, Stands: 1}, unlike: 0.05}); !alone.surelyThere() {
		t.Error("a die that may lie is not sure, though nothing lies beside it")
	}
}
