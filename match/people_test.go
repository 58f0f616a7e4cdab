package match

import (
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// resumed is the match as a journal tells it to the next program.
func resumed(t *testing.T, m *Match) *Match {
	t.Helper()
	again, err := Resume(m.journal, m.setting.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := asJSON(m.Snapshot()), asJSON(again.Snapshot()); a != b {
		t.Errorf("resumed as\n%s\nit was\n%s", b, a)
	}
	return again
}

func journaled(t *testing.T, g table.Game, players ...string) *Match {
	t.Helper()
	j := openTestJournal(t, newJournal(t))
	m, err := New(Config{Game: g, Players: players, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func declare(t *testing.T, m *Match, list ...Declaration) {
	t.Helper()
	for _, d := range list {
		if err := m.Declare(d); err != nil {
			t.Fatalf("%s: %v", d.Say, err)
		}
	}
}

// TestFirst: who starts is told before the first act, and the order goes on from there.
func TestFirst(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben", "Cleo")
	declare(t, m, Declaration{Say: SayFirst, Player: "Ben"})
	declare(t, m, Declaration{Say: SayMiss}, Declaration{Say: SayMiss}, Declaration{Say: SayNext}, Declaration{Say: SayMiss})
	var who []string
	for _, e := range m.Events() {
		if e.Type == TypeMiss {
			who = append(who, e.Player)
		}
	}
	if want := []string{"Ben", "Ben", "Cleo"}; !slices.Equal(who, want) {
		t.Errorf("played by %q, want %q", who, want)
	}
	if err := m.Declare(Declaration{Say: SayFirst, Player: "Ann"}); err == nil || !strings.Contains(err.Error(), "has already begun") {
		t.Errorf("in the middle of the match: %v", err)
	}
	resumed(t, m)
}

// TestNames: other names hold for what was told before, too.
func TestNames(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayMiss}, Declaration{Say: SayNames, Names: []string{"Anna", "Ben"}}, Declaration{Say: SayMiss}, Declaration{Say: SayNext})
	for _, e := range m.Events() {
		if e.Player == "Ann" || strings.HasPrefix(e.Text, "Ann ") {
			t.Errorf("%s is still told of: %s", e.Player, e.Text)
		}
	}
	if m.Snapshot().Revision == 0 {
		t.Error("nobody is told that earlier events have changed")
	}
	for _, bad := range [][]string{
		{"Anna"},
		{"Anna", "Anna"},
		{"Anna", " "},
		{"Anna", strings.Repeat("x", 60)},
		{"Anna", "Anna "},
		{"Anna", "\u200b\u200d"},
		{"Anna", "\u0301"},
		{"Anna", "B\nC"},
		{"Anna", "B\x00"},
		{"Anna", "\u202eneB"},
		{"Anna", "B\u2028"},
	} {
		if m.Declare(Declaration{Say: SayNames, Names: bad}) == nil {
			t.Errorf("%q were accepted as names", bad)
		}
	}
	declare(t, m, Declaration{Say: SayNames, Names: []string{"<b>Zoë O'Neill</b>", "علی\u200cرضا 👩\u200d🍳"}}) // as people may be called
	if err := m.Declare(Declaration{Say: SayPause, By: ByCamera}); err == nil {
		t.Error("a player spoke as the camera")
	}
	resumed(t, m)
}

// TestSeats: who changes seats keeps turns and scores; the places of the table change hands.
func TestSeats(t *testing.T) {
	m := journaled(t, table.FromageATrois, "Ann", "Ben", "Cleo")
	declare(t, m, Declaration{Say: SaySeats, Names: []string{"Cleo", "Ann", "Ben"}})
	if got := []int{int(m.sits(0)), int(m.sits(1)), int(m.sits(2))}; !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("they sit as %v", got)
	}
	if to := m.Snapshot().ToMove; to != 0 {
		t.Errorf("the turn went to %d", to)
	}
	if m.Declare(Declaration{Say: SaySeats, Names: []string{"Ann", "Ann", "Ben"}}) == nil {
		t.Error("Ann sits on two seats")
	}
	resumed(t, m)
}

// TestRematch: the same people play once more; the table is cleared first, and what was
// waiting to be said is said of the new match.
func TestRematch(t *testing.T) {
	s := loadScript(t, "dice-flick")
	j := openTestJournal(t, newJournal(t))
	m, err := New(Config{Game: s.Game, Players: []string{"A", "B"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	frames := s.frames()
	for _, obs := range frames[:60] {
		m.See(obs)
	}
	declare(t, m, Declaration{Say: SayRematch})
	next := m.Next()
	if next == nil || next.Setting().Follows != m.Setting().ID {
		t.Fatal("no rematch began")
	}
	if m.Declare(Declaration{Say: SayRematch}) == nil {
		t.Error("a second rematch of the same match began")
	}
	if last := m.Events()[len(m.Events())-1]; last.Type != TypeEnd {
		t.Errorf("the match before ends with %s", told(last.Event))
	}
	shift := 60
	see := func(list []table.Observation) {
		for _, obs := range list {
			obs.Frame += shift
			obs.T += float64(shift) / 10
			next.See(obs)
		}
		shift += 60
	}
	see(frames[55:60]) // the dice of the match before still lie there
	if got := events(next); len(got) != 1 {
		t.Fatalf("dice of the match before are told as %q", got)
	}
	see(frames[:30]) // an empty arena, then the first flick
	want := s.want()[:2]
	if got := events(next); !slices.Equal(got, want) {
		t.Errorf("the rematch goes as %q, want %q", got, want)
	}
}

// TestPauseOverNight: a paused match is paused in the next program, and goes on there.
func TestPauseOverNight(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayMiss}, Declaration{Say: SayPause})
	again := resumed(t, m)
	if again.Snapshot().Phase != PhasePaused {
		t.Fatalf("the next morning the match is %s", again.Snapshot().Phase)
	}
	declare(t, again, Declaration{Say: SayResume}, Declaration{Say: SayMiss}, Declaration{Say: SayNext})
	if to := again.Snapshot().ToMove; to != 1 {
		t.Errorf("%d is to move, want 1", to)
	}
}
