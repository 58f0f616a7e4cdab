package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/match/internal/readings"
	"diceref/rules"
	"diceref/table"
)

// TestHandOverWhatChanged: a hand that hides a die while the others melt is not a reason to ask, as the next picture tells; where that one
// does not either, or none comes, what the others show is told, or it is asked.
func TestHandOverWhatChanged(t *testing.T) {
	for _, c := range []struct {
		what string
		seed uint64
		i    int  // the picture with the hand
		odd  bool // a die that it hides is read, as another, in doubt
	}{{"one die", 3, 31, false}, {"two dice", 30004, 24, false}, {"a die that has melted, too", 30013, 27, false}, {"a die that is still read", 30004, 24, true}} {
		t.Run(c.what, func(t *testing.T) {
			l := layOut(t, table.DiceCreams, c.seed)
			if c.odd {
				r := passing(l.views[c.i-1].Dice, l.views[c.i].Dice, 1)[1]
				doubtfully(&r, r.Face%6+1, .2)
				r.Confidence -= .05 // or the hand looks like one
				l.views[c.i].Dice = append(slices.Clone(l.views[c.i].Dice), r)
			}
			l.handOverWhatChanged(t, c.i)
		})
	}
}

func (l *laidOut) handOverWhatChanged(t *testing.T, i int) {
	t.Helper()
	if note := l.Truth.Steps[i].Note; note != "A hand over the Fridge." {
		t.Fatalf("seed %d: picture %d shows %q", l.Seed, i, note)
	}
	watch := func(views []table.Observation) (acts, asked []string) {
		told, _ := l.watch(t, views)
		for _, e := range told {
			switch {
			case !isDoubt(e):
				acts = append(acts, e)
			case !strings.Contains(e, "You said"): // what is declared for later pictures makes no sense without them
				asked = append(asked, e)
			}
		}
		return acts, asked
	}
	_, before := watch(l.views[:i])
	if _, got := watch(l.views[:i+2]); len(got) != len(before) {
		t.Errorf("a hand over a die is asked about: %q", got[len(before):])
	}
	var want []string // by now
	for _, s := range l.Truth.Steps[:i+1] {
		for _, e := range s.Events {
			want = append(want, lineOf(e.Type, e.Text, e.Code))
		}
	}
	still := l.views[i]
	still.Frame, still.T = l.views[i+1].Frame, l.views[i+1].T
	for what, views := range map[string][]table.Observation{"the last picture": l.views[:i+1], "a hand that stays": append(slices.Clone(l.views[:i+1]), still)} {
		acts, asked := watch(views)
		if told := len(acts) >= len(want) && slices.Equal(acts[:len(want)], want); !told && len(asked) != len(before)+1 || told && len(asked) != len(before) {
			t.Errorf("%s: told is %q, want %q; asked is %q", what, acts, want, asked)
		}
	}
}

// TestHandLooksLikeDice: a hand that hides dice is not a reason to ask either where a die seems to lie on it,
// but one that surely lies there is, and as many as are gone.
func TestHandLooksLikeDice(t *testing.T) {
	const seed, note = 7, "A hand over the Cart."
	l := layOut(t, table.FromageATrois, seed)
	i := l.noted(t, note)
	gone := slices.DeleteFunc(slices.Clone(l.views[i-1].Dice), func(r table.Reading) bool {
		return slices.ContainsFunc(l.views[i].Dice, func(now table.Reading) bool { return now.At == r.At })
	})
	if len(gone) < 2 {
		t.Fatalf("seed %d: the hand hides %d dice", seed, len(gone))
	}
	for _, c := range []struct {
		name  string
		dice  int // that seem to lie on the hand
		sure  bool
		asked bool
	}{
		{"nothing", 0, false, false},
		{"hardly a die", 1, false, false},
		{"surely a die", 1, true, true},
		{"hardly any that is not gone", len(gone), false, true},
	} {
		views := slices.Clone(l.views[:i+1])
		views[i].Dice = slices.Clone(views[i].Dice)
		for _, r := range gone[:c.dice] {
			if r = readings.Sure(table.Die{Color: r.Color, Face: 7 - r.Face}, nil, r.At); !c.sure {
				r.Sure, r.Confidence = false, .6
				r.Faces = [7]float64{}
				r.Faces[r.Face], r.Faces[r.Face%6+1] = .6, .4
			}
			views[i].Dice = append(views[i].Dice, r)
		}
		asks := func(views []table.Observation) bool { return l.seeing(t, views).ask != "" }
		if got := asks(views); got != c.asked || asks(views[:i]) {
			t.Errorf("%s: asked %v, want %v", c.name, got, c.asked)
		}
	}
}

