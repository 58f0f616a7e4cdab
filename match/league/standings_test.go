package league

import (
	"fmt"
	"math"
	"testing"
)

// result is what happened at one table.
type result struct {
	players []string
	places  []int
}

// told is a league with rounds that somebody made.
func told(t *testing.T, format string, players []string, rounds ...[]result) *League {
	t.Helper()
	l := begin(t, format, 2, 4, players...)
	for i, results := range rounds {
		r := Round{Number: i + 1}
		sits := map[string]bool{}
		for _, res := range results {
			r.Tables = append(r.Tables, Table{Players: res.players})
			for _, p := range res.players {
				sits[p] = true
			}
		}
		for _, p := range players {
			if !sits[p] {
				r.Byes = append(r.Byes, p)
			}
		}
		apply(t, l, Event{Round: &r})
		for k, res := range results {
			apply(t, l, Event{Result: &Entry{i + 1, k, res.places}})
		}
	}
	return l
}

func s(players ...string) []string { return players }

func TestStandings(t *testing.T) {
	for _, c := range []struct {
		name string
		l    *League
		want string // rank, player, points, Buchholz, Sonneborn-Berger, wins
	}{
		{
			"chess: a win, a draw", told(t, Swiss, s("A", "B", "C", "D"), []result{{s("A", "B"), []int{1, 2}}, {s("C", "D"), []int{1, 1}}}),
			"1 A 1 0 0 1|2 C 0.5 0.5 0.25 1|2 D 0.5 0.5 0.25 1|4 B 0 1 0 0",
		},
		{
			"four at a table", told(t, Swiss, s("A", "B", "C", "D"), []result{{s("A", "B", "C", "D"), []int{2, 1, 4, 3}}}),
			"1 B 1 0.33 0.33 1|2 A 0.67 0.44 0.11 0|3 D 0.33 0.56 0 0|4 C 0 0.67 0 0",
		},
		{
			"two share the second place", told(t, Swiss, s("A", "B", "C", "D"), []result{{s("A", "B", "C", "D"), []int{1, 2, 2, 4}}}),
			"1 A 1 0.33 0.33 1|2 B 0.5 0.5 0.08 0|2 C 0.5 0.5 0.08 0|4 D 0 0.67 0 0",
		},
		{
			"one was not there", told(t, Swiss, s("A", "B", "C"), []result{{s("A", "B", "C"), []int{1, 2, 0}}}),
			"1 A 1 0.25 0.25 1|2 B 0.5 0.5 0 0|3 C 0 0.75 0 0",
		},
		{"nobody was there", told(t, Swiss, s("A", "B"), []result{{s("A", "B"), []int{0, 0}}}), "1 A 0 0 0 0|1 B 0 0 0 0"},
		{"a bye in Swiss", told(t, Swiss, s("A", "B", "C"), []result{{s("A", "B"), []int{1, 2}}}), "1 C 1 1 0 0|2 A 1 0 0 1|3 B 0 1 0 0"},
		{"a bye in a round robin", told(t, RoundRobin, s("A", "B", "C"), []result{{s("A", "B"), []int{1, 2}}}), "1 A 1 0 0 1|2 B 0 1 0 0|3 C 0 0 0 0"},
	} {
		got := ""
		for i, s := range c.l.Standings() {
			if i > 0 {
				got += "|"
			}
			round := func(f float64) float64 { return math.Round(100*f) / 100 }
			got += fmt.Sprintln(s.Rank, s.Player, round(s.Points), round(s.Opponents), round(s.Beaten), s.Wins)
			got = got[:len(got)-1]
		}
		if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// TestDirect: among equals it counts what they did against each other, if all of them have met.
func TestDirect(t *testing.T) {
	all := told(t, RoundRobin, s("A", "B", "C", "D"),
		[]result{{s("A", "B"), []int{2, 1}}, {s("C", "D"), []int{1, 2}}},
		[]result{{s("A", "C"), []int{1, 2}}, {s("B", "D"), []int{2, 1}}},
		[]result{{s("A", "D"), []int{1, 2}}, {s("B", "C"), []int{1, 2}}})
	got := ""
	for _, s := range all.Standings() {
		got += fmt.Sprintf("%d %s %v %v|", s.Rank, s.Player, s.Points, *s.Direct)
	}
	if want := "1 B 2 1|2 A 2 0|3 C 1 1|4 D 1 0|"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	some := told(t, Swiss, s("A", "B", "C", "D"), []result{{s("A", "B"), []int{1, 1}}, {s("C", "D"), []int{1, 1}}})
	for _, s := range some.Standings() {
		if s.Direct != nil || s.Rank != 1 {
			t.Errorf("not all have met: %+v", s)
		}
	}
}

func TestHeadToHead(t *testing.T) {
	l := told(t, Swiss, s("A", "B", "C"), []result{{s("A", "B", "C"), []int{1, 2, 2}}}, []result{{s("A", "B"), []int{2, 1}}})
	met := l.HeadToHead()
	if a, b := met["A"]["B"], met["B"]["C"]; a != (Meetings{2, 1}) || b != (Meetings{1, 0.5}) || met["C"]["A"] != (Meetings{1, 0}) {
		t.Errorf("%v", met)
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		points []int
		won    []bool
		want   string
	}{
		{[]int{3, 9, 5}, []bool{false, true, false}, "[3 1 2]"},
		{[]int{3, 9, 5}, []bool{true, false, false}, "[1 2 3]"}, // the lowest may win Dice Box
		{[]int{5, 5, 5, 1}, []bool{true, false, false, false}, "[1 2 2 4]"},
		{[]int{7, 6}, []bool{true, true}, "[1 1]"},
	} {
		if got := fmt.Sprint(Places(c.points, c.won)); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.points, c.won, got, c.want)
		}
	}
}

