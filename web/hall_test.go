package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/scoring"
	"diceref/table"
)

// fakeTables is a hall whose tables the test makes.
type fakeTables struct {
	mu      sync.Mutex
	seats   []Seat
	matches map[string]*fakeMatch
	help    map[string]bool
	changed chan struct{}
	down    error
}

// newFakeTables has three tables: one plays, one asks, and one is over.
func newFakeTables() *fakeTables {
	f := &fakeTables{matches: map[string]*fakeMatch{}, help: map[string]bool{}, changed: make(chan struct{})}
	for i, name := range []string{"Window", "Bar", "Stage"} {
		id := strings.ToLower(name)
		m := newFakeMatch([]string{"Ada", "Ben", "Cleo"}[:2+i%2]...)
		f.matches[id] = m
		live := m.Snapshot()
		live.Game, live.Phase, live.ToMove = []table.Game{table.DiceBox, table.DiceFlick, table.DessertDice}[i], match.PhaseRead, 1
		for seat := range live.Sheets {
			live.Sheets[seat] = scoring.Sheet{Player: seat, Total: 10*seat + i}
		}
		f.seats = append(f.seats, Seat{ID: id, Name: name, Owned: i == 0, Live: live})
	}
	q := match.Phrase{Kind: "no-board", Values: map[string]any{}}
	bar := &f.seats[1].Live
	bar.Phase, bar.Ask, bar.Question, bar.Choices = match.PhaseDoubt, q.String(), &q, []string{match.GoOn}
	stage := &f.seats[2].Live
	stage.Phase, stage.ToMove, stage.Outcome = match.PhaseOver, -2, &match.Outcome{How: "rules", Winners: []int{0}}
	return f
}

func (f *fakeTables) List() []Seat {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Seat{}, f.seats...)
}

func (f *fakeTables) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// change alters the tables and tells everybody.
func (f *fakeTables) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeTables) Table(id string) (Config, bool) {
	m := f.matches[id]
	if m == nil {
		return Config{}, false
	}
	return Config{Match: m, Feed: NewFeed(), Code: "CODE-" + strings.ToUpper(id), Token: "TOKEN-" + id, Push: func(Pushed) (Taken, error) { return Taken{}, nil }, Draw: func([]calibration.Zone) error { return nil }, Help: func(wanted bool) error {
		f.change(func() {
			for i := range f.seats {
				if f.seats[i].ID == id {
					f.seats[i].Help = map[bool]time.Time{true: time.Now()}[wanted]
				}
			}
		})
		return nil
	}}, true
}

func (f *fakeTables) Referee(code string) string {
	return map[string]string{"REFEREE1": "Ina"}[code]
}

func (f *fakeTables) Ready(context.Context) error { return f.down }

// TestHallRights is a table of tries: what each right may do, and nothing else. Nobody is at the table's own machine.
func TestHallRights(t *testing.T) {
	const (
		yes    = http.StatusOK
		no     = http.StatusForbidden
		nobody = http.StatusNotFound
	)
	codes := []string{"", "WRONG234", "CODE-WINDOW", "CODE-BAR", "REFEREE1"}
	for _, c := range []struct {
		method, path, body string
		want               [5]int // by code
	}{
		{"GET", "/hall", "", [5]int{yes, yes, yes, yes, yes}},
		{"GET", "/api/v1/hall", "", [5]int{yes, yes, yes, yes, yes}},
		{"GET", "/t/window/", "", [5]int{yes, yes, yes, yes, yes}},
		{"GET", "/t/window/api/v1/state", "", [5]int{yes, yes, yes, yes, yes}},
		{"POST", "/t/window/api/v1/declare", `{"say":"next"}`, [5]int{no, no, yes, no, yes}},
		{"POST", "/t/window/api/v1/undo", ``, [5]int{no, no, yes, no, yes}},
		{"POST", "/t/window/api/v1/help", `{"wanted":true}`, [5]int{no, no, yes, no, yes}},
		{"GET", "/t/window/api/v1/join", "", [5]int{no, no, yes, no, yes}},
		{"POST", "/api/v1/hall/referee", `{}`, [5]int{no, no, no, no, yes}},
		{"POST", "/t/bar/api/v1/declare", `{"say":"next"}`, [5]int{no, no, no, yes, yes}},
		{"GET", "/t/nowhere/api/v1/state", "", [5]int{nobody, nobody, nobody, nobody, nobody}},
		{"GET", "/t/window/camera", "", [5]int{nobody, nobody, nobody, nobody, nobody}},
		{"GET", "/api/v1/state", "", [5]int{nobody, nobody, nobody, nobody, nobody}},
	} {
		for i, code := range codes {
			for _, proxied := range []string{"", "192.0.2.7"} {
				f := newFakeTables()
				h := NewHall(HallConfig{Tables: f})
				a := call(t, h.Handler(), c.method, c.path, c.body, func(r *http.Request) {
					if code != "" {
						r.Header.Set(CodeHeader, code)
					}
					if proxied != "" {
						r.Header.Set("X-Forwarded-For", proxied)
					}
				})
				if a.status != c.want[i] {
					t.Errorf("%s %s with %q: %d %.100s, want %d", c.method, c.path, code, a.status, a.body, c.want[i])
				}
			}
		}
	}
}

