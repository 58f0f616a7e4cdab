package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// supplyTable shows a table of Dessert Dice to a match, view by view: what is on the board,
// and all other dice around it.
type supplyTable struct {
	views
	t        *testing.T
	board    map[table.Square]table.Die
	supply   []table.Die
	hidden   map[table.Square]bool    // squares whose die is not read
	glance   map[table.Square]float64 // squares whose die only the first picture of a view shows, with this confidence
	double   bool                     // every die beside the board is read twice, a pixel apart
	dim      map[table.Die]bool       // dice beside the board that are not surely read
	doubtful bool                     // all pictures show those of glance
	unseen   map[table.Die]bool       // dice beside the board that are not read: of like ones, the last
	touching [2]table.Die             // two beside the board of which the second touches the first
}

func newSupplyTable(t *testing.T) *supplyTable {
	t.Helper()
	x := unseenTable(t)
	x.look()
	return x
}

// unseenTable is a table that nobody has looked at yet.
func unseenTable(t *testing.T) *supplyTable {
	t.Helper()
	x := &supplyTable{views: views{m: dessertMatch(t)}, t: t, board: boardMap{}, hidden: map[table.Square]bool{}, glance: map[table.Square]float64{}, dim: map[table.Die]bool{}, unseen: map[table.Die]bool{}}
	for _, c := range []table.Color{table.Red, table.Yellow, table.Green, table.Purple} {
		for f := 1; f <= 6; f++ {
			x.supply = append(x.supply, table.Die{Color: c, Face: f})
		}
	}
	x.supply = append(x.supply, table.Die{Color: table.Black, Face: 1})
	return x
}

