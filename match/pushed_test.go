package match

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
				list = append(list, sureReading(d, &sq, onBoard(sq)))
			}
		}
		return list
	})
}

// answered gives the answer of that number to what a match must ask now, and tells it; empty if it
// must ask nothing.
func answered(t *testing.T, m *Match, name, asked string, number int) string {
	t.Helper()
	choices := m.Snapshot().Choices
	if got := strings.Join(choices, "|"); got != asked {
		t.Fatalf("%s: asked %q, want %q", name, got, asked)
	}
	if asked == "" {
		return ""
	}
	if err := m.Declare(Declaration{Say: SayAnswer, Choice: choices[number]}); err != nil {
		t.Fatal(err)
	}
	return choices[number]
}

// TestPushed: a die comes in beside one of its color that shows another face now. Either may be
// the one that was flicked: that is asked. Where the other has stayed as it was, or is of another
// color, or lies far away, it is plain. The likelier answer comes first: a die that turns over
// leaves its hole.
func TestPushed(t *testing.T) {
	y := func(face int) table.Die { return table.Die{Color: table.Yellow, Face: face} }
	g := func(face int) table.Die { return table.Die{Color: table.Green, Face: face} }
	for name, c := range map[string]struct {
		before, after map[string]table.Die
		asked         string // the choices, empty: it is plain
	}{
		"turned where it lay, or out of its hole": {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(2), "d3": y(3)}, "yellow 2 into e3|yellow 3 into d3"},
		"into one neighbor or the other":          {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e4": y(1), "e2": y(3)}, "yellow 3 into e2|yellow 1 into e4"},
		"as it was":                               {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(1), "d3": y(3)}, ""},
		"another color":                           {map[string]table.Die{"e3": g(1)}, map[string]table.Die{"e3": g(2), "d3": y(3)}, ""},
		"far away":                                {map[string]table.Die{"e3": y(1)}, map[string]table.Die{"e3": y(2), "a1": y(3)}, ""},
	} {
		for k := range strings.Count(c.asked, "|") + 1 {
			m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
			if err != nil {
				t.Fatal(err)
			}
			a := &arenaViews{views{m: m}}
			a.show(nil)
			a.show(c.before)
			a.show(c.after)
			if choice := answered(t, m, name, c.asked, k); choice != "" {
				acts := m.line.acts
				last := acts[len(acts)-1].moves[0].String()
				if die, hole, _ := strings.Cut(choice, " into "); !strings.Contains(last, " "+strings.ToUpper(die[:1])+die[len(die)-1:]+" "+hole) {
					t.Errorf("%s, %s: told %s", name, choice, last)
				}
			}
			a.show(c.after)
			if got := m.Snapshot().Choices; len(got) > 0 {
				t.Errorf("%s: asked again: %q", name, got)
			}
			m.Close()
		}
	}
}

// TestKnockedOn: a die seemed to have moved to a hole far from its own, and another came in, of which
// the first has gone again. The first was flicked as well, most likely: that is asked, and either
// answer leaves the arena as it lies.
func TestKnockedOn(t *testing.T) {
	y := func(face int) table.Die { return table.Die{Color: table.Yellow, Face: face} }
	g := table.Die{Color: table.Green, Face: 5}
	for name, c := range map[string]struct {
		then, last map[string]table.Die // the two views of the turn
		asked      string               // the choices, empty: it is plain
	}{
		"into another hole":  {map[string]table.Die{"b1": y(5), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, "yes, yellow 5 on b1|no, a flick missed and moved a die"},
		"into its hole":      {map[string]table.Die{"b1": y(5), "e5": g}, map[string]table.Die{"b1": g, "e5": g}, "yes, yellow 5 on b1|no, a flick missed and moved a die"},
		"turned in its hole": {map[string]table.Die{"d3": y(5), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, ""},
		"it had not moved":   {map[string]table.Die{"d3": y(1), "e5": g}, map[string]table.Die{"a1": g, "e5": g}, ""},
	} {
		for k := range strings.Count(c.asked, "|") + 1 {
			m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
			if err != nil {
				t.Fatal(err)
			}
			a := &arenaViews{views{m: m}}
			a.show(nil)
			a.show(map[string]table.Die{"d3": y(1)})
			a.show(map[string]table.Die{"d3": y(1), "e5": g})
			if err := m.Declare(Declaration{Say: SayNext}); err != nil {
				t.Fatal(err)
			}
			a.show(c.then)
			a.show(c.last)
			if choice := answered(t, m, name, c.asked, k); choice != "" {
				if must, _ := m.line.now().(*diceflick.State).FlicksLeft(); must != 0 {
					t.Errorf("%s, %s: %d flicks of the turn are left, want none", name, choice, must)
				}
			}
			lies := map[string]table.Die{}
			for sq, d := range m.line.now().Expect().Squares {
				lies[sq.String()] = d
			}
			if diff := cmp.Diff(c.last, lies); diff != "" {
				t.Errorf("%s: the arena is not as it lies (- wanted, + believed):\n%s", name, diff)
			}
			m.Close()
		}
	}
}
