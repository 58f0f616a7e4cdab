package dicecreams

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// dice counts the dice of a position by color.
func (s *State) dice() (n [5]int) {
	loose := append([]table.Die{}, s.fridge...)
	for _, l := range s.melt() {
		loose = append(loose, l.Die)
	}
	for _, d := range s.todo {
		if d.kind == mustSet {
			loose = append(loose, d.die)
		}
	}
	n = colorCount(loose)
	for i := range n {
		n[i] += s.pouch[i] + s.aside[i]
	}
	return n
}

func checkLaws(t *rapid.T, s *State) {
	for i, n := range s.dice() {
		if n != perFlavour {
			t.Fatalf("%d %v dice", n, scoring.Flavours[i])
		}
	}
	sprinkles := s.supply
	for p := range s.seats {
		sprinkles += s.sprinkles[p]
		n, _ := s.tokensOf(p)
		if n+s.pouring[p] != s.opt.tokens {
			t.Fatalf("seat %d has %d tokens and %d on Customers", p, s.pouring[p], n)
		}
		if s.unfinished(p) > unfinished {
			t.Fatalf("seat %d has %d unfinished IceCreams", p, s.unfinished(p))
		}
	}
	if sprinkles != s.opt.sprinkles {
		t.Fatalf("%d Sprinkles", sprinkles)
	}
	if s.phase == melting && len(s.fridge) != leftover {
		t.Fatalf("%d dice are left to melt", len(s.fridge))
	}
	if n := s.count(displayed, -1); n > s.shown() {
		t.Fatalf("%d cards are on display", n)
	}
	for _, l := range s.melt() {
		if l.Die.Face < 1 || l.Die.Face > 6 || l.After > l.Die.Face {
			t.Fatalf("%s %d: %v becomes %d", l.Card, l.Spot, l.Die, l.After)
		}
	}
}

func TestPartsAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		game, err := Game.New(rules.Setup{Players: rapid.IntRange(1, 4).Draw(t, "players"), Options: map[string]any{
			"deck_top_available":   rapid.Bool().Draw(t, "deck_top_available"),
			"orange_bonus":         rapid.SampledFrom([]any{"count_at_completion", "each_time_placed"}).Draw(t, "orange_bonus"),
			"refill_pouch":         rapid.SampledFrom([]any{"immediately", "when_needed"}).Draw(t, "refill_pouch"),
			"sprinkle_targets":     rapid.SampledFrom([]any{"own", "any"}).Draw(t, "sprinkle_targets"),
			"extra_die_must_place": rapid.Bool().Draw(t, "extra_die_must_place"),
			"final_turn":           rapid.SampledFrom([]any{"whole_turn", "finish_draft_step_only"}).Draw(t, "final_turn"),
			"discarded_cards":      rapid.SampledFrom([]any{"discard_pile_reshuffled", "bottom_of_deck", "out_of_game"}).Draw(t, "discarded_cards"),
		}})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := game.(*State)
		for range 60 {
			checkLaws(t, s)
			if s.over {
				return
			}
			next, err := s.Apply(randomMove(t, s, rng))
			if err != nil {
				t.Fatal(err)
			}
			s = next.(*State)
		}
	})
}

// randomMove prefers placing dice, so that IceCreams get finished.
func randomMove(t *rapid.T, s *State, rng *rand.Rand) rules.Move {
	var m rules.Move
	if s.ToMove() == rules.Nature {
		m = s.Chance(rng)
	} else {
		moves, _ := s.Legal()
		if len(moves) == 0 {
			t.Fatalf("%v has nothing to do", s.ToMove())
		}
		for range 4 {
			if m = moves[rng.IntN(len(moves))]; m.(Move).Kind == Take {
				break
			}
		}
	}
	if err := s.Check(m); err != nil {
		t.Fatalf("%v: %v", m, err)
	}
	return m
}

// TestIllegalActsAreNoPanic applies acts of one position to another: players may keep
// what is illegal, and what cannot be done is an error.
func TestIllegalActsAreNoPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		game, err := Game.New(rules.Setup{Players: 2})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s, other := rules.State(game), rules.State(game)
		for range 50 {
			if other.ToMove() == rules.Nobody {
				return
			}
			m := randomMove(t, other.(*State), rng)
			if other, err = other.Apply(m); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(3) == 0 {
				_ = s.Check(m)
				if next, err := s.Apply(m); err == nil {
					s = next
				}
			}
			for i, n := range s.(*State).dice() {
				if n != perFlavour {
					t.Fatalf("%d %v dice after %v", n, scoring.Flavours[i], m)
				}
			}
		}
	})
}
