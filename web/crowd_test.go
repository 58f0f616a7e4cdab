package web

import (
	"fmt"
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"diceref/match"
	"diceref/table"
)

// TestCrowd: a hundred pages look on, ten of which take nothing in. The match never
// waits, each of the others learns every event once and in order, and a page that comes
// late is in step with its first message.
func TestCrowd(t *testing.T) {
	const pages, stalled, acts = 100, 10, 60
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	m, err := match.New(match.Config{Game: table.DiceFlick, Players: []string{strings.Repeat("A", 40), "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Match: m, Feed: NewFeed()})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	for range stalled {
		c, err := net.Dial("tcp", ts.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.(*net.TCPConn).SetReadBuffer(1024); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\n\r\n", ts.Listener.Addr())
	}
	var ready, done sync.WaitGroup
	for range pages - stalled {
		ready.Add(1)
		done.Go(func() {
			next, stop := subscribe(t, ts.URL, "", "")
			defer stop()
			_, n := news(t, next)
			ready.Done()
			last := int64(0)
			for {
				for _, e := range n.Events {
					if e.Seq != last+1 {
						t.Errorf("event %d came after %d", e.Seq, last)
						return
					}
					last = e.Seq
				}
				if last >= acts+1 {
					return
				}
				_, n = news(t, next)
			}
		})
	}
	ready.Wait()
	for i := range acts {
		if err := m.Declare(match.Declaration{Say: []string{match.SayMiss, match.SayUndo}[i%2]}); err != nil {
			t.Fatal(err)
		}
	}
	done.Wait()
	next, stop := subscribe(t, ts.URL, "", "")
	defer stop()
	if _, n := news(t, next); n.Seq != m.Snapshot().Seq || len(n.Events) != acts+1 {
		t.Errorf("a late page begins at event %d with %d events, want %d", n.Seq, len(n.Events), acts+1)
	}
}
