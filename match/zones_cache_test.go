package match

import (
	"slices"
	"testing"

	"diceref/rules"
	"diceref/table"
)

// countedCreams counts how often it is asked for ways on.
type countedCreams struct {
	creamZones
	asked *int
}

func (c countedCreams) toward(s rules.State, seen *spread) []rules.Move {
	*c.asked++
	return c.creamZones.toward(s, seen)
}

// TestSearchedOnce: a view is searched once, however often it is looked at, and again as soon as
// it or what came before it is any other.
func TestSearchedOnce(t *testing.T) {
	const lost = 12 // pictures after which much may have happened
	l, views := lostCreams(t)
	m := l.seeing(t, nil)
	for _, obs := range views[:lost] {
		m.See(obs)
	}
	asked := 0
	g := countedCreams{asked: &asked}
	less := views[lost]
	less.Dice = slices.Clone(less.Dice)[1:]
	for _, c := range []struct {
		name   string
		obs    table.Observation
		before func()
		again  bool
	}{
		{"seen first", views[lost], func() {}, true},
		{"seen again", views[lost], func() {}, false},
		{"a die less", less, func() {}, true},
		{"and again", less, func() {}, false},
		{"after something was said", less, func() { m.line.said = append(m.line.said, entry{kind: actSaid, said: Declaration{Say: SayNext}}) }, true},
		{"with other names", less, func() { m.rename([]string{"X", "Y", "Z"}[:len(m.setting.Players)]) }, true},
		{"by other tales", less, m.zones.another, true},
	} {
		c.before()
		asked = 0
		got := m.explain(g, spreadOut(g, m.seatedZones(), c.obs))
		if again := asked > 0; again != c.again {
			t.Errorf("%s: asked %d times for ways on", c.name, asked)
		}
		want := m.explainFrom(g, spreadOut(g, m.seatedZones(), c.obs), m.bases(g))
		if got.ask.String() != want.ask.String() || got.Verdict != want.Verdict || got.Cost != want.Cost || len(got.all()) != len(want.all()) {
			t.Errorf("%s: %v %v, want %v %v", c.name, got.Verdict, got.ask, want.Verdict, want.ask)
		}
	}
}
