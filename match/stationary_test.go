package match

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestNeverMoved: a die is overlooked in the view in which one like it is placed beside it,
// so that it seems to have moved there.
func TestNeverMoved(t *testing.T) {
	acts := func(m *Match) (list []string) {
		for _, e := range m.line.acts {
			for _, mv := range e.moves {
				list = append(list, mv.String())
			}
		}
		return list
	}
	s := loadScript(t, "dessert-dice")
	want := acts(s.play(t, s.frames()))
	const step = 23 // red 6 is placed on c3, beside red 2 on c2
	frames := s.frames()
	for i := range frames {
		if o := &frames[i]; o.Frame >= s.Steps[step].First && o.Frame < s.Steps[step+1].First {
			o.Dice = slices.DeleteFunc(slices.Clone(o.Dice), func(r table.Reading) bool { return r.Square != nil && r.Square.String() == "c2" })
		}
	}
	m := s.play(t, frames)
	if d := cmp.Diff(want, acts(m)); d != "" {
		t.Errorf("in force (- wanted, + told):\n%s", d)
	}
}

// TestCameAnew: a die like the one that has moved on is placed where that one lay, and has left
// those beside the board in the same view: that is not a question.
func TestCameAnew(t *testing.T) {
	x := newSupplyTable(t)
	x.place(table.Purple, 2, "b1")
	x.tip("b1", "a1", 1)
	x.tip("a1", "a2", 3)
	x.place(table.Purple, 1, "a1")
	want := []string{"move A places purple 2 on b1.", "move B moves purple 1 from b1 to a1.", "move C moves purple 3 from a1 to a2.", "move A places purple 1 on a1."}
	if got := x.said(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// TestCameFromTheBoard: a die moves to where one like it lay until the last act, and shows the same face: that is not a question,
// as its own square is empty now.
func TestCameFromTheBoard(t *testing.T) {
	x := newSupplyTable(t)
	x.place(table.Purple, 2, "b1")
	x.place(table.Purple, 4, "b2")
	x.tip("b1", "a1", 1)
	x.tip("b2", "b1", 2)
	x.place(table.Red, 1, "e5")
	want := []string{
		"move A places purple 2 on b1.", "move B places purple 4 on b2.", "move C moves purple 1 from b1 to a1.",
		"move A moves purple 2 from b2 to b1.", "move B places red 1 on e5.",
	}
	if got := x.said(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
