package hall

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressly/goose/v3/lock"

	"diceref/match"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
)

func openTestHall(t *testing.T, address, name string) *Hall {
	t.Helper()
	h, err := Open(Config{Address: address, Process: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// openTwo opens a hall twice, with a table called Window whose match both show.
func openTwo(t *testing.T, server *postgrestest.Server, setup Setup) (one, two *Hall) {
	t.Helper()
	address := server.Database(t)
	one, two = openTestHall(t, address, "one"), openTestHall(t, address, "two")
	if _, err := one.Add("Window", "CODE", setup); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*Hall{one, two} {
		halltest.Await(t, "the match has begun", func() bool { return h.Table("window") != nil && h.Table("window").Snapshot().Seq >= 1 })
	}
	return one, two
}

func flick() Setup { return Setup{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}} }

func say(what, key string) match.Declaration {
	return match.Declaration{Say: what, Source: match.Source{Key: key, Who: "test"}}
}

var (
	kills   = flag.Int("kills", 5, "how often TestHall kills the process that has the table")
	cutOffs = flag.Int("cut-offs", 1, "how often TestHall cuts that process's machine off from the database")
)

// hallTest is a part of TestHall.
type hallTest struct {
	name string
	test func(*testing.T, *postgrestest.Server)
}

// onLinux are the parts that need what only Linux has.
var onLinux []hallTest

// TestHall runs everything on one PostgreSQL, each part in a database of its own.
func TestHall(t *testing.T) {
	server := postgrestest.Start(t)
	for _, each := range append([]hallTest{
		{"Shared", testShared},
		{"Again", testAgain},
		{"Refusals", testRefusals},
		{"Begin", testBegin},
		{"Seen", testSeen},
		{"ReadLate", testReadLate},
		{"ReadFails", testReadFails},
		{"Rights", testRights},
		{"Start", testStart},
		{"Killed", testKilled},
		{"DatabaseKilled", testDatabaseKilled},
		{"CutOff", testCutOff},
	}, onLinux...) {
		t.Run(each.name, func(t *testing.T) { each.test(t, server) })
	}
}

// testShared: what is said at any process is seen at every other one, in the same order.
func testShared(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	var halls []*Hall
	for i := range 3 {
		halls = append(halls, openTestHall(t, address, fmt.Sprint(i)))
	}
	for i := range 4 {
		if _, err := halls[0].Add(fmt.Sprint("Table ", i), "CODE", flick()); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range halls {
		halltest.Await(t, "every process knows every table", func() bool { return len(h.Tables()) == 4 })
	}
	halltest.Await(t, "every table is somebody's", func() bool {
		n := 0
		for _, h := range halls {
			for _, table := range h.Tables() {
				if table.Owned() {
					n++
				}
			}
		}
		return n == 4
	})
	halltest.Await(t, "each process has its share", func() bool {
		for _, h := range halls {
			n := 0
			for _, table := range h.Tables() {
				if table.Owned() {
					n++
				}
			}
			if n > 2 {
				return false
			}
		}
		return true
	})
	// One page at each process looks on before anything happens, so that it has to follow.
	for _, h := range halls {
		halltest.Await(t, "the match has begun", func() bool { return h.Table("table-1").Snapshot().Seq >= 1 })
	}
	const times = 10
	var all sync.WaitGroup
	for i, h := range halls {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := range times {
				if err := h.Table("table-1").Declare(say([]string{match.SayPause, match.SayResume}[n%2], fmt.Sprint(i, "-", n))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
	records, err := halls[0].Journal().Records(halls[0].Table("table-1").now().match)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]int{}
	for _, r := range records {
		if r.Key != "" {
			keys[r.Key]++
			if r.Who != "test" {
				t.Errorf("event %d was said by %q", r.Seq, r.Who)
			}
		}
	}
	for key, n := range keys {
		if n != 1 {
			t.Errorf("%s was applied %d times", key, n)
		}
	}
	want := ""
	for i, h := range halls {
		table := h.Table("table-1")
		halltest.Await(t, "it has caught up", func() bool { return table.Snapshot().Seq == int64(len(records)) })
		var got []string
		for _, e := range table.Snapshot().Events {
			got = append(got, fmt.Sprint(e.Seq, e.Type, e.Text))
		}
		if text := strings.Join(got, "\n"); i == 0 {
			want = text
		} else if text != want {
			t.Errorf("process %d tells\n%s\ninstead of\n%s", i, text, want)
		}
		halltest.Await(t, "what only the owner knows is told", func() bool { return table.Live().Seq == int64(len(records)) })
	}
}

// testAgain: what is sent again with the same key is applied once, at whatever process it arrives.
func testAgain(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	for range 2 {
		for _, h := range []*Hall{one, two} {
			if err := h.Table("window").Declare(say(match.SayMiss, "the same")); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, h := range []*Hall{one, two} {
		halltest.Await(t, "both know", func() bool { return len(h.Table("window").Snapshot().Events) == 2 })
	}
}

// testRefusals: why something cannot be done is told in the same form wherever it was said.
func testRefusals(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, Setup{Game: table.DiceBox, Players: []string{"Ann", "Ben"}})
	for _, h := range []*Hall{one, two} {
		for _, d := range []match.Declaration{{Say: match.SayRedo}, {Say: match.SayAct, Move: "A place R9 c2"}} {
			var r *match.Rejection
			if err := h.Table("window").Declare(d); !errors.As(err, &r) {
				t.Errorf("%s: %v", d.Say, err)
			}
		}
		if err := h.Table("window").Declare(match.Declaration{Say: match.SayAct, Move: "seed 3"}); err != nil && h == one {
			t.Fatal(err)
		}
		var illegal *match.Refusal
		if err := h.Table("window").Declare(match.Declaration{Say: match.SayAct, Move: "A place R6 a1"}); !errors.As(err, &illegal) || illegal.Code == "" {
			t.Errorf("an illegal act: %v", err)
		}
	}
}

// testBegin: a new match begins wherever that is asked for, once, and a rematch follows at every process.
func testBegin(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	next := Setup{Game: table.DiceBox, Players: []string{"Cleo", "Dora"}}
	for _, h := range []*Hall{one, two} {
		if err := h.Table("window").Begin(next, match.Source{Key: "new", Who: "referee Ina"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []*Hall{one, two} {
		halltest.Await(t, "the new match is shown", func() bool {
			s := h.Table("window").Snapshot()
			return s.Game == table.DiceBox && s.Players[0] == "Cleo"
		})
	}
	if list, err := one.Journal().Matches(); err != nil || len(list) != 2 {
		t.Errorf("%d matches were begun (%v)", len(list), err)
	}
	before := one.Table("window").Snapshot().ID
	if err := two.Table("window").Declare(say(match.SayRematch, "r")); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*Hall{one, two} {
		halltest.Await(t, "the rematch is shown", func() bool { s := h.Table("window").Snapshot(); return s.ID != before && s.Seq >= 1 })
	}
	if err := one.Table("window").Begin(Setup{Game: table.DiceBox, Players: []string{"A", "A"}}, match.Source{}); err == nil {
		t.Error("two players of one name may play")
	}
}

// testRights: who has which code, and which tables can be set up.
func testRights(t *testing.T, server *postgrestest.Server) {
	h := openTestHall(t, server.Database(t), "one")
	if err := h.AddReferee("Ina", "SECRET"); err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the referee is known", func() bool { return h.Referee("SECRET") != "" })
	for code, want := range map[string]string{"SECRET": "Ina", "secret": "", "": "", "' OR '1'='1": ""} {
		if got := h.Referee(code); got != want {
			t.Errorf("%q is the code of %q", code, got)
		}
	}
	if err := h.AddReferee("Ina", "OTHER"); err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the new code is known", func() bool { return h.Referee("OTHER") == "Ina" })
	if h.Referee("SECRET") != "" {
		t.Error("the old code still counts")
	}
	if _, err := h.Add("Tisch 3", "X", flick()); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Setup{"Tisch 3": flick(), "": flick(), "!": flick(), strings.Repeat("x", 40): flick(), "nobody": {Game: table.DiceFlick}, "no game": {Players: []string{"A", "B"}}} {
		if _, err := h.Add(name, "X", s); err == nil {
			t.Errorf("%q was set up: %+v", name, s)
		}
	}
	halltest.Await(t, "the table is there", func() bool { return h.Table("tisch-3") != nil })
	for _, wanted := range []bool{true, false} {
		if err := h.Table("tisch-3").AskForHelp(wanted); err != nil {
			t.Fatal(err)
		}
		halltest.Await(t, "that help is wanted is known", func() bool { return h.Table("tisch-3").Help().IsZero() != wanted })
	}
}

// processEnv makes the test binary a process of a hall until it is killed.
const processEnv = "HALL_PROCESS"

func TestMain(m *testing.M) {
	if name, address, ok := strings.Cut(os.Getenv(processEnv), " "); ok {
		if _, err := Open(Config{Address: address, Process: name}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	}
	os.Exit(m.Run())
}

// testProcess is another process of a hall, which is not started yet.
func testProcess(address, name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), processEnv+"="+name+" "+address)
	cmd.Stderr = os.Stderr
	return cmd
}

// startProcess starts another process of a hall.
func startProcess(t *testing.T, address, name string) *exec.Cmd {
	t.Helper()
	cmd := testProcess(address, name)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	endWithTest(t, cmd)
	return cmd
}

func endWithTest(t *testing.T, cmd *exec.Cmd) {
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// openLookingOn opens a hall that takes no tables.
func openLookingOn(t *testing.T, address string) *Hall {
	t.Helper()
	h, err := Open(Config{Address: address, LooksOn: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// testStart: a process starts though somebody else, who may be dying, holds the lock under which the database gets its
// form: there is nothing to be done to it. So it can take over at once.
func testStart(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	first := openLookingOn(t, address)
	locker, err := first.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Close()
	if _, err := locker.ExecContext(t.Context(), "SELECT pg_advisory_lock($1)", lock.DefaultLockID); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		h, err := Open(Config{Address: address, LooksOn: true})
		if err == nil {
			err = h.Close()
		}
		opened <- err
	}()
	halltest.Await(t, "the second one is open", func() bool {
		select {
		case err := <-opened:
			if err != nil {
				t.Fatal(err)
			}
			return true
		default:
			return false
		}
	})
}

// testKilled: the process that has a table is killed at any moment, again and again, while others go on saying things:
// all that was acknowledged is in the journal, once and in order, and somebody takes over within seconds.
func testKilled(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	h := openLookingOn(t, address)
	victims := map[string]*exec.Cmd{}
	for _, name := range []string{"0", "1"} {
		victims[name] = startProcess(t, address, name)
	}
	if _, err := h.Add("Window", "CODE", flick()); err != nil {
		t.Fatal(err)
	}
	halltest.Await(t, "the match has begun", func() bool { return h.Table("window") != nil && h.Table("window").Snapshot().Seq >= 1 })
	acknowledged := map[string]bool{}
	rng := rand.New(rand.NewPCG(7, 7))
	n := 0
	declare := func() {
		key := fmt.Sprint("k", n)
		halltest.Await(t, "it is acknowledged", func() bool { // as a page does: until it is answered
			return h.Table("window").Declare(say([]string{match.SayPause, match.SayResume}[n%2], key)) == nil
		})
		acknowledged[key] = true
		n++
	}
	const takeover = 5 * time.Second
	var slowest time.Duration
	for kill := range *kills {
		if kill%2 == 0 { // else perhaps in the middle of its start
			halltest.Await(t, "there is somebody to take over", func() bool { return processesOf(t, h) == 2 })
		}
		for range 1 + rng.IntN(6) {
			declare()
		}
		var owner string
		if err := h.db.QueryRow("SELECT owner FROM hall_live").Scan(&owner); err != nil {
			t.Fatal(err)
		}
		victim := victims[owner]
		go func(pause time.Duration) {
			time.Sleep(pause)
			victim.Process.Kill()
		}(time.Duration(rng.IntN(4000)) * time.Microsecond) // in the middle of the next ones
		others := processesOf(t, h) - 1
		began := time.Now()
		for time.Since(began) < 100*time.Millisecond {
			declare()
		}
		took := time.Since(began)
		slowest = max(slowest, took)
		if took > takeover && others > 0 {
			t.Errorf("somebody took over after %v", took)
		}
		victim.Wait()
		declare()
		victims[owner] = startProcess(t, address, owner)
	}
	t.Logf("%d kills, taken over after %v at most", *kills, slowest.Round(time.Millisecond))
	checkKeys(t, h, "window", acknowledged)
}

// processesOf is how many processes take tables, as the database sees them.
func processesOf(t *testing.T, h *Hall) (n int) {
	t.Helper()
	if err := h.db.QueryRow(processes, processClass).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// checkKeys holds a table's journal against what was acknowledged.
func checkKeys(t *testing.T, h *Hall, id string, acknowledged map[string]bool) {
	t.Helper()
	var records []match.Record
	halltest.Await(t, "the journal can be read", func() bool { // a connection may just have been ended
		m, err := match.Reread(h.Journal(), h.Table(id).now().match)
		if err == nil {
			records, err = h.Journal().Records(m.Setting().ID)
		}
		return err == nil
	})
	keys := map[string]int{}
	for _, r := range records {
		if r.Key != "" && r.Event != nil {
			keys[r.Key]++
		}
	}
	for key := range acknowledged {
		if keys[key] != 1 {
			t.Errorf("%s was acknowledged and is in the journal %d times", key, keys[key])
		}
	}
}

// testDatabaseKilled: PostgreSQL itself is killed; the hall goes on when it is back.
func testDatabaseKilled(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	acknowledged := map[string]bool{}
	for n := range 12 {
		if n == 4 || n == 8 {
			for _, h := range []*Hall{one, two} {
				halltest.Await(t, "it has caught up", func() bool { return len(h.Table("window").Snapshot().Events) > n })
			}
			server.Kill()
			if one.Table("window").Declare(say(match.SayMiss, "x")) == nil {
				t.Error("something was acknowledged without a database")
			}
			for _, h := range []*Hall{one, two} {
				halltest.Await(t, "the page says why nothing happens", func() bool { return h.Table("window").Snapshot().Trouble != "" })
				if s := h.Table("window").Snapshot(); len(s.Events) <= n || s.Players[0] != "Ann" {
					t.Errorf("the page no longer shows the match: %+v", s)
				}
			}
			server.Run(t)
		}
		h := []*Hall{one, two}[n%2]
		key := fmt.Sprint("k", n)
		halltest.Await(t, "it goes on", func() bool {
			return h.Table("window").Declare(say([]string{match.SayPause, match.SayResume}[n%2], key)) == nil
		})
		acknowledged[key] = true
	}
	checkKeys(t, one, "window", acknowledged)
	for _, h := range []*Hall{one, two} {
		halltest.Await(t, "it is ready again", func() bool { return h.Ready(t.Context()) == nil })
	}
}

// testCutOff: the connections of all processes are cut, again and again, so that tables change hands in the middle of
// what is said.
func testCutOff(t *testing.T, server *postgrestest.Server) {
	one, two := openTwo(t, server, flick())
	halls := []*Hall{one, two}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(150 * time.Millisecond):
				server.Exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'diceref' AND random() < 0.5")
			}
		}
	}()
	acknowledged := map[string]bool{}
	for n := range 12 {
		key := fmt.Sprint("k", n)
		halltest.Await(t, "it goes on", func() bool {
			return halls[n%2].Table("window").Declare(say([]string{match.SayPause, match.SayResume}[n%2], key)) == nil
		})
		acknowledged[key] = true
	}
	close(stop)
	<-stopped
	checkKeys(t, halls[0], "window", acknowledged)
}
