package dicebox

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// TestConservation plays at random: grid and hands always hold 25 dice, six of each
// color, dice on the grid never change, and neighbors always differ by one, so that
// the values alternate like a chessboard (RULES.md 2.3).
func TestConservation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		setup := setups[rapid.SampledFrom([]int{0, 2, 3}).Draw(rt, "setup")]
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 7))
		var s rules.State
		s, err := Game.New(setup)
		if err != nil {
			rt.Fatal(err)
		}
		for _, m := range allHands(s, r) {
			if s, err = s.Apply(m); err != nil {
				rt.Fatal(err)
			}
		}
		parity := -1
		for s.ToMove() != rules.Nobody {
			before := s.(*State)
			m := rules.Move(nil)
			if s.ToMove() == rules.Nature {
				m = s.(rules.Chancer).Chance(r)
			} else {
				moves, _ := s.Legal()
				m = moves[r.IntN(len(moves))]
			}
			if s, err = s.Apply(m); err != nil {
				rt.Fatal(err)
			}
			now := s.(*State)
			checkDice(rt, before, now)
			for i, d := range now.grid {
				if d.Color == table.NoColor {
					continue
				}
				sq := table.SquareAt(i)
				p := (sq.Row + sq.Col + d.Face) % 2
				if parity < 0 {
					parity = p
				}
				if p != parity {
					rt.Fatalf("after %s, %s on %s breaks the chessboard", m, word(d), sq)
				}
			}
		}
	})
}

func checkDice(rt *rapid.T, before, now *State) {
	var n [4]int
	total := 0
	for i, d := range now.grid {
		if before.grid[i].Color != table.NoColor && before.grid[i] != d {
			rt.Fatalf("the die on %s changed", table.SquareAt(i))
		}
		if c := scoring.BoxColor(d.Color); c >= 0 {
			n[c]++
		}
		if d.Color != table.NoColor {
			total++
		}
	}
	for _, h := range now.hands {
		total += h.size
		for c, k := range h.colors {
			n[c] += int(k)
		}
	}
	if n != [4]int{6, 6, 6, 6} || total != 24+boolInt(now.rolled) {
		rt.Fatalf("%v of each color, %d dice in all", n, total)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
