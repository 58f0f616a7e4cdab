package scoring_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diceref/scoring"
	"diceref/table"
)

// arenaOf reads five rows as the worked cases write them.
func arenaOf(t testing.TB, rows ...string) scoring.Arena {
	t.Helper()
	a := scoring.Arena{Markers: caseMarkers()}
	colors := map[byte]table.Color{'B': table.Blue, 'Y': table.Yellow, 'G': table.Green, 'W': table.White, 'P': table.Pink}
	for r, row := range rows {
		for c, token := range strings.Fields(row) {
			if token == ".." {
				continue
			}
			d := table.Die{Color: colors[token[0]]}
			if token[1] != '*' {
				d.Face = int(token[1] - '0')
			}
			if d.Color == table.NoColor {
				t.Fatalf("no die %q", token)
			}
			a.Dice[r*5+c] = d
		}
	}
	return a
}

// caseMarkers are the markers that most worked cases invent.
func caseMarkers() scoring.Markers {
	at := func(r, c int) scoring.Holes { return scoring.HoleSet(table.Square{Row: r, Col: c}) }
	return scoring.Markers{Center: at(2, 2), Bonus: at(0, 4), Upgrade: [3]scoring.Holes{at(1, 1), at(3, 3), at(3, 1)}}
}

func fullArena(t testing.TB) scoring.Arena {
	return arenaOf(t,
		"B1 B2 W3 Y4 Y5",
		"P* .. B4 G6 Y1",
		"G2 W5 G3 B6 ..",
		"G1 Y2 G5 .. P*",
		".. W6 B5 Y6 ..")
}

func TestBestScore(t *testing.T) {
	empty := ".. .. .. .. .."
	tests := []struct {
		name  string
		rows  [5]string
		rules scoring.ArenaRules
		want  int
	}{
		{"three in a line", [5]string{empty, empty, empty, empty, ".. .. G2 G3 G5"}, scoring.ArenaRules{}, 10},
		{"two and a marker round a corner", [5]string{empty, empty, empty, "G3 .. .. .. ..", ".. G4 .. .. .."}, scoring.ArenaRules{}, 9},
		{"no diagonals", [5]string{empty, empty, empty, "G3 .. .. .. ..", ".. .. G4 .. .."}, scoring.ArenaRules{}, 0},
		{"diagonals at a marker", [5]string{empty, empty, empty, "G3 .. .. .. ..", ".. .. G4 .. .."}, scoring.ArenaRules{DiagonalMarker: true}, 9},
		{"block with a joker", [5]string{empty, empty, empty, "G1 .. .. .. ..", "G2 G3 W4 .. .."}, scoring.ArenaRules{}, 12},
		{"center doubles in a combination", [5]string{empty, empty, ".. .. B3 B1 B3", ".. .. B4 .. ..", empty}, scoring.ArenaRules{}, 14},
		{"center alone", [5]string{empty, empty, ".. .. B5 Y6 ..", empty, empty}, scoring.ArenaRules{}, 10},
		{"an older center die is not scored alone", [5]string{empty, empty, ".. .. B5 Y6 ..", empty, empty}, scoring.ArenaRules{FreshCenter: true}, 0},
		{"smallest score", [5]string{empty, empty, ".. .. B1 .. ..", empty, empty}, scoring.ArenaRules{}, 2},
		{"blast on the center", [5]string{empty, empty, ".. .. P* .. ..", empty, empty}, scoring.ArenaRules{}, 12},
		{"blast on the center, flat", [5]string{empty, empty, ".. .. P* .. ..", empty, empty}, scoring.ArenaRules{FlatBlast: true}, 6},
		{"an older blast die", [5]string{"P* .. B5 .. ..", empty, empty, empty, empty}, scoring.ArenaRules{FreshBlast: true}, 0},
		{"combination before the blast row", [5]string{"P* B2 B3 .. Y1", ".. .. B4 .. ..", empty, empty, empty}, scoring.ArenaRules{}, 18},
		{"one joker, two groups", [5]string{empty, empty, empty, empty, "B1 B2 W4 G6 G6"}, scoring.ArenaRules{}, 16},
		{"three jokers", [5]string{".. .. W2 W3 W4", empty, empty, empty, empty}, scoring.ArenaRules{}, 9},
		{"two blast dice in a row", [5]string{"P* B1 .. P* ..", empty, empty, "Y5 .. .. .. ..", ".. .. .. G4 .."}, scoring.ArenaRules{}, 23},
		{"four blast dice, of whose four lines three can be taken", [5]string{"P* B6 .. P* ..", "G4 .. .. G3 ..", empty, "P* Y5 .. P* ..", empty}, scoring.ArenaRules{}, 39},
		{"ten jokers, too few for every die", [5]string{"B4 W6 .. G4 W3", "W5 .. Y1 .. B3", "G2 W4 B5 W2 W1", "Y4 .. G2 .. W6", "Y6 W3 W1 W3 B5"}, scoring.ArenaRules{}, 76},
		{"covered marker", [5]string{empty, empty, empty, "G3 Y6 .. .. ..", ".. G4 .. .. .."}, scoring.ArenaRules{}, 0},
		{"marker freed by the scoring", [5]string{".. B5 .. .. ..", ".. Y1 Y2 Y3 ..", ".. B6 .. .. ..", empty, empty}, scoring.ArenaRules{}, 6},
		{"nothing", [5]string{".. .. B6 B6 Y6", empty, empty, empty, empty}, scoring.ArenaRules{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := arenaOf(t, tt.rows[:]...)
			if got := scoring.BestScore(&a, tt.rules); got != tt.want {
				t.Errorf("BestScore = %d, want %d", got, tt.want)
			}
			checkPlan(t, &a, tt.rules, scoring.Best(&a, tt.rules), tt.want)
		})
	}
}

