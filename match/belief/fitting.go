package belief

import (
	"math"

	"diceref/rules"
	"diceref/table"
)

// Whoever has a die that fits may have to place it. Which dice a player has is known by those that were read beside the board, on a
// side that is that player's.

// fitting is a die that fits and that a player had by what was read last, on any of some sides of the board, and how likely that is; 0: none
// was surely read.
func fitting(at rules.State, by rules.Player, s *Sight, on [4]bool, own *owners) (die table.Die, p float64) {
	const (
		enough = 2   // dice that have left a side for a player tell whose it is
		hardly = 0.5 // else
	)
	g, ok := at.(rules.Compelling)
	if !ok || s == nil || by < 0 || int(by) >= len(own) {
		return die, 0
	}
	sides := s.bySide()
	for i, r := range s.Beside {
		side := s.sides[i]
		if !r.Sure || !on[side] || !g.Fits(by, r.Die) {
			continue
		}
		wrong := model.SeenOnce
		if s.again[i] {
			wrong *= model.SeenOnce
		}
		all := 0.0
		for q := range own {
			all += float64(own[q][side])
		}
		has := float64(own[by][side]) / max(all, 1) * (1 - wrong)
		if own[by][side] < enough {
			has *= hardly
		}
		n := 0
		for _, k := range sides[side][r.Color] {
			n += k
		}
		if left, known := g.Left(by, r.Color); known && left < n { // not all of them are that player's
			has *= float64(left) / float64(n)
		}
		if has > p {
			die, p = r.Die, has
		}
	}
	return die, p
}

// Fitting is the die that fits and that a player surely had in a world, by the sight before; false: none.
func (b *Board) Fitting(by rules.Player, s *Sight) (table.Die, bool) {
	const surely = 0.99
	d, p := fitting(b.now, by, s, [4]bool{true, true, true, true}, &b.owners)
	return d, p >= surely
}

// noteAgain notes which dice beside the board were surely read on the same side in the view before, too.
func (s *Sight) noteAgain() {
	s.again = make([]bool, len(s.Beside))
	if s.Before == nil {
		return
	}
	for i, r := range s.Beside {
		for k, was := range s.Before.Beside {
			s.again[i] = s.again[i] || was.Die == r.Die && was.Sure && s.Before.sides[k] == s.sides[i]
		}
	}
}

// datable is the sides of the board of which it is known that the dice there still lay in the view before as a player had them who has rolled
// them by now: none of them was covered then, or another one has been seen to show something else since. What was rolled under a hand may
// have been rolled earlier, and what was read beside that hand have come up in that roll.
func (s *Sight) datable() (on [4]bool) {
	if s.Before == nil {
		return on
	}
	covered, was, is := [4]bool{}, s.Before.bySide(), s.bySide()
	for _, o := range s.Before.spares {
		if o.away > 0 && o.beyond {
			covered[sideAt(o.u, o.v)] = true
		}
	}
	for _, o := range s.spares {
		if o.away == 1 && o.beyond { // it is covered only now
			is[sideAt(o.u, o.v)][o.die.Color][min(max(o.die.Face, 0), 6)]++
		}
	}
	for side := range on {
		on[side] = !covered[side]
		for c := range was[side] {
			for f, n := range was[side][c] {
				on[side] = on[side] || n > is[side][c][f]
			}
		}
	}
	return on
}

// compelled is the ways in which an act was made, after passes that the rules demand: by a player who had no die that fits, and by one
// who had. against is how much less likely the latter is made by itself; 1: it is wrong anyway.
func (f *follower) compelled(w way, line []rules.Move, against float64) (ways []way, logs []float64) {
	mv := line[len(line)-1]
	on := [4]bool{true, true, true, true}
	if p, ok := plainly(mv).(rules.Placement); ok && p.Rolls() {
		on = f.sight.datable()
	}
	die, p := fitting(w.world.now, mv.Actor(), f.sight.Before, on, &f.owners)
	if p < 1 {
		if next, ok := w.play(line); ok {
			ways, logs = append(ways, next), append(logs, math.Log(1-p))
		}
	}
	if p > 0 {
		though := append(line[:len(line)-1:len(line)-1], w.world.now.(rules.Compelling).Though(mv, die))
		if next, ok := w.play(though); ok {
			ways, logs = append(ways, next), append(logs, math.Log(p*against))
		}
	}
	return ways, logs
}
