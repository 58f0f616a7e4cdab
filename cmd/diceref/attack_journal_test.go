package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// command runs the program with a data folder, and returns what it printed and complained of.
func command(t *testing.T, data string, args ...string) (code int, out, complaints string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append(args, "--data", data), strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// played keeps matches of DICE Flick in a data folder's journal, the last one first to be listed, and returns it open.
func played(t *testing.T, data string, ids ...string) *match.Journal {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(data, journalName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	for _, id := range ids {
		m, err := match.New(match.Config{ID: id, Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j})
		if err != nil {
			t.Fatal(err)
		}
		for _, say := range []string{match.SayMiss, match.SayMiss, match.SayNext} {
			if err := m.Declare(match.Declaration{Say: say}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// TestAttackHistoryInUse: while a server has the journal, it is listed, replayed, exported and looked at by the doctor;
// what would change it is refused with the way to do it.
func TestAttackHistoryInUse(t *testing.T) {
	data := t.TempDir()
	played(t, data, "one", "two")
	for _, c := range []struct{ args, want string }{
		{"history", "two  "},
		{"history --json", `"total":2`},
		{"history --players", "Ann"},
		{"replay one", "Ann"},
		{"replay one --as export", `"diceref_match"`},
		{"replay one --as csv", "total,0,0"},
		{"history --salvage " + filepath.Join(data, "saved.db"), "nothing is damaged"},
	} {
		code, out, complaints := command(t, data, strings.Fields(c.args)...)
		if code != exitDone || !strings.Contains(out, c.want) || complaints != "" {
			t.Errorf("%s: %d, %s%s, want %q", c.args, code, out, complaints, c.want)
		}
	}
	for _, args := range []string{"history delete one", "history rename one Final", "history rename-player Ann Anna"} {
		if code, _, complaints := command(t, data, strings.Fields(args)...); code != exitBad || !strings.Contains(complaints, "in use by another program") {
			t.Errorf("%s: %d, %s", args, code, complaints)
		}
	}
	if f := checkJournal(filepath.Join(data, journalName)); f.health != fine || !strings.Contains(f.text, "is fine (2 matches)") {
		t.Errorf("the doctor says %+v", f)
	}
}

// TestEmptyHistory: where there are no matches, the list says so.
func TestEmptyHistory(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"history", "No matches yet. Play one: diceref serve\n"},
		{"history --players", "No matches yet. Play one: diceref serve\n"},
		{"history --json", `{"total":0,"matches":[]}` + "\n"},
		{"history --players --json", `{"matches":0,"players":[],"games":[]}` + "\n"},
	} {
		for range 2 { // without a journal, and with an empty one
			if code, out, complaints := command(t, data, strings.Fields(c.args)...); code != exitDone || out != c.want || complaints != "" {
				t.Errorf("%s: %d, %q, %s", c.args, code, out, complaints)
			}
			played(t, data).Close()
		}
		if err := os.Remove(filepath.Join(data, journalName)); err != nil {
			t.Fatal(err)
		}
	}
	played(t, data, "one").Close()
	for args, want := range map[string]string{"history --game dice-box": "No matches found.\n", "history --from 5": "There are no more: 1 match in all.\n", "history --deleted": "No deleted matches.\n"} {
		if code, out, _ := command(t, data, strings.Fields(args)...); code != exitDone || out != want {
			t.Errorf("%s: %d, %q", args, code, out)
		}
	}
	if code, _, complaints := command(t, t.TempDir(), "replay", "one"); code != exitBad || !strings.Contains(complaints, `there is no file "one", and no journal yet`) {
		t.Errorf("replay: %d, %s", code, complaints)
	}
}

// TestHistoryChanges: matches and players are renamed, matches deleted, restored and purged on the command line.
func TestHistoryChanges(t *testing.T) {
	data := t.TempDir()
	played(t, data, "one", "two").Close()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"history", "rename", "one", "The final"}, exitDone, ""},
		{[]string{"history"}, exitDone, "The final: Ann 0, Ben 0"},
		{[]string{"history", "rename-players", "one", "Anna", "Ben"}, exitDone, ""},
		{[]string{"history", "rename-player", "Ann", "Anna"}, exitDone, "Ann is now called Anna in 1 match"},
		{[]string{"history", "rename-player", "Anna", "Ben"}, exitDone, "Anna is now called Ben in 0 matches"},
		{[]string{"history", "rename-player", "Ann", "Anna"}, exitBad, `no player is called Ann`},
		{[]string{"history", "--players"}, exitDone, "Anna    DICE Flick  2"},
		{[]string{"history", "purge", "one", "--yes"}, exitBad, "delete the match first (diceref history delete one)"},
		{[]string{"history", "delete", "one"}, exitDone, ""},
		{[]string{"history", "--deleted"}, exitDone, "one  "},
		{[]string{"history", "restore", "one"}, exitDone, ""},
		{[]string{"history", "delete", "one"}, exitDone, ""},
		{[]string{"history", "purge", "one"}, exitUsage, "add --yes to confirm"},
		{[]string{"history", "purge", "one", "--yes"}, exitDone, ""},
		{[]string{"history", "--deleted"}, exitDone, "No deleted matches."},
		{[]string{"history", "delete", "three"}, exitBad, `there is no match "three" (diceref history lists them)`},
		{[]string{"history", "delete", "two"}, exitDone, ""},
		{[]string{"history"}, exitDone, "All matches are deleted: list them with --deleted."},
	} {
		code, out, complaints := command(t, data, c.args...)
		if code != c.code || !strings.Contains(out+complaints, c.want) {
			t.Errorf("%v: %d, %s%s, want %d and %q", c.args, code, out, complaints, c.code, c.want)
		}
	}
}

// spoil changes a letter of a match's last event in a journal.
func spoil(t *testing.T, data, id string) {
	t.Helper()
	file := filepath.Join(data, journalName)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(id+`.{0,4}\{"seq":4[^}]*"miss`).FindAllIndex(b, -1)
	if len(found) == 0 {
		found = regexp.MustCompile(id+`.{0,4}\{"seq":4.{40}`).FindAllIndex(b, -1)
	}
	if len(found) == 0 {
		t.Fatalf("no event of %s", id)
	}
	for _, at := range found {
		b[at[1]-1] ^= 4
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// logged is a table that keeps its log, without a camera.
func logged(t *testing.T, data string) (*host, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	h := newHost(t.Context(), eye.Config{}, data, "", slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(h.close)
	return h, &log
}

// TestAttackDamagedServe: damage in one match, the last one included, keeps neither the others from being listed
// nor the table from beginning a new match; the log, the page and the doctor say what happened.
func TestAttackDamagedServe(t *testing.T) {
	for _, bad := range []string{"first", "last"} {
		data := t.TempDir()
		played(t, data, "first", "middle", "last").Close()
		spoil(t, data, bad)
		code, out, complaints := command(t, data, "history")
		if code != exitDone || strings.Count(out, "\n") != 3 || strings.Count(out, "damaged") != 1 || !regexp.MustCompile(bad+` .*damaged: \d events? lost`).MatchString(out) || !strings.Contains(complaints, "match "+bad) {
			t.Errorf("history: %d, %s%s", code, out, complaints)
		}
		if f := checkJournal(filepath.Join(data, journalName)); f.health != broken || !strings.Contains(f.text, "match "+bad) || !strings.Contains(f.advice, "--salvage") {
			t.Errorf("the doctor says %+v", f)
		}
		saved := filepath.Join(data, "saved.db")
		if code, out, _ := command(t, data, "history", "--salvage", saved); code != exitDone || !strings.Contains(out, "2 matches are complete; match "+bad) {
			t.Errorf("salvage: %d, %s", code, out)
		}
		if code, _, complaints := command(t, data, "history", "--salvage", saved); code != exitBad || !strings.Contains(complaints, "exists") {
			t.Errorf("salvage over a file: %d, %s", code, complaints)
		}
		if code, out, complaints := command(t, data, "history", "--journal", saved); code != exitDone || strings.Count(out, "\n") != 3 || complaints != "" {
			t.Errorf("what was saved: %d, %s%s", code, out, complaints)
		}
		h, log := logged(t, data)
		cfg := match.Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}
		if err := h.begin(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}, true); err != nil {
			t.Fatalf("%s is damaged, and the table does not begin: %v", bad, err)
		}
		if id := h.Snapshot().ID; (id == "last") != (bad == "first") {
			t.Errorf("%s is damaged: the table goes on with %s", bad, id)
		}
		for _, want := range []string{"the journal was damaged", "match " + bad, ".damaged-"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("%s is damaged: no %q in the log:\n%s", bad, want, log)
			}
		}
		if bad == "last" && !strings.Contains(log.String(), "starting a new one") {
			t.Errorf("the log does not say that a new match began:\n%s", log)
		}
		if err := h.Declare(match.Declaration{Say: match.SayMiss}); err != nil {
			t.Error(err)
		}
		page, err := past{h}.History(match.HistoryQuery{})
		if err != nil || len(page.Damaged) != 1 || page.Total < 3 {
			t.Errorf("the page lists %d matches and tells of %v (%v)", page.Total, page.Damaged, err)
		}
		h.close()
		if f := checkJournal(filepath.Join(data, journalName)); f.health != caution || !strings.Contains(f.text, ".damaged-") {
			t.Errorf("afterwards the doctor says %+v", f)
		}
	}
}

// TestAttackEmptiedServe: a journal of 0 bytes, or of 1, is noticed with a word; where there was none, there is none.
func TestAttackEmptiedServe(t *testing.T) {
	for size, want := range map[int64]string{-1: "", 0: "the journal was an empty file", 1: "the journal was damaged"} {
		data := t.TempDir()
		if size >= 0 {
			played(t, data, "one").Close()
			if err := os.Truncate(filepath.Join(data, journalName), size); err != nil {
				t.Fatal(err)
			}
		}
		h, log := logged(t, data)
		cfg := match.Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}
		if err := h.begin(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}, true); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		if got := log.String(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%d bytes: the log says %q", size, got)
		}
	}
}