// checkPlan plays a plan as a claim: it must be legal and pay what it says.
func checkPlan(t testing.TB, a *scoring.Arena, r scoring.ArenaRules, p scoring.Plan, want int) {
	t.Helper()
	tally := scoring.Claim(a, r, p.Steps)
	if tally.Bad >= 0 || tally.Score != want || p.Score != want || tally.Removed != p.Removed {
		t.Errorf("plan %+v: as a claim it comes to %+v, want %d", p, tally, want)
	}
}

func TestBestDoesNotAllocate(t *testing.T) {
	a := fullArena(t)
	if n := testing.AllocsPerRun(100, func() { scoring.BestScore(&a, scoring.ArenaRules{}) }); n != 0 {
		t.Errorf("BestScore allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { scoring.Best(&a, scoring.ArenaRules{}) }); n > 12 {
		t.Errorf("Best allocates %v times", n)
	}
}

func BenchmarkBestScore(b *testing.B) {
	a := fullArena(b)
	b.ReportAllocs()
	for b.Loop() {
		scoring.BestScore(&a, scoring.ArenaRules{})
	}
}

func BenchmarkBest(b *testing.B) {
	a := fullArena(b)
	b.ReportAllocs()
	for b.Loop() {
		scoring.Best(&a, scoring.ArenaRules{})
	}
}

func BenchmarkExplain(b *testing.B) {
	a := fullArena(b)
	best := scoring.Best(&a, scoring.ArenaRules{})
	b.ReportAllocs()
	for b.Loop() {
		scoring.Explain(&a, scoring.ArenaRules{}, best.Removed)
	}
}

// turned is where a hole comes to lie under one of the board's eight symmetries.
func turned(i, symmetry int) int {
	r, c := i/5, i%5
	if symmetry&1 != 0 {
		r = 4 - r
	}
	if symmetry&2 != 0 {
		c = 4 - c
	}
	if symmetry&4 != 0 {
		r, c = c, r
	}
	return r*5 + c
}

// The best score and what explains a removed set do not change when the box is
// turned or mirrored with its markers.
func TestSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a, r := randomArena(rng, 20)
		s := rapid.IntRange(1, 7).Draw(t, "symmetry")
		move := func(h scoring.Holes) (out scoring.Holes) {
			for _, sq := range h.Squares() {
				out |= 1 << turned(sq.Index(), s)
			}
			return out
		}
		b := scoring.Arena{Landed: move(a.Landed), Spent: move(a.Spent)}
		b.Markers = scoring.Markers{Center: move(a.Markers.Center), Bonus: move(a.Markers.Bonus)}
		for i, m := range a.Markers.Upgrade {
			b.Markers.Upgrade[i] = move(m)
		}
		for i, d := range a.Dice {
			b.Dice[turned(i, s)] = d
		}
		best := scoring.Best(&a, r)
		if got := scoring.BestScore(&b, r); got != best.Score {
			t.Fatalf("turned by symmetry %d the arena is worth %d, not %d: %+v", s, got, best.Score, a)
		}
		x, y := scoring.Explain(&a, r, best.Removed), scoring.Explain(&b, r, move(best.Removed))
		if !slices.Equal(x.Scores, y.Scores) || !x.Explains(best.Score) {
			t.Fatalf("explained by %v, turned by %v, best %d", x.Scores, y.Scores, best.Score)
		}
	})
}

func TestArenaCheck(t *testing.T) {
	row := ".. .. .. .. .."
	pair := caseMarkers()
	pair.Bonus = pair.Upgrade[1]
	three := arenaOf(t, "P* P* P* P* ..", row, row, row, row)
	if err := three.CheckDice(); err != nil {
		t.Errorf("CheckDice of four blast dice = %v", err)
	}
	if err := three.CheckBest(); err != nil {
		t.Errorf("CheckBest of four blast dice = %v", err)
	}
	red := arenaOf(t, row, row, row, row, row)
	red.Dice[7] = table.Die{Color: table.Red, Face: 1}
	blank := arenaOf(t, row, row, row, row, row)
	blank.Dice[7] = table.Die{Color: table.Blue}
	for want, a := range map[string]scoring.Arena{
		"yellow marker": {Markers: pair}, "impossible arena": three, "no red dice": red, "not 0": blank,
	} {
		if err := a.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check = %v, want %q", err, want)
		}
	}
}

func ExampleBest() {
	blue := func(face int) table.Die { return table.Die{Color: table.Blue, Face: face} }
	a := scoring.Arena{Markers: scoring.DefaultMarkers()}
	a.Dice[0] = table.Die{Color: table.Pink}
	a.Dice[1], a.Dice[2], a.Dice[7] = blue(2), blue(3), blue(4)
	a.Dice[4] = table.Die{Color: table.Yellow, Face: 1}
	plan := scoring.Best(&a, scoring.ArenaRules{})
	for _, s := range plan.Steps {
		fmt.Println(s.Kind)
	}
	fmt.Println(plan.Score)
	// Output:
	// combo
	// blast
	// 16
}
