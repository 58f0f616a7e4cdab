package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
)

// size is how much TestHallSoak does.
type size struct {
	faults   int
	declared int // tables at which somebody says something all the time
	watched  int // tables whose cameras send a whole game
}

// TestHallSoak: three servers on machines of their own share a hall, to which everything happens that happens to servers, networks
// and databases. People at its tables send everything again until it is acknowledged, cameras until it has arrived, and
// pages come back for what they have missed. In the end all that was acknowledged is in the journal once, the games that were
// watched are told with nothing twice, and every page has got every event once and in order. DICEREF_SOAK
// makes it large.
func TestHallSoak(t *testing.T) {
	t.Parallel()
	if !halltest.Alone(t) {
		return
	}
	much := size{faults: 8, declared: 2, watched: 1}
	if os.Getenv("DICEREF_SOAK") != "" {
		much = size{faults: 200, declared: 50, watched: 50}
	}
	s := newSoak(t, much)
	s.run()
	s.checkDeclared()
	s.checkWatched()
	s.checkPages()
	s.tell()
}

// soak is the hall and everybody in it.
type soak struct {
	t        *testing.T
	size     size
	program  string
	database *postgrestest.Server
	hall     *hall.Hall // that of the test, which only looks on
	machines []*remote
	tables   []*soakTable
	seen     []table.Observation // of a whole game
	rng      *rand.Rand

	until  context.Context // until the last fault is over
	end    context.CancelFunc
	people sync.WaitGroup // who say something
	pages  sync.WaitGroup
	quiet  context.Context // until the pages have everything
	hush   context.CancelFunc
	told   soakFigures
}

// soakTable is one table, with what somebody did and got there.
type soakTable struct {
	id, token string
	watched   bool
	pusher    *pusher // of a table that is watched

	mu     sync.Mutex
	acked  map[string]bool
	last   time.Time // when what was acknowledged last was begun
	page   []int64   // the events that the page got since it was last told everything
	broken []string  // what the page should not have got
}

var soakPlayers = map[bool][]string{false: {"Ann", "Ben"}, true: {"Ann", "Ben", "Cleo"}}

func newSoak(t *testing.T, much size) *soak {
	t.Helper()
	s := &soak{
		t: t, size: much, program: program(t), rng: rand.New(rand.NewPCG(11, 11)),
		seen: halltest.Recorded(t, filepath.Join(root, "match", "testdata", "dessert-dice.seen.jsonl.gz")),
	}
	s.until, s.end = context.WithCancel(t.Context())
	s.quiet, s.hush = context.WithCancel(t.Context())
	s.machines = newMachines(t, 3)
	s.database = postgrestest.StartFaulty(t, 256+4*(much.declared+much.watched))
	for _, m := range s.machines {
		s.database.AlsoAt(t, m.database.Here)
	}
	address := s.database.Database(t)
	var err error
	if s.hall, err = hall.Open(hall.Config{Address: address, LooksOn: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.hall.Close() })
	for n := range much.declared + much.watched {
		w := n >= much.declared
		game := map[bool]table.Game{false: table.DiceFlick, true: table.DessertDice}[w]
		added, err := s.hall.Add(fmt.Sprint("Table ", n), "CODE", hall.Setup{Game: game, Players: soakPlayers[w]})
		if err != nil {
			t.Fatal(err)
		}
		s.tables = append(s.tables, &soakTable{id: added.ID, token: added.Token, watched: w, acked: map[string]bool{}})
	}
	for _, m := range s.machines {
		m.program, m.journal, m.data = s.program, s.database.At(m.database.Here, address), t.TempDir()
		m.start(t)
	}
	halltest.Await(t, "every match has begun", func() bool {
		return !slices.ContainsFunc(s.tables, func(at *soakTable) bool { return s.hall.Table(at.id) == nil || s.hall.Table(at.id).Live().Seq < 1 })
	})
	return s
}

