package match

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/table"
)

// beside counts what a match and a shadow tell of the same frames.
type sideBySide struct{ now tally }

func (y *sideBySide) play(t *testing.T, s *script, frames []table.Observation) {
	t.Helper()
	y.playAs(t, s, frames, 0)
}

// playAs is play where the numbering of the squares is some quarter turns away from the script's.
func (y *sideBySide) playAs(t *testing.T, s *script, frames []table.Observation, quarters int) {
	t.Helper()
	want, turned := s.want(), func(list []string) []string {
		for i := range list {
			list[i] = renumbered(list[i], 0)
		}
		return list
	}
	for i := range want {
		want[i] = renumbered(want[i], quarters)
	}
	play := func(y *tally) *Match {
		m := s.play(t, slices.Clone(frames))
		var at []int
		for _, e := range m.Events() {
			at = append(at, e.Frame)
		}
		why := silentAs(turned(events(m)), at, s, want)
		y.count(turned(events(m)), want, why)
		if why != "" {
			t.Logf("game %d: %s", y.games, why)
		}
		return m
	}
	m := play(&y.now)
	if *shadowTrace == y.now.games {
		for _, e := range m.Events() {
			t.Log(e.Frame, told(e.Event))
		}
		for _, st := range s.Steps {
			t.Log(st.First, st.Kind, st.Action, st.Player, squareText(st.From), squareText(st.To), st.Color, faceText(st.Face), st.Legal != nil && *st.Legal)
		}
	}
}

func (y *sideBySide) log(t *testing.T) {
	t.Logf("%-60s new %v", t.Name(), y.now)
}

var (
	shadowTrace = flag.Int("shadow-trace", 0, "which game of each suite is printed, from 1")
	shadowAll   = flag.Bool("shadow", false, "TestShadow plays the spoiled games, too")
)

// TestShadow prints what is told right by the match and by belief alone, side by side. Games that nothing spoils are right by belief.
func TestShadow(t *testing.T) {
	if !*shadowAll {
		for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
			var y sideBySide
			s := playBoard(t, game, *spoiltStart)
			y.play(t, s, s.frames())
			if y.now.right < 1 {
				t.Errorf("%s: a game is not told right", game)
			}
		}
		return
	}
	for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
		for _, sp := range append([]spoiler{{"none", func(*rand.Rand, []view) {}}}, spoilers...) {
			t.Run(string(game)+"/"+sp.name, func(t *testing.T) {
				var y sideBySide
				for i := range uint64(*spoilt) {
					seed := *spoiltStart + i
					s := playBoard(t, game, seed)
					frames := s.frames()
					sp.spoil(rand.New(rand.NewPCG(seed, 6)), viewsOf(frames))
					y.play(t, s, frames)
				}
				y.log(t)
			})
		}
		t.Run(string(game)+"/recorded", func(t *testing.T) {
			var y sideBySide
			s, frames := loadScript(t, string(game)), loadSeen(t, string(game))
			y.playAs(t, s, frames, s.numbering(frames))
			y.log(t)
		})
		for _, d := range disturbances {
			t.Run(string(game)+"/disturbed, "+d.name, func(t *testing.T) {
				var y sideBySide
				for i := range uint64(*spoilt) {
					s := loadScript(t, string(game))
					y.play(t, s, d.change(rand.New(rand.NewPCG(*spoiltStart+i, 5)), s.frames()))
				}
				y.log(t)
			})
		}
		for _, f := range flaws {
			t.Run(string(game)+"/stress, "+f.name, func(t *testing.T) {
				var y sideBySide
				for i := range uint64(*spoilt) {
					s := loadScript(t, string(game))
					y.play(t, s, spoiled(rand.New(rand.NewPCG(*spoiltStart+i, 3)), s.frames(), f, 1./6))
				}
				y.log(t)
			})
		}
		for _, f := range flaws {
			t.Run(string(game)+"/played, "+f.name, func(t *testing.T) {
				var y sideBySide
				for i := range uint64(*spoilt) {
					s := playBoard(t, game, *spoiltStart+i)
					y.play(t, s, spoiled(rand.New(rand.NewPCG(*spoiltStart+i, 3)), s.frames(), f, 1./6))
				}
				y.log(t)
			})
		}
	}
}
