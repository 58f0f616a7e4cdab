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
	beliefGames = flag.Int("belief", 0, "count what players do in so many games of DICE Flick, and show how right what is told of others is")
	beliefWrite = flag.String("belief-write", "", "where the priors are written that were counted")
)

// The seeds of the games in which the priors are counted, and of those on which they are measured.
const (
	fitted   = 1000
	measured = 2000
)

// TestBelief is run by make belief. It counts what players do in simulated games, writes that down for the
// priors of package diceflick, and shows how often the numbers on the notepad are right that are told with a probability, in
// games that were not counted.
func TestBelief(t *testing.T) {
	if *beliefGames == 0 {
		t.Skip("without -belief")
	}
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
