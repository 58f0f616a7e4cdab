package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/dessertdice"
	"diceref/rules/dicebox"
	"diceref/table"
)

// shadow follows a game on a board by belief alone.
type shadow struct {
	t      testing.TB
	set    belief.Set[*belief.Sight]
	told   *belief.Board
	ballot ballot
	done   bool
	before *belief.Sight
	events []string
	frames []int
	frame  int
	unsure int
	asked  bool
}

func newShadow(t testing.TB, s *script) *shadow {
	book := map[table.Game]rules.Game{table.DessertDice: dessertdice.Game, table.DiceBox: dicebox.Game}[s.Game]
	start, err := book.New(rules.Setup{Players: s.Players, Owners: s.Colors})
	if err != nil {
		t.Fatal(err)
	}
	w := belief.OnBoard(start)
	return &shadow{t: t, set: belief.New[*belief.Sight](w), told: w}
}

func (x *shadow) see(o table.Observation) {
	if o.Look != table.LookStill {
		x.conclude()
		x.ballot, x.done = ballot{}, false
		return
	}
	if !o.Read {
		return
	}
	x.frame = o.Frame
	if !x.done {
		x.ballot.add(o)
		if x.ballot.ripe(x.told.State().Expect().Squares) {
			x.conclude()
		}
	}
}

func (x *shadow) tell(format string, args ...any) {
	x.events, x.frames = append(x.events, fmt.Sprintf(format, args...)), append(x.frames, x.frame)
}

const least = .99

func (x *shadow) conclude() {
	if x.done || len(x.ballot.reads) == 0 {
		return
	}
	x.done = true
	if len(x.events) == 0 {
		x.tell("start")
	}
	sight := belief.SightOf(x.ballot.reads, x.before)
	x.before = sight
	next, ok := x.set.Observe(sight)
	if !ok {
		x.tell("doubt what happened")
		return
	}
	x.set = next
	x.settle(least)
	if h := x.set.Best(); len(h.Line) == 0 && h.Chance >= least {
		x.unsure, x.asked = 0, false
		return
	}
	x.unsure++
	if x.unsure >= 2 && !x.asked {
		x.asked = true
		x.ask()
	}
}

func (x *shadow) settle(least float64) {
	line := x.set.Settled(least)
	for _, mv := range line {
		x.say(mv)
	}
	if len(line) > 0 {
		x.set = x.set.Told(len(line))
		x.unsure, x.asked = 0, false
	}
}

func (x *shadow) ask() {
	text := "doubt"
	for i, h := range x.set.Hypotheses() {
		if i > 3 {
			break
		}
		text += fmt.Sprintf(" | %.3f %v", h.Chance, h.Line)
	}
	x.tell("%s", text)
}

func (x *shadow) say(mv rules.Move) {
	e := Event{Type: TypeMove, Player: mv.Actor().String(), Move: mv}
	legal := true
	if _, back := mv.(belief.TakenBack); back {
		e.Type = TypeTakeback
	} else {
		legal = x.told.State().Check(mv) == nil
	}
	e.Legal = &legal
	if a, is := mv.(dicebox.Act); is && a.Kind == dicebox.Pass {
		e.Type = TypePass
	}
	next, err := x.told.After(mv)
	if err != nil {
		x.t.Fatal(err)
	}
	x.told = next
	if mv.Actor() != rules.Nature {
		x.tell("%s", told(e))
	}
}

func (x *shadow) finish() {
	x.conclude()
	if h := x.set.Best(); len(h.Line) > 0 {
		if !x.asked {
			x.ask()
		}
		x.settle(0)
	}
	x.tell("end")
}

func shadowed(t testing.TB, s *script, frames []table.Observation) *shadow {
	x := newShadow(t, s)
	for _, o := range frames {
		x.see(o)
	}
	x.finish()
	return x
}

// TestShadow prints what is told right by the match and by belief alone, side by side.
func TestShadow(t *testing.T) {
	for _, game := range []table.Game{table.DessertDice, table.DiceBox} {
		for _, sp := range append([]spoiler{{"none", func(*rand.Rand, []view) {}}}, spoilers...) {
			t.Run(string(game)+"/"+sp.name, func(t *testing.T) {
				var old, now tally
				for i := range uint64(*spoilt) {
					seed := *spoiltStart + i
					s := playBoard(t, game, seed)
					frames := s.frames()
					sp.spoil(rand.New(rand.NewPCG(seed, 6)), viewsOf(frames))
					m := s.play(t, frames)
					var at []int
					for _, e := range m.Events() {
						at = append(at, e.Frame)
					}
					old.count(events(m), s.want(), silent(events(m), at, s))
					x := shadowed(t, s, frames)
					why := silent(x.events, x.frames, s)
					now.count(x.events, s.want(), why)
					if said := slices.DeleteFunc(slices.Clone(x.events), isDoubt); *spoilt == 1 && !slices.Equal(said, s.want()) {
						for k, e := range x.events {
							t.Log(x.frames[k], e)
						}
						for _, st := range s.Steps {
							t.Log(st.First, st.Kind, st.Action, st.Player, squareText(st.From), squareText(st.To), st.Color, faceText(st.Face), st.Legal != nil && *st.Legal)
						}
					}
					if why != "" {
						t.Logf("seed %d: %s", seed, why)
					}
				}
				t.Logf("%-50s old %v", t.Name(), old)
				t.Logf("%-50s new %v", t.Name(), now)
			})
		}
	}
}