// run lets everybody do what they do while faults happen, and returns when all of them have got everything.
func (s *soak) run() {
	for n, at := range s.tables {
		s.pages.Go(func() { s.follow(at, uint64(n)) })
		if at.watched {
			s.people.Go(func() { s.watch(at) })
		} else {
			s.people.Go(func() { s.declare(at, uint64(n)) })
		}
	}
	for n := range s.size.faults {
		s.push(len(s.seen) * (n + 1) / (s.size.faults + 1))
		s.strike(n)
	}
	s.push(len(s.seen))
	s.end()
	s.people.Wait()
	for _, at := range s.tables {
		want := s.events(at)
		halltest.Await(s.t, "the page of "+at.id+" has everything", func() bool {
			at.mu.Lock()
			defer at.mu.Unlock()
			return len(at.page) >= len(want)
		})
	}
	s.hush()
	s.pages.Wait()
}

// patientTime is how long whoever sends something waits for an answer before it is sent again, to another server.
const patientTime = 2 * time.Second

// declare says something at a table, again and again, each thing until it is acknowledged.
func (s *soak) declare(at *soakTable, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	client := &http.Client{Timeout: patientTime, Transport: &balancer{machines: s.machines}}
	for n := 0; s.until.Err() == nil; n++ {
		key, body := fmt.Sprint("k", n), fmt.Sprintf(`{"say":%q}`, []string{match.SayPause, match.SayResume}[n%2])
		began := time.Now()
		for !acknowledged(client, at.id, key, body) {
			if time.Since(began) > time.Minute {
				s.t.Errorf("%s: nobody takes %s", at.id, key)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		at.mu.Lock()
		at.acked[key], at.last = true, began
		at.mu.Unlock()
		s.told.acknowledged(time.Since(began))
		// More tables say something more seldom: together as much as some machine can do beside other work.
		time.Sleep(time.Duration(s.size.declared) * time.Duration(10+rng.IntN(20)) * time.Millisecond)
	}
}

// acknowledged says something at whatever server.
func acknowledged(client *http.Client, table, key, body string) bool {
	r, err := http.NewRequest(http.MethodPost, "http://anywhere/t/"+table+"/api/v1/declare", strings.NewReader(body))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Table-Code", "CODE")
	r.Header.Set("Idempotency-Key", key)
	answer, err := client.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// watch sends what a table's camera sees.
func (s *soak) watch(at *soakTable) {
	p, err := newPusher("http://anywhere/t/"+at.id, at.token, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Error(err)
		return
	}
	p.client = &http.Client{Timeout: patientTime, Transport: &balancer{machines: s.machines}}
	at.mu.Lock()
	at.pusher = p
	at.mu.Unlock()
	if err := p.run(s.t.Context(), s.until.Done()); err != nil {
		s.t.Errorf("%s: %v", at.id, err)
	}
}

// push has the cameras see a part of the game, five times a second at most.
func (s *soak) push(upTo int) {
	for _, at := range s.tables {
		if !at.watched {
			continue
		}
		halltest.Await(s.t, "the camera is there", func() bool {
			at.mu.Lock()
			defer at.mu.Unlock()
			return at.pusher != nil
		})
		for _, o := range s.seen[at.pusher.added():upTo] {
			at.pusher.add(o)
		}
	}
}

// added is how many observations were queued until now.
func (p *pusher) added() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.first) - 1 + len(p.queue)
}

// follow is a page that comes back wherever it can be, and asks for what it has missed.
func (s *soak) follow(at *soakTable, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 2))
	last := ""
	for s.quiet.Err() == nil {
		ctx, cancel := context.WithTimeout(s.quiet, time.Duration(3+rng.IntN(20))*time.Second) // a real one hears that it is cut off after 25 s
		last = s.read(ctx, at, s.machines[rng.IntN(len(s.machines))], last)
		cancel()
		time.Sleep(50 * time.Millisecond)
	}
}

// read reads a page's events at a server until it ends, and returns the id of the last one.
func (s *soak) read(ctx context.Context, at *soakTable, m *remote, last string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url()+"/t/"+at.id+"/api/v1/events", nil)
	if err != nil {
		return last // it is down
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return last
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return last
	}
	scan := bufio.NewScanner(answer.Body)
	scan.Buffer(nil, 4<<20)
	id := ""
	for scan.Scan() {
		if text, ok := strings.CutPrefix(scan.Text(), "id: "); ok {
			id = text
		}
		if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok && id != "" {
			at.gets(data)
			last, id = id, ""
		}
	}
	return last
}

