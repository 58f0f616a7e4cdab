package fromage

import (
	"diceref/rules"
	"diceref/scoring"
)

// choose calls yield with every way to take n dice out of from.
func choose(from scoring.Faces, n int, yield func(scoring.Faces)) {
	var pick scoring.Faces
	var step func(face, left int)
	step = func(face, left int) {
		if left == 0 {
			yield(pick)
			return
		}
		if face > 6 {
			return
		}
		for k := 0; k <= min(left, int(from[face])); k++ {
			pick[face] = int8(k)
			step(face+1, left-k)
		}
		pick[face] = 0
	}
	step(1, n)
}

// rolls lists every outcome of every number of dice that may be rolled.
func (s *State) rolls() (moves []rules.Move) {
	every := scoring.Faces{0, MaxRoll, MaxRoll, MaxRoll, MaxRoll, MaxRoll, MaxRoll}
	for n := s.opt.minRoll; n <= min(MaxRoll, s.shop); n++ {
		choose(every, n, func(dice scoring.Faces) {
			moves = append(moves, Move{Seat: rules.Player(s.turn), Kind: Roll, Dice: dice})
		})
	}
	return moves
}

func (s *State) keeps() (moves []rules.Move) {
	if s.kept || s.stole {
		return nil
	}
	choose(s.cart, s.keepable(), func(dice scoring.Faces) {
		moves = append(moves, Move{Seat: rules.Player(s.turn), Kind: Keep, Dice: dice})
	})
	return moves
}

// answers lists what those who are owed may take. Victims of a Fromage may be
// heard in either order; which of them has a die that both want is theirs to know.
func (s *State) answers() (moves []rules.Move) {
	for p := range s.seats {
		d := s.owed[p]
		if d.dice == 0 {
			continue
		}
		m := Move{Seat: rules.Player(p), Kind: Compensate}
		choose(s.cart, d.dice, func(dice scoring.Faces) {
			m := m
			m.Dice = dice
			moves = append(moves, m)
		})
		m.Pointed = true
		if s.opt.decline {
			moves = append(moves, m)
		}
		m.Points = d.points
		moves = append(moves, m)
	}
	return moves
}

// Steals lists every set that the player whose turn it is may take now (RULES.md 3.5).
func Steals(s *State) (moves []rules.Move) {
	if s.over || s.rolled == notRolled || s.kept || s.stole {
		return nil
	}
	for p := range s.seats {
		if p == s.turn {
			continue
		}
		for face := 1; face <= 6; face++ {
			held := int(s.hands[p][face])
			for k := 2; k <= min(5, held); k++ {
				if k < held && !s.opt.partial {
					continue
				}
				m := Move{Seat: rules.Player(s.turn), Kind: Steal, From: rules.Player(p)}
				m.Dice[face] = int8(k)
				moves = append(moves, m)
			}
		}
	}
	return moves
}

// Fromages lists every Fromage that the player whose turn it is may declare now, each with
// the dice it takes and the set it returns (RULES.md 3.5).
func Fromages(s *State) (moves []rules.Move) {
	if s.over || !s.kept && !s.stole || s.fromage || s.anyOwed() || s.stole && !s.opt.afterSteal {
		return nil
	}
	for p := range s.seats {
		for q := p + 1; q < s.seats; q++ {
			if p == s.turn || q == s.turn {
				continue
			}
			for x := 1; x <= 6; x++ {
				for y := 1; y <= 6; y++ {
					if s.hands[p][x] > 0 && s.hands[q][y] > 0 {
						moves = s.fromagesWith(moves, Take{rules.Player(p), x}, Take{rules.Player(q), y})
					}
				}
			}
		}
	}
	return moves
}

// fromagesWith adds the Fromages that take these two dice.
func (s *State) fromagesWith(moves []rules.Move, a, b Take) []rules.Move {
	with := s.hands[s.turn]
	with[a.Face]++
	with[b.Face]++
	for i := 1; i <= 4; i++ {
		for j := i + 1; j <= 5; j++ {
			for k := j + 1; k <= 6; k++ {
				most := min(with[i], with[j], with[k])
				for each := s.opt.minEach; each <= most; each++ {
					m := Move{Seat: rules.Player(s.turn), Kind: Fromage, Takes: [maxTakes]Take{a, b}, NTake: 2}
					m.Dice[i], m.Dice[j], m.Dice[k] = each, each, each
					if len(s.check(&m)) == 0 {
						moves = append(moves, m)
					}
				}
			}
		}
	}
	return moves
}
