package league

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func names(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("P%02d", i))
	}
	return list
}

func begin(t testing.TB, format string, least, most int, players ...string) *League {
	t.Helper()
	l := &League{}
	apply(t, l, Event{New: &New{Rules{Name: "Test", Format: format, Least: least, Most: most, Seed: 7}, players}})
	return l
}

func apply(t testing.TB, l *League, e Event) {
	t.Helper()
	if err := l.Apply(e); err != nil {
		t.Fatal(err)
	}
}

// play pairs a round and gives every table a result.
func play(t testing.TB, l *League, places func(players []string) []int) Round {
	t.Helper()
	r, err := l.Next(time.Time{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, l, Event{Round: &r})
	for i, table := range r.Tables {
		apply(t, l, Event{Result: &Entry{r.Number, i, places(table.Players)}})
	}
	return r
}

// byLuck is places by chance, sometimes shared.
func byLuck(rng *rand.Rand) func([]string) []int {
	return func(players []string) []int {
		points := make([]int, len(players))
		for i := range points {
			points[i] = rng.IntN(5)
		}
		return Places(points, make([]bool, len(points)))
	}
}

// inOrder is that who comes first in the alphabet wins.
func inOrder(players []string) []int {
	places := make([]int, len(players))
	for i, p := range players {
		places[i] = 1
		for _, o := range players {
			if o < p {
				places[i]++
			}
		}
	}
	return places
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		players, least, most int
		want                 string
	}{
		{8, 2, 4, "[4 4] 0"},
		{9, 2, 4, "[3 3 3] 0"},
		{10, 3, 4, "[4 3 3] 0"},
		{5, 2, 4, "[3 2] 0"},
		{5, 3, 4, "[4] 1"},
		{7, 2, 2, "[2 2 2] 1"},
		{2, 2, 4, "[2] 0"},
		{1, 2, 4, "[] 1"},
		{0, 2, 2, "[] 0"},
		{11, 5, 5, "[5 5] 1"},
		{4, 5, 5, "[] 4"},
	} {
		tables, byes := sizes(c.players, c.least, c.most)
		if got := fmt.Sprint(tables, byes); got != c.want {
			t.Errorf("%d players, %d to %d at a table: %s, want %s", c.players, c.least, c.most, got, c.want)
		}
	}
}

// TestSwiss: in whatever league, everybody plays or has a bye once a round, byes go around, and nobody meets somebody
// again where an independent search finds how to avoid it.
func TestSwiss(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(rt, "players")
		least := rapid.IntRange(2, min(3, n)).Draw(rt, "least")
		most := rapid.IntRange(least, 4).Draw(rt, "most")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "luck"), 1))
		l := begin(t, Swiss, least, most, names(n)...)
		byes := map[string]int{}
		for range 5 {
			met := l.met()
			r := play(t, l, byLuck(rng))
			var all, in []string
			sizes, cost := []int{}, 0
			for _, table := range r.Tables {
				in = append(in, table.Players...)
				sizes = append(sizes, len(table.Players))
				for i, a := range table.Players {
					for _, b := range table.Players[:i] {
						cost += met[pairOf(a, b)]
					}
				}
			}
			for _, p := range r.Byes {
				byes[p]++
			}
			all = append(slices.Clone(in), r.Byes...)
			slices.Sort(all)
			if !slices.Equal(all, names(n)) {
				rt.Fatalf("round %d has %v", r.Number, all)
			}
			if slices.Max(sizes)-slices.Min(sizes) > 1 {
				rt.Fatalf("tables of %v", sizes)
			}
			if least := fewest(in, sizes, met); cost > least {
				rt.Fatalf("round %d repeats %d meetings, %d would do: %v", r.Number, cost, least, r.Tables)
			}
		}
		most, least = 0, 5
		for _, p := range l.Players {
			most, least = max(most, byes[p.Name]), min(least, byes[p.Name])
		}
		if most-least > 1 {
			rt.Fatalf("byes: %v", byes)
		}
	})
}

// fewest is the fewest repeated meetings that tables of these sizes can have: it tries all of them.
func fewest(players []string, sizes []int, met map[pair]int) int {
	best := 1 << 30
	tables := make([][]string, len(sizes))
	var try func(i, cost int)
	try = func(i, cost int) {
		if cost >= best {
			return
		}
		if i == len(players) {
			best = cost
			return
		}
		for t := range tables {
			if len(tables[t]) == sizes[t] {
				continue
			}
			more := 0
			for _, o := range tables[t] {
				more += met[pairOf(players[i], o)]
			}
			tables[t] = append(tables[t], players[i])
			try(i+1, cost+more)
			tables[t] = tables[t][:len(tables[t])-1]
		}
	}
	try(0, 0)
	return best
}

