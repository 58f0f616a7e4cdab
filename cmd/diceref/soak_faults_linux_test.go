package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"diceref/match/hall/halltest"
)

// remote is a machine of its own with a server of the hall: one cable leads to the database, the other one to everybody else.
type remote struct {
	database, pages        *halltest.Cable
	far                    *halltest.Elsewhere
	program, journal, data string

	mu   sync.Mutex
	runs hallProcess
	host string // host:port of the server; empty: it is down
}

func newMachines(t *testing.T, n int) (list []*remote) {
	t.Helper()
	for range n {
		far := halltest.NewElsewhere(t)
		list = append(list, &remote{far: far, database: far.Cable, pages: far.Lay(t)})
	}
	return list
}

// start starts the machine's server, as often as that needs: without its database it gives up.
func (m *remote) start(t *testing.T) {
	t.Helper()
	halltest.Await(t, "the server starts", func() bool {
		cmd := exec.Command(m.program, "serve", "--hall", "--listen", net.JoinHostPort(m.pages.Away.String(), "0"), "--journal", m.journal, "--data", m.data)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DICEREF_SOAK=") }) // no setting of it
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}                                              // with the test, however it ends
		p, err := tryHall(cmd, m.far.Start)
		if err != nil {
			return false
		}
		u, err := url.Parse(p.url)
		if err != nil {
			t.Fatal(err)
		}
		m.mu.Lock()
		m.runs, m.host = p, net.JoinHostPort(m.pages.Away.String(), u.Port())
		m.mu.Unlock()
		return true
	})
}

// kill ends the server at once.
func (m *remote) kill() {
	m.mu.Lock()
	p := m.runs
	m.host = ""
	m.mu.Unlock()
	p.kill()
}

// url is where the server is; what is no address: it is down.
func (m *remote) url() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.host == "" {
		return "http://%"
	}
	return "http://" + m.host
}

// turn makes a request for whatever server one for this one.
func (m *remote) turn(r *http.Request) (*http.Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.host == "" {
		return nil, errors.New("the server is down")
	}
	there := r.Clone(r.Context())
	there.URL.Host, there.Host = m.host, m.host
	return there, nil
}

// The kinds of faults, in the order in which each happens once before they happen by chance.
var soakFaults = []struct {
	name string
	can  func(s *soak) bool // nil: always
	do   func(s *soak)
}{
	{"a server is killed", nil, func(s *soak) {
		m := s.anyMachine()
		m.kill()
		s.pause(0, 1500)
		m.start(s.t)
	}},
	{"PostgreSQL is killed", nil, func(s *soak) {
		s.database.Kill()
		s.pause(0, 500)
		s.database.Run(s.t)
	}},
	{"a server is cut off from cameras and pages", nil, func(s *soak) {
		c := s.anyMachine().pages
		c.CutAway(s.t)
		s.pause(200, 3000)
		c.Mend(s.t)
	}},
	{"a server is cut off from the database", nil, func(s *soak) {
		c := s.anyMachine().database
		c.Cut(s.t)
		s.pause(200, 5000)
		c.Mend(s.t)
	}},
	{"the database is slow", nil, func(s *soak) {
		for range 1 + s.rng.IntN(4) {
			s.database.Stall(time.Duration(100+s.rng.IntN(700)) * time.Millisecond)
			s.pause(10, 100)
		}
	}},
	{"the disk is full", func(s *soak) bool { return s.database.HasDisk() }, func(s *soak) {
		s.database.Fill(s.t, time.Duration(300+s.rng.IntN(1500))*time.Millisecond)
	}},
	{"the database's clock jumps", func(s *soak) bool { return s.database.HasClock() }, func(s *soak) {
		s.database.SetClock(s.t, time.Duration(s.rng.IntN(4*3600)-2*3600)*time.Second)
		s.pause(1000, 1500) // until it is noticed
	}},
	{"connections to the database are ended", nil, func(s *soak) {
		for range 1 + s.rng.IntN(3) {
			s.database.Exec(s.t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'diceref' AND random() < 0.5")
			s.pause(10, 300)
		}
	}},
}

func (s *soak) anyMachine() *remote { return s.machines[s.rng.IntN(len(s.machines))] }

// pause waits for some time between two numbers of milliseconds.
func (s *soak) pause(least, most int) {
	time.Sleep(time.Duration(least+s.rng.IntN(most-least)) * time.Millisecond)
}

// strike has fault n happen, and waits until it is over and, most often, until everything goes on, so that the next one does
// not always meet a hall that is in order.
func (s *soak) strike(n int) {
	kind := soakFaults[s.rng.IntN(len(soakFaults))]
	if n < len(soakFaults) {
		kind = soakFaults[n]
	}
	if kind.can != nil && !kind.can(s) {
		s.told.skipped(kind.name)
		return
	}
	began := time.Now()
	s.t.Log(kind.name)
	kind.do(s)
	if s.rng.IntN(4) == 0 && n+1 < s.size.faults {
		s.told.struck(kind.name, 0)
		return
	}
	halltest.Await(s.t, "everything goes on after: "+kind.name, func() bool {
		return !slices.ContainsFunc(s.tables, func(at *soakTable) bool {
			at.mu.Lock()
			defer at.mu.Unlock()
			return !at.watched && !at.last.After(began)
		})
	})
	s.told.struck(kind.name, time.Since(began))
}

// soakFigures are what TestHallSoak tells.
type soakFigures struct {
	mu    sync.Mutex
	took  []time.Duration // until something was acknowledged
	kinds map[string]faultFigures
}

// faultFigures are those of one kind of fault.
type faultFigures struct {
	times int
	until []time.Duration // every table had something new acknowledged
}

func (f *soakFigures) acknowledged(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.took = append(f.took, d)
}

func (f *soakFigures) struck(name string, until time.Duration) {
	if f.kinds == nil {
		f.kinds = map[string]faultFigures{}
	}
	k := f.kinds[name]
	k.times++
	if until > 0 {
		k.until = append(k.until, until)
	}
	f.kinds[name] = k
}

func (f *soakFigures) skipped(name string) {
	if f.kinds == nil {
		f.kinds = map[string]faultFigures{}
	}
	f.kinds[name+" (cannot be done here)"] = faultFigures{}
}

// tell logs the figures.
func (s *soak) tell() {
	f := &s.told
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.kinds)) {
		k := f.kinds[name]
		slices.Sort(k.until)
		fmt.Fprintf(&b, "\n%3d × %s", k.times, name)
		if n := len(k.until); n > 0 {
			fmt.Fprintf(&b, ": every table went on after %v, at most %v", k.until[n/2].Round(time.Millisecond), k.until[n-1].Round(time.Millisecond))
		}
	}
	slices.Sort(f.took)
	at := func(part float64) time.Duration {
		return f.took[int(part*float64(len(f.took)-1))].Round(time.Millisecond)
	}
	s.t.Logf("%d tables, %d declarations acknowledged, half of them within %v, 99 %% within %v, all within %v; memory %v MB%s",
		len(s.tables), len(f.took), at(0.5), at(0.99), at(1), memories(s.processes()), b.String())
}

func (s *soak) processes() (list []hallProcess) {
	for _, m := range s.machines {
		m.mu.Lock()
		list = append(list, m.runs)
		m.mu.Unlock()
	}
	return list
}
