package match

import (
	"database/sql"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"diceref/table"
)

// TestBackupWhileRunning: a copy of the one file is a backup, also while the match goes on,
// and whatever becomes of the files beside it.
func TestBackupWhileRunning(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	for i := range 12 {
		declare(t, m, Declaration{Say: []string{SayMiss, SayUndo, SayRedo}[i%3]})
		whole, err := os.ReadFile(m.journal.path)
		if err != nil {
			t.Fatal(err)
		}
		beside, err := os.ReadFile(m.journal.path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		for name, wal := range map[string][]byte{"alone": nil, "beside a damaged file": torn(beside)} {
			path := filepath.Join(t.TempDir(), "copy.db")
			if err := os.WriteFile(path, whole, 0o644); err != nil {
				t.Fatal(err)
			}
			if wal != nil {
				if err := os.WriteFile(path+"-wal", wal, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			again, err := Reread(openTestJournal(t, path), m.Setting().ID)
			if err != nil {
				t.Fatalf("%s, after %d acts: %v", name, i+1, err)
			}
			if a, b := asJSON(m.Events()), asJSON(again.Events()); a != b {
				t.Errorf("%s, after %d acts, the copy tells\n%s\nit was\n%s", name, i+1, b, a)
			}
		}
	}
}

// torn is a file with one byte in the middle of it turned over.
func torn(b []byte) []byte {
	b = append([]byte{}, b...)
	if len(b) > 0 {
		b[len(b)/2] ^= 0xff
	}
	return b
}

// older closes a journal and gives its file an earlier form.
func older(t *testing.T, j *Journal, form int64) {
	t.Helper()
	list, err := readMatches(j.db, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i], err = j.entered(list[i].id); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(j.Close(), os.Remove(j.path)); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+j.path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err == nil {
		_, err = p.UpTo(t.Context(), form)
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := func(id, text string) int64 {
		return int64(crc32.Update(crc32.ChecksumIEEE([]byte(id)), crc32.IEEETable, []byte(text)))
	}
	exec := func(query string, args ...any) {
		if form < 3 {
			query, args = strings.Replace(strings.Replace(query, ", sum", "", 1), ", ?)", ")", 1), args[:len(args)-1]
		}
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range list {
		exec("INSERT INTO matches (id, created, setup, program, model, sum) VALUES (?, '2026', ?, '', '', ?)", e.id, e.setup, sum(e.id, e.setup))
		for _, r := range e.records {
			exec("INSERT INTO records (match, seq, record, sum) VALUES (?, ?, ?, ?)", e.id, r.seq, r.text, sum(e.id, r.text))
		}
	}
}

// TestMigrated: a journal of every earlier form can be looked at as it is, gets the present one with all
// that is in it when it is written, and goes on.
func TestMigrated(t *testing.T) {
	for form := int64(1); form < 4; form++ {
		m := journaled(t, table.DiceFlick, "Ann", "Ben")
		declare(t, m, Declaration{Say: SayMiss})
		older(t, m.journal, form)
		read, err := ReadJournal(m.journal.path)
		if err != nil || read.Salvaged() != nil {
			t.Fatalf("form %d cannot be looked at: %v", form, err)
		}
		defer read.Close()
		seen, err := Reread(read, m.Setting().ID)
		if err != nil || asJSON(seen.Events()) != asJSON(m.Events()) {
			t.Errorf("form %d is read as another match (%v)", form, err)
		}
		m.journal = openTestJournal(t, m.journal.path)
		if m.journal.Salvaged() != nil {
			t.Errorf("form %d was taken for damaged", form)
		}
		if _, err := m.journal.db.Exec("DELETE FROM matches"); err == nil {
			t.Errorf("form %d was not brought up to date", form)
		}
		resumed(t, m)
		declare(t, m, Declaration{Say: SayUndo}, Declaration{Say: SayMiss})
		resumed(t, m)
	}
}

// TestFormToCome: a journal of a form to come is refused and left as it is.
func TestFormToCome(t *testing.T) {
	j := journaled(t, table.DiceFlick, "Ann", "Ben").journal
	path := j.path
	if _, err := j.db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)", form+1); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if newer, err := OpenJournal(path); err == nil {
		newer.Close()
		t.Error("a journal of a form to come was opened")
	} else if !strings.Contains(err.Error(), "newer version of the program") {
		t.Errorf("a journal of a form to come: %v", err)
	}
	if _, err := ReadJournal(path); err == nil || !strings.Contains(err.Error(), "newer version of the program") {
		t.Errorf("a journal of a form to come, to look at: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file of a form to come was changed (%v)", err)
	}
}

// TestDamagedRecord: a record that leads elsewhere than it did, of a time when records had no sums, is told with
// what to do, and the other matches of the journal are told all the same.
func TestDamagedRecord(t *testing.T) {
	m := journaled(t, table.DiceBox, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayAct, Move: "seed 3"})
	j := m.journal
	other, err := New(Config{Game: table.DiceBox, Players: []string{"Cleo", "Dora"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	older(t, j, 2)
	db, err := sql.Open("sqlite", j.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{"DROP TRIGGER records_stay", "UPDATE records SET record = replace(record, 'seed 3', 'seed 4') WHERE match = '" + m.Setting().ID + "'"} {
		if _, err := db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	j = openTestJournal(t, j.path)
	if _, err := Resume(j, m.Setting().ID, nil); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "restore "+j.path+" from a backup") {
		t.Errorf("the damaged match: %v", err)
	}
	h, err := j.History(HistoryQuery{})
	if err != nil || h.Total != 2 {
		t.Fatalf("%d matches are told (%v)", h.Total, err)
	}
	for _, s := range h.Matches {
		if (s.Trouble == "") != (s.ID == other.Setting().ID) {
			t.Errorf("%s is told with %q", s.ID, s.Trouble)
		}
	}
}

// TestChangedLetter: one letter that has changed on the disk is noticed, even where it is not a rule's.
func TestChangedLetter(t *testing.T) {
	for name, c := range map[string]struct{ trigger, change, want string }{
		"in an event":   {"records_stay", "UPDATE records SET record = replace(record, 'Benny', 'Benno') WHERE seq = 2", "event 2 of match"},
		"in a set-up":   {"matches_stay", "UPDATE matches SET setup = replace(setup, 'Ann', 'Anm')", "the set-up of match"},
		"in its number": {"records_stay", "UPDATE records SET seal = substr(seal, 2) WHERE seq = 1", "event 1 of match"},
	} {
		m := journaled(t, table.DiceFlick, "Ann", "Ben")
		declare(t, m, Declaration{Say: SayNames, Names: []string{"Ann", "Benny"}})
		j := m.journal
		where, _, _ := strings.Cut(c.trigger, "_")
		j.exec(t, "DROP TRIGGER "+c.trigger, "DROP TRIGGER "+c.trigger+" ON "+where)
		j.exec(t, c.change, c.change)
		if _, err := Resume(j, m.Setting().ID, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "restore "+j.path+" from a backup") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
