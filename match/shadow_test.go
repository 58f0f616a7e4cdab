package match

import (
	"flag"
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
	t             testing.TB
	set           belief.Set[*belief.Sight]
	told          *belief.Board
	numbered      anchor // of the grid
	ballot        ballot
	done          bool
	before        *belief.Sight
	events        []string
	frames        []int
	frame         int
	unsure, views int
	anchor        *belief.Board // what is certain
	line          []rules.Move  // told since
	thoughts      []string      // at each view
	knocked       []string      // what was asked about of the dice that nobody's act has moved
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
	o, ok := x.numbered.turn(o, x.told.State().Expect().Squares)
	if !ok {
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
	x.views++
	sight := belief.SightOf(x.ballot.reads, x.before)
	x.before = sight
	next, ok := x.set.Observe(sight)
	if !ok {
		x.tell("doubt what happened")
		return
	}
	x.set = next
	x.putRight()
	x.thoughts = append(x.thoughts, fmt.Sprintf("frame %d: %s", x.frame, x.likeliest()))
	x.settle(least)
	x.disturbed()
	if x.set.Made(x.line) >= least*x.set.Began(x.line) {
		x.unsure = 0
		return
	}
	if x.unsure++; x.unsure >= 2 {
		x.unsure = 0
		x.ask()
		x.settle(unasked)
	}
}

// putRight takes back what was told and what hardly anything speaks for any more.
func (x *shadow) putRight() {
	if x.set.Began(x.line) >= refuted {
		return
	}
	for len(x.line) > 0 && x.set.Began(x.line) < unasked {
		x.line = x.line[:len(x.line)-1]
	}
	x.told = x.anchor
	for _, mv := range x.line {
		x.told, _ = x.told.After(mv)
	}
	x.tell("correct")
}

func (x *shadow) settle(least float64) {
	for _, mv := range x.set.Next(x.line, least) {
		x.say(mv)
		x.line = append(x.line[:len(x.line):len(x.line)], mv)
		x.unsure = 0
	}
	n := 0
	for n < len(x.line) && (len(x.line)-n > settledAfter || x.set.Began(x.line[:n+1]) >= certainly) {
		x.anchor, _ = x.anchor.After(x.line[n])
		n++
	}
	x.set, x.line = x.set.Forget(x.line[:n]), x.line[n:]
}

// disturbed asks about dice that nobody's act has moved.
func (x *shadow) disturbed() {
	h, _ := x.set.Likeliest(x.line)
	for _, mv := range belief.Disturbances(h.Line) {
		p := x.set.Chance(func(h belief.Hypothesis[*belief.Sight]) bool {
			return slices.ContainsFunc(belief.Disturbances(h.Line), func(d rules.Move) bool { return d.String() == mv.String() })
		})
		if p >= least && !slices.Contains(x.knocked, mv.String()) {
			x.knocked = append(x.knocked, mv.String())
			x.tell("doubt %v", mv)
		}
	}
}

func (x *shadow) ask() { x.tell("doubt%s", x.likeliest()) }

// likeliest is what is believed most, for somebody who looks into it.
func (x *shadow) likeliest() (text string) {
	for i, h := range x.set.Hypotheses() {
		if i > 3 {
			break
		}
		text += fmt.Sprintf(" | %.3f %v", h.Chance, h.Line[min(len(h.Line), len(x.line)):])
	}
	return text
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
	if next := x.set.Next(x.line, 0); len(next) > len(x.set.Next(x.line, .9)) {
		x.ask()
	}
	x.settle(0)
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

// beside counts what a match and a shadow tell of the same frames.
type sideBySide struct{ old, now tally }

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
	m := s.play(t, frames)
	var at []int
	for _, e := range m.Events() {
		at = append(at, e.Frame)
	}
	y.old.count(turned(events(m)), want, silentAs(turned(events(m)), at, s, want))
	x := shadowed(t, s, frames)
	why := silentAs(turned(x.events), x.frames, s, want)
	y.now.count(turned(x.events), want, why)
	if why != "" {
		t.Logf("game %d: new: %s", y.now.games, why)
	}
	if *shadowTrace == y.now.games {
		for _, th := range x.thoughts {
			t.Log(th)
		}
		for k, e := range x.events {
			t.Log(x.frames[k], e)
		}
		for _, st := range s.Steps {
			t.Log(st.First, st.Kind, st.Action, st.Player, squareText(st.From), squareText(st.To), st.Color, faceText(st.Face), st.Legal != nil && *st.Legal)
		}
	}
}

func (y *sideBySide) log(t *testing.T) {
	t.Logf("%-60s old %v", t.Name(), y.old)
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
