package dicebox

import (
	"math"
	"slices"

	"diceref/rules"
	"diceref/table"
)

// Key is the same for two positions that nothing seen later can tell apart.
func (s *State) Key() string {
	b := make([]byte, 0, squares+64)
	for _, d := range s.grid {
		b = append(b, byte(d.Color)<<3|byte(d.Face))
	}
	b = append(b, byte(s.turn))
	for _, h := range s.hands {
		b = append(b, byte(h.size))
		for _, n := range h.colors {
			b = append(b, byte(n))
		}
	}
	return string(b)
}

// Final says whether an act is not taken back: a roll, once seen, stands.
func (s *State) Final(mv rules.Move) bool {
	a, ok := mv.(Act)
	return ok && (a.Kind == Reroll || a.Kind == Seed || a.Kind == Pass)
}

// Roll is the roll by the player whose turn it is, after passes that the rules demand; nil where all dice are known.
func (s *State) Roll() []rules.Move {
	if s.ToMove() < 0 || !s.rolled || s.Expect().LooseKnown {
		return nil
	}
	line, by := s.passes()
	return append(line, Act{By: by, Kind: Reroll})
}

// RollAfter implements rules.Roller.
func (s *State) RollAfter() rules.Move {
	if s.ToMove() < 0 || !s.rolled || s.last.Kind != Place || s.lastBy < 0 || s.Expect().LooseKnown {
		return nil
	}
	return Act{By: s.lastBy, Kind: Reroll}
}

// Traceless is the Seed, which may not be read as it lies there, a reroll of which all dice come up as before, and a pass, which is
// against the rules.
func (s *State) Traceless() (list []rules.Traceless) {
	if !s.rolled {
		for _, mv := range s.beforeTheSeed() {
			if a, ok := mv.(Act); ok && a.Kind == Seed {
				list = append(list, rules.Traceless{Move: a, None: 1. / 6})
			}
		}
		return list
	}
	if s.Over() {
		return nil
	}
	_, by := s.passes()
	if roll := (Act{By: by, Kind: Reroll}); s.Check(roll) == nil {
		list = append(list, rules.Traceless{Move: roll, None: math.Pow(6, -float64(s.handOf(by).size))})
	}
	pass := Act{By: by, Kind: Pass}
	if next, err := s.Apply(pass); err == nil {
		if _, then := next.(*State).passes(); then != by { // else nobody is passed over
			list = append(list, rules.Traceless{Move: pass, None: 1})
		}
	}
	return list
}

// Board is the dice on the grid.
func (s *State) Board() rules.Board { return s.grid }

// Fits implements rules.Compelling.
func (s *State) Fits(by rules.Player, d table.Die) bool {
	if left, known := s.Left(by, d.Color); known && left == 0 {
		return false
	}
	return slices.ContainsFunc(s.Fillable(), func(sq table.Square) bool { return slices.Contains(s.Candidates(sq), d.Face) })
}

// Though implements rules.Compelling.
func (s *State) Though(mv rules.Move, d table.Die) rules.Move {
	a, ok := mv.(Act)
	if !ok || a.Kind != Reroll && a.Kind != Pass {
		return mv
	}
	a.Die = d
	return a
}