func dessertMatch(t *testing.T) *Match {
	t.Helper()
	m, err := New(Config{Game: table.DessertDice, Players: []string{"A", "B", "C"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func onSquare(name string) table.Square {
	return table.Square{Row: int(name[1] - '1'), Col: int(name[0] - 'a')}
}

// look shows the table as it lies, after a hand was over it.
func (x *supplyTable) look() {
	x.see(func(picture int) (list []table.Reading) {
		for i := range table.Size * table.Size {
			sq := table.SquareAt(i)
			d, ok := x.board[sq]
			if !ok || x.hidden[sq] {
				continue
			}
			r := readings.Sure(d, &sq, onBoard(sq))
			if c, faint := x.glance[sq]; faint {
				if picture > 0 && !x.doubtful {
					continue
				}
				r.Sure, r.Confidence = false, c
			}
			list = append(list, r)
		}
		for i, d := range x.supply {
			if d.Color == table.NoColor || x.unseen[d] && !slices.Contains(x.supply[i+1:], d) {
				continue
			}
			at := table.Point{X: 60 + 40*float64(i%2), Y: 20 + 40*float64(i/2)}
			if d == x.touching[1] {
				at = table.Point{X: 142, Y: 20 + 40*float64(slices.Index(x.supply, x.touching[0])/2)}
			}
			r := readings.Sure(d, nil, at)
			if slices.Contains(x.touching[:], d) {
				r.Outline = [4]table.Point{{X: at.X - 19, Y: at.Y - 19}, {X: at.X + 19, Y: at.Y - 19}, {X: at.X + 19, Y: at.Y + 19}, {X: at.X - 19, Y: at.Y + 19}}
			}
			if x.dim[d] {
				r.Sure, r.Confidence = false, .6
			}
			list = append(list, r)
			if x.double {
				list = append(list, readings.Sure(d, nil, table.Point{X: at.X + 1, Y: at.Y}))
			}
		}
		return list
	})
}

// take takes a die from those beside the board.
func (x *supplyTable) take(d table.Die) table.Die {
	x.t.Helper()
	i := slices.Index(x.supply, d)
	if i < 0 {
		x.t.Fatalf("there is no %v beside the board", d)
	}
	x.supply[i] = table.Die{} // the others stay where they are
	return d
}

// place brings a die from beside the board to a square.
func (x *supplyTable) place(c table.Color, face int, to string) {
	x.t.Helper()
	x.board[onSquare(to)] = x.take(table.Die{Color: c, Face: face})
	x.look()
}

// tip moves a die to a square, where it shows another face.
func (x *supplyTable) tip(from, to string, face int) {
	d := x.board[onSquare(from)]
	delete(x.board, onSquare(from))
	x.board[onSquare(to)] = table.Die{Color: d.Color, Face: face}
	x.look()
}

// tells fails the test where something else was told.
func (x *supplyTable) tells(want []string) {
	x.t.Helper()
	if d := cmp.Diff(want, x.said()); d != "" {
		x.t.Errorf("told otherwise (-want +got):\n%s", d)
	}
}

func (x *supplyTable) said() (list []string) {
	for _, e := range x.m.Events() {
		switch {
		case e.Type == TypeDoubt:
			list = append(list, "doubt "+e.Ask)
		case e.Type == TypeMove && e.Code != "":
			words, _, _ := strings.Cut(e.Text, " That is")
			list = append(list, e.Code+" "+words)
		case e.Type == TypeMove || e.Type == TypeTakeback || e.Type == TypeCorrect:
			list = append(list, e.Type+" "+e.Text)
		}
	}
	return list
}

// A die that was played and is overlooked on the board is known to be missing, where all
// dice are in view.
func TestLost(t *testing.T) {
	tests := []struct {
		name string
		play func(*supplyTable)
		want []string
	}{
		{"seen in one picture when the next has played", func(x *supplyTable) {
			x.place(table.Red, 6, "a1")
			x.hidden[onSquare("d4")] = true
			x.place(table.Purple, 1, "d4")
			delete(x.hidden, onSquare("d4"))
			x.glance[onSquare("d4")] = .5
			x.place(table.Yellow, 6, "e1")
			x.place(table.Green, 2, "c3")
			delete(x.glance, onSquare("d4"))
			x.place(table.Red, 1, "a5")
		}, []string{
			"move A places red 6 on a1.", "doubt purple 1 is gone. Did B play it?", "move C places yellow 6 on e1.", "move A places green 2 on c3.",
			"correct B places purple 1 on d4.", "move B places red 1 on a5.",
		}},
		{"seen in one picture at once", func(x *supplyTable) {
			x.glance[onSquare("d4")] = .5
			x.place(table.Purple, 1, "d4")
			x.place(table.Yellow, 6, "e1")
			x.place(table.Green, 2, "c3")
		}, []string{"move A places purple 1 on d4.", "move B places yellow 6 on e1.", "move C places green 2 on c3."}},
		{"found much later", func(x *supplyTable) {
			x.hidden[onSquare("d4")] = true
			x.place(table.Purple, 1, "d4")
			x.place(table.Yellow, 6, "e1")
			x.place(table.Green, 2, "c3")
			delete(x.hidden, onSquare("d4"))
			x.place(table.Red, 1, "a5")
		}, []string{
			"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on e1.", "move C places green 2 on c3.",
			"correct A places purple 1 on d4.", "move A places red 1 on a5.",
		}},
		{"a player thinks with a die in the hand", func(x *supplyTable) {
			d := x.take(table.Die{Color: table.Purple, Face: 1})
			x.look()
			x.board[onSquare("d4")] = d
			x.look()
			x.place(table.Yellow, 6, "e1")
		}, []string{"move A places purple 1 on d4.", "move B places yellow 6 on e1."}},
		{"another die than the one that left", func(x *supplyTable) {
			x.take(table.Die{Color: table.Red, Face: 5})
			x.board[onSquare("a1")] = table.Die{Color: table.Red, Face: 4}
			x.look()
			x.place(table.Yellow, 6, "e1")
		}, []string{"move A places red 4 on a1.", "move B places yellow 6 on e1."}}, // as it is read on the board
		{"a print that looks like a die", func(x *supplyTable) {
			x.place(table.Red, 6, "a1")
			x.board[onSquare("d2")] = table.Die{Color: table.Black, Face: 1}
			x.place(table.Yellow, 1, "e2")
			x.place(table.Green, 2, "c3")
			x.tip("e2", "e3", 2)
		}, []string{"move A places red 6 on a1.", "move B places yellow 1 on e2.", "move C places green 2 on c3.", "move A moves yellow 2 from e2 to e3."}},
		{"a print alone", func(x *supplyTable) {
			x.board[onSquare("d2")] = table.Die{Color: table.Black, Face: 1}
			x.look()
			x.place(table.Yellow, 1, "e2")
			x.place(table.Green, 2, "c3")
		}, []string{"move A places yellow 1 on e2.", "move B places green 2 on c3."}},
		{"a die is taken and laid back", func(x *supplyTable) {
			d := x.take(table.Die{Color: table.Purple, Face: 1})
			x.look()
			x.supply = append(x.supply, d)
			x.look()
			x.place(table.Yellow, 6, "e1")
			x.place(table.Green, 2, "c3")
		}, []string{"move A places yellow 6 on e1.", "move B places green 2 on c3."}},
		{"two readings of a die", func(x *supplyTable) {
			x.double = true
			x.hidden[onSquare("d4")] = true
			x.place(table.Purple, 1, "d4")
			x.place(table.Yellow, 6, "e1")
		}, []string{"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on e1."}},
		{"no die has left those beside the board, so that none was placed", func(x *supplyTable) {
			x.place(table.Red, 3, "b2")
			x.hidden[onSquare("b2")] = true // overlooked once: dice on this board are
			x.look()
			delete(x.hidden, onSquare("b2"))
			x.place(table.Yellow, 6, "e1")
			x.tip("b2", "b3", 3)
		}, []string{
			"move A places red 3 on b2.",
			"move B places yellow 6 on e1.", "DD-MOVE-SLIDE C moves red 3 from b2 to b3.",
		}},
		{"none of its color has, though another is not seen", func(x *supplyTable) {
			x.place(table.Red, 3, "b2")
			x.place(table.Yellow, 6, "e1")
			x.unseen[table.Die{Color: table.Yellow, Face: 2}] = true
			x.tip("b2", "d2", 3)
		}, []string{"move A places red 3 on b2.", "move B places yellow 6 on e1.", "DD-MOVE-FAR C moves red 3 from b2 to d2."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSupplyTable(t)
			tt.play(x)
			x.tells(tt.want)
		})
	}
}

// A die that has gone is looked for beside others that go, move or are taken back, and that are hardly seen.
func TestLostAmongOthers(t *testing.T) {
	begin := []string{"move A places yellow 5 on b2.", "move B places yellow 4 on d1.", "move C places red 1 on e5."}
	played := "doubt yellow 5 is gone. Did A play it?"
	lose := func(x *supplyTable) { // A tips it to where it is not seen
		x.hidden[onSquare("a2")] = true
		x.tip("b2", "a2", 6)
	}
	for name, c := range map[string]struct {
		play func(*supplyTable)
		want []string
	}{
		"another one like it moves to where it may have gone": {func(x *supplyTable) {
			lose(x)
			x.tip("d1", "c1", 1)
			x.tip("c1", "b1", 3)
			delete(x.hidden, onSquare("a2"))
			x.place(table.Red, 2, "e4")
		}, []string{played, "move B moves yellow 1 from d1 to c1.", "move C moves yellow 3 from c1 to b1.", "correct A moves yellow 6 from b2 to a2.", "move A places red 2 on e4."}},
		"one is taken back to where it may have gone": {func(x *supplyTable) {
			lose(x)
			x.tip("d1", "c1", 1)
			x.tip("c1", "b1", 3)
			x.tip("b1", "e3", 3)
			delete(x.hidden, onSquare("a2"))
			x.tip("e3", "b1", 3)
		}, []string{
			played, "move B moves yellow 1 from d1 to c1.", "move C moves yellow 3 from c1 to b1.", "DD-MOVE-FAR A moves yellow 3 from b1 to e3.",
			"correct A moves yellow 6 from b2 to a2.", "takeback A takes the last move back.",
		}},
		"one comes about which is asked": {func(x *supplyTable) {
			lose(x)
			x.place(table.Red, 2, "e4")
			x.doubtful, x.glance[onSquare("a5")] = true, .4
			x.place(table.Red, 3, "a5")
			delete(x.glance, onSquare("a5"))
			x.place(table.Red, 4, "c5")
			delete(x.hidden, onSquare("a2"))
			x.place(table.Red, 5, "c4")
		}, []string{
			played, "move B places red 2 on e4.", "move C places red 3 on a5.", "move A places red 4 on c5.",
			"correct A moves yellow 6 from b2 to a2.", "move B places red 5 on c4.",
		}},
		"another is not seen either": {func(x *supplyTable) {
			x.hidden[onSquare("d1")] = true
			lose(x)
			x.place(table.Red, 2, "e4")
		}, []string{
			"doubt What happened: A plays yellow 5 where I do not see it, then B places red 2 on e4, or A plays yellow 4 where I do not see it, then B places red 2 on e4, or A places red 2 on e4?",
			"move B places red 2 on e4.",
		}},
	} {
		x := newSupplyTable(t)
		x.place(table.Yellow, 5, "b2")
		x.place(table.Yellow, 4, "d1")
		x.place(table.Red, 1, "e5")
		c.play(x)
		if d := cmp.Diff(append(slices.Clone(begin), c.want...), x.said()); d != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, d)
		}
	}
}

// Dice beside the board that are read in one view and not in the next tell nothing, and hide
// nothing: which of two like dice has gone, the place tells.
func TestShySpares(t *testing.T) {
	shy, p1 := table.Die{Color: table.Red, Face: 3}, table.Die{Color: table.Purple, Face: 1}
	tests := []struct {
		name string
		play func(*supplyTable)
		want []string
	}{
		{"one goes with the die that is overlooked", func(x *supplyTable) {
			x.dim[shy] = true
			x.place(table.Red, 6, "a1")
			x.hidden[onSquare("d4")] = true
			x.unseen[shy] = true
			x.place(p1.Color, p1.Face, "d4")
			x.place(table.Yellow, 6, "e1")
			delete(x.unseen, shy)
			x.place(table.Green, 2, "c3")
		}, []string{
			"move A places red 6 on a1.", "doubt purple 1 is gone. Did B play it?",
			"move C places yellow 6 on e1.", "move A places green 2 on c3.",
		}},
		{"one goes and comes back while others play", func(x *supplyTable) {
			x.dim[shy] = true
			x.place(table.Red, 6, "a1")
			x.unseen[shy] = true
			x.look()
			x.place(table.Yellow, 6, "e1")
			delete(x.unseen, shy)
			x.place(table.Green, 2, "c3")
			x.unseen[shy] = true
			x.place(table.Purple, 2, "d2")
		}, []string{"move A places red 6 on a1.", "move B places yellow 6 on e1.", "move C places green 2 on c3.", "move A places purple 2 on d2."}},
		{"one was away, and is no more lost than before", func(x *supplyTable) {
			x.unseen[shy] = true
			x.place(table.Red, 6, "a1")
			delete(x.unseen, shy)
			x.place(table.Yellow, 6, "e1")
			x.unseen[shy] = true
			x.look()
			x.place(table.Green, 2, "c3")
		}, []string{"move A places red 6 on a1.", "move B places yellow 6 on e1.", "move C places green 2 on c3."}},
		{"one like a shy die lies where it lay", func(x *supplyTable) {
			x.supply[slices.Index(x.supply, table.Die{Color: table.Red, Face: 1})] = shy // two of them
			x.look()
			x.place(table.Red, 6, "a1")
			x.dim[shy] = true
			x.look()
			x.hidden[onSquare("d4")] = true
			x.unseen[shy] = true // the one farther on
			x.place(p1.Color, p1.Face, "d4")
			delete(x.hidden, onSquare("d4"))
			x.place(table.Yellow, 6, "e1")
		}, []string{"move A places red 6 on a1.", "move B places purple 1 on d4.", "move C places yellow 6 on e1."}},
		{"one is not read where others are read less surely", func(x *supplyTable) {
			x.dim[shy], x.unseen[p1] = true, true
			x.look()
			x.place(table.Yellow, 6, "e1")
		}, []string{"move A places yellow 6 on e1."}},
		{"one is not read where others of its color are not surely read", func(x *supplyTable) {
			x.place(table.Red, 6, "a1")
			x.place(table.Red, 5, "b1")
			x.dim[table.Die{Color: table.Purple, Face: 2}], x.unseen[p1] = true, true
			x.look()
			x.look()
			x.place(table.Yellow, 6, "e1")
		}, []string{"move A places red 6 on a1.", "move B places red 5 on b1.", "move C places yellow 6 on e1."}},
		{"one goes that was read in view after view, though never surely", func(x *supplyTable) {
			x.dim[table.Die{Color: table.Purple, Face: 2}], x.dim[p1] = true, true
			for i, to := range []string{"a1", "a2", "a3", "a4", "a5"} {
				x.place(table.Red, i+1, to)
			}
			x.hidden[onSquare("d4")] = true
			x.place(p1.Color, p1.Face, "d4")
			x.place(table.Yellow, 6, "e1")
			x.look()
			x.look()
		}, []string{
			"move A places red 1 on a1.", "move B places red 2 on a2.", "move C places red 3 on a3.", "move A places red 4 on a4.", "move B places red 5 on a5.",
			"doubt purple 1 is gone. Did C play it?", "move A places yellow 6 on e1.", "correct A places yellow 6 on e1.",
		}},
		{"one goes that came and went before", func(x *supplyTable) {
			x.dim[p1] = true
			x.place(table.Red, 1, "a1")
			x.unseen[p1] = true
			x.place(table.Red, 2, "a2")
			delete(x.unseen, p1)
			for i, to := range []string{"a3", "a4", "a5"} {
				x.place(table.Red, i+3, to)
			}
			for i, to := range []string{"b1", "b2", "b3"} {
				x.place(table.Green, i+1, to)
			}
			x.unseen[p1] = true
			x.look()
			x.place(table.Yellow, 6, "e1")
		}, []string{
			"move A places red 1 on a1.", "move B places red 2 on a2.", "move C places red 3 on a3.", "move A places red 4 on a4.", "move B places red 5 on a5.",
			"move C places green 1 on b1.", "move A places green 2 on b2.", "move B places green 3 on b3.", "move C places yellow 6 on e1.",
		}},
		{"a lost die lies beside the board again", func(x *supplyTable) {
			x.unseen[p1] = true
			x.look()
			x.place(table.Yellow, 6, "e1")
			delete(x.unseen, p1)
			x.look()
			x.place(table.Green, 2, "c3")
		}, []string{
			"doubt purple 1 is gone. Did A play it?", "move B places yellow 6 on e1.",
			"correct A places yellow 6 on e1.", "move B places green 2 on c3.",
		}},
		{"a print beside a die that is misread", func(x *supplyTable) {
			x.place(table.Red, 6, "a1")
			for _, sq := range []string{"d2", "e1"} { // the game has one black die
				x.board[onSquare(sq)] = table.Die{Color: table.Black, Face: 1}
			}
			x.place(table.Green, 2, "c3")
		}, []string{"move A places red 6 on a1.", "move B places green 2 on c3."}},
		{"a print that looks like the die that has come", func(x *supplyTable) {
			x.board[onSquare("a1")] = table.Die{Color: table.Yellow, Face: 2}
			x.glance[onSquare("a1")] = .5
			x.doubtful = true
			x.place(table.Yellow, 2, "b1")
		}, []string{"move A places yellow 2 on b1."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 8 { // never by chance
				x := newSupplyTable(t)
				tt.play(x)
				if d := cmp.Diff(tt.want, x.said()); d != "" {
					t.Fatalf("told otherwise (-want +got):\n%s", d)
				}
			}
		})
	}
}

// Of two dice that touch one may be read in the first view and never again.
func TestTouchingSpares(t *testing.T) {
	first, second := table.Die{Color: table.Red, Face: 2}, table.Die{Color: table.Purple, Face: 1}
	x := unseenTable(t)
	x.touching = [2]table.Die{first, second}
	x.look()
	x.unseen[second] = true
	x.look()
	x.place(table.Yellow, 6, "e1")
	want := []string{"move A places yellow 6 on e1."}
	x.tells(want)
}

// That nobody has played the lost die corrects who acted next.
func TestLostAnswered(t *testing.T) {
	x := newSupplyTable(t)
	x.hidden[onSquare("d4")] = true
	x.place(table.Purple, 1, "d4")
	x.place(table.Yellow, 6, "e1")
	if err := x.m.Declare(Declaration{Say: SayAnswer, Choice: "no"}); err != nil {
		t.Fatal(err)
	}
	if to := x.m.Snapshot().ToMove; to != 1 {
		t.Errorf("player %d is on turn, want 1: A has placed the yellow die", to)
	}
}

// In Dice Box as well: whose dice they are, the sides of the board tell.
func TestLostOfABox(t *testing.T) {
	x := newBoxTable(t, "R5 R1 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1", "R1 R1 R1 Y4 Y1 Y1 B1 B1 B1 W5 W1 W1")
	d := diceOf(t, "R5")[0]
	x.hands[0] = slices.DeleteFunc(slices.Clone(x.hands[0]), func(o table.Die) bool { return o == d })
	x.look() // it is on c2, and is not seen
	x.place(1, "W5", "d3")
	x.board[onSquare("c2")] = d
	x.look()
	var list []string
	for _, e := range x.m.Events() {
		if e.Type == TypeDoubt {
			list = append(list, e.Ask)
		} else if e.Type == TypeMove || e.Type == TypeCorrect {
			list = append(list, e.Text)
		}
	}
	want := []string{"red 5 is gone. Did Anna play it?", "Ben places white 5 on d3.", "Anna places red 5 on c2."}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("told otherwise (-want +got):\n%s", d)
	}
}

// A die that a hand has covered while another was taken, and that is in its place as the other
// comes to the board, has not been played.
func TestCoveredMeanwhile(t *testing.T) {
	x := newBoxTable(t, "R5 R1 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1", "R1 R1 R1 Y4 Y1 Y1 B1 B1 B1 W5 W1 W1")
	taken, covered, all := diceOf(t, "R5")[0], diceOf(t, "W5")[0], x.hands[1]
	x.hands[0] = slices.DeleteFunc(slices.Clone(x.hands[0]), func(o table.Die) bool { return o == taken })
	x.hands[1] = slices.DeleteFunc(slices.Clone(all), func(o table.Die) bool { return o == covered })
	x.look()
	x.hands[1], x.board[onSquare("c2")] = all, taken
	x.look()
	var list []string
	for _, e := range x.m.Events() {
		if e.Type != TypeStart {
			list = append(list, e.Text)
		}
	}
	if d := cmp.Diff([]string{"Anna places red 5 on c2."}, list); d != "" {
		t.Errorf("told otherwise (-want +got):\n%s", d)
	}
}

// A die that is overlooked on the board from some view on, while others are played, lies where it lay.
func TestFaint(t *testing.T) {
	x := newSupplyTable(t)
	x.place(table.Red, 3, "b2")
	x.place(table.Green, 2, "c3")
	x.hidden[onSquare("b2")] = true
	for i, to := range []string{"e1", "e2", "e3", "e4"} {
		x.place(table.Yellow, i+1, to)
	}
	want := []string{
		"move A places red 3 on b2.", "move B places green 2 on c3.",
		"move C places yellow 1 on e1.", "move A places yellow 2 on e2.", "move B places yellow 3 on e3.", "move C places yellow 4 on e4.",
	}
	x.tells(want)
}