// TestAttackClockServe: a restart goes on with the match that began last, whatever the clock said.
func TestAttackClockServe(t *testing.T) {
	data := t.TempDir()
	h, _ := logged(t, data)
	cfg := match.Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}
	where := sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}
	for _, years := range []int{1, 0, -30} {
		cfg.ID, cfg.Clock = fmt.Sprint("at", years), func() time.Time { return time.Now().AddDate(years, 0, 0) }
		if err := errors.Join(h.begin(cfg, where, false), h.Declare(match.Declaration{Say: match.SayMiss})); err != nil {
			t.Fatal(err)
		}
	}
	h.close()
	again, log := logged(t, data)
	cfg.ID, cfg.Clock = "", nil
	if err := again.begin(cfg, where, true); err != nil {
		t.Fatal(err)
	}
	if id := again.Snapshot().ID; id != "at-30" {
		t.Errorf("goes on with %s, the last one was at-30\n%s", id, log)
	}
}

// TestAttackGoneServe: once the journal's file is gone nothing is acknowledged, the page says so, and a new match
// begins in a new file.
func TestAttackGoneServe(t *testing.T) {
	data := t.TempDir()
	h, log := logged(t, data)
	cfg := match.Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}
	where := sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}
	if err := errors.Join(h.begin(cfg, where, false), os.Remove(filepath.Join(data, journalName))); err != nil {
		t.Fatal(err)
	}
	if err := h.Declare(match.Declaration{Say: match.SayMiss}); !errors.Is(err, match.ErrGone) {
		t.Errorf("acknowledged with %v", err)
	}
	if trouble := h.Snapshot().Trouble; !strings.Contains(trouble, "was deleted or replaced") {
		t.Errorf("the page says %q", trouble)
	}
	if err := errors.Join(h.begin(cfg, where, false), h.Declare(match.Declaration{Say: match.SayMiss})); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "starting another journal") {
		t.Errorf("the log says %s", log)
	}
	id := h.Snapshot().ID
	h.close()
	if code, out, _ := command(t, data, "history"); code != exitDone || !strings.Contains(out, id) {
		t.Errorf("history: %d, %s", code, out)
	}
}

// TestAttackPrivateData: the folder of the data is closed to others, also one of an earlier version; a folder that holds
// other things stays as it is.
func TestAttackPrivateData(t *testing.T) {
	for name, want := range map[string]fs.FileMode{journalName: 0o700, "holiday.jpg": 0o755} {
		data := filepath.Join(t.TempDir(), "data")
		if err := errors.Join(os.Mkdir(data, 0o755), os.Chmod(data, 0o755), os.WriteFile(filepath.Join(data, name), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		h, _ := logged(t, data)
		cfg := match.Config{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}
		if err := h.begin(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}, true); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(data); err != nil || info.Mode().Perm() != want {
			t.Errorf("the folder with %s is %v, want %v (%v)", name, info.Mode().Perm(), want, err)
		}
		if info, err := os.Stat(filepath.Join(data, journalName)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the journal is %v (%v)", info.Mode().Perm(), err)
		}
	}
}

// TestAttackFuzzing: a fuzz target does not spend its time on making one input smaller.
func TestAttackFuzzing(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", ".dev", "fuzz"))
	if err != nil || !strings.Contains(string(script), "-fuzzminimizetime 1s") {
		t.Errorf("no limit for it in .dev/fuzz (%v)", err)
	}
}