// gets notes what a page is told of the match.
func (at *soakTable) gets(data string) {
	var news struct {
		Reset  bool
		Events []struct{ Seq int64 }
	}
	if err := json.Unmarshal([]byte(data), &news); err != nil {
		return
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if news.Reset {
		at.page = nil
	}
	for _, e := range news.Events {
		if n := len(at.page); n > 0 && e.Seq <= at.page[n-1] {
			at.broken = append(at.broken, fmt.Sprintf("event %d after %d", e.Seq, at.page[n-1]))
		}
		at.page = append(at.page, e.Seq)
	}
}

// events are the numbers of a table's events, as the journal has them.
func (s *soak) events(at *soakTable) (list []int64) {
	for _, e := range s.inJournal(at).Events() {
		list = append(list, e.Seq)
	}
	return list
}

func (s *soak) inJournal(at *soakTable) *match.Match {
	s.t.Helper()
	var m *match.Match
	halltest.Await(s.t, "the journal can be read", func() bool { // a connection may just have been ended
		var err error
		m, err = match.Reread(s.hall.Journal(), s.hall.Table(at.id).Snapshot().ID)
		return err == nil
	})
	return m
}

// checkDeclared: what was acknowledged is in the journal, and nothing is there twice.
func (s *soak) checkDeclared() {
	for _, at := range s.tables {
		if at.watched {
			continue
		}
		records, err := s.hall.Journal().Records(s.inJournal(at).Setting().ID)
		if err != nil {
			s.t.Fatal(err)
		}
		times := map[string]int{}
		for _, r := range records {
			if r.Key != "" && r.Event != nil {
				times[r.Key]++
			}
		}
		for key := range at.acked {
			if times[key] == 0 {
				s.t.Errorf("%s: %s was acknowledged and is not in the journal", at.id, key)
			}
		}
		for key, n := range times {
			if n > 1 {
				s.t.Errorf("%s: %s is in the journal %d times", at.id, key, n)
			}
		}
	}
}

// checkWatched: of the games that cameras saw nothing is told twice. A table that changes hands again and again may take what was seen
// in between for something else, or ask: that is a fault, which the whole soak fails for, and a short one only counts.
func (s *soak) checkWatched() {
	home, err := match.New(match.Config{Game: table.DessertDice, Players: soakPlayers[true]})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range s.seen {
		home.See(o)
	}
	backs := func(events []match.EventView) (n int) {
		for _, e := range events {
			if e.Type == match.TypeTakeback {
				n++
			}
		}
		return n
	}
	watched, alike := 0, 0
	for _, at := range s.tables {
		if !at.watched {
			continue
		}
		watched++
		events := s.inJournal(at).Events()
		got, want := toldActs(events), toldActs(home.Events())
		if got == want {
			alike++
		} else {
			s.t.Logf("%s tells\n%s", at.id, got)
		}
		if n, most := backs(events), backs(home.Events()); n > most || len(events) < 2 {
			s.t.Errorf("%s: %d moves were taken back, at home %d:\n%s", at.id, n, most, got)
		}
	}
	s.t.Logf("%d games of %d are told as at home", alike, watched)
	if os.Getenv("DICEREF_SOAK") != "" && alike < watched {
		s.t.Errorf("%d games of %d are told otherwise than at home", watched-alike, watched)
	}
}

// toldActs is what is told of a match, without where it stands in the journal.
func toldActs(events []match.EventView) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintln(&b, e.Type, e.Player, e.Text)
	}
	return b.String()
}

// checkPages: every page has got every event, once and in order.
func (s *soak) checkPages() {
	for _, at := range s.tables {
		if want := s.events(at); !slices.Equal(at.page, want) || len(at.broken) > 0 {
			s.t.Errorf("the page of %s got %v of %v (%v)", at.id, at.page, want, at.broken)
		}
	}
}

// balancer sends requests to one server until it does not answer, then to the next one.
type balancer struct {
	machines []*remote
	at       atomic.Int64
}

// RoundTrip makes balancer an http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	n := b.at.Load()
	to := b.machines[int(n)%len(b.machines)]
	there, err := to.turn(r)
	if err != nil {
		b.at.CompareAndSwap(n, n+1)
		return nil, err
	}
	answer, err := http.DefaultTransport.RoundTrip(there)
	if err != nil || answer.StatusCode >= http.StatusInternalServerError {
		b.at.CompareAndSwap(n, n+1)
	}
	return answer, err
}
