package scoring_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/scoring"
	"diceref/table"
)

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

// The best score is exact also where there are more jokers and blast dice than in the set.
func TestBestOfOtherDice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	more := 0
	for n := range 400 {
		a, r := randomArena(rng, 10)
		pink := rng.IntN(2) == 0
		for i := range a.Dice {
			switch d := &a.Dice[i]; {
			case d.Color == table.NoColor || rng.IntN(6) == 0:
			case pink:
				*d = table.Die{Color: table.Pink}
			case d.Color != table.Pink:
				d.Color = table.White
			}
		}
		if a.Check() != nil {
			more++
		}
		o := newOracle(&a, r)
		best := 0
		for h := range o.reachable() {
			best = max(best, o.sum(h))
		}
		if got := scoring.BestScore(&a, r); got != best {
			t.Fatalf("arena %d: BestScore = %d, exhaustive search finds %d: %+v %+v", n, got, best, a, r)
		}
		checkPlan(t, &a, r, scoring.Best(&a, r), best)
	}
	if more < 50 {
		t.Errorf("only %d of 400 arenas had more dice than the set", more)
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

// claim plays scorings one by one on what is left: whether all are legal, and what they pay.
func (o *oracle) claim(claim []scoring.Scoring) (score int, legal bool) {
	left := map[int]bool{}
	for _, i := range o.items {
		left[i] = true
	}
	for _, s := range claim {
		var take []int
		switch s.Kind {
		case scoring.Combo:
			for _, c := range s.Cells {
				take = append(take, c.Square.Index())
			}
			if !o.combo(take) {
				return 0, false
			}
		case scoring.Center:
			i := slices.IndexFunc(o.items, func(i int) bool { return o.die[i] && o.a.Markers.Center == 1<<i })
			if i < 0 || o.rules.FreshCenter && o.a.Landed&o.a.Markers.Center == 0 {
				return 0, false
			}
			take = []int{o.items[i]}
		case scoring.Blast:
			b := s.Die.Index()
			if o.color[b] != table.Pink || !left[b] || o.rules.FreshBlast && !o.a.Landed.Has(s.Die) {
				return 0, false
			}
			for _, i := range o.items {
				if left[i] && (s.Line == scoring.Row && i/5 == b/5 || s.Line == scoring.Column && i%5 == b%5) {
					take = append(take, i)
				}
			}
		}
		for _, i := range take {
			if !left[i] {
				return 0, false
			}
			left[i] = false
			score += o.points(i)
		}
	}
	return score, true
}

// Whole claims, built from the best plan and shuffled, are judged as the oracle judges them.
func TestClaimSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	legal, illegal := 0, 0
	for range 20000 {
		a, r := randomArena(rng, 20)
		o := newOracle(&a, r)
		var claim []scoring.Scoring
		for _, s := range scoring.Best(&a, r).Steps {
			for i, c := range s.Cells { // by holes alone
				if c.Marker != table.NoColor {
					at := a.Markers.Upgrade[slices.Index(scoring.Upgrades[:], c.Marker)]
					s.Cells[i] = scoring.Item{Square: at.Squares()[0]}
				}
			}
			claim = append(claim, s)
		}
		for i := range o.items {
			if o.color[o.items[i]] == table.Pink {
				line := []string{scoring.Row, scoring.Column}[rng.IntN(2)]
				claim = append(claim, scoring.Scoring{Kind: scoring.Blast, Die: table.SquareAt(o.items[i]), Line: line})
			}
		}
		if rng.IntN(3) == 0 {
			claim = append(claim, scoring.Scoring{Kind: scoring.Center})
		}
		rng.Shuffle(len(claim), func(i, j int) { claim[i], claim[j] = claim[j], claim[i] })
		claim = claim[:rng.IntN(len(claim)+1)]
		want, ok := o.claim(claim)
		got := scoring.Claim(&a, r, claim)
		if (got.Bad < 0) != ok || ok && got.Score != want {
			t.Fatalf("%+v comes to %+v, the oracle says %d, %v: %+v %+v", claim, got, want, ok, a, r)
		}
		if len(claim) > 1 && ok {
			legal++
		} else if !ok {
			illegal++
		}
	}
	if legal < 1000 || illegal < 1000 {
		t.Errorf("only %d longer claims were legal and %d illegal", legal, illegal)
	}
}
