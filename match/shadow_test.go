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
	anchor *belief.Board // what is certain
	line   []rules.Move  // told since
}

func newShadow(t testing.TB, s *script) *shadow {
	book := map[table.Game]rules.Game{table.DessertDice: dessertdice.Game, table.DiceBox: dicebox.Game}[s.Game]
	start, err := book.New(rules.Setup{Players: s.Players, Owners: s.Colors})
	if err != nil {
		t.Fatal(err)
	}
	w := belief.OnBoard(start)
	return &shadow{t: t, set: belief.New[*belief.Sight](w), told: w, anchor: w}
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

const (
	least        = .99   // enough to be told
	unasked      = .4    // the same, once it was asked
	certainly    = .9999 // enough not to be put right any more
	settledAfter = 12    // moves that were told since: neither is it then
	refuted      = .05   // what was told is put right where no more speaks for it
)

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
	x.putRight()
	x.settle(least)
	same := x.set.Chance(func(h belief.Hypothesis[*belief.Sight]) bool { return sameLine(h.Line, x.line) })
	if same >= least*x.chance(x.line) {
		x.unsure = 0
		return
	}
	if x.unsure++; x.unsure >= 2 {
		x.unsure = 0
		x.ask()
		x.settle(unasked)
	}
}

func sameLine(a, b []rules.Move) bool { return len(a) == len(b) && beginsWith(a, b) }

func beginsWith(a, b []rules.Move) bool {
	for i := range b {
		if i >= len(a) || a[i].String() != b[i].String() {
			return false
		}
	}
	return true
}

func (x *shadow) chance(line []rules.Move) float64 {
	return x.set.Chance(func(h belief.Hypothesis[*belief.Sight]) bool { return beginsWith(h.Line, line) })
}

// putRight takes back what was told and what hardly anything speaks for any more.
func (x *shadow) putRight() {
	if x.chance(x.line) >= refuted {
		return
	}
	for len(x.line) > 0 && x.chance(x.line) < unasked {
		x.line = x.line[:len(x.line)-1]
	}
	x.told = x.anchor
	for _, mv := range x.line {
		x.told, _ = x.told.After(mv)
	}
	x.tell("correct")
}

// likeliest is the likeliest line that goes on from what was told.
func (x *shadow) likeliest() []rules.Move {
	for _, h := range x.set.Hypotheses() {
		if beginsWith(h.Line, x.line) {
			return h.Line
		}
	}
	return x.line
}

func (x *shadow) settle(least float64) {
	best, all := x.likeliest(), x.chance(x.line)
	for n := len(x.line) + 1; n <= len(best) && x.chance(best[:n]) >= least*all; n++ {
		x.say(best[n-1])
		x.line = best[:n:n]
		x.unsure = 0
	}
	n := 0
	for n < len(x.line) && (len(x.line)-n > settledAfter || x.chance(x.line[:n+1]) >= certainly) {
		x.anchor, _ = x.anchor.After(x.line[n])
		n++
	}
	x.set, x.line = x.set.Told(x.line[:n]), x.line[n:]
}

func (x *shadow) ask() {
	text := "doubt"
	for i, h := range x.set.Hypotheses() {
		if i > 3 {
			break
		}
		if beginsWith(h.Line, x.line) {
			h.Line = h.Line[len(x.line):]
			text += fmt.Sprintf(" | %.3f %v", h.Chance, h.Line)
		} else {
			text += fmt.Sprintf(" | %.3f ...", h.Chance)
		}
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
	if best := x.likeliest(); len(best) > len(x.line) {
		if x.chance(best) < .9*x.chance(x.line) {
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
					for k, e := range x.events {
						if isDoubt(e) {
							t.Logf("seed %d: %d %s", seed, x.frames[k], e)
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
