package table

import (
	"fmt"
	"testing"
)

// turns is every turn of a picture.
func turns(width, height int) []Turn {
	var out []Turn
	for quarters := range 4 {
		for _, mirrored := range []bool{false, true} {
			out = append(out, Turn{width, height, mirrored, quarters})
		}
	}
	return out
}

// TestTurns: two turns after each other are one, and whatever was turned comes back to where it was.
func TestTurns(t *testing.T) {
	p := Point{X: 3, Y: 5}
	for _, a := range turns(40, 30) {
		w, h := a.Size()
		at := a.Point(p)
		if at.X < 0 || at.Y < 0 || at.X > float64(w) || at.Y > float64(h) {
			t.Errorf("%+v: %v lies at %v in a picture of %d×%d", a, p, at, w, h)
		}
		if back := a.Back().Point(at); back != p {
			t.Errorf("%+v: %v comes back to %v", a, p, back)
		}
		if whole := a.Then(a.Back()); whole != Unturned(40, 30) {
			t.Errorf("%+v and back is %+v", a, whole)
		}
		for _, b := range turns(w, h) {
			both := a.Then(b)
			if got, want := both.Point(p), b.Point(at); got != want {
				t.Errorf("%+v, then %+v: %v, want %v", a, b, got, want)
			}
			gotW, gotH := both.Size()
			if wantW, wantH := b.Size(); gotW != wantW || gotH != wantH {
				t.Errorf("%+v, then %+v: %d×%d, want %d×%d", a, b, gotW, gotH, wantW, wantH)
			}
		}
		for quarters := range 4 {
			if got, want := a.Turned(quarters), a.Then(Turn{Width: w, Height: h, Quarters: quarters}); got != want {
				t.Errorf("%+v, %d quarters further: %+v, want %+v", a, quarters, got, want)
			}
		}
	}
}

// TestUpright goes by what the standard says of each orientation: where the first row and the first column of
// what is stored come to lie.
func TestUpright(t *testing.T) {
	const w, h = 40, 30
	for orientation, want := range map[int]string{
		0: "top left", 1: "top left", 2: "top right", 3: "bottom right", 4: "bottom left",
		5: "left top", 6: "right top", 7: "right bottom", 8: "left bottom", 9: "top left",
	} {
		u := Upright(w, h, orientation)
		width, height := u.Size()
		side := func(p Point) string {
			switch p := u.Point(p); {
			case p.X == 0:
				return "left"
			case p.Y == 0:
				return "top"
			case p.X == float64(width):
				return "right"
			case p.Y == float64(height):
				return "bottom"
			default:
				return fmt.Sprint(p)
			}
		}
		if got := side(Point{X: w / 2}) + " " + side(Point{Y: h / 2}); got != want {
			t.Errorf("orientation %d: row and column 0 are %s, want %s", orientation, got, want)
		}
	}
}

// TestTurnedObservation: what was seen is turned as a whole, and the observation before stays as it was.
func TestTurnedObservation(t *testing.T) {
	o := Observation{
		Width: 40, Height: 30, Dice: []Reading{{At: Point{X: 3, Y: 5}, Outline: [4]Point{{X: 1, Y: 2}}}},
		Grid: &Grid{Found: true, Corners: [4]Point{{X: 7, Y: 8}}},
	}
	got := Unturned(40, 30).Turned(1).Observation(o)
	if got.Width != 30 || got.Height != 40 || got.Dice[0].At != (Point{25, 3}) || got.Dice[0].Outline[0] != (Point{28, 1}) || got.Grid.Corners[0] != (Point{22, 7}) {
		t.Errorf("a quarter clockwise it is %+v, %+v", got, got.Grid)
	}
	if o.Dice[0].At != (Point{3, 5}) || o.Grid.Corners[0] != (Point{7, 8}) || o.Dice[0].Outline[0] != (Point{1, 2}) {
		t.Errorf("the observation before became %+v, %+v", o, o.Grid)
	}
}