// inZones is what a camera says of the zones that it sees.
func inZones(t *testing.T, game table.Game, players int) string {
	t.Helper()
	text, err := json.Marshal(Drawn{Zones: calibration.ZonesFor(game, players)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestHallToken: a camera's token lets it send what it sees to its table, and nothing else; no code does.
func TestHallToken(t *testing.T) {
	const seen = `{"camera":"c","first":1,"observations":[{"game":"dice-box","look":"still"}]}`
	drawn := inZones(t, table.DiceCreams, 3)
	tables := newFakeTables()
	tables.matches["bar"].now.Game = table.DiceCreams
	h := NewHall(HallConfig{Tables: tables})
	for _, c := range []struct {
		path, body, header, value string
		want                      int
	}{
		{"/t/window/api/v1/observations", seen, TokenHeader, "TOKEN-window", http.StatusOK},
		{"/t/window/api/v1/observations", seen, TokenHeader, "TOKEN-bar", http.StatusForbidden},
		{"/t/window/api/v1/observations", seen, TokenHeader, "", http.StatusForbidden},
		{"/t/window/api/v1/observations", seen, CodeHeader, "REFEREE1", http.StatusForbidden},
		{"/t/bar/api/v1/zones", drawn, TokenHeader, "TOKEN-bar", http.StatusOK},
		{"/t/bar/api/v1/zones", drawn, TokenHeader, "TOKEN-window", http.StatusForbidden},
		{"/t/bar/api/v1/zones", drawn, CodeHeader, "CODE-BAR", http.StatusForbidden},
		{"/t/bar/api/v1/zones", drawn, CodeHeader, "REFEREE1", http.StatusForbidden},
		{"/t/bar/api/v1/zones", inZones(t, table.DiceCreams, 4), TokenHeader, "TOKEN-bar", http.StatusOK}, // more places than players
		{"/t/bar/api/v1/zones", inZones(t, table.FromageATrois, 3), TokenHeader, "TOKEN-bar", http.StatusConflict},
		{"/t/bar/api/v1/zones", `{"zones":[]}`, TokenHeader, "TOKEN-bar", http.StatusConflict},
		{"/t/bar/api/v1/zones", `{"zones":3}`, TokenHeader, "TOKEN-bar", http.StatusBadRequest},
		{"/t/window/api/v1/zones", drawn, TokenHeader, "TOKEN-window", http.StatusConflict}, // it has a board
		{"/t/window/api/v1/declare", `{"say":"next"}`, TokenHeader, "TOKEN-window", http.StatusForbidden},
		{"/t/window/api/v1/help", `{"wanted":true}`, TokenHeader, "TOKEN-window", http.StatusForbidden},
		{"/t/window/api/v1/declare", `{"say":"next"}`, CodeHeader, "TOKEN-WINDOW", http.StatusForbidden},
		{"/t/window/api/v1/observations", `{"camera":"","first":1,"observations":[{}]}`, TokenHeader, "TOKEN-window", http.StatusBadRequest},
		{"/t/window/api/v1/observations", `{"camera":"c","first":0,"observations":[{}]}`, TokenHeader, "TOKEN-window", http.StatusBadRequest},
		{"/t/window/api/v1/observations", `{"camera":"c","first":1}`, TokenHeader, "TOKEN-window", http.StatusBadRequest},
		{"/t/window/api/v1/observations", `text`, TokenHeader, "TOKEN-window", http.StatusBadRequest},
		{"/t/window/api/v1/observations", strings.Repeat(" ", maxPushed+1), TokenHeader, "TOKEN-window", http.StatusRequestEntityTooLarge},
	} {
		if a := call(t, h.Handler(), "POST", c.path, c.body, with(c.header, c.value)); a.status != c.want {
			t.Errorf("%s with %s %q: %d %.100s, want %d", c.path, c.header, c.value, a.status, a.body, c.want)
		}
	}
}

// TestHallWho: who said it is told to the match, and what is sent again has the same key.
func TestHallWho(t *testing.T) {
	f := newFakeTables()
	h := NewHall(HallConfig{Tables: f})
	for _, code := range []string{"CODE-WINDOW", "REFEREE1"} {
		if a := call(t, h.Handler(), "POST", "/t/window/api/v1/declare", `{"say":"next"}`, both(with(CodeHeader, code), with("Idempotency-Key", "k1"))); a.status != http.StatusOK {
			t.Fatal(a.status, a.body)
		}
	}
	said := f.matches["window"].said()
	if len(said) != 2 || said[0].Source != (match.Source{Who: "player", Key: "k1"}) || said[1].Source != (match.Source{Who: "referee Ina", Key: "k1"}) {
		t.Errorf("said was %+v", said)
	}
	for header, body := range map[string]string{"": `{"say":"next","who":"referee Ina"}`, strings.Repeat("k", 65): `{"say":"next"}`} {
		if a := call(t, h.Handler(), "POST", "/t/window/api/v1/declare", body, both(with(CodeHeader, "CODE-WINDOW"), with("Idempotency-Key", header))); a.status != http.StatusBadRequest {
			t.Errorf("%s with key %q: %d %s", body, header, a.status, a.body)
		}
	}
	f.matches["window"].refuse = fmt.Errorf("%w: changing over", ErrNotNow)
	if a := call(t, h.Handler(), "POST", "/t/window/api/v1/declare", `{"say":"next"}`, with(CodeHeader, "CODE-WINDOW")); a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, `"not-now"`) {
		t.Errorf("without an owner: %d %s", a.status, a.body)
	}
}

// TestHallHealth: a load balancer hears whether the server can serve, and the metrics tell of every table.
func TestHallHealth(t *testing.T) {
	f := newFakeTables()
	h := NewHall(HallConfig{Tables: f})
	if a := call(t, h.Handler(), "GET", "/healthz", "", nil); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	f.down = errors.New("hall: the database cannot be reached")
	if a := call(t, h.Handler(), "GET", "/healthz", "", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("without a database: %d %s", a.status, a.body)
	}
	metrics := call(t, h.Handler(), "GET", "/metrics", "", nil).body
	for _, want := range []string{`diceref_table_owned{table="window"} 1`, `diceref_table_owned{table="bar"} 0`, `diceref_table_question{table="bar"} 1`, `# TYPE diceref_table_observations_total counter`, `diceref_hall_pages_open 0`, `path="/healthz",status="503"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
}

// hallServer is a hall with fakes.
func hallServer(t *testing.T) (*httptest.Server, *fakeTables) {
	t.Helper()
	f := newFakeTables()
	h := NewHall(HallConfig{Tables: f})
	ts := httptest.NewServer(h.Handler())
	t.Cleanup(func() {
		close(h.closing)
		h.mu.Lock()
		for _, s := range h.tables {
			close(s.closing)
		}
		h.mu.Unlock()
		ts.Close()
	})
	return ts, f
}

// TestHallEvents: a page gets all tables, then those that change.
func TestHallEvents(t *testing.T) {
	ts, f := hallServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, ts.URL+"/api/v1/hall/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	told := make(chan []string)
	go func() {
		defer close(told)
		for line := range sseLines(answer.Body) {
			var news struct {
				Tables []seatView
				Order  []string
			}
			if json.Unmarshal([]byte(line), &news) == nil && news.Order != nil {
				ids := []string{strings.Join(news.Order, " ")}
				for _, v := range news.Tables {
					ids = append(ids, v.ID)
				}
				told <- ids
			}
		}
	}()
	want := func(when, ids string) {
		t.Helper()
		if got := strings.Join(<-told, ", "); got != ids {
			t.Errorf("%s: told were %q, want %q", when, got, ids)
		}
	}
	want("at first", "window bar stage, window, bar, stage")
	f.change(func() { f.seats[0].Live.ToMove = 0 })
	want("after a move", "window bar stage, window")
	f.change(func() { f.seats = f.seats[1:] })
	want("after a table went", "bar stage")
}

// sseLines is the data of a stream of events, line by line.
func sseLines(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for scan := bufio.NewScanner(r); scan.Scan(); {
			if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok && !yield(data) {
				return
			}
		}
	}
}
