package diceflick

import (
	"math"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// lies is an arena that is read as it is, but for dice that are not seen.
type lies map[string]table.Die

func (l lies) Misfit(hole int, is table.Die, _ bool) float64 {
	switch there := l[table.SquareAt(hole).String()]; {
	case there == is:
		return 0
	case there.Color == table.NoColor:
		return 6
	}
	return 9
}

func (l lies) Sure(table.Square) bool { return true }

func (l lies) Likely(hole int) []table.Die {
	if d := l[table.SquareAt(hole).String()]; d.Color != table.NoColor {
		return []table.Die{d}
	}
	return nil
}

// hidden is an arena that nobody saw for so many seconds before.
type hidden struct {
	lies
	seconds float64
}

// watch follows a game of two by views and words, and is all that it may have come to, the likeliest first.
func watch(t *testing.T, seen ...any) []rules.Course[View] {
	t.Helper()
	start, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	ways := []rules.Course[View]{{After: Watch(start.(*State))}}
	for i, s := range seen {
		var v View
		switch s := s.(type) {
		case lies:
			v = Look(float64(10*i), s)
		case hidden:
			v = Look(float64(10*i), s.lies)
			v.Hidden = s.seconds
		case string:
			v = Word(float64(10*i), s, 0)
		}
		var next []rules.Course[View]
		for _, w := range ways {
			for _, c := range w.After.(*Watched).Follow(v) {
				next = append(next, rules.Course[View]{Line: append(slices.Clone(w.Line), c.Line...), Log: w.Log + c.Log, After: c.After})
			}
		}
		slices.SortStableFunc(next, func(a, b rules.Course[View]) int {
			if a.Log > b.Log {
				return -1
			}
			return 1
		})
		ways = next[:min(len(next), 200)]
	}
	if len(ways) == 0 {
		t.Fatal("nothing explains it")
	}
	return ways
}

// chance is how likely a way is of which something holds.
func chance(ways []rules.Course[View], holds func(line []string, w *Watched) bool) float64 {
	p, all := 0.0, 0.0
	for _, c := range ways {
		var line []string
		for _, mv := range c.Line {
			line = append(line, mv.String())
		}
		weight := math.Exp(c.Log - ways[0].Log)
		if all += weight; holds(line, c.After.(*Watched)) {
			p += weight
		}
	}
	return p / all
}

// TestWatched: what is most likely, and how likely at least, and what else must be thought of.
func TestWatched(t *testing.T) {
	blue, yellow, other := table.Die{Color: table.Blue, Face: 3}, table.Die{Color: table.Yellow, Face: 5}, table.Die{Color: table.Blue, Face: 6}
	has := func(want string) func([]string, *Watched) bool {
		return func(line []string, _ *Watched) bool { return slices.Contains(line, want) }
	}
	flicks := func(n int) func([]string, *Watched) bool {
		return func(_ []string, w *Watched) bool {
			dice := 0
			for _, d := range w.State().Arena().Dice {
				if d.Color != table.NoColor {
					dice++
				}
			}
			return dice == n
		}
	}
	unseen := func(_ []string, w *Watched) bool { return w.Takings() != nil && w.Takings().Unseen != 0 }
	shaken := func(line []string, _ *Watched) bool {
		return slices.ContainsFunc(line, func(mv string) bool { return strings.HasPrefix(mv, "arena") })
	}
	both := lies{"a1": blue, "b4": yellow}
	center := lies{"a1": blue, "c3": yellow}
	for name, c := range map[string]struct {
		seen     []any
		holds    func([]string, *Watched) bool
		from, to float64
	}{
		"a die comes in": {[]any{lies{"a1": blue}}, has("A flick B3 a1"), .5, 1},
		"a die that is not seen once has not left": {
			[]any{lies{"a1": blue}, both, lies{"a1": blue}, both},
			func(line []string, w *Watched) bool { return len(w.Gone().Squares()) == 0 && flicks(2)(line, w) }, .9, 1,
		},
		"but it may be scored, and another one like it": {[]any{lies{"a1": blue}, center, lies{"a1": blue}, center}, has("A score ? took=c3"), .001, .1},
		"a die that left may be scored":                 {[]any{lies{"a1": blue}, both, lies{"a1": blue}}, func(_ []string, w *Watched) bool { return w.Gone() == scoring.HoleSet(table.Square{Row: 3, Col: 1}) }, .98, 1},
		"surely so where it was seen twice":             {[]any{lies{"a1": blue}, both, both, lies{"a1": blue}}, func(_ []string, w *Watched) bool { return w.Gone() == scoring.HoleSet(table.Square{Row: 3, Col: 1}) }, .99, 1},
		"a word for a miss that was seen":               {[]any{lies{"a1": blue}, lies{"b1": blue}, SayMiss}, has("A miss ? a1>b1=3"), .1, 1},
		"either of two alike has come in":               {[]any{lies{"a1": blue}, lies{"a2": blue, "b2": other}}, has("A flick B6 b2 a1>a2=3"), .2, .8},
		"or the other one":                              {[]any{lies{"a1": blue}, lies{"a2": blue, "b2": other}}, has("A flick B3 a2 a1>b2=6"), .2, .8},
		"one is scored that nobody saw":                 {[]any{lies{"c2": blue}, hidden{lies{"c2": blue}, 9}, SayNext}, unseen, .01, .5},
		"and more likely with one that was seen":        {[]any{lies{"c2": blue}, hidden{lies{}, 9}, SayNext}, unseen, .2, .9},
		"but not where the arena was in view":           {[]any{lies{"c2": blue}, hidden{lies{"c2": blue}, .2}, SayNext}, unseen, 0, 0},
		"several dice that move at once were shaken":    {[]any{lies{"a1": blue}, both, lies{"a1": blue, "b4": yellow, "d2": other}, lies{"a2": blue, "b5": yellow, "d1": other}}, shaken, .4, 1},
		"one alone may have been, too":                  {[]any{lies{"a1": blue}, both, lies{"a2": blue, "b4": yellow}}, shaken, .1, .9},
		"one is not seen as another comes":              {[]any{lies{"a1": blue}, lies{"b4": yellow}, both}, flicks(2), .9, 1},
	} {
		ways := watch(t, c.seen...)
		if p := chance(ways, c.holds); p < c.from || p > c.to {
			t.Errorf("%s: %.4g, want %g to %g; likeliest %v", name, p, c.from, c.to, ways[0].Line)
		}
	}
}

// TestWatchedKeys: worlds of one key are alike in all that may come.
func TestWatchedKeys(t *testing.T) {
	seen := map[string][]rules.Course[View]{}
	for _, w := range watch(t, lies{"a1": {Color: table.Blue, Face: 3}}, lies{}, SayNext, lies{"c3": {Color: table.Yellow, Face: 5}}) {
		k := w.After.Key()
		seen[k] = append(seen[k], w)
	}
	for _, list := range seen {
		for _, w := range list[1:] {
			a, b := list[0].After.(*Watched), w.After.(*Watched)
			if a.Gone() != b.Gone() || a.State().ToMove() != b.State().ToMove() || a.State().Arena() != b.State().Arena() {
				t.Errorf("%v and %v have one key", list[0].Line, w.Line)
			}
		}
	}
}
