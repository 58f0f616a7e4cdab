package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
)

// fakeMatch is a match whose events the test makes.
type fakeMatch struct {
	mu      sync.Mutex
	now     match.Snapshot
	changed chan struct{}
}

func newMatch(id string) *fakeMatch {
	return &fakeMatch{now: match.Snapshot{ID: id, Game: table.DiceBox, Players: []string{"Ada", "Ben"}}, changed: make(chan struct{})}
}

func (m *fakeMatch) Snapshot() match.Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.now
	s.Events = slices.Clone(m.now.Events)
	return s
}

func (m *fakeMatch) Changed() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

func (m *fakeMatch) change(f func(*match.Snapshot)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.now)
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *fakeMatch) add(text string) {
	m.change(func(s *match.Snapshot) {
		s.Seq++
		s.Events = append(s.Events, match.EventView{Seq: s.Seq, Event: match.Event{Type: match.TypeMove}, Text: text})
	})
}

// receiving is a server that keeps what it is sent and answers what the test says.
type receiving struct {
	*httptest.Server
	mu     sync.Mutex
	events []string // ids, also of those refused
	bodies []string
	status func(n int) int // of the nth request, from 0
	came   chan struct{}
}

func newReceiving(t *testing.T, status func(n int) int) *receiving {
	r := &receiving{status: status, came: make(chan struct{}, 1000)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		n := len(r.events)
		r.events = append(r.events, req.Header.Get(EventHeader))
		r.bodies = append(r.bodies, string(body))
		r.mu.Unlock()
		if req.Header.Get(SignatureHeader) != Sign([]byte("secret"), body) || req.Header.Get("Content-Type") != "application/json" || req.Method != "POST" {
			t.Errorf("a request that is not signed: %v", req.Header)
		}
		if code := r.status(n); code == http.StatusFound {
			http.Redirect(w, req, "/elsewhere", code)
		} else {
			w.WriteHeader(code)
		}
		r.came <- struct{}{}
	}))
	t.Cleanup(r.Close)
	return r
}

// after waits for n requests and returns the events in them.
func (r *receiving) after(t *testing.T, n int) []string {
	t.Helper()
	for range n {
		select {
		case <-r.came:
		case <-time.After(10 * time.Second):
			t.Fatalf("only %v came", r.events)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// start runs the hooks without waiting between attempts; rests says how long it would have.
func start(t *testing.T, m Match, addresses ...string) (logged *lines, rests *[]time.Duration, stop func()) {
	t.Helper()
	logged, rests = &lines{}, &[]time.Duration{}
	var mu sync.Mutex
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	h := New(Config{
		Addresses: addresses, Secret: []byte("secret"), Match: m, Log: slog.New(slog.NewTextHandler(logged, nil)),
		Rest: func(ctx context.Context, d time.Duration) bool {
			mu.Lock()
			defer mu.Unlock()
			*rests = append(*rests, d)
			return ctx.Err() == nil
		},
	})
	go func() {
		defer close(done)
		h.Run(ctx)
	}()
	return logged, rests, func() { cancel(); <-done }
}

type lines struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

func always(code int) func(int) int { return func(int) int { return code } }

func TestEveryEventIsTold(t *testing.T) {
	m, r := newMatch("m1"), newReceiving(t, always(204))
	_, _, stop := start(t, m, r.URL)
	defer stop()
	m.add("one")
	m.add("two")
	if got := r.after(t, 2); !slices.Equal(got, []string{"m1:1", "m1:2"}) {
		t.Errorf("told %v", got)
	}
	var told Message
	if err := json.Unmarshal([]byte(r.bodies[1]), &struct {
		*Message
		Event json.RawMessage
	}{Message: &told}); err != nil || told.Match != "m1" || told.Game != table.DiceBox || !strings.Contains(r.bodies[1], `"text":"two"`) {
		t.Errorf("%s: %v", r.bodies[1], err)
	}
	m.change(func(s *match.Snapshot) { *s = match.Snapshot{ID: "m2"} })
	m.add("another match")
	if got := r.after(t, 1); got[2] != "m2:1" {
		t.Errorf("told %v", got)
	}
}

func TestOldEventsAreNotToldAgain(t *testing.T) {
	m, r := newMatch("m1"), newReceiving(t, always(200))
	m.add("one")
	m.add("two")
	_, _, stop := start(t, m, r.URL)
	defer stop()
	m.add("three")
	if got := r.after(t, 1); !slices.Equal(got, []string{"m1:3"}) {
		t.Errorf("told %v", got)
	}
}

func TestFailuresAreTriedAgain(t *testing.T) {
	m := newMatch("m1")
	r := newReceiving(t, func(n int) int { return []int{500, 503, 429, 200, 200}[min(n, 4)] })
	_, rests, stop := start(t, m, r.URL)
	m.add("one")
	m.add("two")
	got := r.after(t, 5)
	stop()
	if want := []string{"m1:1", "m1:1", "m1:1", "m1:1", "m1:2"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(*rests, want) {
		t.Errorf("rested %v, want %v", *rests, want)
	}
}

func TestEventsAreDroppedInTheEnd(t *testing.T) {
	for _, test := range []struct {
		code, attempts int
	}{{500, attempts}, {400, 1}, {404, 1}, {302, 1}} {
		m, r := newMatch("m1"), newReceiving(t, func(n int) int {
			if n < test.attempts {
				return test.code
			}
			return 200
		})
		logged, _, stop := start(t, m, strings.Replace(r.URL, "http://", "http://user:hush@", 1)+"/hook?token=hush")
		m.add("one")
		m.add("two")
		got := r.after(t, test.attempts+1)
		stop()
		if got[len(got)-1] != "m1:2" || slices.Contains(got[:test.attempts], "m1:2") {
			t.Errorf("%d: told %v", test.code, got)
		}
		if text := logged.String(); !strings.Contains(text, "refused an event") || !strings.Contains(text, "event=m1:1") || strings.Contains(text, "hush") {
			t.Errorf("%d: logged %q", test.code, text)
		}
	}
}

// TestNobodyIsHeldUp: a receiver that never answers costs neither the match nor
// the other receivers anything.
func TestNobodyIsHeldUp(t *testing.T) {
	m, good := newMatch("m1"), newReceiving(t, always(200))
	hang := make(chan struct{})
	bad := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer bad.Close()
	defer close(hang)
	logged, _, stop := start(t, m, bad.URL, good.URL)
	defer stop()
	const many = waiting + 20
	for range many {
		m.add("one")
		good.after(t, 1)
	}
	if got := good.after(t, 0); len(got) != many || got[many-1] != "m1:276" {
		t.Errorf("%d told, the last %s", len(got), got[len(got)-1])
	}
	if !strings.Contains(logged.String(), "too slow") {
		t.Errorf("logged %q", logged.String())
	}
}

func TestCheckAddress(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://example.org/dice": true, "http://192.168.1.7:9000": true,
		"": false, "example.org": false, "ftp://example.org": false, "file:///etc/passwd": false, "javascript:alert(1)": false, "http://": false, "http:///x": false, "http://[": false,
	} {
		if err := CheckAddress(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}
