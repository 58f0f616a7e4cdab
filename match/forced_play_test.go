package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/table"
)

// boxTable shows a table of Dice Box to a match, view by view: what is on the board, and
// the dice of A to its west and of B to its east.
type boxTable struct {
	views
	t     *testing.T
	board map[table.Square]table.Die
	hands [2][]table.Die
	doubt []table.Die // read with little confidence wherever they lie
	hide  []int       // players whose dice are out of view
	blur  func(*table.Reading)
}

func newBoxTable(t *testing.T, a, b string) *boxTable {
	t.Helper()
	m, err := New(Config{Game: table.DiceBox, Players: []string{"Anna", "Ben"}})
	if err != nil {
		t.Fatal(err)
	}
	x := &boxTable{views: views{m: m}, t: t, board: boardMap{{Row: 2, Col: 2}: {Color: table.Black, Face: 6}}}
	x.hands[0], x.hands[1] = diceOf(t, a), diceOf(t, b)
	x.look()
	return x
}

// diceOf reads dice such as "R4 Y1".
func diceOf(t *testing.T, text string) (list []table.Die) {
	t.Helper()
	colors := map[byte]table.Color{'R': table.Red, 'Y': table.Yellow, 'B': table.Blue, 'W': table.White}
	for _, w := range strings.Fields(text) {
		list = append(list, table.Die{Color: colors[w[0]], Face: int(w[1] - '0')})
	}
	return list
}

// look shows the table as it lies, after a hand was over it.
func (x *boxTable) look() {
	var list []table.Reading
	add := func(d table.Die, sq *table.Square, at table.Point) {
		r := readings.Sure(d, sq, at)
		if slices.Contains(x.doubt, d) {
			r.Sure, r.Confidence = false, .6
		}
		if x.blur != nil {
			x.blur(&r)
		}
		list = append(list, r)
	}
	for i := range table.Size * table.Size {
		sq := table.SquareAt(i)
		if d, ok := x.board[sq]; ok {
			add(d, &sq, onBoard(sq))
		}
	}
	for p, hand := range x.hands {
		for k, d := range hand {
			if !slices.Contains(x.hide, p) {
				add(d, nil, table.Point{X: []float64{120, 680}[p] + float64(k/6)*40*float64(2*p-1), Y: 130 + float64(k%6)*60})
			}
		}
	}
	x.see(func(int) []table.Reading { return list })
}

// place moves a die of a player's hand to a square.
func (x *boxTable) place(p int, die, to string) {
	x.t.Helper()
	d := diceOf(x.t, die)[0]
	i := slices.Index(x.hands[p], d)
	if i < 0 {
		x.t.Fatalf("player %d has no %s", p, die)
	}
	x.hands[p] = slices.Delete(slices.Clone(x.hands[p]), i, i+1)
	sq := table.Square{Row: int(to[1] - '1'), Col: int(to[0] - 'a')}
	x.board[sq] = d
	x.look()
}

// roll shows other dice of a player.
func (x *boxTable) roll(p int, dice string) {
	x.hands[p] = diceOf(x.t, dice)
	x.look()
}

// said is what was told since the opening moves.
func (x *boxTable) said() (list []string) {
	for _, e := range x.m.Events()[5:] {
		text := told(e.Event)
		if e.Code != "" {
			text += " " + e.Code
		}
		list = append(list, text)
	}
	return list
}

// opened is a game in which two placements each have told whose dice lie where. A is on
// turn; 4, 5 and 6 fit.
func opened(t *testing.T, a, b string) *boxTable {
	t.Helper()
	x := newBoxTable(t, "R5 R6 "+a, "B5 B6 "+b)
	x.place(0, "R5", "c4")
	x.place(1, "B5", "c2")
	x.place(0, "R6", "c5")
	x.place(1, "B6", "c1")
	if got := x.m.Events(); len(got) != 5 {
		t.Fatalf("the opening is told as %v", events(x.m))
	}
	return x
}

