package scoring

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"diceref/table"
)

// slowCluster counts by walking from die to die: another way to the same number.
func slowCluster(set uint32, rule ClusterRule) int {
	var walked [25]bool
	var walk func(r, c int) int
	walk = func(r, c int) int {
		if r < 0 || r > 4 || c < 0 || c > 4 || walked[r*5+c] || set>>(r*5+c)&1 == 0 {
			return 0
		}
		walked[r*5+c] = true
		return 1 + walk(r-1, c) + walk(r+1, c) + walk(r, c-1) + walk(r, c+1)
	}
	best, sum := 0, 0
	for i := range 25 {
		if n := walk(i/5, i%5); n >= 2 {
			best, sum = max(best, n), sum+n
		}
	}
	if rule.Literal {
		best = sum
	}
	if best == 0 && set != 0 {
		best = rule.Singleton
	}
	return best
}

func TestClusterEqualsWalking(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		set := rapid.Uint32Range(0, 1<<25-1).Draw(r, "set")
		rule := ClusterRule{rapid.Bool().Draw(r, "literal"), rapid.IntRange(0, 1).Draw(r, "singleton")}
		got, want := Cluster(set, rule), slowCluster(set, rule)
		if got != want {
			r.Fatalf("%025b: %d, want %d", set, got, want)
		}
		var turned, mirrored uint32
		for i := range 25 {
			if set>>i&1 != 0 {
				turned |= 1 << (i%5*5 + 4 - i/5)
				mirrored |= 1 << (i/5*5 + 4 - i%5)
			}
		}
		if Cluster(turned, rule) != got || Cluster(mirrored, rule) != got {
			r.Fatalf("%025b scores %d, turned %d, mirrored %d", set, got, Cluster(turned, rule), Cluster(mirrored, rule))
		}
		if n := bits.OnesCount32(set); got > n {
			r.Fatalf("%d dice score %d", n, got)
		}
	})
}

func TestProfiles(t *testing.T) {
	p, err := ParseProfile("pairs")
	if err != nil {
		t.Fatal(err)
	}
	for f := 1; f <= 6; f++ {
		if p[table.Black][f]^p[table.Red][7-f] != allIcons {
			t.Errorf("pairs: faces %d and %d do not complete each other", f, 7-f)
		}
	}
	p, err = ParseProfile(`{"*":{"1":"J","2":"PI"},"R":{"1":"S"},"purple":{"2":""}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		color table.Color
		face  int
		want  Icons
	}{
		{table.Red, 1, SweetRoll}, {table.Red, 2, Popsicle | IceCream}, {table.Purple, 2, 0}, {table.Purple, 1, JelloTart}, {table.Green, 3, 0},
	} {
		if got := p[c.color][c.face]; got != c.want {
			t.Errorf("%s %d shows %04b, want %04b", c.color, c.face, got, c.want)
		}
	}
	for _, bad := range []any{"none", 3, `{"R":3}`, `{"R":{"0":"J"}}`, `{"R":{"1":"K"}}`, `{"Q":{"1":"J"}}`, `{`} {
		if _, err := ParseProfile(bad); err == nil {
			t.Errorf("the profile %v was accepted", bad)
		}
	}
}

func TestDessertWinners(t *testing.T) {
	for _, c := range []struct{ scores, last, want []int }{
		{[]int{3, 5, 4}, []int{1, 2, 3}, []int{1}},
		{[]int{5, 5, 4}, []int{9, 2, 30}, []int{0}},
		{[]int{5, 5, 5}, []int{-1, -1, 4}, []int{2}},
		{[]int{5, 5, 4}, []int{-1, -1, 30}, []int{0, 1}},
		{[]int{0}, []int{-1}, []int{0}},
	} {
		if got := DessertWinners(c.scores, c.last); !slices.Equal(got, c.want) {
			t.Errorf("scores %v, last placed %v: %v win, want %v", c.scores, c.last, got, c.want)
		}
	}
}

func TestBox(t *testing.T) {
	dice := []table.Die{{Color: table.Red, Face: 3}, {Color: table.Black, Face: 6}, {Color: table.White, Face: 2}, {Color: table.Red, Face: 1}, {}}
	if got := TallyBox(dice); got != [4]int{4, 0, 0, 2} {
		t.Errorf("tally %v", got)
	}
	for _, c := range []struct {
		totals    []int
		unclaimed int
		want      []int
	}{
		{[]int{11, 4}, 99, []int{0}},
		{[]int{4, 4}, 0, []int{0, 1}},
		{[]int{11, 4, 4}, 12, []int{1, 2}},
		{[]int{11, 4, 4}, 11, []int{0}},
		{[]int{6, 6, 4, 4}, 99, []int{0, 1}},
		{nil, 0, nil},
	} {
		if got := BoxWinners(c.totals, c.unclaimed); !slices.Equal(got, c.want) {
			t.Errorf("totals %v, unclaimed %d: %v win, want %v", c.totals, c.unclaimed, got, c.want)
		}
	}
}

func BenchmarkClusters(b *testing.B) {
	var board [25]table.Die
	for i := range board {
		board[i] = table.Die{Color: []table.Color{table.Red, table.Yellow, table.Green, table.Purple}[i%4], Face: 1 + i*7%6}
	}
	p, _ := ParseProfile("pairs")
	b.ReportAllocs()
	for b.Loop() {
		Clusters(&board, p, ClusterRule{})
	}
}

// TestClusterSquares: they are as many as the cluster counts, and connected.
func TestClusterSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		set := r.Uint32() & r.Uint32() & wholeBoard
		for _, rule := range []ClusterRule{{}, {Literal: true}, {Singleton: 1}} {
			squares := ClusterSquares(set, rule)
			if len(squares) != Cluster(set, rule) {
				t.Fatalf("%025b, %+v: %d squares, but it counts %d", set, rule, len(squares), Cluster(set, rule))
			}
			if got := uint32(HoleSet(squares...)); got&^set != 0 || !rule.Literal && len(squares) > 1 && Cluster(got, rule) != len(squares) {
				t.Fatalf("%025b, %+v: %v", set, rule, squares)
			}
		}
	}
}
