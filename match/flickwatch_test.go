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
	set     belief.Set[diceflick.View]
	sight   *belief.Sight
	markers rules.Move
	lost    int
	pruned  float64
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
			if next, _, err := h.World.(*diceflick.Watched).Do(w.markers); err == nil {
				h.World = next
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
	f.trace("watched: %.4f %v gone %v; truth %.4f of %d, pruned %.1g", next.Best().Chance, tail(next.Best().Line, 4), next.Best().World.(*diceflick.Watched).Gone().Squares(), w.set.Chance(f.trueWatched), len(w.set.Hypotheses()), next.Pruned())
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
