package fromage

import (
	"testing"

	"diceref/rules/rulestest"
	"diceref/scoring"
)

func TestHints(t *testing.T) {
	s := newState(t, 3, nil)
	rulestest.Hints(t, s, "") // not rolled yet
	s.rolled, s.shop = 3, 14
	s.cart = scoring.Faces{1: 2, 2: 1}
	s.hands = [maxSeats]scoring.Faces{{1: 1, 3: 2, 5: 1}, {3: 3}, {5: 1}}
	rulestest.Hints(t, s, `
		opens 9: keeping 11 makes a Fromage possible
		opens 9: keeping 12 makes a Fromage possible
		steals 5: taking 333 from B makes sets for 5 points`)
	after := func(s *State, act string) *State {
		m, err := Game.ParseMove(act)
		if err != nil {
			t.Fatal(err)
		}
		next, err := s.Apply(m)
		if err != nil {
			t.Fatal(err)
		}
		return next.(*State)
	}
	s = after(s, "A keep 11")
	rulestest.Hints(t, s, `
		fromage 9: a Fromage of 113355 with 3 of B and 5 of C
		sets 3: 111 goes back at the end of the turn, for 3 points`)
	s = after(s, "A fromage B3 C5 113355")
	rulestest.Hints(t, s, "answer 3: B may take 1 die from the Cart, or 3 points")
}
