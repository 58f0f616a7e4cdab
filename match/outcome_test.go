package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"diceref/table"
)

// ends lists the ends that were told and still count, by their winners.
func ends(m *Match) (list []string) {
	for _, e := range m.Events() {
		if e.Type == TypeEnd && !e.Undone {
			list = append(list, fmt.Sprint(e.Winners))
		}
	}
	return list
}

// wantOutcome compares the outcome and the ends that count, also once the journal is read again.
func wantOutcome(t *testing.T, m *Match, want *Outcome, told ...string) {
	t.Helper()
	check := func(m *Match, which string) {
		t.Helper()
		if got := m.Snapshot().Outcome; asJSON(got) != asJSON(want) {
			t.Errorf("%s: the outcome is %s, want %s", which, asJSON(got), asJSON(want))
		}
		if got := ends(m); !slices.Equal(got, told) {
			t.Errorf("%s: the ends told are %q, want %q", which, got, told)
		}
	}
	check(m, "live")
	if m.journal != nil {
		again, err := Reread(m.journal, m.Setting().ID)
		if err != nil {
			t.Fatal(err)
		}
		check(again, "read again")
	}
}

// TestOutcomeCards: Dessert Dice waits for every card, names the winner then, and again if a card
// turns out to be another one; what is undone is not an end any more.
func TestOutcomeCards(t *testing.T) {
	m := journaled(t, table.DessertDice, "Ada", "Ben")
	r := rand.New(rand.NewPCG(5, 6))
	declare(t, m, Declaration{Say: SayRoll})
	wantOutcome(t, m, nil)
	for tapAny(t, m, r) {
	}
	open := &Outcome{How: EndedByRules, Winners: []int{}, Cards: []int{0, 1}}
	wantOutcome(t, m, open, "[]")
	for _, d := range []Declaration{
		{Say: SayCard, Player: "Cleo", Card: "J"}, {Say: SayCard, Player: "Ada", Card: "X"}, {Say: SayCard, Player: "Ada"}, {Say: SayEnd},
	} {
		if err := m.Declare(d); err == nil {
			t.Errorf("%+v was taken", d)
		}
	}
	declare(t, m, Declaration{Say: SayCard, Player: "Ben", Card: "P"})
	wantOutcome(t, m, &Outcome{How: EndedByRules, Winners: []int{}, Cards: []int{0}}, "[]")
	declare(t, m, Declaration{Say: SayCard, Player: "Ada", Card: "J"})
	first := m.Snapshot().Outcome
	if len(first.Winners) != 1 || len(first.Cards) != 0 {
		t.Fatalf("with all cards the outcome is %s", asJSON(first))
	}
	told := fmt.Sprint([]string{m.Setting().Players[first.Winners[0]]})
	wantOutcome(t, m, first, "[]", told)
	declare(t, m, Declaration{Say: SayUndo})
	wantOutcome(t, m, &Outcome{How: EndedByRules, Winners: []int{}, Cards: []int{0}}, "[]")
	declare(t, m, Declaration{Say: SayRedo})
	wantOutcome(t, m, first, "[]", told)
	for range 3 { // the cards, and the last die
		declare(t, m, Declaration{Say: SayUndo})
	}
	wantOutcome(t, m, nil)
	for range 3 {
		declare(t, m, Declaration{Say: SayRedo})
	}
	wantOutcome(t, m, first, "[]", told)
}

