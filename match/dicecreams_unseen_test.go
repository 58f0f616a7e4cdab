package match

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/match/internal/tableplan"
	"diceref/rules"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// TestBesides: a doubtful reading beside the dice that are known may be one that was not seen, and
// contradicts nothing; one that is read surely, or as good as, is told.
func TestBesides(t *testing.T) {
	die := table.Die{Color: table.Green, Face: 2}
	known := table.Die{Color: table.Blue, Face: 4}
	for _, c := range []struct {
		what       string
		unseen     int
		sure       bool
		confidence float64
		stays      bool
	}{
		{"doubtful", 1, false, .6, false},
		{"doubtful, and all were seen", 0, false, .6, true},
		{"as good as sure", 1, false, .97, true},
		{"sure", 1, true, .99, true},
	} {
		r := readings.Sure(die, nil, table.Point{X: 9})
		r.Sure, r.Confidence = c.sure, c.confidence
		lying := pile{at: fridgeKey, dice: []table.Die{known}, unseen: c.unseen}
		got := lying.besides([]table.Reading{r, readings.Sure(known, nil, table.Point{X: 1})})
		stays := slices.ContainsFunc(got, func(r table.Reading) bool { return r.Die == die })
		if stays != c.stays || !slices.ContainsFunc(got, func(r table.Reading) bool { return r.Die == known }) {
			t.Errorf("%s: left are %v", c.what, got)
		}
	}
}

// drawnAndGone lists the pictures in which a die is drawn from the bag that goes away at once with the IceCream
// that it completes, each with the views of the game in which just that one does not show it.
func (l *laidOut) drawnAndGone() map[int][]table.Observation {
	list := map[int][]table.Observation{}
	for i := 1; i+1 < len(l.Truth.Steps); i++ {
		next := l.Truth.Steps[i+1].Events
		if l.Truth.Steps[i].Note != "A die is drawn and rolled." || len(next) < 2 || !strings.Contains(next[1].Text, " away ") {
			continue
		}
		views := slices.Clone(l.views)
		views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool { return l.inZone(trayKey, r.At, views[i]) })
		if len(views[i].Dice) < len(l.views[i].Dice) {
			list[i] = views
		}
	}
	return list
}

// TestDrawnAndGone: a die that is drawn from the bag and that no view shows, as it went away at once with the
// IceCream that it completed, is none that play waits for.
func TestDrawnAndGone(t *testing.T) {
	for _, seed := range []uint64{9101, 9109, 9130} {
		l := layOut(t, table.DiceCreams, seed)
		list := l.drawnAndGone()
		for i, views := range list {
			want, _ := l.watch(t, l.views)
			got, _ := l.watch(t, views)
			if got, want := slices.DeleteFunc(got, isDoubt), slices.DeleteFunc(want, isDoubt); !slices.Equal(got, want) {
				t.Errorf("seed %d, picture %d: %s", seed, i, cmp.Diff(want, got))
			}
		}
		if len(list) == 0 {
			t.Errorf("seed %d: no such die is drawn", seed)
		}
	}
}

// TestUnseenAccusesNobody: such a die is told of by a story, but by none that has gone against the rules before:
// what nobody saw does not bear out that somebody broke them.
func TestUnseenAccusesNobody(t *testing.T) {
	for _, seed := range []uint64{9101, 9109, 9130} {
		l := layOut(t, table.DiceCreams, seed)
		for i, views := range l.drawnAndGone() {
			for _, breach := range []rules.Illegal{nil, {{Code: "DC-TWO-LIMIT"}}} {
				m := l.seeing(t, views[:i+1])
				base := m.bases(creamZones{})[0]
				z := zoneSearch{g: creamZones{}, seen: spreadOut(creamZones{}, m.seatedZones(), views[i+1]), best: math.Inf(1)}
				const acts = 3 // it is rolled, placed, and goes away
				z.goFrom(&base)
				at := z.crossing(base.at())
				z.deepen(&node{at: at, fit: z.fit(at), why: breach}, acts)
				if told := len(z.stories) > 0; told == (breach != nil) {
					t.Errorf("seed %d, picture %d, after a breach %v: told of %v", seed, i, breach != nil, told)
				}
			}
		}
	}
}

