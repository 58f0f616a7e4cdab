package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// TestDiskFull: what a full disk does not take has not happened, the page is told what
// to do, and the match goes on once there is room.
func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := openTestJournal(t, path)
	m, err := New(Config{ID: "one", Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.db.Exec("PRAGMA max_page_count = 12"); err != nil { // SQLite answers as on a full disk
		t.Fatal(err)
	}
	words := []string{SayMiss, SayUndo}
	n := 0
	for ; err == nil && n < 500; n++ {
		err = m.Declare(Declaration{Say: words[n%2]})
	}
	if err == nil || !strings.Contains(err.Error(), "is full: free some space") || m.Snapshot().Trouble == "" {
		t.Fatalf("after %d acts: %v, trouble %q", n, err, m.Snapshot().Trouble)
	}
	told := m.Events()
	if _, err := j.db.Exec("PRAGMA max_page_count = 100000"); err != nil {
		t.Fatal(err)
	}
	if err := m.Declare(Declaration{Say: words[(n-1)%2]}); err != nil || m.Snapshot().Trouble != "" {
		t.Fatalf("with room again: %v, trouble %q", err, m.Snapshot().Trouble)
	}
	if len(m.Events()) <= len(told) {
		t.Error("the act that failed was not told once it could be")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Reread(openTestJournal(t, path), "one")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(m.Events()), asJSON(again.Events())); diff != "" {
		t.Errorf("the journal tells another match: %s", diff)
	}
}

// TestTwoServers: the second program on a file is told so, and the first one's match is whole.
func TestTwoServers(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	declare(t, m, Declaration{Say: SayMiss})
	for range 3 {
		if j, err := OpenJournal(m.journal.path); err == nil {
			j.Close()
			t.Fatal("two programs have the journal open")
		} else if !strings.Contains(err.Error(), "in use by another program (stop it, or choose another file)") {
			t.Errorf("the second program says %v", err)
		}
		declare(t, m, Declaration{Say: SayUndo}, Declaration{Say: SayRedo})
	}
	resumed(t, m)
}

// TestReadOnlyFile: a file that may not be written is told at once, and stays as it was.
func TestReadOnlyFile(t *testing.T) {
	m := journaled(t, table.DiceFlick, "Ann", "Ben")
	path := m.journal.path
	if err := m.journal.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	j, err := OpenJournal(path)
	switch {
	case err == nil && os.Geteuid() != 0: // nothing is read-only to root
		t.Error("a read-only journal was opened")
	case err == nil:
		j.Close()
	case !strings.Contains(err.Error(), "cannot write the journal"):
		t.Errorf("a read-only journal: %v", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || len(after) != len(before) {
		t.Errorf("the file has changed: %d bytes, %d before (%v)", len(after), len(before), err)
	}
}
