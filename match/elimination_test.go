package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestByRest: what came to the board and is not surely read is the die that has left its place, where all
// others are known and lie where they lay; else it is asked about.
func TestByRest(t *testing.T) {
	green, yellow := table.Die{Color: table.Green, Face: 2}, table.Die{Color: table.Yellow, Face: 3}
	seen := func(at string, c table.Color, faces map[int]float64, right, conf float64) table.Reading { // of that color with probability right, else green
		sq := onSquare(at)
		r := table.Reading{Die: table.Die{Color: c}, Square: &sq, At: onBoard(sq), Confidence: conf}
		r.Colors[table.Green] = 1 - right
		r.Colors[c] = right
		for f, p := range faces {
			if r.Faces[f] = p; r.Face == 0 || p > r.Faces[r.Face] {
				r.Face = f
			}
		}
		return r
	}
	toward := func(r table.Reading, sq string) table.Reading { // read at the border of its square
		to := onBoard(onSquare(sq))
		r.At = table.Point{X: r.At.X + .49*(to.X-r.At.X), Y: r.At.Y + .49*(to.Y-r.At.Y)}
		return r
	}
	for name, c := range map[string]struct {
		left  []table.Die // those that are no longer where they were
		shown table.Reading
		want  string
	}{
		"the color of the one that moved":      {[]table.Die{green}, seen("c4", table.Yellow, map[int]float64{3: 1}, .9, .9), "move B moves green 3 from c3 to c4."},
		"a color that it can hardly have":      {[]table.Die{green}, seen("c4", table.Yellow, map[int]float64{3: 1}, .999, .9), "doubt What happened: B moves green 3 from c3 to c4, or nothing has changed, or the last move was taken back? move B moves green 3 from c3 to c4."},
		"a color that it cannot have":          {[]table.Die{green}, seen("c4", table.Yellow, map[int]float64{3: 1}, 1-1e-6, .9), "doubt The board has changed: green 2 has left c3; yellow 3 is on c4. Was the last move taken back?"},
		"the face of the one that came":        {[]table.Die{yellow}, seen("c4", table.Yellow, map[int]float64{1: .2, 2: .1, 3: .1}, 1, .5), "move B places yellow 3 on c4."},
		"another face, rather":                 {[]table.Die{yellow}, seen("c4", table.Yellow, map[int]float64{1: .9995, 3: .0005}, 1, .9), "doubt What happened: B places yellow 1 on c4, or B places yellow 3 on c4, or nothing has changed? move B places yellow 1 on c4."},
		"hardly seen, but one has gone":        {[]table.Die{yellow}, seen("c4", table.Yellow, map[int]float64{3: 1}, 1, .91), "move B places yellow 3 on c4."},
		"hardly seen, in the middle":           {[]table.Die{yellow}, seen("c4", table.Yellow, map[int]float64{3: 1}, 1, .85), "move B places yellow 3 on c4."},
		"perhaps elsewhere":                    {[]table.Die{yellow}, toward(seen("c4", table.Yellow, map[int]float64{3: 1}, 1, .4), "b4"), "doubt What happened: B places yellow 3 on c4, or B places yellow 3 on b4? move B places yellow 3 on c4."},
		"hardly seen, and none has gone":       {nil, seen("c4", table.Yellow, map[int]float64{3: 1}, 1, .91), ""},
		"the face of one of two that are gone": {[]table.Die{yellow, {Color: table.Yellow, Face: 4}}, seen("c4", table.Yellow, map[int]float64{3: .5, 4: .45}, 1, .5), "doubt What happened: B places yellow 3 on c4, or B places yellow 4 on c4, or B plays yellow 4 where I do not see it, then C places yellow 3 on c4, or B plays yellow 3 where I do not see it, then C places yellow 4 on c4? move B places yellow 3 on c4."},
	} {
		x := newSupplyTable(t)
		x.place(green.Color, green.Face, "c3")
		view := slices.DeleteFunc(slices.Clone(x.m.seen.obs.Dice), func(r table.Reading) bool {
			return slices.Contains(c.left, r.Die) && (r.Die != green || r.Square != nil)
		})
		for range 3 { // what is not surely read is told once another view does not speak against it
			x.see(func(int) []table.Reading { return append(slices.Clone(view), c.shown) })
		}
		if diff := cmp.Diff(c.want, strings.Join(x.said()[1:], " ")); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
	}
}
