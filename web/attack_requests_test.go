package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changing are the requests that change something, as the description has them.
func changing(t *testing.T) (list [][2]string) {
	t.Helper()
	for path, methods := range description(t).Paths {
		path = strings.NewReplacer("{id}", "m1", "{number}", "0", "{file}", "board.pdf").Replace(path)
		for method := range methods {
			if method != "get" && path != "/read" { // which changes nothing
				list = append(list, [2]string{strings.ToUpper(method), "/api/v1" + path})
			}
		}
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[1]+a[0], b[1]+b[0]) })
	if len(list) < 8 {
		t.Fatalf("only %v change something", list)
	}
	return list
}

// TestAttackWithoutCode: nothing at all is changed from another machine without the table's code.
func TestAttackWithoutCode(t *testing.T) {
	for _, change := range changing(t) {
		for name, edit := range map[string]func(*http.Request){
			"no code":         from("192.168.1.9:4000"),
			"a wrong code":    both(from("192.168.1.9:4000"), with(CodeHeader, "ABCD2346")),
			"a part of it":    both(from("192.168.1.9:4000"), with(CodeHeader, "ABCD234")),
			"through a proxy": with("X-Forwarded-For", "127.0.0.1"),
		} {
			s, m, _ := served(nil)
			for _, query := range []string{"", "?code=" + rightCode} {
				if got := call(t, s.Handler(), change[0], change[1]+query, "{}", edit); got.status != http.StatusForbidden || len(m.said()) > 0 {
					t.Errorf("%s %s%s with %s: %d", change[0], change[1], query, name, got.status)
				}
			}
		}
	}
}

// TestAttackRandomRequests: whatever is sent without the code changes nothing, and breaks nothing.
func TestAttackRandomRequests(t *testing.T) {
	s, m, _ := served(fakeReader{})
	r := rand.New(rand.NewPCG(35, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	paths := []string{"/", "/tv", "/setup", "/static/js/app.js", "/trust/diceref.crt", "/metrics", "/api/v1/nothing", "/%00", "/api/v1/history/%27%20OR%201=1"}
	for path := range description(t).Paths {
		paths = append(paths, "/api/v1"+strings.NewReplacer("{id}", pick("m1", "..", "%2e%2e", "-1"), "{number}", pick("0", "-1", "99999999999999999999", "x"), "{file}", pick("board.pdf", "..%2fx", "x.svg")).Replace(path))
	}
	for range 1500 {
		method := pick("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND")
		path := paths[r.IntN(len(paths))]
		if path == "/api/v1/events" || path == "/api/v1/stream" || method == "GET" && strings.Contains(path, "hint") {
			continue // they stay open
		}
		body := pick("", "{}", "[]", `{"say":"undo"}`, `{"say":1}`, "\x00\xff", strings.Repeat("[", 5000), `{"game":"dice-box","players":["A","B"],"source":"none"}`)
		a := call(t, s.Handler(), method, path+pick("", "?limit=-1", "?game=%00", "?code="+rightCode, "?from=1e9"), body, both(
			from(fmt.Sprintf("10.0.%d.%d:1", r.IntN(250), r.IntN(250))),
			with(pick("X-Forwarded-For", "X-Real-Ip", "Forwarded", "Origin", "Sec-Fetch-Site", CodeHeader), pick("127.0.0.1", "null", "same-origin", "http://localhost:8080", "none")),
			host(pick("localhost:8080", "192.168.1.5", "[::1]:1", "evil.example", "", "localhost.evil.example", "127.0.0.1.nip.io")),
		))
		if a.status >= 500 && a.status != http.StatusServiceUnavailable {
			t.Errorf("%s %s with %.40q: %d %s", method, path, body, a.status, a.body)
		}
	}
	if n := len(m.said()); n > 0 {
		t.Errorf("%d changes", n)
	}
}

// TestAttackPaths: no address leads to a file that is not the page's own.
func TestAttackPaths(t *testing.T) {
	s, _, _ := served(nil)
	for _, base := range []string{"/static/", "/static/js/", "/api/v1/print/", "/api/v1/history/", "/trust/", "/"} {
		for _, way := range []string{"../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "....//", "%252e%252e%252f", "./../", "//", "%00/"} {
			for _, file := range []string{"go.mod", "etc/passwd", "setup.json", "server.go"} {
				path := base + strings.Repeat(way, 4) + file
				a := call(t, s.Handler(), "GET", path, "", nil)
				if a.status == http.StatusOK || a.status >= 500 && a.status != http.StatusServiceUnavailable {
					t.Errorf("%s: %d", path, a.status)
				}
				if to := a.header.Get("Location"); strings.Contains(to, "//") {
					t.Errorf("%s leads to %s", path, to)
				}
			}
		}
	}
}

// endless is a body without an end; how much of it was taken is counted.
type endless struct{ taken int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '['
	}
	e.taken += len(b)
	return len(b), nil
}

// TestAttackEndlessBodies: what never ends is cut off at its limit.
func TestAttackEndlessBodies(t *testing.T) {
	for _, test := range []struct {
		path, kind string
		most       int
	}{
		{"/api/v1/read", "image/jpeg", maxUpload},
		{"/api/v1/phone/frame", "image/jpeg", maxFrame},
		{"/api/v1/declare", "application/json", maxBody},
		{"/api/v1/correct", "application/json", maxBody},
		{"/api/v1/undo", "application/json", maxBody},
	} {
		s, _, _ := served(fakeReader{})
		body := &endless{}
		r := httptest.NewRequest("POST", "http://localhost:8080"+test.path, body)
		r.RemoteAddr, r.ContentLength = "127.0.0.1:5000", -1
		r.Header.Set("Content-Type", test.kind)
		r.Header.Set(PhoneHeader, "phone-one")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code < 400 || w.Code >= 500 || body.taken > 2*test.most+1<<16 {
			t.Errorf("%s: %d after %d bytes", test.path, w.Code, body.taken)
		}
	}
}

// TestAttackHeaders: neither long headers nor ones that never end are taken.
func TestAttackHeaders(t *testing.T) {
	s, _, _ := served(nil)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { done <- s.Serve(ctx, Doors()(ln)) }()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: localhost\r\n")
		for range 1000 {
			if _, err := fmt.Fprintf(c, "X-Long: %s\r\n", strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}()
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil {
		io.Copy(io.Discard, a.Body)
		a.Body.Close()
	}
	if err == nil && a.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("long headers: %s", a.Status)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestAttackMarkup: no script sets what players typed as markup, or runs a text.
func TestAttackMarkup(t *testing.T) {
	scripts, err := filepath.Glob("static/js/*.js")
	if err != nil || len(scripts) < 20 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "eval(", "new Function", "javascript:", "DOMParser", "srcdoc"} {
			if strings.Contains(string(text), way) {
				t.Errorf("%s uses %s", name, way)
			}
		}
	}
}