// TestSwissLarge: as long as everybody has met fewer than half of the others, a round of pairs without a repeated meeting
// exists (Dirac's theorem), and is found; in larger tables, too, for as many rounds as are usual.
func TestSwissLarge(t *testing.T) {
	for _, c := range []struct{ players, least, most, rounds int }{{24, 2, 2, 12}, {40, 2, 2, 9}, {41, 2, 2, 7}, {64, 3, 4, 6}, {100, 4, 4, 6}, {256, 3, 4, 4}} {
		l := begin(t, Swiss, c.least, c.most, names(c.players)...)
		rng := rand.New(rand.NewPCG(3, 3))
		for range c.rounds {
			play(t, l, byLuck(rng))
		}
		for pair, n := range l.met() {
			if n > 1 {
				t.Errorf("%d players, %d rounds: %v have met %d times", c.players, c.rounds, pair, n)
			}
		}
	}
}

// TestSwissByStanding: those who stand next to each other play each other, and the best come out first.
func TestSwissByStanding(t *testing.T) {
	l := begin(t, Swiss, 2, 2, names(16)...)
	for range 4 {
		before := map[string]float64{}
		for _, s := range l.Standings() {
			before[s.Player] = s.Points
		}
		for _, table := range play(t, l, inOrder).Tables {
			if a, b := before[table.Players[0]], before[table.Players[1]]; max(a, b)-min(a, b) > 0 {
				t.Errorf("%v with %v against %v points", table.Players, a, b)
			}
		}
	}
	if s := l.Standings(); s[0].Player != "P00" || s[0].Points != 4 || s[15].Player != "P15" || s[15].Points != 0 {
		t.Errorf("after four rounds of 16: %+v", s)
	}
}

// TestRoundRobin: everybody meets everybody; with two at a table exactly once, in as few rounds as there can be.
func TestRoundRobin(t *testing.T) {
	for _, c := range []struct{ players, least, most, rounds int }{
		{2, 2, 2, 1}, {7, 2, 2, 7}, {8, 2, 2, 7}, {4, 4, 4, 1}, {9, 3, 3, 5}, {12, 3, 4, 7}, {7, 3, 4, 5}, {5, 3, 4, 5}, {16, 4, 4, 7}, {24, 3, 4, 12},
	} {
		l := begin(t, RoundRobin, c.least, c.most, names(c.players)...)
		for {
			r, err := l.Next(time.Time{}, nil)
			if errors.Is(err, ErrOver) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Rounds) == c.rounds {
				t.Errorf("%d players, %d to %d: not over after %d rounds", c.players, c.least, c.most, c.rounds)
				break
			}
			apply(t, l, Event{Round: &r})
			for i, table := range r.Tables {
				apply(t, l, Event{Result: &Entry{r.Number, i, inOrder(table.Players)}})
			}
		}
		met := l.met()
		for i, a := range names(c.players) {
			for _, b := range names(i) {
				if n := met[pairOf(a, b)]; n == 0 || c.most == 2 && n != 1 {
					t.Errorf("%d players: %s and %s have met %d times in %d rounds", c.players, a, b, n, len(l.Rounds))
				}
			}
		}
		t.Logf("%d players, %d to %d at a table: %d rounds", c.players, c.least, c.most, len(l.Rounds))
	}
}

// TestTurns: nobody begins much more often than the others.
func TestTurns(t *testing.T) {
	l := begin(t, Swiss, 4, 4, names(16)...)
	rng := rand.New(rand.NewPCG(5, 5))
	begun := map[string]int{}
	for range 8 {
		for _, table := range play(t, l, byLuck(rng)).Tables {
			begun[table.Players[0]]++
		}
	}
	for _, p := range names(16) {
		if begun[p] < 1 || begun[p] > 3 {
			t.Errorf("%s has begun %d times of 8", p, begun[p])
		}
	}
}