// TestRolledUnderAHand: two players roll in one view, and a hand lies over the dice of the second, but for one that comes up so that it fits.
// When the hand has gone the others show that there was a roll, but not that it was made only now, so that the one that fits was there
// before it.
func TestRolledUnderAHand(t *testing.T) {
	was := [2][]string{strings.Fields("Y1 W2 W3 B1"), strings.Fields("B1 W2 R1 Y2 Y1")}
	is := [2][]string{strings.Fields("Y3 W4 W1 B2"), strings.Fields("B4 W5 R3 Y1 Y5")}
	for _, n := range [][2]int{{3, 4}, {3, 5}, {4, 4}} {
		first := func(p int, dice [2][]string) string { return strings.Join(dice[p][:n[p]], " ") }
		x := opened(t, first(0, was), first(1, was))
		for row := 1; row < table.Size; row++ {
			x.covered = append(x.covered, table.Square{Row: row, Col: table.Size}) // Ben's dice lie there, but for the first
		}
		x.hands[1] = diceOf(t, first(1, is))
		x.roll(0, first(0, is))
		x.look()
		x.covered = nil
		x.place(0, "W4", "d4")
		want := []string{"reroll Anna", "reroll Ben", "place Anna - d4 white 4 legal=true"}
		if got := slices.DeleteFunc(x.said(), func(s string) bool { return strings.HasPrefix(s, "doubt") }); !slices.Equal(got, want) {
			t.Errorf("of %d and %d dice: told as %q, want %q", n[0], n[1], got, want)
		}
	}
}

