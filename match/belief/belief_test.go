package belief_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/scoring"
	"diceref/table"
)

// played is a game of DICE Flick that is played by chance, and what is seen of it.
type played struct {
	now  *diceflick.State
	line []rules.Move
	took scoring.Holes
	at   float64
}

func begin(t interface{ Fatal(...any) }, players int) *played {
	s, err := diceflick.Game.New(rules.Setup{Players: players})
	if err != nil {
		t.Fatal(err)
	}
	return &played{now: s.(*diceflick.State)}
}

func (p *played) play(t *rapid.T, mv rules.Move) {
	next, err := p.now.Apply(mv)
	if err != nil {
		t.Fatal(err)
	}
	p.now, p.line = next.(*diceflick.State), append(p.line, mv)
}

// next is what is seen next, after flicks that miss and turns that end unseen; false: the game is over.
func (p *played) next(t *rapid.T) (g diceflick.Glimpse, ok bool) {
	ends := 0
	for p.now.ToMove() != rules.Nobody {
		by := p.now.ToMove()
		must, may := p.now.FlicksLeft()
		switch {
		case may > 0 && rapid.IntRange(0, 3).Draw(t, "misses") > 0:
			free := freeHoles(p.now.Arena().Dice)
			mv := diceflick.Flick{By: by, Die: table.Die{Color: table.Blue, Face: rapid.IntRange(1, 6).Draw(t, "face")}, Rests: true, To: rapid.SampledFrom(free).Draw(t, "hole")}
			if dice := p.now.Arena().Dice; len(free) < 4 || count(dice[:], table.Blue) == 5 {
				return g, false
			}
			p.play(t, mv)
			p.at += float64(rapid.IntRange(1, 100).Draw(t, "seconds"))
			g = diceflick.Glimpse{At: p.at, Flick: &mv, Took: p.took}
			p.took = 0
			return g, true
		case may > 0:
			p.play(t, diceflick.Flick{By: by})
		case must == 0:
			took := p.now.Best().Removed
			if ends++; ends > 3 || p.took != 0 && took != 0 {
				return g, false
			}
			p.took |= took
			p.play(t, diceflick.Score{By: by, Seen: true, Removed: took})
		}
	}
	return g, false
}

func freeHoles(dice [25]table.Die) (list []table.Square) {
	for i, d := range dice {
		if d.Color == table.NoColor {
			list = append(list, table.SquareAt(i))
		}
	}
	return list
}

func count(dice []table.Die, c table.Color) (n int) {
	for _, d := range dice {
		if d.Color == c {
			n++
		}
	}
	return n
}

// TestSet: whatever happens within the rules, the probabilities of what is believed add up to one, and knowing what is true
// never removes it.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := begin(t, rapid.IntRange(2, 4).Draw(t, "players"))
		set := belief.New[diceflick.Glimpse](diceflick.Follow(p.now))
		for range rapid.IntRange(1, 8).Draw(t, "dice") {
			g, ok := p.next(t)
			if !ok {
				return
			}
			if set, ok = set.Observe(g); !ok {
				t.Fatalf("%v cannot have led to what is seen", p.line)
			}
			if sum := set.Chance(func(belief.Hypothesis[diceflick.Glimpse]) bool { return true }); math.Abs(sum-1) > 1e-9 {
				t.Fatalf("the probabilities add up to %v", sum)
			}
			key := diceflick.Follow(p.now).Key()
			isTrue := func(h belief.Hypothesis[diceflick.Glimpse]) bool { return h.World.Key() == key }
			if set.Chance(isTrue) == 0 {
				return // so unlikely that it is not thought of
			}
			known, ok := set.Condition(isTrue)
			if !ok || known.Chance(isTrue) < 1-1e-9 {
				t.Fatalf("what is true has gone, once it was known: %v", p.line)
			}
		}
	})
}