// TestRate: the values are those that openskill.js and openskill.py, which follow the same paper, have in their tests.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		places []int
		want   []Rating
	}{
		{[]int{1, 2}, []Rating{{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}},
		{[]int{1, 2, 3}, []Rating{{27.868876552746237, 8.204837030780652}, {25.717219138186557, 8.057829747583874}, {21.413904309067206, 8.057829747583874}}},
		{[]int{4, 1, 3, 2}, []Rating{{20.96265504062538, 8.083731307186588}, {27.795084971874736, 8.263160757613477}, {24.68943500312503, 8.083731307186588}, {26.552824984374855, 8.179213704945203}}},
	} {
		before := make([]Rating, len(c.places))
		for i := range before {
			before[i] = FirstRating()
		}
		for i, got := range Rate(before, c.places) {
			if want := c.want[i]; math.Abs(got.Mean-want.Mean) > 1e-9 || math.Abs(got.Deviation-want.Deviation) > 1e-9 {
				t.Errorf("%v: player %d has %v, want %v", c.places, i, got, want)
			}
		}
	}
	first := FirstRating()
	if first.Shown() != 1500 {
		t.Errorf("it begins at %d", first.Shown())
	}
	for i, r := range Rate([]Rating{first, first, first}, []int{1, 1, 1}) {
		if math.Abs(r.Mean-first.Mean) > 1e-9 || r.Deviation >= first.Deviation {
			t.Errorf("all share the first place: player %d has %v", i, r)
		}
	}
}

// TestRatingsFind: who plays better is rated higher, in the order in which they play.
func TestRatingsFind(t *testing.T) {
	l := begin(t, Swiss, 4, 4, names(8)...)
	for range 12 {
		play(t, l, inOrder)
	}
	ratings := l.Ratings()
	for i, name := range names(8)[1:] {
		if before := names(8)[i]; ratings[name].Mean >= ratings[before].Mean {
			t.Errorf("%s is rated %v, and %s, who always wins, %v", name, ratings[name], before, ratings[before])
		}
	}
}
