package match

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"
	"time"

	"diceref/match/postgrestest"
	"diceref/table"
)

// TestOnPostgres holds the other engine to what a journal in a file is held to, and to what a server does that a
// file does not.
func TestOnPostgres(t *testing.T) {
	server := postgrestest.Start(t)
	onFile, fileKills := newJournal, *kills
	newJournal = func(t *testing.T) string { return server.Database(t) }
	*kills = min(*kills, 8)
	t.Cleanup(func() { newJournal, *kills = onFile, fileKills })
	for _, each := range []struct {
		name string
		test func(*testing.T)
	}{
		{"KeepsEverything", TestJournalKeepsEverything},
		{"FailedWrite", TestFailedWrite},
		{"Crash", TestCrash},
		{"History", TestHistory},
		{"Statistics", TestStatistics},
		{"Past", TestPast},
		{"Export", TestExport},
		{"ExportOfOthers", TestExportOfOthers},
		{"ImportRefuses", TestImportRefuses},
		{"Delete", TestDeleteMatch},
		{"DeletePlayed", TestDeletePlayed},
		{"DeleteUnreadable", TestDeleteUnreadable},
		{"EmptyRematch", TestEmptyRematch},
		{"RenamePlayer", TestRenamePlayer},
		{"ChangedLetter", TestChangedLetter},
		{"KeptAfterARestart", TestKeptAfterARestart},
		{"Leagues", TestLeagues},
		{"Since", TestSince},
	} {
		t.Run(each.name, each.test)
	}
	t.Run("Save", testSave)
	t.Run("Behind", testBehind)
	t.Run("Addresses", func(t *testing.T) { testAddresses(t, server) })
	t.Run("CutOff", func(t *testing.T) { testCutOff(t, server) })
	t.Run("Killed", func(t *testing.T) { testKilled(t, server) })
}

// testSave: everything in a database can be saved to a file, and is read from there as it was.
func testSave(t *testing.T) {
	j := playedJournal(t)
	path := t.TempDir() + "/saved.db"
	if err := j.Save(path); err != nil {
		t.Fatal(err)
	}
	saved := openTestJournal(t, path)
	if got, want := asJSON(kept(t, saved)), asJSON(kept(t, j)); got != want {
		t.Errorf("saved was\n%s\ninstead of\n%s", got, want)
	}
	if got := fmt.Sprint(shelf(t, saved, HistoryQuery{})); got != "[paused open whole]" {
		t.Errorf("saved in the order %s", got)
	}
}

// testBehind: of two programs that write to one match, who comes second is told, and has done nothing.
func testBehind(t *testing.T) {
	name := newJournal(t)
	j, other := openTestJournal(t, name), openTestJournal(t, name)
	m, err := New(Config{ID: "one", Game: table.DiceFlick, Players: []string{"A", "B"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Resume(other, "one", nil)
	if err != nil {
		t.Fatal(err)
	}
	declare(t, again, Declaration{Say: SayMiss})
	before := m.Snapshot()
	if err := m.Declare(Declaration{Say: SayNext}); !errors.Is(err, ErrBehind) || !errors.Is(m.Err(), ErrBehind) {
		t.Fatalf("who came second was told %v", err)
	}
	if now := m.Snapshot(); now.Seq != before.Seq || len(now.Events) != len(before.Events) {
		t.Errorf("something has happened all the same: %v", now.Events)
	}
	if m, err = Resume(j, "one", nil); err != nil {
		t.Fatal(err)
	}
	declare(t, m, Declaration{Say: SayNext})
	records, err := other.Records("one")
	if err != nil || int64(len(records)) != m.Snapshot().Seq {
		t.Errorf("%d records, the match knows %d (%v)", len(records), m.Snapshot().Seq, err)
	}
	// Both at the same moment: one of them.
	end := int64(len(records))
	done := make(chan error, 2)
	for _, j := range []*Journal{j, other} {
		go func() { done <- j.append("one", Record{Seq: end + 1, By: ByPlayer}) }()
	}
	one, two := <-done, <-done
	if (one == nil) == (two == nil) || !errors.Is(errors.Join(one, two), ErrBehind) {
		t.Errorf("two at the same time: %v, %v", one, two)
	}
}

// testAddresses: what cannot be opened is told with a reason, and never with the password.
func testAddresses(t *testing.T, server *postgrestest.Server) {
	const secret = "s3cret%20word"
	server.Exec(t, "CREATE ROLE limited LOGIN PASSWORD 's3cret word'")
	open := server.Database(t)
	name := strings.TrimPrefix(open[strings.LastIndex(open, "/"):], "/")
	limited := server.Address(url.UserPassword("limited", "s3cret word"), name)
	host := open[strings.Index(open, "@")+1 : strings.LastIndex(open, "/")]
	for _, c := range []struct{ name, address, want string }{
		{"no rights", limited, "make it the owner of the database"},
		{"no such user", "postgres://nobody:" + secret + "@" + host + "/" + name, "check the address"},
		{"no such database", "postgres://diceref:" + secret + "@" + host + "/nowhere", "has no such database"},
		{"nobody there", "postgres://diceref:" + secret + "@127.0.0.1:1/x", "cannot be reached"},
		{"no address", "postgres://diceref:" + secret + "@%zz/x", "cannot read the address"},
		{"an odd option", "postgres://diceref:" + secret + "@" + host + "/x?sslmode=perhaps", "sslmode is invalid"},
		{"a password as an option", "postgres://diceref@" + host + "/x?sslmode=perhaps&password=" + secret, "sslmode is invalid"},
	} {
		for how, open := range map[string]func(string) (*Journal, error){"write": OpenJournal, "read": ReadJournal} {
			j, err := open(c.address)
			if err == nil {
				j.Close()
				if how == "write" || c.want != "make it the owner of the database" {
					t.Errorf("%s: opened to %s", c.name, how)
				}
				continue
			}
			if errors.Is(err, fs.ErrNotExist) && how == "read" {
				continue // it may look, and there is nothing yet
			}
			if text := err.Error(); !strings.Contains(text, c.want) || strings.Contains(text, "s3cret") {
				t.Errorf("%s: to %s: %s", c.name, how, text)
			}
		}
	}
	if _, err := ReadJournal(open); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty database was read: %v", err)
	}
	j := openTestJournal(t, open)
	if _, err := j.db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)", form+1); err != nil {
		t.Fatal(err)
	}
	for how, again := range map[string]func(string) (*Journal, error){"write": OpenJournal, "read": ReadJournal} {
		if _, err := again(open); err == nil || !strings.Contains(err.Error(), "newer version") {
			t.Errorf("a form to come, opened to %s: %v", how, err)
		}
	}
	server.Exec(t, "ALTER DATABASE "+name+" OWNER TO limited")
}

