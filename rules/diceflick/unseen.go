package diceflick

import (
	"cmp"
	"slices"

	"diceref/rules"
	"diceref/scoring"
	"diceref/table"
)

// A die that comes in and is scored while hands lie over the arena is never seen. That a turn was played so is likely only where the
// arena was hidden for long enough, and what the die was is known only by the dice that were scored with it.

const (
	stays      = 0.2 // hands that lie over the arena for as long as a die comes in and is scored have done both
	mostUnseen = 3   // scores that such a die may have brought
	mostScenes = 60  // arenas of which it is remembered what one more die would score
)

// unseenDie is a die that would be scored together with some others, for so many points, and how likely one that comes in is such a die.
type unseenDie struct {
	flick  Flick
	points int
	chance float64
}

// unseenScored goes the ways in which the last flick of a turn came to rest and was scored, and nobody saw the arena in between.
func (w *walk) unseenScored(s step) {
	if must, may := s.State.FlicksLeft(); must > 1 || may == 0 || s.unseen != 0 {
		return
	}
	log := s.log + ln(1-prior.Miss) + ln(w.both)
	if w.both == 0 || log < w.least || len(w.found) > 0 && log < w.best-cutOff {
		return
	}
	for _, d := range s.memo.unseenDice(s.State, s.rest) {
		d.flick.By = rules.Player(s.State.seat)
		if next, ok := s.play(d.flick, log-s.log+ln(d.chance)); ok {
			next.unseen = scoring.HoleSet(d.flick.To)
			next.rest |= next.unseen
			next.since.flicks++
			w.on(next)
		}
	}
}

// bothUnseen is how likely nobody saw the arena between a die that came in and the scoring, if it was hidden for so many seconds.
func (t *Turns) bothUnseen(hidden float64) float64 {
	if hidden <= leastTime {
		return 0
	}
	return stays * t.pace.within(hidden-leastTime, stretch{turns: 1})
}

// unseenDice lists what may come in to an arena and be scored together with just these dice, one for each number of points.
func (m *memo) unseenDice(s *State, others scoring.Holes) []unseenDie {
	list, known := m.unseen[s.arena]
	if !known {
		if m.unseen == nil || len(m.unseen) >= mostScenes {
			m.unseen = map[scoring.Arena]map[scoring.Holes][]unseenDie{}
		}
		list = s.scoredAtOnce()
		m.unseen[s.arena] = list
	}
	return list[others]
}

// scoredAtOnce lists the dice that may come in and that the best scoring takes then, by the others that it takes.
func (s *State) scoredAtOnce() map[scoring.Holes][]unseenDie {
	all := map[scoring.Holes][]unseenDie{}
	left := s.left()
	pool := 0
	for _, n := range left {
		pool += n
	}
	for c, n := range left {
		if n == 0 {
			continue
		}
		c := table.Color(c)
		faces := facesOf(c)
		share := float64(n) / float64(pool*len(faces)*len(s.arena.Dice))
		for _, face := range faces {
			for i, there := range s.arena.Dice {
				if there.Color != table.NoColor {
					continue
				}
				a, at := s.arena, scoring.Holes(1)<<i
				a.Dice[i], a.Landed = table.Die{Color: c, Face: face}, a.Landed|at
				if plan := scoring.Best(&a, s.worth); plan.Removed.Has(table.SquareAt(i)) {
					add(all, plan.Removed&^at, unseenDie{Flick{Die: a.Dice[i], Rests: true, To: table.SquareAt(i)}, plan.Score, share})
				}
			}
		}
	}
	for others, list := range all {
		all[others] = likeliest(list)
	}
	return all
}

// left is how many dice of each color may come in; none of one of which more lie in the arena than the game has, as one of them is believed
// to lie where it does not.
func (s *State) left() (n [len(table.Colors) + 1]int) {
	for c := range table.DiceFlick.Kit().Dice {
		n[c] = max(s.pool(c), 0)
	}
	return n
}

// add adds a die to those that bring as many points.
func add(all map[scoring.Holes][]unseenDie, others scoring.Holes, d unseenDie) {
	list := all[others]
	i := slices.IndexFunc(list, func(o unseenDie) bool { return o.points == d.points })
	if i < 0 {
		all[others] = append(list, d)
		return
	}
	list[i].chance += d.chance
}

// likeliest is the likeliest of the dice, which stand for the others as well.
func likeliest(list []unseenDie) []unseenDie {
	slices.SortFunc(list, func(a, b unseenDie) int {
		return cmp.Or(cmp.Compare(b.chance, a.chance), cmp.Compare(a.points, b.points))
	})
	all, kept := 0.0, 0.0
	for i, d := range list {
		if all += d.chance; i < mostUnseen {
			kept += d.chance
		}
	}
	list = list[:min(len(list), mostUnseen)]
	for i := range list {
		list[i].chance *= all / kept
	}
	return list
}
