package match

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestOutOfView pushes the camera so that dice beside the board are out of its picture: they have not been played.
// Whoever places a die that is in view, or takes one from where nobody sees it, is told as the player to move, and
// nothing is asked; nor when the camera is pushed back.
func TestOutOfView(t *testing.T) {
	red := func(face int) table.Die { return table.Die{Color: table.Red, Face: face} }
	green := func(face int) table.Die { return table.Die{Color: table.Green, Face: face} }
	for name, push := range map[string]table.Point{
		"two dice":           {Y: -40},
		"four dice":          {Y: -80},
		"a column of dice":   {X: -50},
		"two, and to a side": {X: 30, Y: -40},
	} {
		x := newSupplyTable(t)
		place := func(d table.Die, square string) {
			x.board[onSquare(square)] = x.take(d)
			x.look()
		}
		place(green(4), "c3")
		x.pushed = push
		x.look() // nothing has happened
		x.look()
		place(green(3), "c2")
		place(red(1), "d4") // it was out of the picture where it lay at first
		x.pushed = table.Point{}
		x.look()
		place(green(5), "b3")
		want := []string{"A c3 green 4", "B c2 green 3", "C d4 red 1", "A b3 green 5"}
		var got []string
		for _, e := range x.m.Events() {
			switch e.Type {
			case TypeMove:
				a := actOf(x.m.line.acts[len(got)].moves[0])
				got = append(got, fmt.Sprint(e.Player, " ", a.To, " ", a.Color, " ", a.Face))
			case TypeDoubt:
				t.Errorf("%s: asked %q", name, e.Ask)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: told otherwise (- wanted, + told):\n%s", name, d)
		}
	}
}

// TestOtherSide pushes the camera far after many views: a die that is not read from there has not gone, while one that has
// been read from there has.
func TestOtherSide(t *testing.T) {
	red := func(face int) table.Die { return table.Die{Color: table.Red, Face: face} }
	green := func(face int) table.Die { return table.Die{Color: table.Green, Face: face} }
	for name, c := range map[string]struct {
		push  table.Point
		later bool // it is not read from a later view on
		asked int
	}{
		"as it was":                {asked: 1},
		"pushed far":               {push: table.Point{X: 50}},
		"pushed far, read at once": {push: table.Point{X: 50}, later: true, asked: 1},
	} {
		x := newSupplyTable(t)
		for range 6 {
			x.look()
		}
		if x.pushed = c.push; c.later {
			x.look()
		}
		x.unseen[red(4)] = true
		x.look()
		x.board[onSquare("c3")] = x.take(green(4))
		for range 3 {
			x.look()
		}
		doubts, moves := 0, 0
		for _, e := range x.m.Events() {
			switch e.Type {
			case TypeDoubt:
				doubts++
			case TypeMove:
				moves++
			}
		}
		if min(doubts, 1) != c.asked || moves == 0 {
			t.Errorf("%s: %d questions and %d moves, want %d", name, doubts, moves, c.asked)
		}
	}
}