// TestZonesAskOnce: a table that nothing explains, and that looks otherwise in each picture, is asked
// about once, and the question is kept up to date; and again once it was as it should be.
func TestZonesAskOnce(t *testing.T) {
	const pictures = 9
	for _, c := range []struct {
		what  string
		clear int // the picture in which all is as it should be
		want  int
	}{
		{"each time otherwise", pictures, 1},
		{"all in order in between", 4, 2},
	} {
		tab := newFromageTable(3)
		m, err := New(Config{Game: tab.game, Players: []string{"A", "B", "C"}, Zones: tab.zones})
		if err != nil {
			t.Fatal(err)
		}
		see := func(tab *zoneTable, frame int) {
			tab.frame = frame
			o := tab.view()
			o.Posed = true
			m.See(o)
		}
		see(tab, 0)
		last := ""
		for i := range pictures {
			odd := *tab
			odd.dice = slices.Clone(tab.dice)
			if i != c.clear {
				for k := range 5 {
					odd.move(shopKey, 0, placeKey(rules.Player(k%3)), 1+(i+k)%6)
				}
			}
			see(&odd, 1+i)
			if ask := m.Snapshot().Ask; i != c.clear && (ask == "" || ask == last) {
				t.Errorf("%s: picture %d is asked about with %q, as the one before", c.what, i, ask)
			} else {
				last = ask
			}
		}
		asked := slices.DeleteFunc(m.Events(), func(e EventView) bool { return e.Type != TypeDoubt })
		if len(asked) != c.want {
			t.Errorf("%s: asked %d times, want %d: %v", c.what, len(asked), c.want, asked)
		}
	}
}

// TestFaceAskedOnce: a die that came in and is hardly read, picture after picture, is asked about
// once, whatever else happens meanwhile.
func TestFaceAskedOnce(t *testing.T) {
	const seed, came, last = 9104, 68, 70
	l := layOut(t, table.DiceCreams, seed)
	at := l.newcomers(came, false)[0].At
	views := slices.Clone(l.views[:last+1])
	for i := came; i <= last; i++ {
		views[i].Dice = slices.Clone(views[i].Dice)
		for k := range views[i].Dice {
			if r := &views[i].Dice[k]; r.At == at {
				r.Sure, r.Confidence, r.Face = false, .56, 6
				r.Faces = [7]float64{.15, .08, .1, .06, .07, .01, .42}
			}
		}
	}
	asked := func(views []table.Observation) (list []string) {
		told, _ := l.watch(t, views)
		return slices.DeleteFunc(told, func(e string) bool { return !isDoubt(e) || strings.Contains(e, "You said") })
	}
	usual := len(asked(l.views[:last+1]))
	if got := asked(views); len(got) != usual+1 {
		t.Errorf("asked %d times, else %d: %q", len(got), usual, got[usual:])
	}
}

// TestOpenQuestionStands: as long as nothing is told, one question stands, whatever else there is to ask
// about what has happened since: here a breach of the rules in a view in which a die was not seen.
func TestOpenQuestionStands(t *testing.T) {
	const seed, breach = 9108, 20
	l := layOut(t, table.FromageATrois, seed)
	come := slices.DeleteFunc(l.newcomers(breach, false), func(r table.Reading) bool { return !l.inZone(shopKey, r.At, l.views[breach]) })
	views := slices.Clone(l.views)
	views[breach].Dice = slices.DeleteFunc(slices.Clone(views[breach].Dice), func(r table.Reading) bool { return r.At == come[0].At })
	told, _ := l.watch(t, views)
	for i, e := range told[1:] {
		if isDoubt(e) && isDoubt(told[i]) {
			t.Errorf("nothing was told between %q and %q", told[i], e)
		}
	}
}

// passing is the readings of a view where nothing is in others.
func passing(view []table.Reading, others []table.Reading, reach float64) (list []table.Reading) {
	for _, r := range view {
		if !slices.ContainsFunc(others, func(o table.Reading) bool { return dist(o.At, r.At) < reach }) {
			list = append(list, r)
		}
	}
	return list
}
