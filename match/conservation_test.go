package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// TestSurplus: more dice of a color are read than the game has. Where only one of them is not
// surely read, can hardly be of another color, and the board is explained without it, it is no
// die; else that is asked.
func TestSurplus(t *testing.T) {
	ghost := func(faces, other float64, conf float64) table.Reading {
		r := table.Reading{Die: table.Die{Color: table.Purple, Face: 1}, Confidence: conf}
		r.Faces[1], r.Colors[table.Purple], r.Colors[table.Red] = faces, 1-other, other
		return r
	}
	for name, c := range map[string]struct {
		seventh table.Reading
		extra   bool   // two other dice have come as well
		told    string // the last event, or what is asked
	}{
		"hardly seen":               {ghost(.1, .3, .45), false, "move C c1 c2 purple 4 legal=true"},
		"hardly seen, and too much": {ghost(.1, .3, .45), true, "doubt too-many"},
		"another color, rather":     {ghost(.9, .3, .45), false, "doubt too-many"},
		"likelier there than not":   {ghost(.7, .1, .65), false, "doubt too-many"},
	} {
		m, err := New(Config{Game: table.DessertDice, Players: []string{"A", "B", "C", "D"}})
		if err != nil {
			t.Fatal(err)
		}
		v := &views{m: m}
		board := map[table.Square]table.Die{}
		show := func(more ...table.Reading) {
			v.see(func(int) []table.Reading {
				list := slices.Clone(more)
				for sq, d := range board {
					list = append(list, sureReading(d, &sq, onBoard(sq)))
				}
				return list
			})
		}
		show()
		for i, at := range []table.Square{{Row: 4, Col: 0}, {Row: 4, Col: 1}, {Row: 4, Col: 2}, {Row: 4, Col: 3}, {Row: 4, Col: 4}, {Row: 0, Col: 2}} {
			board[at] = table.Die{Color: table.Purple, Face: 1 + i}
			show()
		}
		from, to := table.Square{Row: 0, Col: 2}, table.Square{Row: 1, Col: 2}
		delete(board, from)
		board[to] = table.Die{Color: table.Purple, Face: 4}
		if c.extra {
			board[table.Square{Row: 2, Col: 0}], board[table.Square{Row: 2, Col: 4}] = table.Die{Color: table.Red, Face: 2}, table.Die{Color: table.Red, Face: 3}
		}
		c.seventh.Square, c.seventh.At = &from, onBoard(from)
		show(c.seventh)
		list := m.Events()
		got := told(list[len(list)-1].Event)
		if q := list[len(list)-1].Question; q != nil {
			got = fmt.Sprintf("doubt %s", q.Kind)
		}
		if !strings.HasPrefix(got, c.told) {
			t.Errorf("%s: told %q, want %q", name, got, c.told)
		}
		m.Close()
	}
}

// TestTooMany: what may be the die that lay on a square before is not counted as another one.
func TestTooMany(t *testing.T) {
	for name, c := range map[string]struct {
		sure  bool
		green float64
		many  bool
	}{
		"it may be":  {false, .4, false},
		"hardly":     {false, .01, true},
		"surely not": {true, .4, true},
	} {
		x := newSupplyTable(t)
		x.place(table.Black, 1, "a1")
		x.place(table.Green, 6, "b3")
		view := x.m.seen.obs
		for i := range view.Dice {
			if r := &view.Dice[i]; r.Square != nil && *r.Square == onSquare("b3") {
				r.Color, r.Sure, r.Colors[table.Green], r.Colors[table.Black] = table.Black, c.sure, c.green, 1-c.green
			}
		}
		if _, many := x.m.tooMany(view); many != c.many {
			t.Errorf("%s: too many: %v", name, many)
		}
	}
}

