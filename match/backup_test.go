package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// TestMigrated: a journal of the first form gets the present one with all that is in it, and
// one of a form to come is refused and left as it is.
func TestMigrated(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayMiss})
	for _, stmt := range []string{
		"DROP TRIGGER matches_stay", "DROP TRIGGER matches_last", "ALTER TABLE matches DROP COLUMN sum", "ALTER TABLE records DROP COLUMN sum",
		"DELETE FROM goose_db_version WHERE version_id > 1",
	} {
		if _, err := m.journal.db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	path := m.journal.path
	if err := m.journal.Close(); err != nil {
		t.Fatal(err)
	}
	j := openTestJournal(t, path)
	if _, err := j.db.Exec("DELETE FROM matches"); err == nil {
		t.Error("the first form was not brought up to date")
	}
	m.journal = j
	resumed(t, m)
	if _, err := j.db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)"); err != nil {
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
	for _, stmt := range []string{"DROP TRIGGER records_stay", "UPDATE records SET sum = NULL, record = replace(record, 'seed 3', 'seed 4') WHERE match = '" + m.Setting().ID + "'"} {
		if _, err := j.db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Resume(j, m.Setting().ID, nil); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "restore "+j.path+" from a copy") {
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

// TestChangedLetter: one letter that has changed on the disk is noticed, even where it is no rule's.
func TestChangedLetter(t *testing.T) {
	for name, c := range map[string]struct{ trigger, change, want string }{
		"in an event":   {"records_stay", "UPDATE records SET record = replace(record, 'Benny', 'Benno') WHERE seq = 2", "event 2 of match"},
		"in a set-up":   {"matches_stay", "UPDATE matches SET setup = replace(setup, 'Ann', 'Anm')", "the set-up of match"},
		"in its number": {"records_stay", "UPDATE records SET sum = sum + 1 WHERE seq = 1", "event 1 of match"},
	} {
		m := journaled(t, table.DiceFlick, "Ann", "Ben")
		declare(t, m, Declaration{Say: SayNames, Names: []string{"Ann", "Benny"}})
		j := m.journal
		for _, stmt := range []string{"DROP TRIGGER " + c.trigger, c.change} {
			if _, err := j.db.Exec(stmt); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Resume(j, m.Setting().ID, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "restore "+j.path+" from a copy") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
