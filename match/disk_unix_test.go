//go:build unix

package match

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"diceref/table"
)

// cramped makes the test binary a program that plays until its files may grow no more.
const cramped = "MATCH_CRAMPED_JOURNAL"

// playCramped prints the number of every event that it could keep, then the error.
func playCramped(path string) {
	signal.Ignore(syscall.SIGXFSZ)
	j, err := OpenJournal(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := New(Config{ID: "one", Game: table.DiceFlick, Players: []string{"A", "B"}, Journal: j})
	if err != nil {
		fmt.Println(err)
		return
	}
	limit := syscall.Rlimit{Cur: 96 << 10, Max: 96 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		return
	}
	for i := range 1000 {
		if err := m.Declare(Declaration{Say: []string{SayMiss, SayUndo}[i%2]}); err != nil {
			fmt.Println(err)
			return // as if the power went, too
		}
		fmt.Println("told", m.Snapshot().Seq)
	}
}

// TestFileLimit: a file that may grow no more is told clearly, and all that was told is in it.
func TestFileLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), cramped+"="+path)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last := lines[len(lines)-1]
	if len(lines) < 10 || !strings.Contains(last, "match: ") || !strings.Contains(last, "full") {
		t.Fatalf("%d lines, the last: %s", len(lines), last)
	}
	var told int64
	if _, err := fmt.Sscanf(lines[len(lines)-2], "told %d", &told); err != nil {
		t.Fatal(err)
	}
	m, err := Reread(openTestJournal(t, path), "one")
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Snapshot().Seq; got < told {
		t.Errorf("the journal ends at event %d, %d was told", got, told)
	}
}
