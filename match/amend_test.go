package match

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/table"
)

// shelf is the matches that a history tells, with what became of them.
func shelf(t *testing.T, j *Journal, q HistoryQuery) (list []string) {
	t.Helper()
	h, err := j.History(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.Matches {
		text := s.ID
		if s.Title != "" {
			text += " (" + s.Title + ")"
		}
		if s.Empty {
			text += " empty"
		}
		list = append(list, text)
	}
	return list
}

// TestDeleteMatch: a deleted match is gone from history and statistics, all of it stays and comes back; what is purged
// is gone forever, also from the file.
func TestDeleteMatch(t *testing.T) {
	j := playedJournal(t)
	path := j.path
	if err := j.Close(); err != nil { // nobody plays any more
		t.Fatal(err)
	}
	j = openTestJournal(t, path)
	before := kept(t, j)["whole"]
	want := func(when string, list, deleted []string, matches int) {
		t.Helper()
		if got := shelf(t, j, HistoryQuery{}); !slices.Equal(got, list) {
			t.Errorf("%s: listed are %v, want %v", when, got, list)
		}
		if got := shelf(t, j, HistoryQuery{Deleted: true}); !slices.Equal(got, deleted) {
			t.Errorf("%s: deleted are %v, want %v", when, got, deleted)
		}
		if s, err := j.Statistics(); err != nil || s.Matches != matches {
			t.Errorf("%s: %d matches count, want %d (%v)", when, s.Matches, matches, err)
		}
	}
	want("at first", []string{"paused", "open", "whole"}, nil, 3)
	if err := j.Purge("whole"); !errors.Is(err, ErrKept) {
		t.Errorf("purged at once: %v", err)
	}
	if err := j.Delete("whole"); err != nil {
		t.Fatal(err)
	}
	want("deleted", []string{"paused", "open"}, []string{"whole"}, 2)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openTestJournal(t, path)
	want("after a restart", []string{"paused", "open"}, []string{"whole"}, 2)
	if err := j.Restore("whole"); err != nil {
		t.Fatal(err)
	}
	want("restored", []string{"paused", "open", "whole"}, nil, 3)
	if p, err := j.Past("whole", 0, 0); err != nil || !strings.Contains(before, fmt.Sprintf("%q", p.Match.Ended.Format("2006-01-02T15:04:05Z"))) {
		t.Errorf("it ended another time: %v (%v)", p.Match.Ended, err)
	}
	if err := errors.Join(j.Delete("paused"), j.Delete("whole"), j.Purge("whole")); err != nil {
		t.Fatal(err)
	}
	want("purged", []string{"open"}, []string{"paused"}, 1)
	if last, err := j.Latest(); err != nil || last.ID != "open" {
		t.Errorf("the last match is %s (%v)", last.ID, err)
	}
	for _, name := range filesOf(path) {
		if b, err := os.ReadFile(name); err != nil || bytes.Contains(b, []byte(`"whole"`)) || bytes.Contains(b, []byte("pad A 1 12")) {
			t.Errorf("%s has still something of the purged match (%v)", filepath.Base(name), err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openTestJournal(t, path)
	if j.Salvaged() != nil {
		t.Errorf("a purge counts as damage: %s", j.Salvaged().Why)
	}
	if _, err := j.Import(strings.NewReader(before)); err != nil {
		t.Errorf("it cannot be imported again: %v", err)
	}
	want("imported again", []string{"whole", "open"}, []string{"paused"}, 2)
	if _, err := j.db.Exec("DELETE FROM records WHERE match = 'whole'"); err == nil {
		t.Error("and then by mistake it may be erased")
	}
	for what, err := range map[string]error{"deleted": j.Delete("never"), "restored": j.Restore("never"), "purged": j.Purge("never"), "renamed": j.Rename("never", "x")} {
		if !errors.Is(err, ErrNoMatch) {
			t.Errorf("a match that never was is %s: %v", what, err)
		}
	}
}

// filesOf is the files of a journal that has any.
func filesOf(path string) []string {
	if IsAddress(path) {
		return nil
	}
	return []string{path, path + "-wal"}
}

// TestDeletePlayed: the match on the table cannot be deleted, and can be given names and a title.
func TestDeletePlayed(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	j, id := m.journal, m.Setting().ID
	declare(t, m, Declaration{Say: SayMiss})
	if err := j.Delete(id); !errors.Is(err, ErrPlayed) {
		t.Errorf("deleted: %v", err)
	}
	if err := j.Purge(id); !errors.Is(err, ErrPlayed) {
		t.Errorf("purged: %v", err)
	}
	if err := errors.Join(j.Rename(id, " Final "), j.RenamePlayers(id, []string{"Anna", "Ben"})); err != nil {
		t.Fatal(err)
	}
	declare(t, m, Declaration{Say: SayUndo})
	if got := m.Snapshot().Players; !slices.Equal(got, []string{"Anna", "Ben"}) {
		t.Errorf("the table shows %v", got)
	}
	if got := shelf(t, j, HistoryQuery{}); !slices.Equal(got, []string{id + " (Final)"}) {
		t.Errorf("listed are %v", got)
	}
	if again, err := Reread(j, id); err != nil || asJSON(again.Events()) != asJSON(m.Events()) {
		t.Errorf("the journal has another match (%v)", err)
	}
	for _, bad := range []string{strings.Repeat("x", 81), "a\nb", "\u202e"} {
		if err := j.Rename(id, bad); err == nil {
			t.Errorf("%.20q is a title", bad)
		}
	}
	if err := errors.Join(m.Close(), j.Rename(id, ""), j.Delete(id)); err != nil {
		t.Fatal(err)
	}
	if got := shelf(t, j, HistoryQuery{Deleted: true}); !slices.Equal(got, []string{id}) {
		t.Errorf("deleted are %v", got)
	}
}

// TestEmptyRematch: a rematch in which nothing was played counts for nothing and can be purged at once.
func TestEmptyRematch(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayPlay, Move: "seed 1"}, Declaration{Say: SayPlay, Move: "A place R5 c2"}, Declaration{Say: SayRematch})
	next := m.Next()
	declare(t, next, Declaration{Say: SayPlay, Move: "seed 4"}, Declaration{Say: SayNames, Names: []string{"Ann", "Cleo"}}, Declaration{Say: SayPause})
	first, second := m.Setting().ID, next.Setting().ID
	if err := errors.Join(m.Close(), next.Close()); err != nil {
		t.Fatal(err)
	}
	j := m.journal
	if got := shelf(t, j, HistoryQuery{}); !slices.Equal(got, []string{second + " empty", first}) {
		t.Errorf("listed are %v", got)
	}
	if s, err := j.Statistics(); err != nil || s.Matches != 1 || len(s.Players) != 2 {
		t.Errorf("it counts: %+v (%v)", s, err)
	}
	if err := j.Purge(second); err != nil {
		t.Fatal(err)
	}
	if got := shelf(t, j, HistoryQuery{}); !slices.Equal(got, []string{first}) {
		t.Errorf("listed are %v", got)
	}
}

// TestRenamePlayer: two spellings of one name become one, in every match, its export and the statistics; where both
// played, the match stays as it is, and that is said.
func TestRenamePlayer(t *testing.T) {
	j := playedJournal(t)
	both, err := New(Config{ID: "both", Game: table.DiceFlick, Players: []string{"Ann", "Cleo"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	declare(t, both, Declaration{Say: SayMiss}, Declaration{Say: SayNames, Names: []string{"Anna", "Cleo"}})
	got, err := j.RenamePlayer("Cleo", "Anna")
	if err != nil || got.Matches != 2 || !slices.Equal(got.Kept, []string{"both"}) {
		t.Errorf("Cleo is Anna: %+v (%v)", got, err)
	}
	if got, err = j.RenamePlayer("Ann", "Anna"); err != nil || got.Matches != 1 || !slices.Equal(got.Kept, []string{"open"}) {
		t.Errorf("Ann is Anna: %+v (%v)", got, err)
	}
	s, err := j.Statistics()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range s.Players {
		names = append(names, fmt.Sprint(p.Name, " ", p.Played))
	}
	if want := []string{"Ann 1", "Anna 4", "Ben 2", "Cleo 1"}; !slices.Equal(names, want) {
		t.Errorf("the players are %v, want %v", names, want)
	}
	for form, want := range map[string]string{"csv": ",Anna,Ben\n", "text": `[PlayerA "Anna"]`, "export": `"Anna"`} {
		var b bytes.Buffer
		if err := j.Write("whole", form, &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s has no %s (%v)", form, want, err)
		}
	}
	p, err := j.Past("whole", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range p.Steps {
		if s.Event.Player == "Ann" || slices.Contains(s.Event.Players, "Ann") || strings.HasPrefix(s.Event.Text, "Ann ") {
			t.Errorf("step %d still tells of Ann: %s", i, s.Event.Text)
		}
	}
	for name, to := range map[string]string{"Nobody": "Anna", "Anna": " "} {
		if _, err := j.RenamePlayer(name, to); err == nil {
			t.Errorf("%s is now called %q", name, to)
		}
	}
}

// TestDeleteUnreadable: a match that the rules of today cannot play again can be deleted, and given a title.
func TestDeleteUnreadable(t *testing.T) {
	j := openTestJournal(t, newJournal(t))
	if err := j.begin(Setting{ID: "odd", Game: table.DiceFlick, Players: []string{"Ann"}}); err != nil {
		t.Fatal(err)
	}
	if err := j.append("odd", Record{Seq: 1}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Rename("odd", "Odd one"), j.Delete("odd")); err != nil {
		t.Fatal(err)
	}
	if got := shelf(t, j, HistoryQuery{Deleted: true}); !slices.Equal(got, []string{"odd (Odd one)"}) {
		t.Errorf("deleted are %v", got)
	}
	if err := j.Purge("odd"); err != nil {
		t.Error(err)
	}
}