// TestComeAndGo: who goes is not paired any more, who comes later is, and who comes back is again.
func TestComeAndGo(t *testing.T) {
	l := begin(t, Swiss, 2, 4, names(8)...)
	play(t, l, inOrder)
	apply(t, l, Event{Player: &Player{Name: "P03", Out: true}})
	apply(t, l, Event{Player: &Player{Name: "Late"}})
	in := fmt.Sprint(play(t, l, inOrder))
	if strings.Contains(in, "P03") || !strings.Contains(in, "Late") {
		t.Errorf("round 2: %s", in)
	}
	apply(t, l, Event{Player: &Player{Name: "P03"}})
	if in := fmt.Sprint(play(t, l, inOrder)); !strings.Contains(in, "P03") {
		t.Errorf("round 3: %s", in)
	}
	fixed := begin(t, RoundRobin, 2, 2, names(4)...)
	play(t, fixed, inOrder)
	if err := fixed.Apply(Event{Player: &Player{Name: "Late"}}); err == nil {
		t.Error("somebody joined a fixed round robin")
	}
	apply(t, fixed, Event{Player: &Player{Name: "P00", Out: true}})
	if r := play(t, fixed, inOrder); len(r.Tables) != 1 || len(r.Byes) != 1 {
		t.Errorf("one has left: %+v", r)
	}
}

// TestRefusals: what cannot be is refused, and changes nothing.
func TestRefusals(t *testing.T) {
	good := Rules{Name: "x", Format: Swiss, Least: 2, Most: 4}
	rules := func(change func(*Rules)) Event {
		r := good
		change(&r)
		return Event{New: &New{Rules: r}}
	}
	fresh := []Event{
		{},
		{Player: &Player{Name: "A"}},
		{Round: &Round{Number: 1}},
		rules(func(r *Rules) { r.Name = " " }), rules(func(r *Rules) { r.Name = strings.Repeat("x", 100) }), rules(func(r *Rules) { r.Format = "cup" }),
		rules(func(r *Rules) { r.Least = 1 }), rules(func(r *Rules) { r.Least = 5 }), rules(func(r *Rules) { r.Most = 9 }),
		{New: &New{good, []string{"A", "A"}}},
		{New: &New{good, []string{""}}},
		{New: &New{good, names(300)}},
	}
	for i, e := range fresh {
		l := &League{}
		if err := l.Apply(e); err == nil || l.Name != "" {
			t.Errorf("refusal %d: %v", i, err)
		}
	}
	l := begin(t, Swiss, 2, 4, names(8)...)
	if _, err := begin(t, Swiss, 2, 4, "A").Next(time.Time{}, nil); !errors.Is(err, ErrFew) {
		t.Errorf("one player alone: %v", err)
	}
	r, err := l.Next(time.Time{}, []Place{{"window", "Window"}})
	if err != nil || r.Tables[0].Name != "Window" || r.Tables[1].Name != "" {
		t.Fatalf("%+v: %v", r, err)
	}
	apply(t, l, Event{Round: &r})
	before := fmt.Sprintf("%+v", l.Rounds)
	four := r.Tables[0].Players
	for i, e := range []Event{
		{New: &New{good, names(2)}},
		{Round: &r},
		{Round: &Round{Number: 2, Tables: []Table{{Players: []string{"P00", "P00"}}}}},
		{Round: &Round{Number: 2, Tables: []Table{{Players: []string{"P00", "X"}}}}},
		{Round: &Round{Number: 2, Tables: []Table{{Players: []string{"P00"}}}}},
		{Round: &Round{Number: 2, Byes: []string{"X"}}},
		{Round: &Round{Number: 2, Tables: []Table{{Players: four, Places: []int{1, 2, 3, 4}}}}},
		{Result: &Entry{1, 2, []int{1, 2, 3, 4}}},
		{Result: &Entry{0, 0, []int{1, 2, 3, 4}}},
		{Result: &Entry{2, 0, []int{1, 2, 3, 4}}},
		{Result: &Entry{1, -1, []int{1, 2, 3, 4}}},
		{Result: &Entry{1, 0, []int{1, 2, 3}}},
		{Result: &Entry{1, 0, []int{1, 1, 2, 4}}},
		{Result: &Entry{1, 0, []int{2, 2, 3, 4}}},
		{Result: &Entry{1, 0, []int{-1, 1, 2, 3}}},
		{Player: &Player{Name: "P00"}},
		{Player: &Player{Name: "p00"}},
		{Player: &Player{Name: "X", Out: true}},
		{Player: &Player{Name: " X"}},
	} {
		if err := l.Apply(e); err == nil {
			t.Errorf("refusal %d was taken", i)
		}
	}
	if now := fmt.Sprintf("%+v", l.Rounds); now != before {
		t.Errorf("a refusal has changed something: %s", now)
	}
	if _, err := l.Next(time.Time{}, nil); !errors.Is(err, ErrOpen) {
		t.Errorf("a round begins before the last one is over: %v", err)
	}
}
