package match

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"diceref/rules"
	"diceref/rules/diceflick"
)

// hear answers a question that is open, as it was in truth.
func (f *flickTable) hear() {
	if !f.answers || f.m.ask == "" {
		return
	}
	if f.m.turns.open {
		f.whoScored()
		return
	}
	now := f.away(f.m.line.now().(*diceflick.State)) / 1000 // an answer that is not true is not given
	best, least := "", math.MaxInt
	for _, o := range f.m.offers {
		p, end := f.m.foresee(o)
		if end == nil || f.away(end.(*diceflick.State))/1000 > now {
			continue
		}
		n := 10 * f.away(end.(*diceflick.State))
		for _, mv := range f.moves[max(0, len(f.moves)-4):] {
			if slices.Contains(p.Acts, mv) {
				n--
			}
		}
		if n < least {
			best, least = o.says.String(), n
		}
	}
	if best == "" {
		return
	}
	f.trace("answers %s to %s", best, f.m.ask)
	if err := f.m.Declare(Declaration{Say: SayAnswer, Choice: best}); err != nil {
		f.trace("%s is refused: %v", best, err)
	}
}

// whoScored answers who scored.
func (f *flickTable) whoScored() {
	for range 5 { // another such question may follow
		if !f.m.turns.open {
			return
		}
		k := f.m.turns.at
		for _, line := range f.m.certainTurn().(*diceflick.State).Notepad().Rounds {
			for _, n := range line {
				if n != nil && *n > 0 {
					k++
				}
			}
		}
		fits := func(o offer) bool {
			_, end := f.m.foresee(o)
			if end == nil {
				return false
			}
			got := scoresOnPad(end.(*diceflick.State))
			return len(got) > k && len(f.scores) > k && got[k] == f.scores[k] || len(got) <= k && len(f.scores) <= k
		}
		i := slices.IndexFunc(f.m.offers, fits)
		if i < 0 {
			f.unfit++
			if testing.Verbose() {
				f.trace("no answer of %q fits %v", words(f.m.offers), f.scores[min(k, len(f.scores)-1)])
			}
			return
		}
		f.trace("answers %s", f.m.offers[i].says)
		if err := f.m.Declare(Declaration{Say: SayAnswer, Choice: f.m.offers[i].says.String()}); err != nil {
			f.t.Logf("refused: %v", err)
			return
		}
	}
}

// scoresOnPad is the scores on a notepad that are not 0, in the order in which they came.
func scoresOnPad(s *diceflick.State) (list []scored) {
	for round, line := range s.Notepad().Rounds {
		for player, n := range line {
			if n != nil && *n > 0 {
				list = append(list, scored{rules.Player(player), round + 1, *n})
			}
		}
	}
	return list
}

// away is how far a position is from the one in truth: by the arena, then by the notepad.
func (f *flickTable) away(s *diceflick.State) (n int) {
	dice, want := s.Arena().Dice, f.truth.Arena().Dice
	for i := range dice {
		if dice[i] != want[i] {
			n += 1000
		}
	}
	got, pad := padOf(s), padOf(f.truth)
	for i := range pad {
		if got[i] != pad[i] {
			n++
		}
	}
	return n
}

// padOf is every cell of a notepad in words.
func padOf(s *diceflick.State) (list []string) {
	for _, line := range s.Notepad().Rounds {
		for _, n := range line {
			if n == nil {
				list = append(list, "-")
			} else {
				list = append(list, fmt.Sprint(*n))
			}
		}
	}
	return list
}
