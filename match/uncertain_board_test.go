package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// lay shows a die on a square.
func (x *boxTable) lay(c table.Color, face int, to string) {
	x.board[onSquare(to)] = table.Die{Color: c, Face: face}
	x.look()
}

// TestShakyOnABoard: what a die that is not surely read shows is told by what is read later, by what is placed beside it, and
// by what is taken back.
func TestShakyOnABoard(t *testing.T) {
	// unsure reads a die on a square as several faces with these probabilities.
	unsure := func(at string, faces [7]float64) func(*table.Reading) {
		return func(r *table.Reading) {
			if r.Square == nil || *r.Square != onSquare(at) {
				return
			}
			r.Sure, r.Confidence, r.Faces = false, 0, faces
			for f, p := range faces {
				if p > r.Confidence {
					r.Confidence, r.Face = p, f
				}
			}
		}
	}
	for name, c := range map[string]struct {
		play func(x *boxTable)
		want []string
	}{
		"surely read later": {func(x *boxTable) {
			x.blur = unsure("c1", [7]float64{4: .45, 6: .5})
			x.lay(table.White, 4, "c1")
			x.blur = nil
			x.lay(table.Red, 5, "d3")
		}, []string{
			"move Ben places white 4 on c1.", "move Anna places red 5 on d3.",
		}},
		"surely read as it was read at first": {func(x *boxTable) {
			x.blur = unsure("c1", [7]float64{3: .5, 4: .3})
			x.lay(table.White, 3, "c1")
			x.look()
			x.blur = nil
			x.lay(table.Red, 5, "d3")
		}, []string{
			"BX-VALUE Ben places white 3 on c1.", "move Anna places red 5 on d3.", // nobody has taken it back
			"doubt What happened: Ben places white 3 on c1 (BX-VALUE), or Ben places white 4 on c1?",
			"correct Ben places white 3 on c1. That is not allowed: W3 on c1 is next to R5 on c2: it must be one more or one less than every neighbor.",
		}},
		"taken back": {func(x *boxTable) {
			x.blur = unsure("c1", [7]float64{5: .5, 6: .3})
			x.lay(table.White, 5, "c1")
			x.blur = nil
			delete(x.board, onSquare("c1"))
			x.lay(table.White, 5, "d3")
			x.lay(table.Red, 5, "b3")
		}, []string{
			"move Ben places white 5 on d3.", // was told as on c1, and is corrected
			"doubt What happened: Ben places white 5 on d3, then Anna places red 5 on b3, or Ben places white 6 on c1, then Anna places white 5 on d3, then Ben places red 5 on b3, or Ben places white 6 on c1, then Anna moves white 5 from c1 to d3 (BX-MOVED), then Anna places red 5 on b3?",
			"correct Ben places white 5 on d3.", "move Anna places red 5 on b3.", "correct Ben places white 5 on d3.",
		}},
		"a breach taken back beside one that is not surely read": {func(x *boxTable) {
			x.lay(table.White, 4, "c1")
			x.lay(table.Red, 1, "b1")
			x.blur = unsure("c1", [7]float64{4: .3, 6: .5})
			delete(x.board, onSquare("b1"))
			x.look()
			x.lay(table.Red, 5, "d3")
		}, []string{"move Ben places white 4 on c1.", "BX-VALUE Anna places red 1 on b1.", "takeback Anna takes the last move back.", "move Anna places red 5 on d3."}},
	} {
		x := newBoxTable(t, "R5 R5 R5 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1", "R1 R1 R1 Y1 Y1 Y1 B1 B1 B1 W1 W1 W1")
		x.hide = []int{0, 1}
		x.lay(table.Red, 5, "c2")
		c.play(x)
		x.look()
		x.look()
		c.want = append([]string{"move Anna places red 5 on c2."}, c.want...)
		if diff := cmp.Diff(c.want, toldOf(x.m)); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}

// TestShakyMovedOn: a die that was not surely read and has gone on does not lie where it was, whatever it is.
func TestShakyMovedOn(t *testing.T) {
	x := newPrintedTable(dessertMatch(t))
	x.print = table.Reading{}
	x.look()
	r := x.unsure("b3", table.Black, 5, 0, .5)
	r.Colors[table.Black], r.Colors[table.Green] = .5, .45
	x.look(r)
	x.look(x.empty("b3"), x.reading("a3", table.Black, 5, 0))
	x.look()
	x.look()
	want := []string{"move A places black 5 on b3.", "DD-MOVE-SLIDE B moves black 5 from b3 to a3."}
	if diff := cmp.Diff(want, toldOf(x.m)); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
}
