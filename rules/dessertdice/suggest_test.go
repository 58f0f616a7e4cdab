package dessertdice

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/scoring"
)

// chooser is somebody who plays with a card.
type chooser func(s *State, card int, r *rand.Rand) Act

func random(s *State, _ int, r *rand.Rand) Act {
	acts := s.acts()
	return acts[r.IntN(len(acts))]
}

// greedy takes what makes its cluster the largest at once.
func greedy(s *State, card int, r *rand.Rand) Act {
	acts := s.acts()
	r.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	best, at := -1, 0
	base := s.newSim(r)
	for i, a := range acts {
		m := *base
		m.play(a)
		if v := scoring.Cluster(m.masks[card], m.rule); v > best {
			best, at = v, i
		}
	}
	return acts[at]
}

func suggested(playouts int) chooser {
	return func(s *State, card int, r *rand.Rand) Act {
		list, err := s.Suggest(rules.Budget{Playouts: playouts, Seed: r.Uint64()}, scoring.DessertLetters[card:card+1])
		if err != nil {
			panic(err)
		}
		return list[0].Move.(Act)
	}
}

// contest plays games of two, each of which begins half of them, and returns what part the first wins.
func contest(t testing.TB, games int, seed uint64, a, b chooser) float64 {
	t.Helper()
	won := 0.0
	for g := range games {
		r := rand.New(rand.NewPCG(seed, uint64(g)))
		st, err := Game.New(rules.Setup{Players: 2})
		if err != nil {
			t.Fatal(err)
		}
		if st, err = st.Apply(rolledSupply(st, r)[0]); err != nil {
			t.Fatal(err)
		}
		s := st.(*State)
		cards := r.Perm(4)
		first := rules.Player(g % 2)
		for turns := 0; s.ToMove() != rules.Nobody; turns++ {
			var act Act
			switch {
			case turns > 150: // two who only tip: let somebody place
				act = s.acts()[0]
			case s.turn == first:
				act = a(s, cards[s.turn], r)
			default:
				act = b(s, cards[s.turn], r)
			}
			next, err := s.Apply(act)
			if err != nil {
				t.Fatal(err)
			}
			s = next.(*State)
		}
		points := s.points()
		win := scoring.DessertWinners([]int{points[cards[0]], points[cards[1]]}, s.placed)
		for _, w := range win {
			if rules.Player(w) == first {
				won += 1 / float64(len(win))
			}
		}
	}
	return won / float64(games)
}

// How much the contest plays; the full one is
//
//	go test ./rules/dessertdice -run Contest -contest 1000 -playouts 10000 -timeout 0
var (
	contestGames    = flag.Int("contest", 8, "games of a contest")
	contestPlayouts = flag.Int("playouts", 300, "playouts a suggestion")
)

// TestContest lets somebody who follows the suggestions play against others. The
// bars of the short contest leave room for luck; those of the full one are 0.95 and 0.55.
func TestContest(t *testing.T) {
	random95, greedy55 := 0.9, 0.4
	if *contestGames >= 1000 {
		random95, greedy55 = 0.95, 0.55
	}
	for _, c := range []struct {
		name  string
		other chooser
		least float64
	}{{"random", random, random95}, {"greedy", greedy, greedy55}} {
		won := contest(t, *contestGames, 77, suggested(*contestPlayouts), c.other)
		t.Logf("wins %.3f of %d games against %s play with %d playouts a move (seed 77)", won, *contestGames, c.name, *contestPlayouts)
		if won < c.least {
			t.Errorf("wins %.3f against %s play, want %.2f", won, c.name, c.least)
		}
	}
}

func BenchmarkSuggest(b *testing.B) {
	s := played(b, "A place R1 c3; B place Y4 c2; A place R2 d3")
	for b.Loop() {
		if _, err := s.Suggest(rules.Budget{Playouts: 1000, Seed: 1}, "J"); err != nil {
			b.Fatal(err)
		}
	}
}

func played(t testing.TB, acts string) *State {
	t.Helper()
	s, err := rules.Replay(Game, rules.Setup{Players: 2}, strings.Split(acts, "; "))
	if err != nil {
		t.Fatal(err)
	}
	return s.(*State)
}

func TestSuggest(t *testing.T) {
	s := played(t, "A place R1 c3; B place Y4 a1; A place R1 c2; B place Y4 a5")
	list, err := s.Suggest(rules.Budget{Playouts: 2000, Seed: 1}, "J")
	if err != nil || len(list) != mostArms {
		t.Fatalf("%d suggestions, %v", len(list), err)
	}
	again, _ := s.Suggest(rules.Budget{Playouts: 2000, Seed: 1}, "J")
	for i := range list {
		if list[i] != again[i] || s.Check(list[i].Move) != nil {
			t.Errorf("%v, the second time %v", list[i], again[i])
		}
	}
	if !strings.Contains(list[0].Why, "2 to 3") {
		t.Errorf("the best is %s (%s), want a third die beside the two", list[0].Text, list[0].Why)
	}
	if list, err = s.Suggest(rules.Budget{}, ""); err == nil {
		t.Errorf("%v without a card", list)
	}
}
