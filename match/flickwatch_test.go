package match

import (
	"slices"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// watcher follows the game of a flickTable by what is seen and said alone, beside the match.
type watcher struct {
	set      belief.Set[diceflick.View]
	sight    *belief.Sight
	markers  rules.Move
	lost     int
	pruned   float64
	asked    int
	answered int // the last score that players were asked about came after so many dice
}

func (f *flickTable) watch(obs *table.Observation, say string) {
	w := &f.watcher
	if len(w.set.Hypotheses()) == 0 {
		w.set = belief.New[diceflick.View](diceflick.Watch(f.start))
	}
	if k := f.m.line.now().(*diceflick.State).Arena().Markers; w.markers == nil || w.markers.(diceflick.Markers).Markers != k {
		w.markers = diceflick.Markers{Markers: k}
		var kept []belief.Hypothesis[diceflick.View]
		for _, h := range w.set.Hypotheses() {
			if next, mv, err := h.World.(*diceflick.Watched).Do(w.markers); err == nil {
				h.World, h.Line = next, append(h.Line[:len(h.Line):len(h.Line)], mv)
				kept = append(kept, h)
			}
		}
		w.set, _ = w.set.Of(kept)
	}
	v := diceflick.View{At: f.at, Say: say, Shown: w.set.Best().World.(*diceflick.Watched).State().ToMove()}
	if obs != nil {
		w.sight = belief.SightOf([]table.Observation{*obs}, w.sight)
		v.Holes = w.sight
	}
	next, ok := w.set.Observe(v)
	if !ok {
		w.lost++
		f.trace("watched: LOST at %.1f", f.at)
		return
	}
	w.pruned += next.Pruned()
	w.set = next
	if f.answers && obs != nil {
		f.ask()
	}
	f.trace("watched: %.4f %v gone %v; truth %.4f of %d, pruned %.1g", next.Best().Chance, tail(next.Best().Line, 4), next.Best().World.(*diceflick.Watched).Gone().Squares(), w.set.Chance(f.trueWatched), len(w.set.Hypotheses()), next.Pruned())
}

// ask lets players say whose a score is, as soon as several are open, or one for long; older ones than the last of which they have
// said so are left open.
func (f *flickTable) ask() {
	w := &f.watcher
	best := w.set.Best()
	state := best.World.(*diceflick.Watched).State()
	var open []taking
	for _, t := range f.takings(best.Line) {
		if t.rested > w.answered && w.chance(t.cell(), t.points) < beyondDoubt {
			open = append(open, t)
		}
	}
	players := len(f.m.setting.Players)
	late := len(open) > 0 && turnOf(state, players)-open[0].turn(players) >= mostRounds*players
	if len(open) < mostOpen && !late {
		return
	}
	t := open[len(open)-1]
	w.asked++
	w.answered = t.rested
	is := f.same(f.scores, t)
	next, ok := w.set.Condition(func(h belief.Hypothesis[diceflick.View]) bool { return f.same(f.takings(h.Line), t) == is })
	if !ok {
		w.lost++
		return
	}
	w.set = next
}

// takings is the scores of a line that are not 0.
func (f *flickTable) takings(line []rules.Move) (list []taking) {
	now, rested := rules.State(f.start), 0
	for _, mv := range line {
		s := now.(*diceflick.State)
		switch mv := mv.(type) {
		case diceflick.Score:
			if points := s.Points(mv); points > 0 {
				list = append(list, taking{scored: scored{mv.By, s.Round(), points}, took: mv.Removed, rested: rested})
			}
		case diceflick.Flick:
			if mv.Rests {
				rested++
			}
		}
		next, err := now.Apply(mv)
		if err != nil {
			return list
		}
		now = next
	}
	return list
}

// same is whose the same dice are in a list.
func (f *flickTable) same(list []taking, t taking) scored {
	const off = 2
	best, least := scored{player: rules.Nobody}, off+1
	for _, o := range list {
		if away := abs(o.rested - t.rested); o.took&t.took != 0 && away < least {
			best, least = o.scored, away
		}
	}
	return best
}

// chance is how likely that number is right, or will be.
func (w *watcher) chance(c Cell, n int) float64 {
	return w.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		o := c.on(h.World.(*diceflick.Watched).State())
		return o != nil && *o == n
	})
}

func tail(line []rules.Move, n int) []rules.Move { return line[max(0, len(line)-n):] }

// trueWatched is true for watched hypotheses.
func (f *flickTable) trueWatched(h belief.Hypothesis[diceflick.View]) bool {
	return slices.Equal(padOf(h.World.(*diceflick.Watched).State()), padOf(f.truth))
}

// watchedVerdict counts cells as verdict does.
func (f *flickTable) watchedVerdict() (v flickVerdict) {
	w := &f.watcher
	over, ok := w.set.Observe(diceflick.View{At: f.at, Say: diceflick.SayOver})
	if !ok {
		over = w.set
	}
	state := over.Best().World.(*diceflick.Watched).State()
	got := padOf(state)
	for i, c := range f.m.cells() {
		n := c.on(state)
		p := over.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
			o := c.on(h.World.(*diceflick.Watched).State())
			return n != nil && o != nil && *n == *o
		})
		switch marked := p < beyondDoubt; {
		case got[i] == "-":
			v.untold++
		case got[i] == f.cells[i]:
			v.right++
			if marked {
				v.needless++
			}
		case marked:
			v.marked++
		default:
			v.silent++
			f.t.Logf("  WATCHED SILENT seed %d round %d player %d: %s want %s p %.4f, lost %d", f.seed, c.Round, c.Player, got[i], f.cells[i], p, w.lost)
		}
	}
	return v
}
