package vision

import (
	"image"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/detect"
)

// TestMayMiss: a die is looked for where a square looks different from when it was empty and no die is seen, and nowhere else.
func TestMayMiss(t *testing.T) {
	r := opened(t)
	k := Known{Profile: groundProfile(t), Ground: new(Ground)}
	seen := func(picture string, do func(*scene, []detect.Top)) {
		img := gocv.IMRead(filepath.Join("testdata", "ground", picture), gocv.IMReadColor)
		defer img.Close()
		s := newScene(r, img, table.DiceBox)
		tops, err := s.look(&k)
		if err != nil {
			t.Fatal(err)
		}
		s.ground = k.Ground
		s.kit.Dice = map[table.Color]int{table.Red: 40} // of which most are in the bag
		do(s, tops)
		if _, err := r.ReadKnown(img, table.DiceBox, k); err != nil { // which learns how the empty squares look
			t.Fatal(err)
		}
	}
	seen("before.jpg", func(s *scene, tops []detect.Top) {
		if got := s.mayMiss(tops, true); got != s.unexplained(tops) || got.Empty() {
			t.Errorf("a board that was never seen is to be looked at where no die is, not at %v", got)
		}
		if got := s.mayMiss(tops, false); got != s.whole() {
			t.Errorf("a first look is to be repeated at %v, not everywhere", got)
		}
	})
	seen("after.jpg", func(s *scene, tops []detect.Top) {
		if got := s.mayMiss(tops, true); !got.Empty() {
			t.Errorf("with every die in view seen, more are looked for at %v", got)
		}
		missed := table.Square{Row: 2, Col: 1}
		tops = slices.DeleteFunc(slices.Clone(tops), func(top detect.Top) bool { return s.squareUnder(top.At) == missed })
		got := s.mayMiss(tops, true)
		at := s.grid.Camera.Project(float64(missed.Col)+0.5, float64(missed.Row)+0.5, 0)
		if !image.Pt(int(at.X), int(at.Y)).In(got) || got.Dx() > s.width/4 || got.Dy() > s.height/4 {
			t.Errorf("the die missed on %v, at %v, is looked for at %v", missed, at, got)
		}
	})
}
