package match

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/rules/diceflick"
	"diceref/table"
)

var (
	stresses    = flag.Int("stresses", 3, "how many disturbed games of each kind TestStress plays")
	stressStart = flag.Uint64("stress-start", 0, "the seed of the first of them")
)

// A flaw spoils how one view of the table was read: all readings of a view alike, as a
// reader errs that sees the same picture again.
type flaw struct {
	name  string
	spoil func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation
}

var flaws = []flaw{
	{"a face misread", func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation {
		sq, ok := anyDie(rng, o)
		face, p := 1+rng.IntN(6), .4+.5*rng.Float64()
		return onDie(sq, ok, func(r *table.Reading) {
			if r.Face > 0 && r.Face != face {
				readings.Doubt(r, face, p)
			}
		})
	}},
	{"a color misread", func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation {
		sq, ok := anyDie(rng, o)
		c, p := readings.Color(rng, o.Game), .4+.5*rng.Float64()
		return onDie(sq, ok, func(r *table.Reading) {
			kit := o.Game.Kit()
			if r.Color == c || (r.Color == kit.Blast) != (c == kit.Blast) {
				return
			}
			right := r.Color
			r.Color, r.Sure, r.Confidence = c, false, p
			r.Colors = [10]float64{}
			r.Colors[right], r.Colors[c] = 1-p, p
		})
	}},
	// A die that is seen from its second view on: nobody can tell of one that never is.
	{"a die not seen", func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation {
		sq, ok := anyDie(rng, o)
		return func(o table.Observation) table.Observation {
			o.Dice = slices.DeleteFunc(o.Dice, func(r table.Reading) bool { return ok && r.Square != nil && *r.Square == sq })
			return o
		}
	}},
	{"a die invented", func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation {
		sq := table.SquareAt(rng.IntN(25))
		d := table.Die{Color: readings.Color(rng, o.Game), Face: 1 + rng.IntN(6)}
		if d.Color == o.Game.Kit().Blast {
			d.Face = 0
		}
		p := .3 + .6*rng.Float64()
		return func(o table.Observation) table.Observation {
			for _, r := range o.Dice {
				if r.Square != nil && *r.Square == sq {
					return o
				}
			}
			ghost := readings.Sure(d, &sq, table.Point{})
			ghost.Sure, ghost.Confidence = false, p
			o.Dice = append(o.Dice, ghost)
			return o
		}
	}},
	{"a die read one square away", func(rng *rand.Rand, o table.Observation) func(table.Observation) table.Observation {
		sq, ok := anyDie(rng, o)
		to := table.Square{Row: sq.Row + rng.IntN(3) - 1, Col: sq.Col + rng.IntN(3) - 1}
		for _, r := range o.Dice {
			ok = ok && to.On() && (r.Square == nil || *r.Square != to)
		}
		return onDie(sq, ok, func(r *table.Reading) {
			r.Square, r.Sure, r.Confidence = &to, false, .5
		})
	}},
}

// anyDie picks a die on the grid.
func anyDie(rng *rand.Rand, o table.Observation) (table.Square, bool) {
	var on []table.Square
	for _, r := range o.Dice {
		if r.Square != nil {
			on = append(on, *r.Square)
		}
	}
	if len(on) == 0 {
		return table.Square{}, false
	}
	return on[rng.IntN(len(on))], true
}

func onDie(sq table.Square, ok bool, change func(*table.Reading)) func(table.Observation) table.Observation {
	return func(o table.Observation) table.Observation {
		for i := range o.Dice {
			if r := &o.Dice[i]; ok && r.Square != nil && *r.Square == sq {
				change(r)
				break
			}
		}
		return o
	}
}

// spoiled reads some views of a game wrongly, and lets the grid tremble.
func spoiled(rng *rand.Rand, frames []table.Observation, f flaw, share float64) []table.Observation {
	var change func(table.Observation) table.Observation
	fresh := true
	var view, last table.Observation
	for i, o := range frames {
		if o.Look != table.LookStill {
			fresh = true
			continue
		}
		if !o.Read || i == 0 {
			continue
		}
		o.Dice = slices.Clone(o.Dice)
		if fresh {
			fresh, change = false, nil
			view, last = o, view
			if rng.Float64() < share {
				old := o
				if f.name == "a die not seen" {
					old = last
				}
				change = f.spoil(rng, old)
			}
		}
		if change != nil {
			o = change(o)
		}
		g := *o.Grid
		for k := range g.Corners {
			g.Corners[k].X += 2 * rng.NormFloat64()
			g.Corners[k].Y += 2 * rng.NormFloat64()
		}
		o.Grid = &g
		frames[i] = o
	}
	return frames
}

