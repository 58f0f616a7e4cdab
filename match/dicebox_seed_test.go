package match

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// seedAt is where the Seed lies.
var seedAt = onSquare("c3")

// newSeedTable is a table of Dice Box of which the Seed was not read at first, or hardly, as seed.
func newSeedTable(t *testing.T, j *Journal, seed *table.Reading) *boxTable {
	t.Helper()
	m, err := New(Config{ID: "one", Game: table.DiceBox, Players: []string{"Anna", "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	x := &boxTable{views: views{m: m}, t: t, board: boardMap{}}
	x.hands[0], x.hands[1] = diceOf(t, "R3 R4 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1"), diceOf(t, "W5 R1 R1 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1")
	if seed != nil {
		x.board[seedAt] = seed.Die
		x.blur = func(r *table.Reading) {
			if r.Square != nil && *r.Square == seedAt {
				r.Sure, r.Confidence, r.Faces, r.Colors = seed.Sure, seed.Confidence, seed.Faces, seed.Colors
			}
		}
	}
	x.look()
	return x
}

// TestSeedUnread: where the Seed is not read its face is asked for once another die is on the board, unless
// what is placed or read next says it; the most likely goes in meanwhile.
func TestSeedUnread(t *testing.T) {
	hardly := readings.Sure(table.Die{Color: table.Black, Face: 2}, &seedAt, onBoard(seedAt))
	hardly.Sure, hardly.Confidence, hardly.Faces = false, .4, [7]float64{.01, .02, .09, .02, .03, .02, .01}
	ask := "doubt What happened: black 2 on c3: Anna places red 3 on c2, or black 4 on c3: Anna places red 3 on c2, or nothing has changed?"
	for name, c := range map[string]struct {
		seed *table.Reading
		play func(x *boxTable)
		want []string
	}{
		"going by the dice next to it": {nil, func(x *boxTable) {
			x.place(0, "R3", "c2")
			x.place(1, "W5", "b3")
			x.place(0, "R4", "b2")
		}, []string{"move Anna places red 3 on c2.", "move Ben places white 5 on b3.", "move Anna places red 4 on b2."}},
		"hardly read": {&hardly, func(x *boxTable) {
			x.look()
			x.place(0, "R3", "c2")
			x.place(1, "W5", "b3")
		}, []string{
			"doubt What happened: black 2 on c3, or black 4 on c3, or black 1 on c3, or black 3 on c3?", "move Anna places red 3 on c2.", "correct black 4 is on c3, going by the dice next to it.",
			"move Ben places white 5 on b3.",
		}},
		"read later": {nil, func(x *boxTable) {
			x.place(0, "R3", "c2")
			x.board[seedAt] = table.Die{Color: table.Black, Face: 4}
			x.place(1, "W5", "b3")
		}, []string{"move Anna places red 3 on c2.", "move Ben places white 5 on b3."}},
		"a die beside it read later": {nil, func(x *boxTable) {
			x.hide = []int{0, 1}
			x.place(0, "R3", "c2")
			x.blur = func(r *table.Reading) {
				if r.Color == table.White {
					r.Sure, r.Face, r.Confidence, r.Faces = false, 3, .5, [7]float64{3: .5, 5: .45}
				}
			}
			x.place(1, "W5", "b3")
			x.blur = nil
			x.place(0, "R4", "b2")
		}, []string{
			"doubt What happened: black 2 on c3: Anna places red 3 on c2, then Ben places white 3 on b3, or black 4 on c3: Anna places red 3 on c2, then Ben places white 3 on b3, or black 4 on c3: Anna places red 3 on c2, then Ben places white 5 on b3?",
			"move Anna places red 3 on c2.", "move Ben places white 5 on b3.", "move Anna places red 4 on b2.",
		}},
		"answered": {nil, func(x *boxTable) {
			x.pictures = longView
			x.place(0, "R3", "c2")
			declare(x.t, x.m, Declaration{Say: SayAnswer, Choice: "black 4 on c3: Anna places red 3 on c2"})
			x.place(1, "W5", "b3")
		}, []string{ask, "move Anna places red 3 on c2.", "move Ben places white 5 on b3."}},
		"answered, and a breach": {nil, func(x *boxTable) {
			x.pictures = longView
			x.place(0, "R3", "c2")
			declare(x.t, x.m, Declaration{Say: SayAnswer, Choice: "black 2 on c3: Anna places red 3 on c2"})
			x.place(1, "W5", "b3")
		}, []string{ask, "move Anna places red 3 on c2.", "BX-VALUE Ben places white 5 on b3."}},
		"answered later, and a breach": {nil, func(x *boxTable) {
			x.pictures = longView
			x.place(0, "R3", "c2")
			x.m.See(table.Observation{Game: table.DiceBox, Frame: x.m.frame + 1, T: x.m.t + 1, Look: table.LookMoving})
			declare(x.t, x.m, Declaration{Say: SayAnswer, Choice: "black 2 on c3: Anna places red 3 on c2"})
			x.place(1, "W5", "b3")
		}, []string{ask, "move Anna places red 3 on c2.", "BX-VALUE Ben places white 5 on b3."}},
	} {
		x := newSeedTable(t, nil, c.seed)
		c.play(x)
		x.look()
		x.look()
		if diff := cmp.Diff(c.want, toldOf(x.m)); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}

// TestSeedKept: a match that goes on knows that the Seed was told under doubt.
func TestSeedKept(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	x := newSeedTable(t, j, nil)
	x.place(0, "R3", "c2")
	x.look()
	var err error
	if x.m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	x.place(1, "W5", "b3")
	want := []string{"move Anna places red 3 on c2.", "move Ben places white 5 on b3."}
	if diff := cmp.Diff(want, toldOf(x.m)); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}

// toldOf is what a match has told, in words.
func toldOf(m *Match) []string { return (&supplyTable{views: views{m: m}}).said() }
