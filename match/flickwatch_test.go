package match

import (
	"slices"
	"testing"
	"time"

	"diceref/match/belief"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// watcher follows the game of a flickTable by what is seen and said alone, beside the match.
type watcher struct {
	set      belief.Set[diceflick.View]
	sight    *belief.Sight
	markers  diceflick.Markers
	views    []diceflick.View // all that was seen and said
	lost     int              // so often nothing that was believed explained what was seen or said
	asked    int
	answered int // the last score that players were asked about came after so many dice
}

func newWatcher(f *flickTable) *watcher {
	return &watcher{set: belief.New[diceflick.View](diceflick.Watch(f.start)).Keeping(arenaBeam)}
}

func watchedWorld(h belief.Hypothesis[diceflick.View]) *diceflick.Watched {
	return h.World.(*diceflick.Watched)
}

// see takes in a still view, or a word if there is none.
func (w *watcher) see(f *flickTable, obs *table.Observation, say string) {
	if w == nil {
		return
	}
	w.learnMarkers(f.m.line.now().(*diceflick.State))
	v := diceflick.Word(f.at, say, watchedWorld(w.set.Best()).State().ToMove())
	if obs != nil {
		w.sight = belief.SightOf([]table.Observation{*obs}, w.sight)
		v = diceflick.Look(f.at, w.sight)
		v.First = len(w.views) == 0
	}
	w.views = append(w.views, v)
	next, ok := w.set.Observe(v)
	if !ok {
		w.lost++
		f.trace("watched: nothing explains it")
		return
	}
	if w.set = next; f.answers && obs != nil {
		w.ask(f)
	}
	line := w.set.Best().Line
	f.trace("watched: %.4f %v, gone %v, truth %.4f of %d", w.set.Best().Chance, line[max(0, len(line)-4):], watchedWorld(w.set.Best()).Gone().Squares(), w.truth(f), len(w.set.Hypotheses()))
}

// learnMarkers tells all worlds where the stickers are that the match has found.
func (w *watcher) learnMarkers(s *diceflick.State) {
	k := diceflick.Markers{Markers: s.Arena().Markers}
	if k == w.markers {
		return
	}
	w.markers = k
	var kept []belief.Hypothesis[diceflick.View]
	for _, h := range w.set.Hypotheses() {
		if next, mv, err := watchedWorld(h).Do(k); err == nil {
			h.World, h.Line = next, append(h.Line[:len(h.Line):len(h.Line)], mv)
			kept = append(kept, h)
		}
	}
	w.set, _ = w.set.Of(kept)
}

// truth is the probability of the notepad as it is in truth.
func (w *watcher) truth(f *flickTable) float64 {
	want := padOf(f.truth)
	return w.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		for i, n := range padOf(watchedWorld(h).State()) {
			if n != want[i] {
				return false
			}
		}
		return true
	})
}

// ask lets players say whose a score is, as soon as several are open, or one for long; older ones than the last of which they have
// said so are left open (as in askTurns).
func (w *watcher) ask(f *flickTable) {
	var open []taking
	for _, t := range notZero(scoresFrom(f.start, 0, w.set.Best().Line)) {
		if t.rested > w.answered && w.chance(t.cell(), t.points) < beyondDoubt {
			open = append(open, t)
		}
	}
	players, state := len(f.m.setting.Players), watchedWorld(w.set.Best()).State()
	late := len(open) > 0 && turnOf(state, players)-open[0].turn(players) >= mostRounds*players
	if len(open) < mostOpen && !late {
		return
	}
	t := open[len(open)-1]
	is := t.in(f.scores)
	ok := false
	w.asked, w.answered = w.asked+1, t.rested
	if w.set, ok = w.set.Condition(func(h belief.Hypothesis[diceflick.View]) bool {
		return t.in(notZero(scoresFrom(f.start, 0, h.Line))) == is
	}); !ok {
		w.lost++
	}
}

// chance is how likely that number is in a cell.
func (w *watcher) chance(c Cell, n int) float64 {
	return w.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		o := c.on(watchedWorld(h).State())
		return o != nil && *o == n
	})
}

// verdict counts cells as that of a flickTable does, once the game is over.
func (w *watcher) verdict(f *flickTable) (v flickVerdict) {
	if over, ok := w.set.Observe(diceflick.Word(f.at, diceflick.SayOver, 0)); ok {
		w.set = over
	}
	state := watchedWorld(w.set.Best()).State()
	got := padOf(state)
	for i, c := range f.m.cells() {
		n := c.on(state)
		marked := n == nil || w.chance(c, *n) < beyondDoubt
		switch right := got[i] == f.cells[i]; {
		case n == nil:
			v.untold++
		case right:
			if v.right++; marked {
				v.needless++
			}
		case marked:
			v.marked++
		default:
			v.silent++
			f.t.Logf("round %d player %d: %d, in truth %s, p %.4f", c.Round, c.Player, *n, f.cells[i], w.chance(c, *n))
		}
	}
	return v
}

// in is the score of the same dice in another way, of which these are the scores; Nobody's: they were knocked out.
func (t taking) in(list []taking) scored {
	const off = 2 // dice that came to rest there and not here, or here and not there
	best, least := scored{player: rules.Nobody}, off+1
	for _, o := range list {
		if away := abs(o.rested - t.rested); o.took&t.took != 0 && away < least {
			best, least = o.scored, away
		}
	}
	return best
}

