package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// TestPlainFirst: a die that is not surely read, and came with another act, is not told until it is certain: once it is not read any
// more only what was surely read has happened.
func TestPlainFirst(t *testing.T) {
	on := func(at string, c table.Color, face int) table.Reading {
		sq := onSquare(at)
		return readings.Sure(table.Die{Color: c, Face: face}, &sq, onBoard(sq))
	}
	unsure := func(at string, c table.Color, face int, p float64) table.Reading { // some die is there, if it is not printed
		r := on(at, c, face)
		r.Sure, r.Confidence = false, p
		r.Faces[face], r.Faces[7-face] = p, 1-p
		return r
	}
	seed, placed, red := on("c3", table.Black, 6), on("d3", table.Red, 5), on("b2", table.Red, 2)
	tests := []struct {
		name  string
		game  table.Game
		views [][]table.Reading
		want  []string
	}{
		{"a breach beside a legal act", table.DiceBox, [][]table.Reading{{seed}, {seed, placed, unsure("b4", table.Yellow, 3, .28)}, {seed, placed}}, []string{"place A - d3 red 5 legal=true"}},
		{"where a die has left", table.DessertDice, [][]table.Reading{{red}, {on("b3", table.Red, 1), unsure("b2", table.Green, 4, .95)}, {on("b3", table.Red, 1)}}, []string{
			"What happened: nothing has changed, or C places green 4 on b2?", "place A - b2 red 2 legal=true", "move B b2 b3 red 1 legal=true",
		}},
		{"a die of which the face is open", table.DessertDice, [][]table.Reading{{red}, {red, on("b3", table.Red, 1), unsure("d2", table.Green, 4, .55)}, {red, on("b3", table.Red, 1)}}, []string{
			"What happened: B places green 4 on d2, then C places red 1 on b3, or B places red 1 on b3, then C places green 4 on d2, or B places green 3 on d2, then C places red 1 on b3, or B places red 1 on b3, then C places green 3 on d2?",
			"What happened: nothing has changed, or C places green 4 on d2, or C places green 3 on d2?",
			"place A - b2 red 2 legal=true", "place B - b3 red 1 legal=true",
		}},
		{"three acts", table.DessertDice, [][]table.Reading{{red}, {on("d2", table.Red, 2), unsure("c2", table.Red, 3, .95), unsure("b2", table.Red, 4, .95)}}, []string{
			"What happened: B moves red 3 from b2 to c2, then C places red 4 on b2, then A places red 2 on d2, or B moves red 3 from b2 to c2, then C places red 2 on d2, then A places red 4 on b2, or B places red 2 on d2, then C moves red 3 from b2 to c2, then A places red 4 on b2, or B moves red 3 from b2 to c2, then C places red 2 on d2?",
			"place A - b2 red 2 legal=true", "move B b2 c2 red 3 legal=true", "place C - d2 red 2 legal=true", "place A - b2 red 4 legal=true",
		}},
		{"beside two dice that seem to have turned", table.DiceBox, [][]table.Reading{
			{seed},
			{seed, placed},
			{seed, placed, on("c2", table.Blue, 5)},
			{seed, on("d3", table.Red, 1), unsure("c2", table.Blue, 4, .89), on("c1", table.White, 6)},
			{seed, placed, on("c2", table.Blue, 5), on("c1", table.White, 6)},
		}, []string{"place A - d3 red 5 legal=true", "place B - c2 blue 5 legal=true", "place C - c1 white 6 legal=true"}},
		{"after a takeback", table.DessertDice, [][]table.Reading{{red}, {on("b3", table.Red, 2)}, {red, unsure("d2", table.Green, 4, .95)}, {red}}, []string{
			"What happened: nothing has changed, or B places green 4 on d2?",
			"place A - b2 red 2 legal=true", "move B b2 b3 red 2 legal=false", "takeback B",
		}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m, err := New(Config{Game: c.game, Players: []string{"A", "B", "C"}})
			if err != nil {
				t.Fatal(err)
			}
			v := &views{m: m}
			for _, view := range c.views {
				v.see(func(int) []table.Reading { return view })
			}
			for range 2 {
				v.see(func(int) []table.Reading { return c.views[len(c.views)-1] })
			}
			var got []string
			for _, e := range doubts(m) {
				got = append(got, e.Ask)
			}
			got = append(got, inForceNow(m)[1:]...)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("told otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTakenElsewhere: a die that has left its square, and has not come to those beside the board, all of which are known,
// lies where one like it is read now, though not surely; and who placed it has put it there is one answer, not two.
func TestTakenElsewhere(t *testing.T) {
	x := newBoxTable(t, "R5 R1 R2 Y1 Y2 Y3 B1 B1 B3 W1 W2 W3", "R3 R4 R4 Y4 Y5 Y6 B4 B5 B6 W4 W6 W6")
	x.place(0, "R5", "c4")
	at := onSquare("c2")
	x.blur = func(r *table.Reading) {
		if r.Square != nil && *r.Square == at {
			r.Sure, r.Confidence = false, .96
		}
	}
	delete(x.board, onSquare("c4"))
	x.board[at] = table.Die{Color: table.Red, Face: 5}
	x.look()
	x.place(1, "B5", "b3")
	x.look()
	var got []string
	for _, e := range x.m.Events()[2:] {
		got = append(got, told(e.Event))
	}
	want := []string{
		"doubt What happened: the last move was taken back, then Anna places red 5 on c2, or Ben moves red 5 from c4 to c2 (BX-MOVED)? the last move was taken back, then Anna places red 5 on c2 | Ben moves red 5 from c4 to c2 (BX-MOVED)",
		"takeback Anna", "place Anna - c2 red 5 legal=true", "place Ben - b3 blue 5 legal=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}