// playOn plays while something is done again and again, until that was done often enough and enough was acknowledged, and
// returns what was, by number. Whatever fails is tried again, after the match was read again.
func playOn(t *testing.T, j *Journal, times int, pause time.Duration, do func()) map[int64]string {
	t.Helper()
	m, err := New(Config{ID: "one", Game: table.DiceFlick, Players: []string{"A", "B"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range times {
			time.Sleep(pause)
			do()
		}
	}()
	acknowledged := map[int64]string{}
	for n := 0; ; n++ {
		select {
		case <-done:
			if len(acknowledged) >= 20 {
				return acknowledged
			}
		default:
		}
		now := m.Snapshot()
		err := m.Declare(Declaration{Say: []string{SayMiss, SayUndo}[n%2]})
		if err == nil {
			for _, e := range m.Events() {
				if e.Seq > now.Seq {
					acknowledged[e.Seq] = told(e.Event)
				}
			}
			continue
		}
		for {
			if m, err = Resume(j, "one", nil); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// checkPlayed holds the journal against what was acknowledged: all of it is there, once.
func checkPlayed(t *testing.T, j *Journal, acknowledged map[int64]string) {
	t.Helper()
	m, err := Reread(j, "one")
	for end := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(end); m, err = Reread(j, "one") {
		time.Sleep(20 * time.Millisecond) // the last cut is noticed by whoever reads next
	}
	if err != nil {
		t.Fatal(err)
	}
	kept := map[int64]string{}
	for _, e := range m.Events() {
		kept[e.Seq] = told(e.Event)
	}
	for seq, words := range acknowledged {
		if kept[seq] != words {
			t.Errorf("event %d was told as %q, the journal has %q", seq, words, kept[seq])
		}
	}
}

// testCutOff: connections that are cut at any moment, also while something is committed, lose nothing that was
// acknowledged, and nothing is written twice.
func testCutOff(t *testing.T, server *postgrestest.Server) {
	j := openTestJournal(t, newJournal(t))
	checkPlayed(t, j, playOn(t, j, 60, 15*time.Millisecond, func() {
		server.Exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'diceref'")
	}))
}

// testKilled: PostgreSQL itself is killed again and again.
func testKilled(t *testing.T, server *postgrestest.Server) {
	j := openTestJournal(t, newJournal(t))
	checkPlayed(t, j, playOn(t, j, 3, 100*time.Millisecond, func() {
		server.Kill()
		server.Run(t)
	}))
	if err := j.db.PingContext(context.Background()); err != nil {
		t.Error(err)
	}
}
