package book

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/league"
	"diceref/table"
)

// room is a journal with a clock that the test turns.
type room struct {
	*testing.T
	journal *match.Journal
	book    *Book
	now     time.Time
}

func newRoom(t *testing.T) *room {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	r := &room{T: t, journal: j, book: Open(j), now: time.Date(2026, 5, 1, 18, 0, 0, 0, time.UTC)}
	r.book.clock = r.clock
	return r
}

// clock is later each time, by more than a view stays as it is.
func (r *room) clock() time.Time {
	r.now = r.now.Add(time.Hour)
	return r.now
}

func (r *room) view(id string) View {
	r.Helper()
	v, err := r.book.View(id)
	if err != nil {
		r.Fatal(err)
	}
	return v
}

// begin begins a match of DICE Flick at a table of the hall.
func (r *room) begin(at string, players ...string) *match.Match {
	r.Helper()
	m, err := match.New(match.Config{Game: table.DiceFlick, Players: players, Journal: r.journal, Clock: r.clock, Table: at})
	if err != nil {
		r.Fatal(err)
	}
	return m
}

func (r *room) say(m *match.Match, list ...match.Declaration) {
	r.Helper()
	for _, d := range list {
		if err := m.Declare(d); err != nil {
			r.Fatal(err)
		}
	}
}

// finish plays a match to its end: every flick misses, and the first box of each player has these points.
func (r *room) finish(m *match.Match, points ...int) {
	r.Helper()
	for round := range 10 {
		for range points {
			r.say(m, match.Declaration{Say: match.SayMiss}, match.Declaration{Say: match.SayMiss}, match.Declaration{Say: match.SayNext})
		}
		if round == 0 {
			for p, n := range points {
				r.say(m, match.Declaration{Say: match.SayAct, Move: fmt.Sprintf("pad %c 1 %d", 'A'+p, n)})
			}
		}
	}
}

func (r *room) league(w Wanted) string {
	r.Helper()
	id, err := r.book.New("referee Ina", w)
	if err != nil {
		r.Fatal(err)
	}
	return id
}

func (r *room) round(id string, places ...league.Place) league.Round {
	r.Helper()
	round, err := r.book.Round(id, "referee Ina", 0, places)
	if err != nil {
		r.Fatal(err)
	}
	return round
}

