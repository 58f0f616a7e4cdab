package match

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// What may have happened where a die that was just played lies elsewhere, as it lay before, when the next act is seen.
const movedOrPut = "doubt What happened: B moves purple 3 from d1 to e2 (DD-MOVE-DIAG), then C places red 2 on a1, or the last move was taken back, then A places purple 3 on e2, then B places red 2 on a1"

// TestLegalAfterAll: a die that was just played and then lies elsewhere, as it lay before, has been moved against the rules; but if
// nobody takes that back before the next act, whoever played it may have put it there, which is asked.
func TestLegalAfterAll(t *testing.T) {
	for name, c := range map[string]struct{ away, back bool }{
		"not surely seen": {}, "the same, and taken back": {back: true}, "away before": {away: true}, "away before, and taken back": {away: true, back: true},
	} {
		x := newSupplyTable(t)
		if c.away {
			x.hidden[onSquare("d1")] = true
			x.place(table.Purple, 3, "d1")
			delete(x.hidden, onSquare("d1"))
			x.look()
		} else {
			x.place(table.Purple, 3, "d1")
			x.doubtful, x.glance[onSquare("e2")] = true, .74
		}
		x.tip("d1", "e2", 3)
		want := []string{"move A places purple 3 on d1.", "DD-MOVE-DIAG B moves purple 3 from d1 to e2."}
		if c.back {
			x.tip("e2", "d1", 3)
			want = append(want, "takeback B takes the last move back.", "move B places red 2 on a1.")
		} else {
			want = append(want, "move C places red 2 on a1.")
		}
		x.place(table.Red, 2, "a1")
		x.look()
		asked := false
		told := slices.DeleteFunc(x.said(), func(s string) bool {
			asked = asked || strings.HasPrefix(s, movedOrPut)
			return strings.HasPrefix(s, "doubt")
		})
		if diff := cmp.Diff(want, told); diff != "" || asked == c.back {
			t.Errorf("%s: asked: %v; told otherwise (-want +got):\n%s", name, asked, diff)
		}
		if c.back {
			continue
		}
		declare(t, x.m, Declaration{Say: SayAnswer, Choice: x.m.Snapshot().Choices[1]})
		if m := x.m.line.now(); m.ToMove() != 2 || m.Expect().Squares[onSquare("e2")] != (table.Die{Color: table.Purple, Face: 3}) {
			t.Errorf("%s: A has put it there, and it is player %d's turn on %v", name, m.ToMove(), m.Expect().Squares)
		}
	}
}

// TestOtherFaceAfterAll: a die that is hardly read, and otherwise than it was beside the board, lies as it is read where the act
// after it is legal then.
func TestOtherFaceAfterAll(t *testing.T) {
	x := newBoxTable(t, "R1 R1 R2 Y1 Y2 Y3 B1 B1 B3 W1 W2 W3", "R3 R4 R4 Y4 Y5 Y6 B4 B6 B6 W4 W6 W6")
	x.blur = func(r *table.Reading) {
		if r.Die != (table.Die{Color: table.White, Face: 1}) && r.Die != (table.Die{Color: table.White, Face: 5}) {
			return
		}
		r.Colors = [10]float64{table.White: 1}
		r.Sure, r.Confidence, r.Faces = false, .9, [7]float64{1: .99, 5: .01}
		if r.Square != nil {
			r.Confidence, r.Faces = .4, [7]float64{1: .1, 2: .1, 3: .1, 4: .2, 5: .4, 6: .1}
		}
	}
	x.look()
	x.hands[0] = slices.DeleteFunc(x.hands[0], func(d table.Die) bool { return d == table.Die{Color: table.White, Face: 1} })
	x.board[onSquare("c4")] = table.Die{Color: table.White, Face: 5}
	x.look()
	x.place(1, "B6", "c5")
	var got []string
	for _, e := range x.m.Events()[1:] {
		got = append(got, told(e.Event))
	}
	want := []string{"place Anna - c4 white 5 legal=true", "place Ben - c5 blue 6 legal=true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}

// TestLateAfterRestart: that whoever played a die may have put it elsewhere is known after a restart.
func TestLateAfterRestart(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	x := unseenTable(t)
	var err error
	if x.m, err = New(Config{ID: "one", Game: table.DessertDice, Players: []string{"A", "B", "C"}, Journal: j}); err != nil {
		t.Fatal(err)
	}
	x.look()
	x.hidden[onSquare("d1")] = true
	x.place(table.Purple, 3, "d1")
	delete(x.hidden, onSquare("d1"))
	x.look()
	if x.m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	x.frame = 0
	x.tip("d1", "e2", 3)
	x.place(table.Red, 2, "a1")
	x.look()
	want := []string{
		"move A places purple 3 on d1.", "DD-MOVE-DIAG B moves purple 3 from d1 to e2.", "move C places red 2 on a1.", movedOrPut + "?",
	}
	if diff := cmp.Diff(want, x.said()); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}
