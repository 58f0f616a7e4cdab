package scoring_test

import (
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

// oracle finds every set of items that legal sequences can score, by trying them
// all. It shares no code with the package: squares and lists instead of bits.
type oracle struct {
	a     *scoring.Arena
	rules scoring.ArenaRules
	items []int // holes with a die or with a marker that can score
	color map[int]table.Color
	die   map[int]bool
}

func newOracle(a *scoring.Arena, r scoring.ArenaRules) *oracle {
	o := &oracle{a: a, rules: r, color: map[int]table.Color{}, die: map[int]bool{}}
	for i, d := range a.Dice {
		if d.Color != table.NoColor {
			o.items = append(o.items, i)
			o.color[i], o.die[i] = d.Color, true
		}
	}
	for i, m := range a.Markers.Upgrade {
		for _, sq := range m.Squares() {
			if !o.die[sq.Index()] && !a.Spent.Has(sq) {
				o.items = append(o.items, sq.Index())
				o.color[sq.Index()] = scoring.Upgrades[i]
			}
		}
	}
	slices.Sort(o.items)
	return o
}

func (o *oracle) points(i int) int {
	if !o.die[i] {
		return 2
	}
	p := o.a.Dice[i].Face
	if o.color[i] == table.Pink {
		p = 6
	}
	if o.a.Markers.Center.Has(table.SquareAt(i)) && !(o.color[i] == table.Pink && o.rules.FlatBlast) {
		p *= 2
	}
	return p
}

func (o *oracle) adjacent(i, j int) bool {
	dr, dc := i/5-j/5, i%5-j%5
	if dr*dr+dc*dc == 1 {
		return true
	}
	return o.rules.DiagonalMarker && dr*dr+dc*dc == 2 && (!o.die[i] || !o.die[j])
}

func (o *oracle) combo(holes []int) bool {
	if len(holes) < 3 {
		return false
	}
	of := table.NoColor
	for _, i := range holes {
		switch c := o.color[i]; {
		case c == table.Pink:
			return false
		case c == table.White:
		case of != table.NoColor && of != c:
			return false
		default:
			of = c
		}
	}
	reached := map[int]bool{holes[0]: true}
	for range holes {
		for _, i := range holes {
			for _, j := range holes {
				if reached[i] && o.adjacent(i, j) {
					reached[j] = true
				}
			}
		}
	}
	return len(reached) == len(holes)
}

// reachable is every set of scored items, by hole bits.
func (o *oracle) reachable() map[scoring.Holes]bool {
	bit := func(i int) scoring.Holes { return 1 << i }
	var combos []scoring.Holes
	for set := range 1 << len(o.items) {
		var holes []int
		var h scoring.Holes
		for k, i := range o.items {
			if set>>k&1 != 0 {
				holes = append(holes, i)
				h |= bit(i)
			}
		}
		if o.combo(holes) {
			combos = append(combos, h)
		}
	}
	seen := map[scoring.Holes]bool{0: true}
	for todo := []scoring.Holes{0}; len(todo) > 0; {
		scored := todo[0]
		todo = todo[1:]
		add := func(h scoring.Holes) {
			if next := scored | h; !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
		for _, h := range combos {
			if h&scored == 0 {
				add(h)
			}
		}
		for _, i := range o.items {
			if scored&bit(i) != 0 || !o.die[i] {
				continue
			}
			fresh := o.a.Landed&bit(i) != 0
			if o.a.Markers.Center&bit(i) != 0 && (fresh || !o.rules.FreshCenter) {
				add(bit(i))
			}
			if o.color[i] == table.Pink && (fresh || !o.rules.FreshBlast) {
				var row, col scoring.Holes
				for _, j := range o.items {
					if j/5 == i/5 {
						row |= bit(j)
					}
					if j%5 == i%5 {
						col |= bit(j)
					}
				}
				add(row)
				add(col)
			}
		}
	}
	return seen
}

func (o *oracle) sum(h scoring.Holes) int {
	n := 0
	for _, sq := range h.Squares() {
		n += o.points(sq.Index())
	}
	return n
}

// randomArena has at most n dice of the real set, crowded so that much can be scored.
func randomArena(rng *rand.Rand, n int) (scoring.Arena, scoring.ArenaRules) {
	var a scoring.Arena
	holes := rng.Perm(25)
	for i, h := range []*scoring.Holes{&a.Markers.Center, &a.Markers.Bonus, &a.Markers.Upgrade[0], &a.Markers.Upgrade[1], &a.Markers.Upgrade[2]} {
		if rng.IntN(8) > 0 {
			*h = 1 << holes[i]
		}
	}
	if rng.IntN(2) == 0 {
		a.Markers = caseMarkers()
	}
	var set []table.Color
	for _, c := range []table.Color{table.Blue, table.Yellow, table.Green, table.White, table.Pink} {
		for range table.DiceFlick.Kit().Dice[c] {
			set = append(set, c)
		}
	}
	rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	wide := 2 + rng.IntN(4) // dice within a corner of this size
	for _, c := range set[:rng.IntN(n+1)] {
		d := table.Die{Color: c, Face: 1 + rng.IntN(6)}
		if c == table.Pink {
			d.Face = 0
		}
		i := rng.IntN(wide)*5 + rng.IntN(wide)
		a.Dice[i] = d
		if rng.IntN(2) == 0 {
			a.Landed |= 1 << i
		}
	}
	r := scoring.ArenaRules{FlatBlast: rng.IntN(4) == 0, FreshCenter: rng.IntN(4) == 0, FreshBlast: rng.IntN(4) == 0, DiagonalMarker: rng.IntN(4) == 0}
	if rng.IntN(4) == 0 {
		a.Spent = a.Markers.Upgrade[rng.IntN(3)]
	}
	return a, r
}

// The best score, the claims and the explanations agree with trying everything.
func TestAgainstExhaustiveSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	positive := 0
	for n := range 400 {
		a, r := randomArena(rng, 9)
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		o := newOracle(&a, r)
		sets := o.reachable()
		best := 0
		scores := map[scoring.Holes][]int{} // by removed dice
		for h := range sets {
			var dice scoring.Holes
			for _, sq := range h.Squares() {
				if o.die[sq.Index()] {
					dice |= scoring.HoleSet(sq)
				}
			}
			s := o.sum(h)
			best = max(best, s)
			if !slices.Contains(scores[dice], s) {
				scores[dice] = append(scores[dice], s)
			}
		}
		if best > 0 {
			positive++
		}
		if got := scoring.BestScore(&a, r); got != best {
			t.Fatalf("arena %d: BestScore = %d, exhaustive search finds %d: %+v %+v", n, got, best, a, r)
		}
		checkPlan(t, &a, r, scoring.Best(&a, r), best)
		var all scoring.Holes
		for i := range o.die {
			all |= 1 << i
		}
		for removed := all; ; removed = (removed - 1) & all {
			e := scoring.Explain(&a, r, removed)
			want := scores[removed]
			slices.Sort(want)
			if !slices.Equal(e.Scores, want) {
				t.Fatalf("arena %d: Explain(%v) = %v, want %v: %+v %+v", n, removed.Squares(), e.Scores, want, a, r)
			}
			if len(want) > 0 {
				checkPlan(t, &a, r, e.Best, want[len(want)-1])
			}
			if removed == 0 {
				break
			}
		}
	}
	if positive < 200 {
		t.Errorf("only %d of 400 arenas were worth anything", positive)
	}
}

// Claims of random scorings are legal exactly where the oracle says so.
func TestClaimsAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	legal := 0
	for range 20000 {
		a, r := randomArena(rng, 20)
		o := newOracle(&a, r)
		if len(o.items) < 3 {
			continue
		}
		var holes []int
		cells := []scoring.Item{}
		for _, i := range o.items {
			if len(holes) > 0 && slices.ContainsFunc(holes, func(j int) bool { return o.adjacent(i, j) }) || rng.IntN(6) == 0 {
				holes = append(holes, i)
				item := scoring.Item{Square: table.SquareAt(i)}
				if !o.die[i] && rng.IntN(2) == 0 {
					item = scoring.Item{Marker: o.color[i]}
				}
				cells = append(cells, item)
			}
			if len(holes) == 4 {
				break
			}
		}
		tally := scoring.Claim(&a, r, []scoring.Scoring{{Kind: scoring.Combo, Cells: cells}})
		if want := o.combo(holes); (tally.Bad < 0) != want {
			t.Fatalf("combo %v: faults %v, oracle says legal=%v: %+v", holes, tally.Faults, want, a)
		} else if want {
			legal++
		}
		for i, m := range a.Markers.Upgrade { // and never with a marker that is not to be had
			if m != 0 && !slices.ContainsFunc(o.items, func(j int) bool { return m == 1<<j && !o.die[j] }) {
				extra := append(cells, scoring.Item{Marker: scoring.Upgrades[i]})
				if tally := scoring.Claim(&a, r, []scoring.Scoring{{Kind: scoring.Combo, Cells: extra}}); tally.Bad != 0 {
					t.Fatalf("the %v marker is covered or spent, but %v was legal: %+v", scoring.Upgrades[i], extra, a)
				}
			}
		}
	}
	if legal < 250 {
		t.Errorf("only %d combinations were legal", legal)
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
