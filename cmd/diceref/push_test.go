package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"diceref/table"
	"diceref/web"
)

// badLine is a table at the end of a line on which anything may happen: requests are lost, answers are lost, servers fail, and
// who goes on in their place knows only what is in the journal.
type badLine struct {
	mu      sync.Mutex
	rng     *rand.Rand
	frames  []int // that were seen; the number of the first is 1
	settled int   // how many of them are in the journal
}

func (b *badLine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fate := b.rng.IntN(8)
	if fate == 0 {
		panic(http.ErrAbortHandler) // cut before it arrived
	}
	if fate == 1 {
		http.Error(w, `{"error":"changing over"}`, http.StatusServiceUnavailable)
		return
	}
	if fate == 2 {
		b.frames = b.frames[:b.settled] // another server has taken over
	}
	var p web.Pushed
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		panic(http.ErrAbortHandler)
	}
	if want := max(int64(len(b.frames)+1), p.Kept); want < p.First {
		_ = json.NewEncoder(w).Encode(web.Taken{Next: want, Keep: int64(b.settled + 1)}) // else it is sent again
		return
	}
	for i, o := range p.Observations {
		if n := p.First + int64(i); n > int64(len(b.frames)) {
			b.frames = append(b.frames, o.Frame)
		}
	}
	if fate == 3 {
		panic(http.ErrAbortHandler) // cut before the answer arrived
	}
	b.settled += b.rng.IntN(len(b.frames) - b.settled + 1)
	if len(p.Observations) == 1 && p.First == int64(len(b.frames)) { // it asks
		b.settled = len(b.frames)
	}
	_ = json.NewEncoder(w).Encode(web.Taken{Next: p.First + int64(len(p.Observations)), Keep: int64(b.settled + 1)})
}

// TestPushOverABadLine: all observations arrive, in order, each once.
func TestPushOverABadLine(t *testing.T) {
	line := &badLine{rng: rand.New(rand.NewPCG(3, 3))}
	ts := httptest.NewUnstartedServer(line)
	ts.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	ts.Start()
	defer ts.Close()
	p, err := newPusher(ts.URL+"/t/window", "TOKEN", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p.again = time.Millisecond
	ended, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- p.run(t.Context(), ended) }()
	var want []int
	for n := range 500 {
		p.add(table.Observation{Frame: n})
		want = append(want, n)
	}
	close(ended)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(line.frames, want) {
		t.Errorf("arrived have %d: %v", len(line.frames), line.frames)
	}
}

// TestPushRefused: with the wrong token it ends and says why; and addresses that are none are told at once.
func TestPushRefused(t *testing.T) {
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"that is not the token of this table's camera"}`, http.StatusForbidden)
	}))
	defer ts.Close()
	p, err := newPusher(ts.URL, "TOKEN", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p.add(table.Observation{})
	if err := p.run(t.Context(), nil); !errors.Is(err, errRefusedPush) {
		t.Errorf("with a wrong token: %v", err)
	}
	for _, at := range []string{"", "hall.example/t/window", "ftp://hall.example", "https://"} {
		if _, err := newPusher(at, "TOKEN", nil); err == nil {
			t.Errorf("%q is the address of a table", at)
		}
	}
	if _, err := newPusher(ts.URL, "", nil); err == nil {
		t.Error("no token is needed")
	}
}

// TestPushQueue: what nobody takes for an hour is given up, the oldest first.
func TestPushQueue(t *testing.T) {
	p, err := newPusher("http://localhost:1", "TOKEN", nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range mostQueued + 3 {
		p.add(table.Observation{Frame: n})
	}
	for _, c := range []struct {
		taken       web.Taken
		first, kept int64
	}{
		{web.Taken{Next: 1, Keep: 1}, 4, 4}, // those are gone
		{web.Taken{Next: 9, Keep: 6}, 9, 6}, // what is not in the journal is kept
		{web.Taken{Next: 7, Keep: 6}, 7, 6}, // and asked for by somebody else
		{web.Taken{Next: 9, Keep: 20}, 9, 9},
		{web.Taken{Next: mostKept + 20, Keep: 1}, mostKept + 20, 20}, // for a while
	} {
		p.done(c.taken)
		first, kept, list := p.next(10)
		if first != c.first || kept != c.kept || len(list) != 10 || list[0].Frame != int(first-1) {
			t.Errorf("after %+v the queue goes on with number %d, frame %d, and keeps what is from %d on", c.taken, first, list[0].Frame, kept)
		}
	}
}

// TestPushToken: the token may come from the environment, where nobody else on the machine reads it.
func TestPushToken(t *testing.T) {
	args := []string{"watch", "--push", "http://localhost:1/t/window"}
	for token, want := range map[string]string{"TOKEN": "needs --source", "": "needs --token"} {
		t.Setenv(tokenVariable, token)
		var errs bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &errs); code != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("token %q: exit %d, %s, want %q", token, code, &errs, want)
		}
	}
}
