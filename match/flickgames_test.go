package match

import (
	"flag"
	"slices"
	"testing"

	"diceref/rules/diceflick"
)

var (
	flickGames = flag.Int("flick-games", 3, "how many games of DICE Flick are played in each way that players declare")
	flickStart = flag.Uint64("flick-start", 0, "the seed of the first of them")
)

// verdict counts the cells of the notepad: right, not told yet, wrong and marked as provisional, and wrong in silence; of these
// asked while a question was open, and of the right ones those that are marked needlessly. accused is how many acts are told
// as breaches of the rules; nobody breaks any.
func (f *flickTable) verdict() (v flickVerdict) {
	got := padOf(f.m.line.now().(*diceflick.State))
	marked := f.m.provisional()
	for _, c := range marked {
		if i := slices.Index(f.m.cells(), c); got[i] == f.cells[i] {
			v.needless++
		}
	}
	for i, want := range f.cells {
		switch {
		case got[i] == want:
			v.right++
		case got[i] == "-":
			v.untold++
		case slices.Contains(marked, f.m.cells()[i]):
			v.marked++
		default:
			v.silent++
			if f.m.ask != "" && len(f.m.offers) > 0 {
				v.asked++
			}
		}
	}
	for _, e := range f.m.Events() {
		if e.Code != "" || e.Legal != nil && !*e.Legal {
			v.accused++
		}
	}
	return v
}

type flickVerdict struct{ right, untold, asked, marked, silent, needless, accused int }

func (v *flickVerdict) add(o flickVerdict) {
	v.right, v.untold, v.asked, v.marked = v.right+o.right, v.untold+o.untold, v.asked+o.asked, v.marked+o.marked
	v.silent, v.needless, v.accused = v.silent+o.silent, v.needless+o.needless, v.accused+o.accused
}

// TestFlickGames plays whole games of DICE Flick in which players declare everything, some of it or nothing, and
// answer what is asked or do not. Hardly a cell of the notepad is wrong and not marked as provisional; most says how many may be
// of a hundred, and how many questions a game has. Dice are read somewhat worse than in the recordings, where none was missed.
func TestFlickGames(t *testing.T) {
	for _, way := range []struct {
		name    string
		said    float64
		answers bool
		clean   bool
		shakes  float64
		most    [2]float64
	}{
		{"all is declared", 1, true, false, 0, [2]float64{1.5, 3}},
		{"half of it", .5, true, false, 0, [2]float64{1, 6}},
		{"nothing", 0, true, false, 0, [2]float64{1, 6}},
		{"nothing, and all is read well", 0, true, true, 0, [2]float64{1, 6}},
		{"all is declared, and the arena is shaken", 1, true, false, 0.15, [2]float64{1, 6}},
		{"nothing, and the arena is shaken", 0, true, true, 0.15, [2]float64{1, 6}},
		{"all, and nobody answers", 1, false, false, 0, [2]float64{1, 3.5}},
		{"nothing, and nobody answers", 0, false, false, 0, [2]float64{0.5, 3.5}},
	} {
		t.Run(way.name, func(t *testing.T) {
			var all flickVerdict
			var questions, unfit, bad, lost int
			kinds := map[string]int{}
			for i := range uint64(*flickGames) {
				f := newFlickTable(t, *flickStart+i, way.said, way.answers, way.clean)
				f.shakes = way.shakes
				f.whole()
				v := f.verdict()
				if testing.Verbose() {
					f.wrongCells()
				}
				if v.silent > 0 || v.accused > 0 {
					bad++
				}
				all.add(v)
				for _, e := range f.m.Events() {
					if e.Type == TypeDoubt {
						kinds[e.Question.Kind]++
					}
				}
				questions, unfit, lost = questions+f.asked, unfit+f.unfit, lost+f.lost
				if testing.Verbose() && *flickGames == 1 {
					f.trace("the end")
					t.Logf("in truth %q", f.moves)
					t.Logf("told     %q", wordsOf(f.m.movesSince(0)))
				}
				if testing.Verbose() && (v.silent > 0 || v.accused > 0 || f.asked > 10) {
					t.Logf("seed %d: %+v, %d questions", *flickStart+i, v, f.asked)
				}
			}
			t.Logf("%d games, %d of them bad: %+v, %.1f questions a game %v, %d unfit, truth lost %d times", *flickGames, bad, all, float64(questions)/float64(*flickGames), kinds, unfit, lost)
			if all.accused > 0 {
				t.Errorf("%d acts are told as breaches of the rules, and nobody breaks any", all.accused)
			}
			cells := all.right + all.untold + all.marked + all.silent
			if silent, asked := 100*float64(all.silent)/float64(cells), float64(questions)/float64(*flickGames); silent > way.most[0] || asked > way.most[1] {
				t.Errorf("%.1f %% of the cells are wrong in silence, %.1f questions a game, at most %v", silent, asked, way.most)
			}
		})
	}
}

// wrongCells prints the cells that are wrong in silence.
func (f *flickTable) wrongCells() {
	marked := f.m.provisional()
	state := f.m.line.now().(*diceflick.State)
	got := padOf(state)
	for i, c := range f.m.cells() {
		if got[i] != "-" && got[i] != f.cells[i] && !slices.Contains(marked, c) {
			f.t.Logf("  SILENT round %d player %d: %s want %s p %.4f", c.Round, c.Player, got[i], f.cells[i], f.m.turns.chance(c, state))
		}
	}
}