// TestWatchedGames follows whole games of DICE Flick by a belief that weighs how every hole is read itself. It prints what the match
// tells of the same games beside it. It has to mark what it does not know, hardly asks, and hardly ever finds no explanation.
func TestWatchedGames(t *testing.T) {
	for _, way := range []struct {
		name         string
		said         float64
		answers      bool
		silent, asks float64 // at most: of a hundred cells, and questions a game
	}{
		{"all is declared, and nobody answers", 1, false, .5, 0},
		{"half of it", .5, true, .5, 6},
		{"nothing", 0, true, 1, 6},
	} {
		t.Run(way.name, func(t *testing.T) {
			var told, believed flickVerdict
			games, lost, asked := max(1, *flickGames/3), 0, 0
			for i := range uint64(games) {
				f := newFlickTable(t, *flickStart+i, way.said, way.answers, false)
				f.watcher = newWatcher(f)
				f.whole()
				told.add(f.verdict())
				believed.add(f.watcher.verdict(f))
				lost, asked = lost+f.watcher.lost, asked+f.watcher.asked
			}
			t.Logf("told %+v, believed %+v, %.1f questions a game", told, believed, float64(asked)/float64(games))
			cells := believed.right + believed.marked + believed.silent + believed.untold
			if silent := 100 * float64(believed.silent) / float64(cells); silent > way.silent || float64(asked) > way.asks*float64(games) || 12*lost > games {
				t.Errorf("%.1f %% of the cells are wrong in silence, %d questions in %d games, %d sights are not explained", silent, asked, games, lost)
			}
		})
	}
}

// BenchmarkWatched is a view or a word of a game in which nothing is declared, the longest of them, and how many hypotheses are kept
// at most. In the second game the arena is hidden for so long before each view that dice may have come in and been scored unseen.
func BenchmarkWatched(b *testing.B) {
	for name, hidden := range map[string]float64{"in view": .2, "hidden": 8} {
		b.Run(name, func(b *testing.B) {
			f := newFlickTable(b, 1, 0, false, false)
			f.watcher = newWatcher(f)
			f.whole()
			b.ReportAllocs()
			i, most, longest, set := 0, 0, time.Duration(0), newWatcher(f).set
			for b.Loop() {
				if i == 0 {
					set = newWatcher(f).set
				}
				v, start := f.watcher.views[i], time.Now()
				v.Hidden = hidden
				if next, ok := set.Observe(v); ok {
					set = next
				}
				longest, most = max(longest, time.Since(start)), max(most, len(set.Hypotheses()))
				i = (i + 1) % len(f.watcher.views)
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
			b.ReportMetric(float64(most), "hypotheses")
		})
	}
}

// TestWatchedRecorded follows DICE Flick as an eye read it from video, where every miss and every end of a turn is declared.
func TestWatchedRecorded(t *testing.T) {
	for _, seen := range []string{"dice-flick", "dice-flick-stickers"} {
		t.Run(seen, func(t *testing.T) {
			s, frames := loadScript(t, "dice-flick"), loadSeen(t, seen)
			words := slices.Clone(s.match(t).queue)
			truth := s.play(t, frames).line.now().(*diceflick.State)
			start := s.match(t).line.start.(*diceflick.State)
			w := &watcher{set: belief.New[diceflick.View](diceflick.Watch(start)).Keeping(arenaBeam)}
			w.learnMarkers(truth)
			a, reads := anchor{}, []table.Observation(nil)
			observe := func(v diceflick.View) {
				next, ok := w.set.Observe(v)
				if w.set = next; !ok {
					w.lost++
				}
				best := w.set.Best()
				t.Logf("%6.1f %s: %.4f %v gone %v", v.At, v.Say, best.Chance, best.Line[max(0, len(best.Line)-3):], watchedWorld(best).Gone().Squares())
			}
			over := func() {
				if len(reads) > 0 {
					first := w.sight == nil
					w.sight = belief.SightOf(reads, w.sight)
					v := diceflick.Look(reads[len(reads)-1].T, w.sight)
					v.First = first
					observe(v)
				}
				reads = nil
			}
			for _, obs := range frames {
				for len(words) > 0 && words[0].due(obs.Frame, obs.T) {
					over()
					observe(diceflick.Word(obs.T, words[0].Say, watchedWorld(w.set.Best()).State().ToMove()))
					words = words[1:]
				}
				if obs.Look != table.LookStill || warned(obs, "hand") {
					over()
				} else if o, ok := a.turn(obs, watchedWorld(w.set.Best()).State().Expect().Squares); ok && obs.Read {
					reads = append(reads, o)
				}
			}
			over()
			for _, d := range words {
				observe(diceflick.Word(frames[len(frames)-1].T, d.Say, watchedWorld(w.set.Best()).State().ToMove()))
			}
			believed := watchedWorld(w.set.Best()).State()
			wrong := 0
			for i, c := range s.match(t).cells() {
				got, want := padOf(believed)[i], padOf(truth)[i]
				if got == want {
					continue
				}
				wrong++
				if n := c.on(believed); n == nil || w.chance(c, *n) >= beyondDoubt {
					t.Errorf("round %d player %d: %s for certain, want %s", c.Round, c.Player, got, want)
				}
			}
			if wrong > 1 || w.lost > 0 {
				t.Errorf("%d numbers are wrong, %d sights are not explained", wrong, w.lost)
			}
		})
	}
}
