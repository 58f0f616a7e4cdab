package match

import (
	"fmt"
	"math"
	"slices"

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
		if o.right && !f.padRight() {
			continue
		}
		if end == nil || f.away(end.(*diceflick.State))/1000 > now {
			continue
		}
		n := 10 * f.away(end.(*diceflick.State))
		if o.right {
			n--
		}
		for _, mv := range f.moves[max(0, len(f.moves)-4):] {
			if slices.Contains(p.Acts, mv) {
				n--
			}
		}
		if n < least {
			best, least = o.says.String(), n
		}
	}
	if s := f.ended; slices.Contains(f.m.choices(f.m.offers), SomethingElse) && s.round > 0 && !f.tells(best, s) {
		f.unfit++
		if err := f.m.Declare(Declaration{Say: SayAnswer, Choice: SomethingElse, Player: f.m.name(s.player), Round: s.round, Score: &s.points}); err != nil {
			f.trace("something else is refused: %v", err)
		}
		return
	}
	if best == "" {
		return
	}
	f.trace("answers %s to %s", best, f.m.ask)
	if err := f.m.Declare(Declaration{Say: SayAnswer, Choice: best}); err != nil {
		f.trace("%s is refused: %v", best, err)
	}
}

// padRight says whether all numbers that are told are as in truth.
func (f *flickTable) padRight() bool {
	got, want := padOf(f.m.line.now().(*diceflick.State)), padOf(f.truth)
	for i := range got {
		if got[i] != "-" && got[i] != want[i] {
			return false
		}
	}
	return true
}

// tells says whether an answer leads to that score.
func (f *flickTable) tells(answer string, s scored) bool {
	for _, o := range f.m.offers {
		if _, end := f.m.foresee(o); end != nil && o.says.String() == answer {
			n := s.cell().on(end.(*diceflick.State))
			return n != nil && *n == s.points
		}
	}
	return false
}

// whoScored answers who scored.
func (f *flickTable) whoScored() {
	for range 5 { // another such question may follow
		if !f.m.turns.open {
			return
		}
		is, least := scored{player: rules.Nobody}, 16
		if about := f.m.turns.about; about.took == 0 { // a number is asked for
			if is = about.scored; about.cell().on(f.truth) != nil {
				is.points = *about.cell().on(f.truth)
			}
		}
		for _, t := range f.scores {
			away := 2 * abs(t.rested-f.m.turns.about.rested)
			if t.took != f.m.turns.about.took {
				away++ // other dice
			}
			if t.took&f.m.turns.about.took != 0 && away < least {
				is, least = t.scored, away
			}
		}
		d := Declaration{Say: SayAnswer, Choice: SomethingElse}
		if i := slices.IndexFunc(f.m.offers, func(o offer) bool {
			return *o.whose == is || o.whose.player == rules.Nobody && is.player == rules.Nobody
		}); i >= 0 {
			d.Choice = f.m.offers[i].says.String()
		} else {
			f.unfit++
			if is.player != rules.Nobody {
				d.Player, d.Round, d.Score = f.m.name(is.player), is.round, &is.points
			}
		}
		f.trace("%q: answers %s, as it was %v", words(f.m.offers), d.Choice, is)
		if err := f.m.Declare(d); err != nil {
			f.t.Logf("refused: %v", err)
			return
		}
	}
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