// TestResults: what was played at the assigned table by its players counts, once it is over, and follows what becomes of
// the match; everything else does not.
func TestResults(t *testing.T) {
	r := newRoom(t)
	id := r.league(Wanted{Name: "Spring", Game: "dice-flick", Least: 2, Most: 2, Players: []string{"Ann", "Ben", "Cleo", "Dora"}})
	if v := r.view(id); v.Wait != "" || len(v.Rounds) != 0 || len(v.Standings) != 4 || v.Title != "DICE Flick" {
		t.Fatalf("before the first round: %+v", v)
	}
	before := r.begin("window", "Ann", "Ben") // before the round: it is none of it
	r.finish(before, 12, 8)
	round := r.round(id, league.Place{ID: "window", Name: "Window"}, league.Place{ID: "bar", Name: "Bar"})
	one, two := round.Tables[0].Players, round.Tables[1].Players
	state := func(n int) Table { return r.view(id).Rounds[0].Tables[n] }
	if got := state(0); got.State != Waiting || got.Name != "Window" || r.view(id).Wait != "open" {
		t.Errorf("nobody has begun: %+v", got)
	}
	r.finish(r.begin("bar", one...), 12, 8)           // at another table
	r.finish(r.begin("window", one[0], two[0]), 3, 4) // of others
	if got := state(0); got.State != Waiting {
		t.Errorf("what does not count: %+v", got)
	}
	m := r.begin("window", one[1], one[0]) // in another order
	if got := state(0); got.State != Playing || got.Match != m.Setting().ID {
		t.Errorf("they play: %+v", got)
	}
	r.finish(m, 4, 9)
	if got := state(0); got.State != Done || fmt.Sprint(got.Places, got.Points) != "[1 2] [9 4]" || got.Who != "" {
		t.Errorf("it is over: %+v", got)
	}
	again := r.begin("window", one...) // a rematch changes nothing
	r.finish(again, 3, 12)
	if got := state(0); got.Match != m.Setting().ID {
		t.Errorf("a rematch counts: %+v", got)
	}
	// A correction long after the end counts.
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.journal.Delete(m.Setting().ID); err != nil {
		t.Fatal(err)
	}
	if got := state(0); got.Match != again.Setting().ID || fmt.Sprint(got.Places) != "[2 1]" {
		t.Errorf("the first was deleted: %+v", got)
	}
	if err := r.journal.Restore(m.Setting().ID); err != nil {
		t.Fatal(err)
	}
	// The other match is stopped: a referee says what counts.
	stopped := r.begin("bar", two...)
	r.say(stopped, match.Declaration{Say: match.SayEnd})
	if got := state(1); got.State != Stopped || r.view(id).Wait != "open" {
		t.Errorf("stopped early: %+v", got)
	}
	if _, err := r.book.Round(id, "", 0, nil); !errors.Is(err, league.ErrOpen) {
		t.Errorf("a round began too early: %v", err)
	}
	if err := r.book.Enter(id, "referee Ina", league.Entry{Round: 1, Table: 1, Places: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := state(1); got.State != Done || got.Who != "referee Ina" || fmt.Sprint(got.Places) != "[1 1]" || !got.Entered {
		t.Errorf("entered: %+v", got)
	}
	// It can be corrected, and taken away.
	if err := r.book.Enter(id, "referee Ina", league.Entry{Round: 1, Table: 0, Places: []int{2, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := state(0); fmt.Sprint(got.Places) != "[2 1]" {
		t.Errorf("corrected: %+v", got)
	}
	if err := r.book.Enter(id, "referee Ina", league.Entry{Round: 1, Table: 0}); err != nil {
		t.Fatal(err)
	}
	if got := state(0); fmt.Sprint(got.Places) != "[1 2]" || got.Who != "" {
		t.Errorf("what the match says counts again: %+v", got)
	}
	if v := r.view(id); v.Standings[0].Player != one[0] || v.Standings[0].Points != 1 || v.Wait != "" {
		t.Errorf("after the first round: %+v", v)
	}
	if next := r.round(id); len(next.Tables) != 2 || next.Tables[0].ID != "" || next.Number != 2 {
		t.Errorf("the second round: %+v", next)
	}
	if _, err := r.book.Round(id, "", 2, nil); !errors.Is(err, ErrConflict) {
		t.Errorf("the second round begins twice: %v", err)
	}
}

// TestAnyTable: where no table is assigned, as at home, it counts who plays, and in which round.
func TestAnyTable(t *testing.T) {
	r := newRoom(t)
	id := r.league(Wanted{Name: "Home", Least: 2, Most: 2, Players: []string{"Ann", "Ben"}})
	r.round(id)
	if err := r.book.Enter(id, "", league.Entry{Round: 1, Table: 0, Places: []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	r.round(id)
	m := r.begin("", "ann", "Ben") // the same name in other letters
	r.finish(m, 3, 11)
	v := r.view(id)
	if first, second := v.Rounds[0].Tables[0], v.Rounds[1].Tables[0]; first.Match != "" || second.Match != m.Setting().ID || second.State != Done {
		t.Errorf("%+v", v.Rounds)
	}
	if err := r.book.Turn(id, "", league.Player{Name: "Cleo"}); err != nil {
		t.Fatal(err)
	}
	if err := r.book.Turn(id, "", league.Player{Name: "Ann", Out: true}); err != nil {
		t.Fatal(err)
	}
	if next := r.round(id).Tables[0].Players; slices.Contains(next, "Ann") || !slices.Contains(next, "Cleo") {
		t.Errorf("%v play", next)
	}
}

// TestShared: two books of one journal see the same, and of two changes at a time one is told to look again.
func TestShared(t *testing.T) {
	r := newRoom(t)
	id := r.league(Wanted{Name: "Spring", Players: []string{"Ann", "Ben", "Cleo", "Dora", "Emil"}})
	other := Open(r.journal)
	done := make(chan error, 8)
	for i := range cap(done) {
		go func() {
			_, err := []*Book{r.book, other}[i%2].Round(id, "", 1, nil)
			done <- err
		}()
	}
	good := 0
	for range cap(done) {
		if err := <-done; err == nil {
			good++
		} else if !errors.Is(err, ErrConflict) {
			t.Error(err)
		}
	}
	a, err := r.book.View(id)
	b, err2 := other.View(id)
	if good != 1 || err != nil || err2 != nil || fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) || len(a.Rounds) != 1 {
		t.Errorf("%d rounds were paired: %+v %+v", good, a, b)
	}
}

func TestFind(t *testing.T) {
	r := newRoom(t)
	if _, err := r.book.Find(""); !errors.Is(err, match.ErrNoLeague) {
		t.Errorf("there is none: %v", err)
	}
	first := r.league(Wanted{Name: "Spring", Players: []string{"Ann", "Ben"}})
	second := r.league(Wanted{Name: "Summer", Format: league.RoundRobin, Players: []string{"Ann", "Ben"}})
	for name, want := range map[string]string{"spring": first, "Summer": second, "": second, first: first} {
		if id, err := r.book.Find(name); id != want {
			t.Errorf("%q is %q (%v)", name, id, err)
		}
	}
	if list, err := r.book.List(); err != nil || len(list) != 2 || list[0].Name != "Summer" || list[1].Players != 2 {
		t.Errorf("%+v (%v)", list, err)
	}
}

func TestRefusals(t *testing.T) {
	r := newRoom(t)
	two := []string{"Ann", "Ben"}
	for what, w := range map[string]Wanted{
		"no name": {Players: two}, "a long name": {Name: strings.Repeat("x", 41), Players: two}, "an odd name": {Name: "a\nb", Players: two}, "no such game": {Name: "x", Game: "chess", Players: two},
		"no such format": {Name: "x", Format: "cup", Players: two}, "too large a table": {Name: "x", Game: "dice-flick", Most: 5, Players: two}, "too small a table": {Name: "x", Game: "fromage-a-trois", Least: 2, Players: two},
		"a name twice": {Name: "x", Players: []string{"Ann", "Ann "}}, "an odd player": {Name: "x", Players: []string{"\u202e"}}, "too many": {Name: "x", Players: make([]string, 300)}, "a wrong size": {Name: "x", Least: 4, Most: 3, Players: two},
	} {
		if id, err := r.book.New("", w); err == nil {
			t.Errorf("%s: %s began", what, id)
		}
	}
	id := r.league(Wanted{Name: "Spring", Players: two})
	if v := r.view(id); v.Least != 2 || v.Most != 4 || v.Format != league.Swiss || v.Wait != "" {
		t.Errorf("what was left out: %+v", v)
	}
	for what, err := range map[string]error{
		"a table": r.book.Enter(id, "", league.Entry{Round: 1, Places: []int{1, 2}}), "a player": r.book.Turn(id, "", league.Player{Name: "Ann"}),
		"no player": r.book.Turn(id, "", league.Player{Name: " "}), "no league": r.book.Turn("x", "", league.Player{Name: "Ann"}),
	} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	// What another version has written is told, and hides no other league.
	if err := r.journal.BeginLeague("odd", r.clock(), json.RawMessage(`{"cup":1}`)); err != nil {
		t.Fatal(err)
	}
	if list, err := r.book.List(); err != nil || len(list) != 1 {
		t.Errorf("%+v (%v)", list, err)
	}
	if _, err := r.book.View("odd"); err == nil {
		t.Error("an event of another version was read")
	}
}

// TestWrite: a program that shows tables gets texts and no formulas.
func TestWrite(t *testing.T) {
	r := newRoom(t)
	id := r.league(Wanted{Name: "Spring", Least: 2, Most: 2, Players: []string{"=1+1", "Ben, the \"Bear\"", "Cleo"}})
	round := r.round(id, league.Place{ID: "window", Name: "@Window"})
	if err := r.book.Enter(id, "referee Ina", league.Entry{Round: 1, Table: 0, Places: []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	write := func(form string) string {
		var b strings.Builder
		if err := r.book.Write(id, form, &b); err != nil {
			t.Error(err)
		}
		return b.String()
	}
	standings, rounds := write(FormStandings), write(FormRounds)
	for _, text := range []string{standings, rounds} {
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(lines) != 4 {
			t.Errorf("%d lines (%v) of\n%s", len(lines), err, text)
		}
		for _, line := range lines {
			for _, cell := range line {
				if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
					t.Errorf("%q is a formula", cell)
				}
			}
		}
		if !strings.Contains(text, `"Ben, the ""Bear"""`) {
			t.Errorf("a name is not quoted in\n%s", text)
		}
	}
	if want := "1,'@Window,"; !strings.Contains(rounds, want) || !strings.Contains(rounds, ",bye,") || !strings.Contains(rounds, "referee Ina") {
		t.Errorf("the rounds are\n%s", rounds)
	}
	if meetings := write(FormMeetings); !strings.Contains(meetings, ",1,1\n") || !strings.Contains(meetings, ",1,0\n") {
		t.Errorf("the meetings are\n%s", meetings)
	}
	var v View
	if err := json.Unmarshal([]byte(write(FormJSON)), &v); err != nil || v.Rounds[0].Tables[0].Players[0] != round.Tables[0].Players[0] {
		t.Errorf("as JSON: %+v (%v)", v, err)
	}
	if err := r.book.Write(id, "pdf", io.Discard); err == nil {
		t.Error("it was written as pdf")
	}
}
