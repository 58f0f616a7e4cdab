package match

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"diceref/rules"
	"diceref/rules/diceflick"
)

var (
	beliefGames = flag.Int("belief", 4, "in how many games of DICE Flick TestBelief counts what players do, and of how many others it shows how right what is told is")
	beliefWrite = flag.String("belief-write", "", "where the priors are written that were counted")
)

// The seeds of the games in which the priors are counted, and of those on which they are measured.
const (
	fitted   = 1000
	measured = 2000
)

// mostWrong is how many of the numbers that are told without a mark may be wrong. 0.01 is what their probability promises;
// with the priors of today it is 0.024 of 764 numbers.
const mostWrong = 0.03

// TestBelief counts what players do in simulated games, for the priors of package diceflick (make belief counts in more, and
// writes them down). In games that were not counted it holds how often the numbers on the notepad are right that are told
// with a probability.
func TestBelief(t *testing.T) {
	t.Parallel()
	var c diceflick.Counted
	for i := range uint64(*beliefGames) {
		f := newFlickTable(t, fitted+i, 1, true, true)
		f.whole()
		f.count(&c)
	}
	b, err := json.MarshalIndent(c.Priors(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("counted: %s", b)
	if *beliefWrite != "" {
		if err := os.WriteFile(*beliefWrite, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	limits := []float64{0, .5, .8, .9, .95, .99, .999}
	told, wrong := make([]int, len(limits)), make([]int, len(limits))
	for i := range uint64(*beliefGames) {
		for _, said := range []float64{0, .5, 1} {
			for _, answers := range []bool{true, false} {
				f := newFlickTable(t, measured+i, said, answers, false)
				f.whole()
				f.calibrate(limits, told, wrong)
			}
		}
	}
	for i, limit := range limits {
		t.Logf("told at %.3f or more: %4d numbers, %4d wrong (%.1f %%)", limit, told[i], wrong[i], 100*float64(wrong[i])/float64(max(told[i], 1)))
	}
	plain, slips := told[len(told)-1]+told[len(told)-2], wrong[len(wrong)-1]+wrong[len(wrong)-2]
	if plain < 50 || float64(slips) > mostWrong*float64(plain) {
		t.Errorf("of %d numbers that are told without a mark %d are wrong", plain, slips)
	}
}

// calibrate counts the numbers on the notepad by the highest of some probabilities that they were told with.
func (f *flickTable) calibrate(limits []float64, told, wrong []int) {
	state := f.m.line.now().(*diceflick.State)
	marked := f.m.provisional()
	for i, got := range padOf(state) {
		c := f.m.cells()[i]
		if got == "-" {
			continue
		}
		p := f.m.turns.chance(c, state)
		if p >= beyondDoubt && slices.Contains(marked, c) {
			p = .9
		}
		at := 0
		for k, limit := range limits {
			if p >= limit {
				at = k
			}
		}
		told[at]++
		if got != f.cells[i] {
			wrong[at]++
		}
	}
}

// count counts what players have done in a game.
func (f *flickTable) count(c *diceflick.Counted) {
	var now rules.State = f.start
	for _, words := range f.moves {
		mv, err := diceflick.Game.ParseMove(words)
		if err != nil {
			f.t.Fatal(err)
		}
		c.Count(now.(*diceflick.State), mv)
		if now, err = now.Apply(mv); err != nil {
			f.t.Fatal(err)
		}
	}
}
