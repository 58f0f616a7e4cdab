package fromage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"diceref/rules"
	"diceref/scoring"
)

// dice counts all dice of a position.
func (s *State) dice() int {
	n := s.shop + s.cart.Len()
	for p := range s.seats {
		n += s.hands[p].Len()
	}
	return n
}

// drawOptions are house rules that make much happen.
func drawOptions(t *rapid.T) map[string]any {
	return map[string]any{
		"fat_min_each":       rapid.SampledFrom([]any{1, 2}).Draw(t, "fat_min_each"),
		"fat_exact_holdings": rapid.Bool().Draw(t, "fat_exact_holdings"),
		"fat_after_steal":    rapid.Bool().Draw(t, "fat_after_steal"),
		"sets_after_fat":     rapid.Bool().Draw(t, "sets_after_fat"),
		"partial_set_steal":  rapid.Bool().Draw(t, "partial_set_steal"),
		"compensation_order": rapid.SampledFrom([]any{"clockwise", "free"}).Draw(t, "compensation_order"),
	}
}

func start(t *rapid.T) *State {
	s, err := Game.New(rules.Setup{Players: rapid.IntRange(3, 5).Draw(t, "players"), Options: drawOptions(t)})
	if err != nil {
		t.Fatal(err)
	}
	return s.(*State)
}

// step plays one random legal act; rolls are thrown, so that no list of them is needed.
func step(t *rapid.T, s *State, rng *rand.Rand) *State {
	var m rules.Move
	if s.rolled == notRolled {
		m = s.Throw(1+rng.IntN(min(MaxRoll, s.shop)), rng)
	} else {
		moves, _ := s.Legal()
		m = moves[rng.IntN(len(moves))]
		if f := Fromages(s); len(f) > 0 && rng.IntN(2) == 0 {
			m = f[rng.IntN(len(f))]
		}
	}
	if err := s.Check(m); err != nil {
		t.Fatalf("%v: %v", m, err)
	}
	next, err := s.Apply(m)
	if err != nil {
		t.Fatal(err)
	}
	return next.(*State)
}

func TestDiceAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := start(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 60 {
			if s.over {
				if s.ToMove() != rules.Nobody || s.shop > lastShop && s.final != 0 {
					t.Fatalf("over with %d dice in the shop and %d turns left", s.shop, s.final)
				}
				return
			}
			if s.dice() != Dice {
				t.Fatalf("%d dice", s.dice())
			}
			if s.rolled == notRolled && (s.shop <= lastShop || s.cart.Len() != 0) {
				t.Fatalf("a turn begins with %d dice in the shop, %d in the Cart", s.shop, s.cart.Len())
			}
			s = step(t, s, rng)
		}
	})
}

// TestFromagesAreAll compares the list with the definition of RULES.md 3.5 itself: take
// any die from each of two others, return any three cheeses in equal numbers.
func TestFromagesAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := start(t)
		s.rolled, s.kept = 2, true
		for p := range s.seats {
			for range rapid.IntRange(0, 7).Draw(t, "hand") {
				s.hands[p][rapid.IntRange(1, 6).Draw(t, "face")]++
			}
		}
		var want []string
		for a := 1; a < s.seats; a++ {
			for b := a + 1; b < s.seats; b++ {
				for i := range 36 {
					x, y := 1+i/6, 1+i%6
					if s.hands[a][x] > 0 && s.hands[b][y] > 0 {
						want = append(want, bySets(s, rules.Player(a), rules.Player(b), x, y)...)
					}
				}
			}
		}
		var got []string
		for _, m := range Fromages(s) {
			got = append(got, m.String())
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("hands %v\ngot  %v\nwant %v", s.hands, got, want)
		}
	})
}

// bySets tries every set that the hand could return.
func bySets(s *State, a, b rules.Player, x, y int) (found []string) {
	hand := s.hands[0].List()
	hand = append(hand, x, y)
	slices.Sort(hand)
	have := map[int]int{}
	for _, f := range hand {
		have[f]++
	}
	for bits := range 1 << 6 {
		for each := int(s.opt.minEach); each <= 8; each++ {
			ok, cheeses, set := true, 0, ""
			for f := 1; f <= 6; f++ {
				if bits&(1<<(f-1)) == 0 {
					continue
				}
				cheeses++
				ok = ok && have[f] >= each && (!s.opt.exact || have[f] == each)
				for range each {
					set += fmt.Sprint(f)
				}
			}
			ok = ok && cheeses == 3 && bits&(1<<(x-1)) != 0 && bits&(1<<(y-1)) != 0 && (x != y || each >= 2)
			if ok {
				found = append(found, fmt.Sprintf("A fromage %v%d %v%d %s", a, x, b, y, set))
			}
		}
	}
	return found
}

// TestSetsOfAHand checks the sets against counting one die at a time.
func TestSetsOfAHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces := rapid.SliceOfN(rapid.IntRange(1, 6), 0, 12).Draw(t, "faces")
		var hand scoring.Faces
		for _, f := range faces {
			hand[f]++
		}
		want := 0
		for _, f := range faces {
			same := 0
			for _, g := range faces {
				if f == g {
					same++
				}
			}
			if same >= 3 {
				want++
			}
		}
		back, points := scoring.FromageSets(hand)
		if points != want || back.Len() != want || !hand.Has(back) {
			t.Fatalf("%v: %v for %d, want %d", faces, back, points, want)
		}
	})
}

func TestNotation(t *testing.T) {
	for _, text := range []string{
		"B roll 11236", "B keep 11", "B steal A 22", "A compensate 11", "A compensate 2 points", "A compensate 12 2 points",
		"A compensate - 0 points", "B fromage A2 C5 112255", "B fromage A2 -", "B end", "B end 111222", "B end - claims 0", "B end claims 6",
	} {
		m, err := Game.ParseMove(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want := text
		if text == "A compensate - 0 points" {
			want = "A compensate 0 points"
		}
		if m.String() != want {
			t.Errorf("%s comes back as %s", text, m)
		}
	}
	for _, text := range []string{
		"", "B", "Z roll 1", "B sing", "B roll", "B roll 17", "B steal", "B steal A", "B steal z 22", "A compensate x points",
		"B fromage A9 112255", "B fromage A1 A1 A1 A1 A1 1", "B end 1 2", "B end claims x", "B roll 11111111111111111111111111",
	} {
		if m, err := Game.ParseMove(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, setup := range []rules.Setup{{Players: 2}, {Players: 6}, {Players: 3, Options: map[string]any{"x": 1}}} {
		if _, err := Game.New(setup); err == nil {
			t.Errorf("%+v is accepted", setup)
		}
	}
}
