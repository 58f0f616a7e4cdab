package web

import (
	"compress/gzip"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"diceref/table"
)

// A page may load 200 kB before the picture; what is to come needs room.
const (
	mostBytes = 200_000
	headRoom  = 40_000
)

// meter counts the bytes that come over its connections, headers and all.
type meter struct{ bytes atomic.Int64 }

type metered struct {
	net.Conn
	*meter
}

func (m metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	m.bytes.Add(int64(n))
	return n, err
}

// pageWeight fetches a page, its styles, and its modules with all that they import (every
// game's, though one is loaded at a time), and the longest words.
func pageWeight(t *testing.T, client *http.Client, base, page string) {
	t.Helper()
	seen := map[string]bool{}
	var load func(string)
	load = func(address string) {
		if seen[address] {
			return
		}
		seen[address] = true
		text := fetchPacked(t, client, base+address)
		for _, m := range regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`).FindAllStringSubmatch(text, -1) {
			load(m[1])
		}
		if path.Ext(address) == ".js" {
			for _, m := range regexp.MustCompile(`(?:from|import\()\s*'\./([^']+)'`).FindAllStringSubmatch(text, -1) {
				load("/static/js/" + m[1])
			}
		}
	}
	load(page)
	load("/static/lang/de.json")
	load("/static/lang/reasons.de.json")
}

// fetchPacked fetches what is at an address as a browser does, and unpacks it.
func fetchPacked(t *testing.T, client *http.Client, address string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", address, answer.Status)
	}
	var body io.Reader = answer.Body
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return string(data)
}

// TestPageIsSmall: what comes over the wire for a page before the picture is at most
// 200 kB, less what is kept free.
func TestPageIsSmall(t *testing.T) {
	s, _, _ := served(nil)
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	for _, page := range slices.Sorted(maps.Keys(views)) {
		var m meter
		transport := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return metered{conn, &m}, err
		}}
		pageWeight(t, &http.Client{Transport: transport}, ts.URL, page)
		transport.CloseIdleConnections()
		if total := m.bytes.Load(); total > mostBytes-headRoom {
			t.Errorf("%s loads %d bytes", page, total)
		} else {
			t.Logf("%s loads %d bytes", page, total)
		}
	}
}

// TestBrowserWeight: the same by what a browser counts, on a table with a camera.
func TestBrowserWeight(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s, _ := tapped(t, table.DiceCreams, "Ada", "Ben")
	s.cfg.Feed.ShowStatus(Status{State: CameraRunning})
	s.cfg.Feed.ShowPicture(tablePicture)
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	run(t, ctx, chromedp.Navigate(ts.URL), wait(`document.querySelector('.customers') && document.querySelector('.stage.seen')`))
	total := ask[int](t, ctx, `performance.getEntries().filter(e => e.transferSize && !e.name.includes('preview.jpg')).reduce((sum, e) => sum + e.transferSize, 0)`)
	if total < 20_000 || total > mostBytes-headRoom {
		t.Errorf("the browser loaded %d bytes", total)
	}
	t.Logf("the browser loaded %d bytes", total)
}

// TestPacked: files come gzipped to whoever takes that, with tags of their own; streams
// and answers of the API never do.
func TestPacked(t *testing.T) {
	s, _, _ := served(nil)
	const name = "/static/lang/en.json"
	tests := []struct {
		path, accept string
		packed       bool
	}{
		{name, "gzip, deflate, br", true},
		{name, "br;q=1.0, gzip;q=0.8", true},
		{"/", "GZIP", true},
		{"/static/style.css", "deflate, gzip", true},
		{name, "", false},
		{name, "identity", false},
		{name, "gzip;q=0", false},
		{name, "gzip; q=0.0", false},
		{name, "gzip;q=x", false},
		{name, "xgzip", false},
		{"/api/v1/state", "gzip", false},
		{"/api/v1/openapi.json", "gzip", false},
	}
	for _, test := range tests {
		get := func(tag string) answer {
			return call(t, s.Handler(), "GET", test.path, "", func(r *http.Request) {
				r.Header.Set("Accept-Encoding", test.accept)
				r.Header.Set("If-None-Match", tag)
			})
		}
		a := get("")
		if got := a.header.Get("Content-Encoding"); a.status != http.StatusOK || (got == "gzip") != test.packed {
			t.Errorf("%s for %q: %d, %q", test.path, test.accept, a.status, got)
		}
		tag := a.header.Get("ETag")
		if strings.HasPrefix(test.path, "/api") {
			continue
		}
		if a.header.Get("Vary") != "Accept-Encoding" || strings.Contains(tag, "gzip") != test.packed {
			t.Errorf("%s for %q: tag %s, vary %q", test.path, test.accept, tag, a.header.Get("Vary"))
		}
		if again := get(tag); again.status != http.StatusNotModified || again.body != "" || again.header.Get("Content-Encoding") != "" {
			t.Errorf("%s for %q again: %d, %d bytes", test.path, test.accept, again.status, len(again.body))
		}
	}
	if fetched := fetchPacked(t, serving(t, s), "http://localhost"+name); fetched != string(loadFiles("", views)["lang/en.json"].data) {
		t.Errorf("%s changes on its way", name)
	}
}

// serving is a client that every address leads to the server.
func serving(t *testing.T, s *Server) *http.Client {
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, ts.Listener.Addr().String())
	}}}
}

// TestEventsAreNotPacked: what comes bit by bit is sent as it is.
func TestEventsAreNotPacked(t *testing.T) {
	s, _, _ := served(nil)
	r, err := http.NewRequest(http.MethodGet, "http://localhost/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := serving(t, s).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 7)
	_, err = io.ReadFull(answer.Body, start)
	if got := answer.Header.Get("Content-Encoding"); err != nil || got != "" || string(start) != "retry: " {
		t.Errorf("the stream begins with %q, encoded as %q (%v)", start, got, err)
	}
	answer.Body.Close()
	close(s.closing)
}
