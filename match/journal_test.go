package match

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// newJournal is the name of a journal that is not there yet: a file, or, within TestOnPostgres, a database.
var newJournal = func(t *testing.T) string { return filepath.Join(t.TempDir(), "journal.db") }

func openTestJournal(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// exec does something to a journal that no program does, in the words of its engine.
func (j *Journal) exec(t *testing.T, sqlite, postgres string) {
	t.Helper()
	stmt := sqlite
	if IsAddress(j.path) {
		stmt = postgres
	}
	if _, err := j.db.Exec(stmt); err != nil {
		t.Fatal(err)
	}
}

// TestResume stops a match after every tenth observation and goes on with it from the journal.
func TestResume(t *testing.T) {
	for _, game := range []string{"dessert-dice", "dice-box", "dice-flick"} {
		t.Run(game, func(t *testing.T) {
			s := loadScript(t, game)
			j := openTestJournal(t, newJournal(t))
			m, err := New(Config{ID: "one", Game: s.Game, Players: []string{"A", "B", "C"}[:s.Players], Owners: s.Colors, Journal: j})
			if err != nil {
				t.Fatal(err)
			}
			says := s.Declare
			for i, obs := range s.frames() {
				m.See(obs)
				for len(says) > 0 && *says[0].Frame == obs.Frame {
					d := says[0]
					d.Frame = nil
					if err := m.Declare(d); err != nil {
						t.Fatal(err)
					}
					says = says[1:]
				}
				if err := m.Err(); err != nil {
					t.Fatal(err)
				}
				// Between two steps, where the view is accounted for.
				if i%50 == 0 && m.Snapshot().Phase == PhaseRead && s.Game != table.DiceBox {
					before := m.Snapshot()
					if m, err = Resume(j, "one", nil); err != nil {
						t.Fatal(err)
					}
					after := m.Snapshot()
					if diff := cmp.Diff(asJSON(before.Events), asJSON(after.Events)); diff != "" || before.ToMove != after.ToMove {
						t.Fatalf("after frame %d the journal tells another match:\n%s", obs.Frame, diff)
					}
				}
			}
			m.Finish()
			if diff := cmp.Diff(s.want(), events(m)); diff != "" {
				t.Errorf("events differ (- wanted, + told):\n%s", diff)
			}
		})
	}
}

func asJSON(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestJournalErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	taken := filepath.Join(dir, "taken.db")
	openTestJournal(t, taken)
	whole := filepath.Join(dir, "whole.db")
	j, err := OpenJournal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.begin(Setting{ID: "x", Game: table.DiceBox}); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if err := j.append("x", Record{Seq: int64(i + 1), Text: strings.Repeat("words ", 40)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"in use", taken, "in use by another program"},
		{"a folder", dir, "cannot write the journal"},
		{"below a file", filepath.Join(whole, "x.db"), "cannot create the journal's folder"},
		{"no database", write("text.db", []byte(strings.Repeat("this is no database at all\n", 300))), "damaged, or is not a journal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := OpenJournal(c.path)
			if err == nil {
				j.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
		})
	}
}

// TestJournalReadOnly: a journal that was opened to look at it takes nothing, and its file stays alone.
func TestJournalReadOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	openTestJournal(t, path).Close()
	j, err := ReadJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.begin(Setting{ID: "x"}); err == nil || !strings.Contains(err.Error(), "is open for reading only") {
		t.Errorf("error %v, want one that says that the journal cannot be written", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%d files lie there, want the journal alone (%v)", len(files), err)
	}
}

func TestJournalKeepsEverything(t *testing.T) {
	j := openTestJournal(t, newJournal(t))
	if err := j.begin(Setting{ID: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := j.append("x", Record{Seq: 1}); err != nil {
		t.Fatal(err)
	}
	// Each is refused by a trigger.
	for _, stmt := range []string{"UPDATE records SET record = ''", "DELETE FROM records", "UPDATE matches SET setup = ''", "DELETE FROM matches"} {
		if _, err := j.db.Exec(stmt); err == nil {
			t.Errorf("%s was allowed", stmt)
		}
	}
	if _, err := j.Setting("y"); !errors.Is(err, ErrNoMatch) {
		t.Errorf("an unknown match gives %v", err)
	}
}

// TestJournalPragmas: the file is written so that what was committed stays.
func TestJournalPragmas(t *testing.T) {
	j := openTestJournal(t, filepath.Join(t.TempDir(), "journal.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2" /* FULL */, "foreign_keys": "1"} {
		var got string
		if err := j.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s (%v)", pragma, got, want, err)
		}
	}
}

// TestFailedWrite: what could not be written has not happened, and is told once it can.
func TestFailedWrite(t *testing.T) {
	s := loadScript(t, "dessert-dice")
	j := openTestJournal(t, newJournal(t))
	m, err := New(Config{Game: s.Game, Players: []string{"A", "B", "C"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	frames := s.frames()
	for _, obs := range frames[:20] {
		m.See(obs)
	}
	j.exec(t, "CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
		"CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE disk_full; END'; CREATE TRIGGER brimful BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION fill()")
	for _, obs := range frames[20:30] {
		m.See(obs)
	}
	if m.Err() == nil || len(m.Events()) != 1 || m.Snapshot().Trouble == "" {
		t.Fatalf("with a full disk: error %v, events %v", m.Err(), events(m))
	}
	j.exec(t, "DROP TRIGGER full", "DROP TRIGGER brimful ON records")
	for _, obs := range frames[30:] {
		m.See(obs)
	}
	m.Finish()
	if diff := cmp.Diff(s.want(), events(m)); diff != "" || m.Err() != nil {
		t.Errorf("afterwards: %v\n%s", m.Err(), diff)
	}
}

// testGC is how much garbage there may be in tests for each hundred bytes that are in use.
const testGC = 400

// crashEnv makes the test binary a program that plays a match until it is killed.
const crashEnv = "MATCH_CRASH_JOURNAL"

// TestMain plays what a test has another process play. Otherwise it collects garbage more seldom, which takes a sixth of the
// time of these tests.
func TestMain(m *testing.M) {
	if path := os.Getenv(cramped); path != "" {
		playCramped(path)
		os.Exit(0)
	}
	if spec := os.Getenv(eventfulEnv); spec != "" {
		if err := playEventful(spec); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(crashEnv); path != "" {
		if err := playForever(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	debug.SetGCPercent(testGC)
	os.Exit(m.Run())
}

// playForever continues the newest match of the journal, or a new one once that is over,
// and prints the number of each event when it has been told.
func playForever(path string) error {
	j, err := OpenJournal(path)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		m, err := newest(j)
		if err != nil {
			return err
		}
		if n > 0 || m.Snapshot().Phase == PhaseOver {
			if m, err = New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}, Journal: j}); err != nil {
				return err
			}
		}
		sub := m.Subscribe(m.Snapshot().Seq)
		for m.Snapshot().Phase != PhaseOver {
			if err := m.Declare(Declaration{Say: []string{SayMiss, SayMiss, SayUndo, SayMiss, SayNext}[m.Snapshot().Seq%5]}); err != nil {
				return err
			}
			for len(sub.C) > 0 {
				e := <-sub.C
				fmt.Println(m.Setting().ID, e.Seq, told(e.Event))
			}
		}
	}
}

func newest(j *Journal) (*Match, error) {
	list, err := j.Matches()
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return New(Config{Game: table.DiceFlick, Players: []string{"A", "B"}, Journal: j})
	}
	return Resume(j, list[0].ID, nil)
}

var kills = flag.Int("kills", 25, "how often TestCrash kills the program")

// startSelf starts this test program again with a word in its environment that says what to
// do. It can be killed at any time; what it complains of is in the builder behind its Stderr.
func startSelf(t *testing.T, env string) (cmd *exec.Cmd, out io.Reader, kill func()) {
	t.Helper()
	ctx, kill := context.WithCancel(context.Background())
	cmd = exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), env)
	cmd.Stderr = new(strings.Builder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out, kill
}

// TestCrash kills a program at random instants: whatever it told is in the journal,
// and it goes on from there. The long form is go test ./match -run Crash -kills 1000 -timeout 1h.
func TestCrash(t *testing.T) {
	crash(t, *kills)
}

func crash(t *testing.T, times int) {
	path := newJournal(t)
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, seed))
	acknowledged := map[string]string{}
	for i := range times {
		cmd, out, kill := startSelf(t, crashEnv+"="+path)
		lines := rng.IntN(40)
		pause := time.Duration(rng.IntN(3000)) * time.Microsecond
		in := bufio.NewReader(out)
		for n := 0; ; n++ {
			line, err := in.ReadString('\n')
			if err != nil {
				break
			}
			id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			seq, words, _ := strings.Cut(rest, " ")
			acknowledged[id+" "+seq] = words
			if n == lines {
				time.Sleep(pause) // somewhere within the writing of the next ones
				kill()
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		kill()
		if complaints := cmd.Stderr.(*strings.Builder); complaints.Len() > 0 {
			t.Fatalf("seed %d, kill %d: %s", seed, i, complaints.String())
		}
		checkAcknowledged(t, path, acknowledged, latest)
	}
	checkAcknowledged(t, path, acknowledged, times)
	if len(acknowledged) < times {
		t.Errorf("only %d events in %d runs", len(acknowledged), times)
	}
}

// latest is how many matches are gone through after every kill: a run plays on in the last
// one and may begin others. After the last kill all of them are.
const latest = 3

// checkAcknowledged holds the journal's latest matches, so many of them, against what was told.
func checkAcknowledged(t *testing.T, path string, acknowledged map[string]string, matches int) {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	list, err := j.Matches()
	if err != nil {
		t.Fatal(err)
	}
	kept, known := map[string]string{}, map[string]bool{}
	for _, s := range list[:min(matches, len(list))] {
		known[fmt.Sprint(s.ID)] = true
		m, err := Resume(j, s.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range m.Events() {
			kept[fmt.Sprint(s.ID, " ", e.Seq)] = told(e.Event)
		}
	}
	for key, words := range acknowledged {
		id, _, _ := strings.Cut(key, " ")
		if (known[id] || matches >= len(list)) && kept[key] != words {
			t.Fatalf("event %s was told as %q, the journal has %q", key, words, kept[key])
		}
	}
}