// TestOutcomeStopped: players may stop early: nobody wins, nothing more is played, and an undo goes
// on as if nothing had been.
func TestOutcomeStopped(t *testing.T) {
	stopped := &Outcome{How: EndedEarly, Winners: []int{}}
	for _, game := range table.Games {
		m := journaled(t, game, "Ada", "Ben", "Cleo")
		r := rand.New(rand.NewPCG(1, 9))
		for range 9 {
			tapAny(t, m, r)
		}
		before := digest(m.line.now())
		declare(t, m, Declaration{Say: SayEnd})
		wantOutcome(t, m, stopped, "[]")
		last := m.Events()[len(m.Events())-1]
		if last.Over == nil || *last.Over || last.By != ByPlayer || m.Snapshot().Phase != PhaseOver {
			t.Errorf("%s: the end is told as %s at %s", game, asJSON(last), m.Snapshot().Phase)
		}
		if acts := m.Legal(nil, 0, 1).Acts; len(acts) > 0 {
			if err := m.Declare(Declaration{Say: SayAct, Move: acts[0].Act}); err == nil {
				t.Errorf("%s: %s was played after the end", game, acts[0].Act)
			}
		}
		if s := m.summary(); s.Phase != PhaseOver || !s.Unsettled {
			t.Errorf("%s: history has %s", game, asJSON(s))
		}
		declare(t, m, Declaration{Say: SayUndo})
		wantOutcome(t, m, nil)
		if digest(m.line.now()) != before {
			t.Errorf("%s: the undo took more back than the end", game)
		}
		declare(t, m, Declaration{Say: SayRedo})
		wantOutcome(t, m, stopped, "[]")
		declare(t, m, Declaration{Say: SayUndo})
		tapAny(t, m, r)
		declare(t, m, Declaration{Say: SayRematch})
		wantOutcome(t, m, stopped, "[]")
		if next := m.Next().Snapshot(); next.Outcome != nil || next.Phase == PhaseOver {
			t.Errorf("%s: the rematch stands at %s", game, next.Phase)
		}
	}
}

// TestOutcomeTie: a shared victory has all its winners.
func TestOutcomeTie(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ada", "Ben", "Cleo")
	for round := range 10 {
		for seat, score := range []int{5, 5, 4} {
			mustAct(t, m, fmt.Sprintf("pad %c %d %d", 'A'+seat, round+1, score))
		}
	}
	wantOutcome(t, m, &Outcome{How: EndedByRules, Winners: []int{0, 1}}, "[Ada Ben]")
	mustAct(t, m, "pad C 3 40") // an end that was told comes out otherwise
	wantOutcome(t, m, &Outcome{How: EndedByRules, Winners: []int{2}}, "[Cleo]")
	declare(t, m, Declaration{Say: SayUndo})
	wantOutcome(t, m, &Outcome{How: EndedByRules, Winners: []int{0, 1}}, "[Ada Ben]")
}

// TestOneUndo: whatever is tapped, one undo takes back all that it brought about, and one redo
// brings it back: the program's own rolls too.
func TestOneUndo(t *testing.T) {
	players := map[table.Game]int{table.DessertDice: 2, table.DiceBox: 4, table.FromageATrois: 3, table.DiceCreams: 2, table.DiceFlick: 2}
	for game, n := range players {
		m := tappedMatch(t, game, n, Config{})
		r := rand.New(rand.NewPCG(4, uint64(n)))
		if game == table.DessertDice {
			oneUndo(t, m, func() bool { return m.Declare(Declaration{Say: SayRoll}) == nil })
		}
		for i := 0; i < 120 && oneUndo(t, m, func() bool { return tapAny(t, m, r) }); i++ {
		}
	}
}

// oneUndo taps, and undoes and redoes that. It says whether there was anything to tap.
func oneUndo(t *testing.T, m *Match, tap func() bool) bool {
	t.Helper()
	before := digest(m.line.now())
	if !tap() {
		return false
	}
	after := digest(m.line.now())
	last := m.Events()[len(m.Events())-1].Text
	declare(t, m, Declaration{Say: SayUndo})
	if digest(m.line.now()) != before {
		t.Fatalf("%s: one undo of %q does not lead back", m.setting.Game, last)
	}
	declare(t, m, Declaration{Say: SayRedo})
	if digest(m.line.now()) != after {
		t.Fatalf("%s: one redo does not bring %q back", m.setting.Game, last)
	}
	return true
}