// TestMeltedUnseen: a die that is not seen after a melting is not told to have melted too far where the dice set
// aside, among which it would lie, have gone into the pouch.
func TestMeltedUnseen(t *testing.T) {
	for _, seed := range []uint64{20001, 20013} {
		l := layOut(t, table.DiceCreams, seed)
		got, _ := l.watch(t, tableplan.FlawOf("a die not seen").Spoilt(l.zones, l.views, seed))
		want := l.told()
		for _, e := range got {
			if !isDoubt(e) && strings.HasSuffix(e, "DC-MELT") && !slices.Contains(want, e) {
				t.Errorf("seed %d: told of %q", seed, e)
			}
		}
	}
}

// TestGoneUnseen: a die that lay on the Fridge and that no view shows, as it was taken before and went away with
// the IceCream that it completed, is told of with a question, as nobody knows what it showed.
func TestGoneUnseen(t *testing.T) {
	for _, c := range []struct {
		seed     uint64
		took, as string
	}{
		{20006, "move B take black5 liquorice-2.1", "move B take black1 liquorice-2.1"},
		{23007, "move A take blue6 lagoon-3.0", "move A take blue1 lagoon-3.0"},
	} {
		l := layOut(t, table.DiceCreams, c.seed)
		got, _ := l.watch(t, tableplan.FlawOf("a die not seen").Spoilt(l.zones, l.views, c.seed))
		want := l.told()
		want[slices.Index(want, c.took)] = c.as
		if why := unannounced(got, l.told()); why != "" {
			t.Errorf("seed %d: silently wrong: %s", c.seed, why)
		}
		if got := slices.DeleteFunc(got, isDoubt); !slices.Equal(got, want) {
			t.Errorf("seed %d: %s", c.seed, cmp.Diff(want, got))
		}
	}
}

// TestGoneAccusesNobody: a story that has gone against the rules before tells of no such die.
func TestGoneAccusesNobody(t *testing.T) {
	const seed, view = 23007, 24 // in which a blue one has gone
	l := layOut(t, table.DiceCreams, seed)
	views := tableplan.FlawOf("a die not seen").Spoilt(l.zones, l.views, seed)
	m := l.seeing(t, views[:view])
	seen := spreadOut(creamZones{}, m.seatedZones(), views[view])
	for _, seen.accuses = range []bool{false, true} {
		moves := creamZones{}.learned(m.openTales()[0].at(), seen)
		told := slices.ContainsFunc(moves, func(mv rules.Move) bool { return mv.(dicecreams.Move).Die.Color == table.Blue })
		if told == seen.accuses {
			t.Errorf("after a breach %v: told of it %v", seen.accuses, told)
		}
	}
}

// TestGuessIsAsked: that a die was taken which no view has shown on the Fridge is told with a question.
func TestGuessIsAsked(t *testing.T) {
	die := table.Die{Color: table.Black, Face: 1}
	find := dicecreams.Move{Seat: rules.Nature, Kind: dicecreams.Find, Die: die}
	take := dicecreams.Move{Kind: dicecreams.Take, Die: die, Card: "mint-1"}
	away := dicecreams.Move{Kind: dicecreams.Away, Card: take.Card}
	for _, c := range []struct {
		what string
		line []rules.Move
		want bool
	}{
		{"it was seen before", []rules.Move{take, away}, false},
		{"it is seen where it was placed", []rules.Move{find, take}, false},
		{"nobody has seen it", []rules.Move{find, take, away}, true},
	} {
		if _, asked := (creamZones{}).blind(rules.Story{Line: c.line}, nil); asked != c.want {
			t.Errorf("%s: asked %v", c.what, asked)
		}
	}
}
