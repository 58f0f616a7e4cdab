package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// unclear is a die in a hole that is of its color with some probability, or else of the other.
type unclear struct {
	hole  string
	die   table.Die
	other table.Color
	p     float64
}

// glimpsed shows an arena in which some dice are not sure.
func (a *arenaViews) glimpsed(t *testing.T, sure string, unsure ...unclear) {
	t.Helper()
	a.see(func(int) (list []table.Reading) {
		for at, d := range arena(sure) {
			sq := squareOf(t, at)
			list = append(list, readings.Sure(d, &sq, onBoard(sq)))
		}
		for _, u := range unsure {
			sq := squareOf(t, u.hole)
			r := readings.Sure(u.die, &sq, onBoard(sq))
			r.Sure, r.Confidence = false, u.p
			r.Colors[u.die.Color], r.Colors[u.other] = u.p, 1-u.p
			list = append(list, r)
		}
		return list
	})
}

// TestShaky: a flick that was told under doubt is corrected by what is seen later: the die that it
// pushed on, the other color, and that there are no more dice of the one that was told.
func TestShaky(t *testing.T) {
	white, green := table.Die{Color: table.White, Face: 2}, table.Die{Color: table.Green, Face: 2}
	for name, c := range map[string]struct {
		play  func(a *arenaViews)
		want  []string // doubts and all that is in force
		other string   // a flick that is as likely as one that is told; empty: there is none
	}{
		"it lies where another was pushed away": {
			func(a *arenaViews) {
				a.show(arena("c5 B5"))
				a.glimpsed(t, "d5 B5", unclear{"c5", white, table.Green, .6})
				a.hands(1)
			},
			[]string{"flick A c5 blue 5", "flick A c5 white 2"},
			"",
		},
		"read surely as it was told, then as the other": {
			func(a *arenaViews) {
				a.glimpsed(t, "", unclear{"c5", white, table.Green, .6})
				a.glimpsed(t, "a1 Y3", unclear{"c5", white, table.Green, .99})
				a.show(arena("a1 Y3 c5 G2"))
			},
			[]string{"flick A c5 green 2", "flick A a1 yellow 3"},
			"",
		},
		"read surely as it was told, then one came that it never was": {
			func(a *arenaViews) {
				a.glimpsed(t, "", unclear{"c5", white, table.Green, .6})
				a.show(arena("c5 W2"))
				a.show(arena("c5 G4"))
			},
			[]string{"flick A c5 white 2", "flick A c5 green 4"},
			"",
		},
		"the fourth white die of three": {
			func(a *arenaViews) {
				a.show(arena("a1 W1"))
				a.show(arena("a1 W1 a2 W1"))
				a.say(t, SayNext)
				a.glimpsed(t, "a1 W1 a2 W1", unclear{"c5", white, table.Green, .6})
				a.glimpsed(t, "a1 W1 a2 W1 e5 W3", unclear{"c5", green, table.White, .6})
			},
			[]string{"flick A a1 white 1", "flick A a2 white 1", "score A round 1: 0 []", "flick B c5 green 2", "flick B e5 white 3"},
			"",
		},
		"the same, where two are in doubt": {
			func(a *arenaViews) {
				a.show(arena("a1 W1"))
				a.glimpsed(t, "a1 W1", unclear{"c5", white, table.Green, .6})
				a.say(t, SayNext)
				a.glimpsed(t, "a1 W1", unclear{"c5", white, table.Green, .6}, unclear{"d1", white, table.Green, .6})
				a.glimpsed(t, "a1 W1 e5 W3", unclear{"c5", green, table.White, .8}, unclear{"d1", green, table.White, .6})
			},
			[]string{
				"flick A a1 white 1", "flick A c5 green 2", "score A round 1: 0 []", "flick B d1 green 2", "flick B e5 white 3",
			},
			"B flick W2 d1",
		},
	} {
		m, err := New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}})
		if err != nil {
			t.Fatal(err)
		}
		a := &arenaViews{views{m: m}}
		a.show(nil)
		c.play(a)
		var got []string
		for _, e := range m.Events()[1:] {
			switch {
			case e.Type == TypeDoubt:
				got = append(got, "doubt "+e.Ask)
			case e.Type != TypeCorrect && !e.Undone:
				got = append(got, told(e.Event))
			}
		}
		if p := a.likely(c.other); c.other != "" && (p < .2 || p > .8) {
			t.Errorf("%s: %q has the probability %.3f", name, c.other, p)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: told otherwise (-want +got):\n%s", name, diff)
		}
		m.Close()
	}
}
