package match

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/belief"
	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/rules/diceflick"
	"diceref/table"
)

// arenaViews shows an arena to a match, view by view.
type arenaViews struct{ views }

func (a *arenaViews) show(dice map[string]table.Die) {
	a.see(func(int) (list []table.Reading) {
		for i := range table.Size * table.Size {
			sq := table.SquareAt(i)
			if d, ok := dice[sq.String()]; ok {
				list = append(list, readings.Sure(d, &sq, onBoard(sq)))
			}
		}
		return list
	})
}

// likely is how likely some way has such a move.
func (a *arenaViews) likely(move string) float64 {
	return a.m.turns.set.Chance(func(h belief.Hypothesis[diceflick.View]) bool {
		return strings.Contains(strings.Join(wordsOf(h.Line), ", "), move)
	})
}

// lies is the dice of the arena as it is believed, by their holes.
func (a *arenaViews) lies() map[string]table.Die { return believedDice(a.m.line.now()) }

func believedDice(s rules.State) map[string]table.Die {
	dice := map[string]table.Die{}
	for sq, d := range s.Expect().Squares {
		dice[sq.String()] = d
	}
	return dice
}

// TestPushed: a die comes in beside one of its color that shows another face now. Either may be
// the one that was flicked: nothing is asked, as the arena lies alike then. Where the other has stayed as it
// was, or is of another color, or lies far away, it is plain.
func TestPushed(t *testing.T) {
	y := func(face int) table.Die { return table.Die{Color: table.Yellow, Face: face} }
	g := func(face int) table.Die { return table.Die{Color: table.Green, Face: face} }
	for name, c := range map[string]struct {
		before, after map[string]table.Die
		told          string // the flick
		other         string // which it may as well be; empty: it is plain
	}{
		"turned where it lay, or out of its hole": {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(2), "d3": y(3)}, "flick Y3 d3", "flick Y2 e3"},
		"into one neighbor or the other":          {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e4": y(1), "e2": y(3)}, "flick Y3 e2", "flick Y1 e4"},
		"as it was":                               {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(1), "d3": y(3)}, "flick Y3 d3", ""},
		"another color":                           {map[string]table.Die{"e3": g(1)}, map[string]table.Die{"e3": g(2), "d3": y(3)}, "flick Y3 d3", ""},
		"far away":                                {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(2), "a1": y(3)}, "flick Y3 a1", ""},
	} {
		a := atArena(t)
		a.show(c.before)
		a.show(c.after)
		p, other := a.likely(c.told), 0.0
		if c.other != "" {
			other = a.likely(c.other)
		}
		if p+other < .9 {
			t.Errorf("%s: %s has the probability %.3f, %s %.3f", name, c.told, p, c.other, other)
		}
		if got := a.m.Snapshot().Choices; len(got) > 0 {
			t.Errorf("%s: asked %q", name, got)
		}
		if diff := cmp.Diff(c.after, a.lies()); diff != "" {
			t.Errorf("%s: the arena is not as it lies (- wanted, + believed):\n%s", name, diff)
		}
	}
}

// TestKnockedOn: a die seemed to have moved to a hole far from its own, and another came in, of which
// the first has gone again. It was flicked as well, most likely, so that the turn has no flick left; where it only turned in its hole,
// or had not moved, it was not. The arena is as it lies.
func TestKnockedOn(t *testing.T) {
	y := func(face int) table.Die { return table.Die{Color: table.Yellow, Face: face} }
	g := table.Die{Color: table.Green, Face: 5}
	for name, c := range map[string]struct {
		then, last map[string]table.Die // the two views of the turn
		left       int                  // flicks of it
	}{
		"into another hole":  {map[string]table.Die{"b1": y(5), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, 0},
		"into its hole":      {map[string]table.Die{"b1": y(5), "e5": g}, map[string]table.Die{"b1": g, "e5": g}, 0},
		"turned in its hole": {map[string]table.Die{"d3": y(5), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, 0},
		"it had not moved":   {map[string]table.Die{"d3": y(1), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, 1},
	} {
		a := atArena(t)
		a.show(map[string]table.Die{"d3": y(1)})
		a.show(map[string]table.Die{"d3": y(1), "e5": g})
		declare(t, a.m, Declaration{Say: SayNext})
		a.show(c.then)
		a.show(c.last)
		if must, _ := a.m.line.now().(*diceflick.State).FlicksLeft(); must != c.left {
			t.Errorf("%s: %d flicks of the turn are left, want %d: %q", name, must, c.left, wordsOf(a.m.movesSince(0)))
		}
		if diff := cmp.Diff(c.last, a.lies()); diff != "" {
			t.Errorf("%s: the arena is not as it lies (- wanted, + believed):\n%s", name, diff)
		}
	}
}
