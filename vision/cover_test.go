package vision

import (
	"slices"
	"testing"

	"diceref/calibration"
	"diceref/table"
)

// TestHidden reads a table of which something rests over a part: what moves there hides the dice, what lies still hides none that is
// plainly seen, and squares that it does not touch are read as ever.
func TestHidden(t *testing.T) {
	r := opened(t)
	img := knownPicture(t, "arena-blue.jpg")
	free, err := r.Read(img, table.DiceFlick)
	if err != nil {
		t.Fatal(err)
	}
	cal, err := calibration.FromGrid(table.DiceFlick, free.Width, free.Height, free.Grid.Corners)
	if err != nil {
		t.Fatal(err)
	}
	if len(free.Dice) != 2 {
		t.Fatalf("%d dice, want 2", len(free.Dice))
	}
	under, beside := free.Dice[0], free.Dice[1]
	for _, moves := range []bool{false, true} {
		over := func(p table.Point) (covers, m bool) {
			covers = max(p.X-under.At.X, under.At.X-p.X, p.Y-under.At.Y, under.At.Y-p.Y) < 20
			return covers, covers && moves
		}
		o, err := r.ReadKnown(img, table.DiceFlick, Known{Profile: cal, AsItLies: true, Ground: &Ground{}, Over: over})
		if err != nil {
			t.Fatal(err)
		}
		told := func(d table.Reading) bool {
			return slices.ContainsFunc(o.Dice, func(q table.Reading) bool { return *q.Square == *d.Square && q.Die == d.Die })
		}
		if hidden := slices.Contains(o.Hidden, *under.Square); hidden != moves || told(under) == moves {
			t.Errorf("moving %v: the die under it is hidden %v, told %v", moves, hidden, told(under))
		}
		if slices.Contains(o.Hidden, *beside.Square) || !told(beside) {
			t.Errorf("moving %v: the die beside it is hidden, or not told", moves)
		}
		if slices.ContainsFunc(o.Warnings, func(w table.Warning) bool { return w.Code == "hand" }) {
			t.Errorf("moving %v: the whole grid is said to be covered", moves)
		}
	}
}
