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