// silent tells the first wrong event that no doubt announced; empty: there is none. A
// doubt holds for what was going on then: the next four events, and in DICE Flick, where
// only the end of a turn says that a flick was overlooked, until the turn is scored.
// An event that is told only once the next step has passed is not that of its step,
// but another one of the same kind.
func silent(got []string, frames []int, s *script) string { return silentAs(got, frames, s, s.want()) }

// silentAs is silent where this is to be told.
func silentAs(got []string, frames []int, s *script, want []string) string {
	const reach = 4
	at, since := 0, reach+1
	for i, e := range got {
		if strings.HasPrefix(e, "doubt") {
			since = 0
			continue
		}
		if since++; at < len(want) && e == want[at] && (at+1 >= len(s.Steps) || frames[i] <= s.Steps[at+1].Last) {
			at++
			continue
		}
		if since <= reach {
			return ""
		}
		for _, later := range got[i+1:] {
			if strings.HasPrefix(later, "doubt") && strings.HasPrefix(want[1], "flick") {
				return ""
			}
			if strings.HasPrefix(later, "score") {
				break
			}
		}
		return fmt.Sprintf("event %d is told as %q, want %q", at, e, want[min(at, len(want)-1)])
	}
	return ""
}

// silentScore tells the first score of DICE Flick that is told wrong and as certain, though nothing was asked between the score
// before it and the one after it; empty: there is none. What a die shows matters as soon as a score hangs on it.
func silentScore(m *Match, s *script) string {
	pad := m.line.now().(*diceflick.State).Notepad()
	since := 0
	for i, st := range s.Steps {
		if st.Kind != "score" {
			continue
		}
		until := s.Steps[len(s.Steps)-1].Last
		for _, next := range s.Steps[i+1:] {
			if next.Kind == "score" {
				until = next.Last
				break
			}
		}
		asked := slices.ContainsFunc(m.Events(), func(e EventView) bool {
			return e.Type == TypeDoubt && e.Frame >= since && e.Frame <= until
		})
		if got := pad.Rounds[st.Round-1][st.Player]; got != nil && *got != st.Score {
			if asked || slices.Contains(m.provisional(), Cell{st.Player, st.Round}) {
				return "" // what follows hangs on the answer
			}
			return fmt.Sprintf("round %d of %d: %d, want %d", st.Round, st.Player, *got, st.Score)
		}
		since = st.Last
	}
	return ""
}

// TestStress reads every sixth view of a game wrongly, never surely so. The match is
// right, or it is in doubt before it goes wrong.
func TestStress(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		for _, f := range flaws {
			t.Run(game+"/"+f.name, func(t *testing.T) {
				right, doubts, told := 0, 0, 0
				for i := range uint64(*stresses) {
					seed := *stressStart + i
					s := loadScript(t, game)
					m := s.play(t, spoiled(rand.New(rand.NewPCG(seed, 3)), s.frames(), f, 1./6))
					got, want := events(m), s.want()
					var frames []int
					for _, e := range m.Events() {
						frames = append(frames, e.Frame)
					}
					why := ""
					if s.Game == table.DiceFlick {
						why = silentScore(m, s)
					} else {
						why = silent(got, frames, s)
					}
					if why != "" {
						t.Errorf("seed %d: silently wrong: %s", seed, why)
					}
					told += len(want)
					for _, e := range got {
						if strings.HasPrefix(e, "doubt") {
							doubts++
						}
					}
					if slices.Equal(slices.DeleteFunc(got, func(e string) bool { return strings.HasPrefix(e, "doubt") }), want) {
						right++
					}
				}
				t.Logf("%d of %d games right, %d doubts for %d events", right, *stresses, doubts, told)
			})
		}
	}
}