// TestMustPlay: a roll or a pass of a player who has a die that fits is told as a breach
// where the camera saw the die beyond doubt, asked about where less is certain, and never
// told where no such die is seen.
func TestMustPlay(t *testing.T) {
	const none, y4, after, ben = "Y1 W2 W3 B1", "Y4 W2 W3 B1", "Y3 W5 W1 B2", "B4 W2 R1"
	westBut1 := []table.Square{{Row: 1, Col: -1}, {Row: 2, Col: -1}} // where all of Anna's dice but the first lie
	say := func(x *boxTable, d Declaration) {
		x.t.Helper()
		if err := x.m.Declare(d); err != nil {
			x.t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, anna string
		do         func(x *boxTable)
		want       string
	}{
		{"rolled by right", none, func(x *boxTable) { x.roll(0, after) }, "reroll Anna"},
		{"rolled though one fits", y4, func(x *boxTable) { x.roll(0, after) }, "reroll Anna BX-MUSTPLAY"},
		{"the die that fits is read unsurely", y4, func(x *boxTable) {
			x.doubt = diceOf(t, "Y4")
			x.look()
			x.look()
			x.roll(0, after)
		}, "reroll Anna"},
		{"seen once only", "", func(x *boxTable) {
			x.hands[0] = diceOf(t, y4)
			x.look()
			x.roll(0, after)
		}, "doubt What happened: Anna rerolls all their dice (BX-MUSTPLAY), or Anna rerolls all their dice?"},
		{"more yellow dice than Anna has", "Y4 Y1 Y1 Y2 W3", func(x *boxTable) { x.roll(0, "Y5 Y3 Y2 Y3 W1") }, "doubt What happened: Anna rerolls all their dice, or Anna rerolls all their dice (BX-MUSTPLAY)?"},
		{"a single die changes", "Y4", func(x *boxTable) { x.roll(0, "Y1") }, "doubt"},
		{"out of view", y4, func(x *boxTable) {
			x.hide = []int{0}
			x.look()
			x.look()
			x.roll(0, after)
			x.hide = nil
			x.look()
			x.place(1, "B4", "b2")
		}, "reroll Anna;place Ben - b2 blue 4 legal=true"},
		{"rolled by right, out of view before", none, func(x *boxTable) {
			x.hide = []int{0}
			x.look()
			x.look()
			x.hide = nil
			x.roll(0, after)
			x.look()
			x.look()
			x.place(1, "B4", "b2")
		}, "reroll Anna;place Ben - b2 blue 4 legal=true"},
		{"rolled after a hand was there, though one that fits lay beside it", y4, func(x *boxTable) {
			x.covered = westBut1
			x.look()
			x.covered = nil
			x.roll(0, after)
		}, "reroll Anna BX-MUSTPLAY"},
		{"out of view for a while, as before", none, func(x *boxTable) {
			x.hide = []int{0}
			x.look()
			x.hide = nil
			x.look()
		}, ""},
		{"nothing done though one fits", y4, func(x *boxTable) { x.place(1, "B4", "b2") }, "doubt What happened: Anna passes (BX-MUSTPLAY), then Ben places blue 4 on b2, or ;pass Anna BX-MUSTPLAY;place Ben - b2 blue 4 legal=true"},
		{"so it was, says the table", y4, func(x *boxTable) {
			x.place(1, "B4", "b2")
			say(x, Declaration{Say: SayAnswer, Choice: x.m.Snapshot().Choices[0]})
		}, "doubt;pass Anna BX-MUSTPLAY;place Ben - b2 blue 4 legal=true"},
		{"otherwise, says the table", y4, func(x *boxTable) {
			x.place(1, "B4", "b2")
			say(x, Declaration{Say: SayAnswer, Choice: x.m.Snapshot().Choices[2]})
		}, "doubt;reroll Anna BX-MUSTPLAY;place Ben - b2 blue 4 legal=true;correct BX-MUSTPLAY"},
		{"otherwise, says the table when the view has ended", y4, func(x *boxTable) {
			x.place(1, "B4", "b2")
			was := x.m.Snapshot().Choices
			x.look()
			if got := x.m.Snapshot().Choices; !slices.Equal(got, was) {
				x.t.Errorf("the choices %q have become %q", was, got)
			}
			say(x, Declaration{Say: SayAnswer, Choice: was[2]})
			x.look()
		}, "doubt;reroll Anna BX-MUSTPLAY;place Ben - b2 blue 4 legal=true;correct BX-MUSTPLAY"},
		{"nothing done and none fits", none, func(x *boxTable) { x.place(1, "B4", "b2") }, "doubt What happened: Anna rerolls all their dice, then Ben places blue 4 on b2, or Anna passes (BX-MUSTROLL), then Ben places blue 4 on b2, or ;reroll Anna;place Ben - b2 blue 4 legal=true"},
		{"nothing done, and the next one breaks a rule", none, func(x *boxTable) { x.place(1, "B4", "d3") }, "doubt What happened: nothing has changed, or Anna rerolls all their dice, then Ben places blue 4 on d3 (BX-VALUE), or Anna passes (BX-MUSTROLL), then Ben places blue 4 on d3 (BX-VALUE), or "},
		{"the next one rolls", y4, func(x *boxTable) { x.roll(1, "B1 W3 R3") }, "doubt"},
		{"a roll is declared", y4, func(x *boxTable) { say(x, Declaration{Say: SayReroll}) }, "reroll Anna BX-MUSTPLAY"},
		{"a roll is declared by right", none, func(x *boxTable) { say(x, Declaration{Say: SayReroll}) }, "reroll Anna"},
		{"a pass is declared", y4, func(x *boxTable) { say(x, Declaration{Say: SayPass}) }, "pass Anna BX-MUSTPLAY"},
		{"a pass is declared and none fits", none, func(x *boxTable) { say(x, Declaration{Say: SayPass}) }, "pass Anna BX-MUSTROLL"},
		{"placed, and the others rolled", y4, func(x *boxTable) {
			x.hands[0] = diceOf(t, "Y4 W5 W1 B6")
			x.place(0, "Y4", "b2")
		}, "place Anna - b2 yellow 4 legal=true;doubt What happened: nothing has changed, or Anna rerolls all their dice (BX-TURN)?"},
		{"placed", y4, func(x *boxTable) { x.place(0, "Y4", "b2") }, "place Anna - b2 yellow 4 legal=true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := opened(t, c.anna, ben)
			c.do(x)
			got := x.said()
			want := strings.Split(c.want, ";")
			if c.want == "" {
				want = nil
			}
			same := len(got) == len(want)
			for i := range got {
				same = same && (got[i] == want[i] || strings.HasPrefix(want[i], "doubt") && strings.HasPrefix(got[i], want[i]))
			}
			if !same {
				t.Errorf("told as %q, want %q", got, want)
			}
		})
	}
}
