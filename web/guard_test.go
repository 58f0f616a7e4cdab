package web

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// with sets a header.
func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// both applies several changes to a request.
func both(edits ...func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) {
		for _, edit := range edits {
			edit(r)
		}
	}
}

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address }
}

func host(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }

// TestAttacks is the table of web/README.md: what was tried, and what came of it.
func TestAttacks(t *testing.T) {
	far := from("192.168.1.9:4000")
	code := with(CodeHeader, "ABCD2345")
	tests := []struct {
		name, method, path string
		edit               func(*http.Request)
		status             int
	}{
		{"the page itself", "POST", "/api/v1/undo", with("Origin", "http://localhost:8080"), 200},
		{"a program on this machine", "POST", "/api/v1/undo", nil, 200},
		{"another site, by Origin", "POST", "/api/v1/undo", with("Origin", "https://evil.example"), 403},
		{"another site, by Sec-Fetch-Site", "POST", "/api/v1/undo", with("Sec-Fetch-Site", "cross-site"), 403},
		{"another port of this machine", "POST", "/api/v1/undo", with("Origin", "http://localhost:9999"), 403},
		{"a sandboxed frame", "POST", "/api/v1/undo", with("Origin", "null"), 403},
		{"another site, a photograph", "POST", "/api/v1/read", with("Origin", "https://evil.example"), 403},
		{"a form of another site", "POST", "/api/v1/declare", both(with("Origin", "https://evil.example"), with("Content-Type", "text/plain")), 403},
		{"a form without Origin", "POST", "/api/v1/declare", with("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"a name pointed here (rebinding)", "GET", "/api/v1/state", host("evil.example"), 421},
		{"a name pointed here, a change", "POST", "/api/v1/undo", both(host("evil.example:8080"), with("Origin", "http://evil.example:8080")), 421},
		{"localhost as a part of a name", "GET", "/", host("localhost.evil.example"), 421},
		{"no name at all", "GET", "/", host(""), 421},
		{"an address", "GET", "/", host("192.168.1.5:8080"), 200},
		{"an IPv6 address", "GET", "/", host("[::1]:8080"), 200},
		{"looking on from the network", "GET", "/api/v1/state", far, 200},
		{"a change from the network, no code", "POST", "/api/v1/undo", far, 403},
		{"a change from the network, wrong code", "POST", "/api/v1/undo", both(far, with(CodeHeader, "ABCD2346")), 403},
		{"a change from the network, with the code", "POST", "/api/v1/undo", both(far, code), 200},
		{"the code in lower case", "POST", "/api/v1/undo", both(far, with(CodeHeader, "abcd2345")), 200},
		{"through a proxy on this machine", "POST", "/api/v1/undo", with("X-Forwarded-For", "203.0.113.7"), 403},
		{"pretending to be local", "POST", "/api/v1/undo", both(far, with("X-Forwarded-For", "127.0.0.1")), 403},
		{"the code and another site", "POST", "/api/v1/undo", both(far, code, with("Origin", "https://evil.example")), 403},
		{"a change by GET", "GET", "/api/v1/undo", nil, 405},
		{"another method", "DELETE", "/api/v1/state", nil, 405},
		{"a question before a change (CORS)", "OPTIONS", "/api/v1/undo", both(with("Origin", "https://evil.example"), with("Access-Control-Request-Method", "POST")), 405},
		{"a kept match is deleted from the network, no code", "PATCH", "/api/v1/history/one", far, 403},
		{"a kept match is erased from the network, no code", "DELETE", "/api/v1/history/one", far, 403},
		{"a player is renamed from the network, wrong code", "POST", "/api/v1/players/rename", both(far, with(CodeHeader, "ABCD2346")), 403},
		{"a kept match is erased by another site", "DELETE", "/api/v1/history/one", with("Origin", "https://evil.example"), 403},
		{"files beside the page", "GET", "/static/../server.go", nil, 404},
		{"files beside the page, encoded", "GET", "/static/..%2f..%2fgo.mod", nil, 404},
		{"nothing there", "GET", "/admin", nil, 404},
	}
	for _, test := range tests {
		s, m, _ := served(fakeReader{})
		body := ""
		if strings.HasSuffix(test.path, "/declare") {
			body = `{"say":"undo"}`
		}
		a := call(t, s.Handler(), test.method, test.path, body, test.edit)
		if a.status != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, a.status, a.body, test.status)
		}
		if changed := len(m.said()) > 0; changed != (test.method == "POST" && test.status == 200) {
			t.Errorf("%s: changed something: %v", test.name, changed)
		}
		if a.header.Get("Content-Security-Policy") != contentPolicy+"'none'" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers are missing: %v", test.name, a.header)
		}
	}
}