// Two players flick: a die comes to rest, then another one, and nobody has said whose they are. Most likely one player has
// flicked both.
func Example() {
	start, _ := diceflick.Game.New(rules.Setup{Players: 2})
	set := belief.New[diceflick.Glimpse](diceflick.Follow(start.(*diceflick.State)))
	for i, hole := range []table.Square{{Row: 0, Col: 0}, {Row: 4, Col: 4}} {
		flick := diceflick.Flick{Die: table.Die{Color: table.Green, Face: 3}, Rests: true, To: hole}
		set, _ = set.Observe(diceflick.Glimpse{At: float64(5 * i), Flick: &flick})
	}
	for _, h := range set.Hypotheses()[:3] {
		fmt.Printf("%.2f %v\n", h.Chance, h.Line)
	}
	// Output:
	// 0.85 [A flick G3 a1 A flick G3 e5]
	// 0.10 [A miss ? A flick G3 a1 A score ? took=none B flick G3 e5]
	// 0.03 [A miss ? A miss ? A score ? took=none B flick G3 a1 B flick G3 e5]
}

// lots is a world that goes on in one of three ways.
type lots string

func (l lots) Key() string { return string(l) }

func (l lots) Follow(int) (list []rules.Course[int]) {
	for _, way := range []struct {
		name string
		p    float64
	}{{"a", .6}, {"b", .3}, {"c", .1}} {
		list = append(list, rules.Course[int]{Log: math.Log(way.p), After: l + lots(way.name)})
	}
	return list
}

// TestPruned: what was pruned adds up, and is likelier after an answer that what is kept hardly speaks for.
func TestPruned(t *testing.T) {
	is := func(want string) func(belief.Hypothesis[int]) bool {
		return func(h belief.Hypothesis[int]) bool { return h.World.Key() == want }
	}
	once, _ := belief.New[int](lots("")).Keeping(2).Observe(0)
	twice, _ := once.Observe(0) // keeps aa and one of ab and ba
	unlikely, _ := once.Condition(is("b"))
	likely, _ := once.Condition(is("a"))
	for _, c := range []struct {
		name      string
		set       belief.Set[int]
		want      float64
		tolerance float64
	}{
		{"at first", belief.New[int](lots("")), 0, 0},
		{"one of three", once, .1, 1e-9},
		{"once more", twice, .1 + .9*.4, 1e-9}, // aa .4 and ab or ba .2 are kept
		{"after an unlikely answer", unlikely, .05 / (.05 + .9/3), 1e-9},
		{"after a likely one", likely, .05 / (.05 + .9*2/3), 1e-9},
	} {
		if got := c.set.Pruned(); math.Abs(got-c.want) > c.tolerance {
			t.Errorf("%s: %.4f was pruned, want %.4f", c.name, got, c.want)
		}
	}
}

// BenchmarkObserve is one more die in the middle of a game of which nobody has said anything.
func BenchmarkObserve(b *testing.B) {
	p := begin(b, 4)
	set := belief.New[diceflick.Glimpse](diceflick.Follow(p.now))
	for i := range 12 {
		flick := diceflick.Flick{Die: table.Die{Color: []table.Color{table.Green, table.Blue, table.Yellow}[i%3], Face: 1 + i%6}, Rests: true, To: table.SquareAt(2 * i)}
		set, _ = set.Observe(diceflick.Glimpse{At: float64(7 * i), Flick: &flick})
	}
	flick := diceflick.Flick{Die: table.Die{Color: table.White, Face: 3}, Rests: true, To: table.SquareAt(24)}
	for b.Loop() {
		set.Observe(diceflick.Glimpse{At: 90, Flick: &flick})
	}
}

// forked is a world of two ways, of which one has a likelihood.
type forked struct {
	name string
	log  float64 // of the other one
}

func (f forked) Key() string { return f.name }

func (f forked) Follow(int) []rules.Course[int] {
	return []rules.Course[int]{{Log: f.log, After: forked{"no", f.log}}, {Log: -3, After: forked{"yes", f.log}}}
}

// TestImpossible: a way that cannot be, or whose likelihood is no number, is none, and the others go on.
func TestImpossible(t *testing.T) {
	for _, log := range []float64{math.Inf(-1), math.NaN()} {
		set, ok := belief.New[int](forked{"start", log}).Observe(1)
		if !ok || len(set.Hypotheses()) != 1 || set.Best().World.Key() != "yes" || set.Best().Chance != 1 || set.Likelihood() != -3 {
			t.Errorf("a way with %v: %+v, %t", log, set, ok)
		}
	}
}
