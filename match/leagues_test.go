package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func leagueOf(t *testing.T, j *Journal, id string) string {
	t.Helper()
	events, err := j.League(id)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range events {
		list = append(list, string(e))
	}
	return strings.Join(list, " ")
}

// TestLeagues: a league is kept event by event beside the matches, which it is none of, by both engines.
func TestLeagues(t *testing.T) {
	j := playedJournal(t)
	shelfBefore := fmt.Sprint(shelf(t, j, HistoryQuery{}))
	latest, err := j.Latest()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"spring", "summer"} {
		if err := j.BeginLeague(id, time.Now(), json.RawMessage(`{"new":"`+id+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range []string{`{"round":1}`, `{"result":"O'Neill; DROP TABLE matches"}`} {
		if err := j.AddToLeague("spring", int64(i+2), json.RawMessage(text)); err != nil {
			t.Fatal(err)
		}
	}
	const want = `{"new":"spring"} {"round":1} {"result":"O'Neill; DROP TABLE matches"}`
	if got := leagueOf(t, j, "spring"); got != want {
		t.Errorf("it has %s", got)
	}
	if list, err := j.Leagues(); err != nil || fmt.Sprint(list) != "[spring summer]" {
		t.Errorf("there are %v (%v)", list, err)
	}
	// It is no match.
	if now := fmt.Sprint(shelf(t, j, HistoryQuery{})); now != shelfBefore {
		t.Errorf("the matches are %s, before %s", now, shelfBefore)
	}
	if now, err := j.Latest(); err != nil || now.ID != latest.ID {
		t.Errorf("the latest match is %s (%v)", now.ID, err)
	}
	for what, err := range map[string]error{"set-up": second(j.Setting("spring")), "past": second(j.Past("spring", 0, 0)), "title": j.Rename("spring", "x"), "purge": j.Purge("spring"), "resume": second(Resume(j, "spring", nil))} {
		if !errors.Is(err, ErrNoMatch) {
			t.Errorf("%s of a league: %v", what, err)
		}
	}
	// Refusals, none of which changes anything.
	for what, c := range map[string]struct{ err, want error }{
		"the same again":   {j.BeginLeague("spring", time.Now(), nil), nil},
		"an odd name":      {j.BeginLeague("a b", time.Now(), nil), nil},
		"too large":        {j.AddToLeague("spring", 4, json.RawMessage(`"`+strings.Repeat("x", 300<<10)+`"`)), nil},
		"no JSON":          {j.AddToLeague("spring", 4, json.RawMessage(`{`)), nil},
		"a number twice":   {j.AddToLeague("spring", 3, json.RawMessage(`1`)), ErrBehind},
		"a number too far": {j.AddToLeague("spring", 5, json.RawMessage(`1`)), ErrBehind},
		"none of the name": {j.AddToLeague("winter", 2, json.RawMessage(`1`)), ErrNoLeague},
		"a match":          {j.AddToLeague("whole", 2, json.RawMessage(`1`)), ErrNoLeague},
		"read a match":     {second(j.League("whole")), ErrNoLeague},
		"read none":        {second(j.League("")), ErrNoLeague},
	} {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", what, c.err)
		}
	}
	for _, stmt := range []string{"UPDATE records SET record = '' WHERE match = 'spring'", "DELETE FROM records WHERE match = 'spring'", "DELETE FROM matches WHERE id = 'spring'"} {
		if _, err := j.db.Exec(stmt); err == nil {
			t.Errorf("%s was allowed", stmt)
		}
	}
	// Of two at the same moment, one.
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- j.AddToLeague("summer", 2, json.RawMessage(`2`)) }()
	}
	if one, two := <-done, <-done; (one == nil) == (two == nil) || !errors.Is(errors.Join(one, two), ErrBehind) {
		t.Errorf("two at the same time: %v, %v", one, two)
	}
	// It goes along when everything is saved, and a copy that is only looked at has it.
	path := filepath.Join(t.TempDir(), "saved.db")
	if err := j.Save(path); err != nil {
		t.Fatal(err)
	}
	saved, err := ReadJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	if got := leagueOf(t, saved, "spring"); got != want {
		t.Errorf("saved was %s", got)
	}
	if err := saved.AddToLeague("spring", 4, json.RawMessage(`1`)); err == nil {
		t.Error("a journal that is only looked at was written")
	}
	if damage, err := j.Damage(); err != nil || len(damage) > 0 {
		t.Errorf("it is damaged: %v (%v)", damage, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestLeagueSalvaged: of a damaged journal, a league is saved as far as it can be followed.
func TestLeagueSalvaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openTestJournal(t, path)
	if err := j.BeginLeague("spring", time.Now(), json.RawMessage(`"first"`)); err != nil {
		t.Fatal(err)
	}
	for i, e := range []string{`"second"`, `"third"`} {
		if err := j.AddToLeague("spring", int64(i+2), json.RawMessage(e)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), `"third"`, `"thirt"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	j = openTestJournal(t, path)
	if j.Salvaged() == nil {
		t.Error("nobody noticed")
	}
	if got := leagueOf(t, j, "spring"); got != `"first" "second"` {
		t.Errorf("saved was %s", got)
	}
	if err := j.AddToLeague("spring", 3, json.RawMessage(`"third"`)); err != nil {
		t.Errorf("it does not go on: %v", err)
	}
}

// TestSince: matches since a time, those that somebody wants.
func TestSince(t *testing.T) {
	j := playedJournal(t)
	all, err := j.Since(time.Time{}, func(Setting) bool { return true })
	if err != nil || len(all) != 3 || all[0].ID != "paused" || all[2].ID != "whole" || all[2].Phase != PhaseOver {
		t.Fatalf("%+v (%v)", all, err)
	}
	late, err := j.Since(all[1].Began, func(s Setting) bool { return s.ID != "paused" })
	if err != nil || len(late) != 1 || late[0].ID != "open" {
		t.Errorf("%+v (%v)", late, err)
	}
}
