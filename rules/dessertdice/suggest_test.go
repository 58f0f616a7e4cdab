package dessertdice

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/rules"
	"diceref/rules/rulestest"
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

// TestContest lets somebody who follows the suggestions play against others.
func TestContest(t *testing.T) {
	others := map[string]chooser{"random": random, "greedy": greedy}
	rulestest.Contest{
		Games: 8, Playouts: 300, Seed: 77,
		Bars: map[string][2]float64{"random": {0.9, 0.95}, "greedy": {0.4, 0.55}},
		Play: func(t *testing.T, g, playouts int, opponent string, r *rand.Rand) float64 {
			return match(t, g, r, suggested(playouts), others[opponent])
		},
	}.Run(t)
}

// match plays one game and returns what part of the victory the first player has.
func match(t testing.TB, g int, r *rand.Rand, a, b chooser) float64 {
	t.Helper()
	st, err := Game.New(rules.Setup{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	if st, err = st.Apply(rolledSupply(st, r)[0]); err != nil {
		t.Fatal(err)
	}
	s := st.(*State)
	cards := r.Perm(4)
	first := g % 2
	for turns := 0; s.ToMove() != rules.Nobody; turns++ {
		var act Act
		switch {
		case turns > 150: // two who only tip: let somebody place
			act = s.acts()[0]
		case s.turn == rules.Player(first):
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
	if !slices.Contains(win, first) {
		return 0
	}
	return 1 / float64(len(win))
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
	if err != nil || len(list) != mostActs {
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