// TestWithinKit: the only black die is on the board, so that another that is not surely read is of the
// other color that it may be.
func TestWithinKit(t *testing.T) {
	for name, c := range map[string]struct {
		black, sure bool // the black die is there; the other is surely read
		green       float64
		want        string
	}{
		"of another color":         {black: true, green: .03, want: "move B places green 4 on c3."},
		"rather no die":            {black: true, green: .00001, want: "doubt I see 2 black dice, but the game has 1. Did I misread one?"},
		"surely read":              {black: true, sure: true, green: .03, want: "doubt I see 2 black dice, but the game has 1. Did I misread one?"},
		"no other black one there": {green: .03, want: "move B places black 4 on c3."},
	} {
		m := dessertMatch(t)
		v := &views{m: m}
		v.see(func(int) []table.Reading { return nil })
		first, at := onSquare("a1"), onSquare("c3")
		board := []table.Reading{sureReading(table.Die{Color: table.Black, Face: 1}, &first, onBoard(first))}
		if !c.black {
			board[0] = sureReading(table.Die{Color: table.Red, Face: 1}, &first, onBoard(first))
		}
		v.see(func(int) []table.Reading { return board })
		r := sureReading(table.Die{Color: table.Black, Face: 4}, &at, onBoard(at))
		r.Sure, r.Colors[table.Black], r.Colors[table.Green], r.Confidence = c.sure, 1-c.green, c.green, 1-c.green
		v.see(func(int) []table.Reading { return append(slices.Clone(board), r) })
		x := supplyTable{views: *v}
		if got := x.said()[1]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestStrangers: what is read on an empty square though no such die has left those beside the board
// is none, unless it is surely read and one of its color lies nowhere that is known.
func TestStrangers(t *testing.T) {
	red := table.Die{Color: table.Red, Face: 4}
	for name, c := range map[string]struct {
		sure, forgotten bool // the reading; a red die that is nowhere any more
		left            bool // it is taken for a die
	}{
		"all beside the board":       {sure: true},
		"one that went unnoticed":    {sure: true, forgotten: true, left: true},
		"not sure, and none is gone": {},
		"not sure, and one is gone":  {forgotten: true},
	} {
		x := newSupplyTable(t)
		view := x.m.seen.obs
		if c.forgotten {
			x.m.supply = slices.DeleteFunc(x.m.supply, func(s spare) bool { return s.Die == red })
			view.Dice = slices.DeleteFunc(slices.Clone(view.Dice), func(r table.Reading) bool { return r.Die == red })
		}
		sq := onSquare("b2")
		r := sureReading(red, &sq, onBoard(sq))
		r.Sure = c.sure
		view.Dice = append(slices.Clone(view.Dice), r)
		if left := len(x.m.withoutStrangers(view).Dice) == len(view.Dice); left != c.left {
			t.Errorf("%s: taken for a die: %v", name, left)
		}
	}
}

// TestDoubles: what shows on a square that a die has left is not a die where all of its color are seen
// without it, be it that one of them is not sure, but much surer; else that is asked.
func TestDoubles(t *testing.T) {
	green, purple := table.Die{Color: table.Green, Face: 5}, table.Die{Color: table.Purple, Face: 6}
	for name, c := range map[string]struct {
		taken  bool // a green die is missing beside the board
		print  table.Die
		surely float64
		want   string
	}{
		"another color":               {false, green, .97, "move C moves purple 5 from c5 to d5."},
		"another color, one missing":  {true, green, .97, "doubt What happened: C moves purple 5 from c5 to d5, then A places green 5 on c5, or C moves purple 5 from c5 to d5?"},
		"its color, much less surely": {false, purple, .5, "move C moves purple 5 from c5 to d5."},
	} {
		x := newSupplyTable(t)
		x.place(table.Purple, 4, "c5")
		x.place(table.Red, 2, "a1")
		if c.taken {
			x.take(green)
		}
		x.doubtful, x.glance[onSquare("c5")], x.glance[onSquare("d5")] = true, c.surely, .97
		x.board[onSquare("c5")], x.board[onSquare("d5")] = c.print, table.Die{Color: table.Purple, Face: 5}
		x.look()
		if got := x.said()[2]; got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// TestByWhatLeft: which of two dice was placed is told by which has left those beside the board; that
// one was not surely read there is no word against the likelier reading on the board.
func TestByWhatLeft(t *testing.T) {
	likely, other := table.Die{Color: table.Green, Face: 1}, table.Die{Color: table.Green, Face: 3}
	stories := make([]rules.Story, 2)
	for i, d := range []table.Die{likely, other} {
		stories[i].Line = []rules.Move{dessertdice.Act{Kind: dessertdice.Place, Die: d, To: onSquare("b2")}}
	}
	for name, c := range map[string]struct {
		left   table.Die
		sure   bool
		rolled bool
		want   *rules.Story
	}{
		"the likely one":           {likely, true, false, &stories[0]},
		"the likely one, not sure": {likely, false, false, &stories[0]},
		"the other":                {other, true, false, &stories[1]},
		"the other, not sure":      {other, false, false, nil},
		"none: it was rolled":      {likely, true, true, nil},
	} {
		m := dessertMatch(t)
		r := sureReading(c.left, nil, table.Point{X: 60, Y: 20})
		r.Sure = c.sure
		m.seen = seen{ok: true, obs: table.Observation{Dice: []table.Reading{r}}}
		var now table.Observation
		if c.rolled {
			now.Dice = []table.Reading{sureReading(table.Die{Color: c.left.Color, Face: 6}, nil, r.At)}
		}
		if got := m.byWhatLeft(stories, now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHardlyReadWhatLeft: what has left tells nothing where its face is in doubt with both readings, nor does one like
// it that was surely read and is still there.
func TestHardlyReadWhatLeft(t *testing.T) {
	three, five, sq := table.Die{Color: table.Green, Face: 3}, table.Die{Color: table.Green, Face: 5}, onSquare("b2")
	hardly := func(d table.Die, on *table.Square, faces [7]float64) table.Reading {
		r := sureReading(d, on, table.Point{X: 60, Y: 20})
		r.Sure, r.Faces = false, faces
		return r
	}
	sure := sureReading(five, nil, table.Point{X: 300, Y: 20})
	stories := make([]rules.Story, 2)
	for i, d := range []table.Die{three, five} {
		stories[i].Line = []rules.Move{dessertdice.Act{Kind: dessertdice.Place, Die: d, To: sq}}
	}
	for name, c := range map[string]struct {
		before, now []table.Reading
		want        *rules.Story
	}{
		"both leave it in doubt": {before: []table.Reading{hardly(three, nil, [7]float64{3: .6, 5: .4})}, want: nil},
		"no doubt by both":       {before: []table.Reading{hardly(three, nil, [7]float64{3: .95, 5: .05})}, want: &stories[0]},
		"sure, and gone":         {before: []table.Reading{sure}, want: &stories[1]},
		"sure, and still there":  {before: []table.Reading{hardly(five, nil, [7]float64{3: .4, 5: .6}), sure}, now: []table.Reading{sure}, want: nil},
	} {
		m := dessertMatch(t)
		m.seen = seen{ok: true, obs: table.Observation{Dice: c.before}}
		now := table.Observation{Dice: append(c.now, hardly(three, &sq, [7]float64{3: .65, 5: .35}))}
		if got := m.byWhatLeft(stories, now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestAsItLeft: a legal placement that is not surely read may be of a die that left those beside the
// board, but not if that one was not surely read either.
func TestAsItLeft(t *testing.T) {
	read, left, sq := table.Die{Color: table.Yellow, Face: 4}, table.Die{Color: table.Yellow, Face: 2}, onSquare("e3")
	for others, sure := range []bool{false, true} {
		m, err := New(Config{Game: table.DiceBox, Players: []string{"A", "B"}})
		if err != nil {
			t.Fatal(err)
		}
		before, now := sureReading(left, nil, table.Point{X: 60, Y: 20}), sureReading(read, &sq, onBoard(sq))
		before.Sure, now.Sure = sure, false
		m.seen = seen{ok: true, obs: table.Observation{Dice: []table.Reading{before}}}
		s := rules.Story{Verdict: rules.Explained, Line: []rules.Move{dicebox.Act{Kind: dicebox.Place, Die: read, To: sq}}}
		if got := m.asItLeft(s, table.Observation{Dice: []table.Reading{now}}); len(got) != others {
			t.Errorf("surely read beside the board: %v; it may be %v", sure, got)
		}
	}
}
