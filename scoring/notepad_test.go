package scoring_test

import (
	"slices"
	"testing"

	"diceref/scoring"
)

// printedPad is the sample pad of the rules (RULES.md 5.9): 99 stands for its empty cell.
func printedPad() scoring.Notepad {
	cells := [][]int{
		{8, 7, 9, 0},
		{12, 0, 10, 0},
		{9, 13, 1, 13},
		{7, 10, 12, 99},
		{10, 6, 7, 8},
		{0, 14, 10, 12},
		{0, 0, 10, 0},
		{10, 0, 0, 12},
		{0, 12, 5, 13},
		{0, 5, 0, 0},
	}
	pad := scoring.NewNotepad([]string{"Tim", "Anna", "Sarah", "Rami"}, len(cells))
	for r, line := range cells {
		for p := range line {
			if line[p] != 99 {
				pad = pad.With(r+1, p, &line[p])
			}
		}
	}
	for _, total := range []int{56, 72, 63, 68} {
		pad.Printed = append(pad.Printed, &total)
	}
	return pad
}

func TestNotepad(t *testing.T) {
	pad := printedPad()
	if got, want := pad.Totals(), []int{56, 67, 64, 58}; !slices.Equal(got, want) {
		t.Errorf("Totals = %v, want %v", got, want)
	}
	type key struct {
		round, player int
		code          string
	}
	var got []key
	for _, r := range pad.Remarks() {
		got = append(got, key{r.Round, r.Player, r.Code})
	}
	want := []key{{3, 2, scoring.ImpossibleScore}, {4, 3, scoring.EmptyCell}, {0, 1, scoring.WrongTotal}, {0, 2, scoring.WrongTotal}, {0, 3, scoring.WrongTotal}}
	if !slices.Equal(got, want) {
		t.Errorf("Remarks = %v, want %v", got, want)
	}
	// A 10 in the empty cell and a 0 for the 1 make two of the printed totals right.
	ten, zero := 10, 0
	mended := pad.With(4, 3, &ten).With(3, 2, &zero)
	if got, want := mended.Totals(), []int{56, 67, 63, 68}; !slices.Equal(got, want) {
		t.Errorf("mended: Totals = %v, want %v", got, want)
	}
	if pad.Filled(3) != 9 || mended.Filled(3) != 10 {
		t.Errorf("Filled = %d and %d, want 9 and 10: an empty cell is not a zero", pad.Filled(3), mended.Filled(3))
	}
	mended.Printed[1] = nil // no total is not a wrong one
	if list := mended.Remarks(); len(list) != 0 {
		t.Errorf("mended: Remarks = %v, want none", list)
	}
	sheets := mended.With(1, 0, nil).Sheets()
	if sheets[0].Total != 48 || len(sheets[0].Lines) != 9 || sheets[3].Lines[3] != (scoring.Line{Name: "round 4", Points: 10}) {
		t.Errorf("Sheets = %+v", sheets)
	}
}

func TestNotepadCheck(t *testing.T) {
	pad := printedPad()
	if err := pad.Check(); err != nil {
		t.Errorf("the printed pad: %v", err)
	}
	pad.Rounds[4] = pad.Rounds[4][:2]
	if pad.Check() == nil {
		t.Error("a round of two cells for four players passes")
	}
	pad = printedPad()
	pad.Printed = pad.Printed[:1]
	if pad.Check() == nil {
		t.Error("one printed total for four players passes")
	}
}

func TestPossibleScore(t *testing.T) {
	for score, want := range map[int]bool{-2: false, -1: false, 0: true, 1: false, 2: true, 73: true} {
		if scoring.PossibleScore(score) != want {
			t.Errorf("PossibleScore(%d) = %v", score, !want)
		}
	}
}
