package dessertdice

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"diceref/rules"
	"diceref/table"
)

// TestConservation plays at random with real dice that follow the geometry: board
// and supply always hold 25 dice, the supply as many as there are empty squares
// (RULES.md 1.3), no tip of a real die is called illegal, and scores stay as they
// are when the board is turned.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 3))
		var s rules.State
		s, err := Game.New(rules.Setup{Players: 2 + r.IntN(3)})
		if err != nil {
			rt.Fatal(err)
		}
		if s, err = s.Apply(rolledSupply(s, r)[0]); err != nil {
			rt.Fatal(err)
		}
		var real [squares]poses // how the die on each square really lies
		for acts := 0; s.ToMove() != rules.Nobody && acts < 120; acts++ {
			a := randomAct(s.(*State), &real, r)
			if err := s.Check(a); err != nil {
				rt.Fatalf("%s: %v", a, err)
			}
			if s, err = s.Apply(a); err != nil {
				rt.Fatal(err)
			}
			st := s.(*State)
			if st.supply.Count()+st.onBoard() != squares {
				rt.Fatalf("%d dice in the supply, %d on the board", st.supply.Count(), st.onBoard())
			}
			turned := *st
			for i := range st.board {
				turned.board[i%5*5+4-i/5] = st.board[i]
			}
			if turned.points() != st.points() {
				rt.Fatalf("%v, but turned %v", st.points(), turned.points())
			}
		}
	})
}

// randomAct tips a real die about, or places one from the supply that is in any way.
func randomAct(s *State, real *[squares]poses, r *rand.Rand) Act {
	acts := s.acts()
	a := acts[r.IntN(len(acts))]
	if r.IntN(2) == 0 { // tips are rarer in the list than at a table
		for range 20 {
			if a.Kind == Tip {
				break
			}
			a = acts[r.IntN(len(acts))]
		}
	}
	if a.Kind == Place {
		p := showing[a.Die.Face]
		for range r.IntN(bits.OnesCount64(uint64(p))) {
			p &= p - 1
		}
		real[a.To.Index()] = p & -p
		return a
	}
	dir, _ := step(a.From, a.To)
	p := real[a.From.Index()].tip(dir)
	real[a.To.Index()] = p
	a.Die = table.Die{Color: a.Die.Color, Face: p.tops()[0]}
	return a
}