// TestFramed: no page can be shown within another site's; the overlay, which has nothing to tap, within our own.
func TestFramed(t *testing.T) {
	s, _, _ := served(nil)
	for path, want := range map[string][2]string{"/": {"'none'", "DENY"}, "/tv": {"'none'", "DENY"}, "/stream": {"'none'", "DENY"}, "/overlay": {"'self'", "SAMEORIGIN"}} {
		a := call(t, s.Handler(), "GET", path, "", nil)
		if got := [2]string{strings.TrimPrefix(a.header.Get("Content-Security-Policy"), contentPolicy), a.header.Get("X-Frame-Options")}; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestPolicyAllowsNothingInline(t *testing.T) {
	if strings.Contains(contentPolicy, "unsafe") || !strings.HasPrefix(contentPolicy, "default-src 'none'") {
		t.Errorf("%s", contentPolicy)
	}
}

func TestNoCodeMeansNoChangesFromAfar(t *testing.T) {
	s := New(Config{Match: newFakeMatch("A", "B"), Feed: NewFeed()})
	a := call(t, s.Handler(), "POST", "/api/v1/undo", "", both(from("10.0.0.2:1"), with(CodeHeader, "")))
	if a.status != 403 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestChangesAreLimited(t *testing.T) {
	s, _, _ := served(nil)
	s.guard.changes.now = func() time.Time { return time.Unix(0, 0) }
	for i := range 41 {
		if got := call(t, s.Handler(), "POST", "/api/v1/undo", "", nil).status; (got == 429) != (i == 40) {
			t.Errorf("change %d at once: %d", i+1, got)
		}
	}
}

func TestUploadsAreLimited(t *testing.T) {
	s, _, _ := served(fakeReader{})
	clock := time.Unix(0, 0)
	s.guard.uploads.now = func() time.Time { return clock }
	last := 0
	for range 7 {
		last = call(t, s.Handler(), "POST", "/api/v1/read", string(tablePicture), nil).status
	}
	if last != 429 {
		t.Errorf("the seventh photograph at once: %d", last)
	}
	clock = clock.Add(3 * time.Second)
	if got := call(t, s.Handler(), "POST", "/api/v1/read", string(tablePicture), nil).status; got != 200 {
		t.Errorf("three seconds later: %d", got)
	}
}

func TestLimiterForgets(t *testing.T) {
	l := newLimiter(1, time.Second)
	clock := time.Unix(0, 0)
	l.now = func() time.Time { return clock }
	for i := range 3 * maxClients {
		l.allow(visitor{address: strconv.Itoa(i), network: strconv.Itoa(i)})
		clock = clock.Add(time.Millisecond)
	}
	if len(l.who) > maxClients || len(l.networks) > maxClients {
		t.Errorf("%d clients in %d networks remembered", len(l.who), len(l.networks))
	}
}

func TestNewCode(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		code := NewCode()
		if len(code) != 8 || strings.Trim(code, codeLetters) != "" || seen[code] {
			t.Fatalf("code %q", code)
		}
		seen[code] = true
	}
}
