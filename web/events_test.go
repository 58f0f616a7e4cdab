package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
)

// sent is one server-sent event.
type sent struct{ id, event, data string }

// subscribe opens the stream of events; header and query may be empty.
func subscribe(t *testing.T, url, lastID, query string) (next func() sent, stop func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	r, err := http.NewRequestWithContext(ctx, "GET", url+"/api/v1/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("Content-Type %q", kind)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	next = func() sent {
		t.Helper()
		var e sent
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "id":
				e.id = value
			case "event":
				e.event = value
			case "data":
				e.data = value
			case "":
				if e.data != "" {
					return e
				}
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return e
	}
	return next, func() { cancel(); answer.Body.Close() }
}

// news reads the next event that is about the match.
func news(t *testing.T, next func() sent) (sent, matchNews) {
	t.Helper()
	for {
		e := next()
		if e.event != "match" {
			continue
		}
		var n matchNews
		if err := json.Unmarshal([]byte(e.data), &n); err != nil {
			t.Fatal(err)
		}
		return e, n
	}
}

func seqs(events []match.EventView) []int64 {
	var list []int64
	for _, e := range events {
		list = append(list, e.Seq)
	}
	return list
}

func eventServer(t *testing.T) (*httptest.Server, *fakeMatch, *Feed) {
	s, m, feed := served(nil)
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	return ts, m, feed
}

func TestEventsTellEverythingThenWhatIsNew(t *testing.T) {
	ts, m, feed := eventServer(t)
	m.add(place("Ada", table.Red, 4, 0, 0), "")
	feed.ShowObservation(seenTable())
	next, stop := subscribe(t, ts.URL, "", "")
	defer stop()
	e, n := news(t, next)
	if !n.Reset || len(n.Events) != 1 || e.id != "m1:1" {
		t.Errorf("at first: id %s, reset %v, events %v", e.id, n.Reset, seqs(n.Events))
	}
	if e := next(); e.event != "camera" || !strings.Contains(e.data, CameraStarting) {
		t.Errorf("then the camera, not %v", e)
	}
	if e := next(); e.event != "seen" || !strings.Contains(e.data, `"color":"red"`) {
		t.Errorf("then what is seen, not %v", e)
	}
	m.add(place("Ben", table.Red, 3, 0, 1), "")
	if e, n := news(t, next); n.Reset || len(n.Events) != 1 || n.Events[0].Seq != 2 || e.id != "m1:2" || n.ToMove != 2 {
		t.Errorf("after a move: %s %+v", e.id, n)
	}
	m.change(func(s *match.Snapshot) { s.Phase = "hand" })
	if e, n := news(t, next); len(n.Events) != 0 || n.Phase != "hand" || e.id != "m1:2" {
		t.Errorf("after a hand: %s %+v", e.id, n)
	}
	feed.ShowStatus(Status{State: CameraRestarting, Reason: "it died"})
	if e := next(); e.event != "camera" || e.data != `{"state":"restarting","reason":"it died"}` {
		t.Errorf("the camera: %v", e)
	}
}

func TestEventsResync(t *testing.T) {
	tests := []struct {
		name, header, query string
		reset               bool
		events              int
	}{
		{"missed two", "m1:1", "", false, 2},
		{"missed two, by address", "", "?after=m1:1", false, 2},
		{"missed nothing", "m1:3", "", false, 0},
		{"another match", "m0:2", "", true, 3},
		{"from the future", "m1:9", "", true, 3},
		{"nonsense", "x", "", true, 3},
		{"a negative number", "m1:-5", "", true, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ts, m, _ := eventServer(t)
			for col := range 3 {
				m.add(place("Ada", table.Red, 4, 0, col), "")
			}
			next, stop := subscribe(t, ts.URL, test.header, test.query)
			defer stop()
			if _, n := news(t, next); n.Reset != test.reset || len(n.Events) != test.events || n.Seq != 3 {
				t.Errorf("reset %v, events %v, seq %d", n.Reset, seqs(n.Events), n.Seq)
			}
		})
	}
}

func TestEventsOfAnotherMatchAndUndone(t *testing.T) {
	ts, m, _ := eventServer(t)
	m.add(place("Ada", table.Red, 4, 0, 0), "")
	next, stop := subscribe(t, ts.URL, "", "")
	defer stop()
	news(t, next)
	m.change(func(s *match.Snapshot) { s.Events[0].Undone = true })
	if _, n := news(t, next); len(n.Undone) != 1 || n.Undone[0] != 1 {
		t.Errorf("undone: %v", n.Undone)
	}
	m.change(func(s *match.Snapshot) { s.ID, s.Seq, s.Events = "m2", 0, nil })
	if e, n := news(t, next); !n.Reset || len(n.Events) != 0 || e.id != "m2:0" {
		t.Errorf("another match: %s %+v", e.id, n)
	}
}

// TestSignsOfLife: a stream on which nothing happens says that the server is still there, so
// that a page finds out when the line is cut.
func TestSignsOfLife(t *testing.T) {
	s, _, _ := served(nil)
	s.heartbeat = time.Millisecond
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	next, stop := subscribe(t, ts.URL, "", "")
	defer stop()
	for here := 0; here < 3; {
		if e := next(); e.event == "here" {
			here++
		}
	}
}
