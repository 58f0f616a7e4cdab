package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const rightCode = "ABCD2345"

// undo tries to change something with a code; what it is answered.
func undo(t *testing.T, s *Server, code string, edits ...func(*http.Request)) int {
	t.Helper()
	return call(t, s.Handler(), "POST", "/api/v1/undo", "", both(append(edits, with(CodeHeader, code))...)).status
}

// TestAttackGuesses: who guesses is answered five times, then once a second over each connection;
// the right code passes all the same, at that address too.
func TestAttackGuesses(t *testing.T) {
	for name, who := range map[string]func(int) func(*http.Request){
		"an address":             func(int) func(*http.Request) { return from("192.168.1.9:4000") },
		"a network of addresses": func(i int) func(*http.Request) { return from(fmt.Sprintf("[fd66::%x]:4000", i+1)) },
		"through a proxy": func(i int) func(*http.Request) {
			return with("X-Forwarded-For", fmt.Sprintf("10.9.%d.%d", i/250, i%250))
		},
	} {
		most := map[string]int{"an address": 5}[name]
		if most == 0 {
			most = 5 * wholeNetwork
		}
		s, m, _ := served(nil)
		s.guard.guesses.now = func() time.Time { return time.Unix(0, 0) }
		resting, rested := make(chan struct{}, 1000), make(chan struct{})
		s.guard.rest = func(context.Context, time.Duration) {
			resting <- struct{}{}
			<-rested
		}
		const tries = 300
		var answered, slow, passed atomic.Int32
		var all sync.WaitGroup
		for i := range tries {
			code := "WRONG234"
			if i == tries/2 {
				code = rightCode
			}
			all.Go(func() {
				switch got := undo(t, s, code, who(i)); got {
				case http.StatusForbidden:
					answered.Add(1)
				case http.StatusTooManyRequests:
					slow.Add(1)
				case http.StatusOK:
					passed.Add(1)
				}
			})
		}
		for range tries - most - 1 { // the right code may have come before the others
			<-resting
		}
		if n := int(answered.Load()); n > most {
			t.Errorf("%s: %d of %d guesses are answered at once, want %d", name, n, tries, most)
		}
		close(rested)
		all.Wait()
		if int(answered.Load()) != most || int(slow.Load()) != tries-most-1 || passed.Load() != 1 || len(m.said()) != 1 {
			t.Errorf("%s: %d told wrong, %d told to slow down, %d passed, %d changes", name, answered.Load(), slow.Load(), passed.Load(), len(m.said()))
		}
	}
}

// TestAttackRightCode: neither wrong codes nor floods of others, in the same network of IPv6 or
// behind the same proxy, keep anybody from changing something with the right code.
func TestAttackRightCode(t *testing.T) {
	for name, who := range map[string][3]func(*http.Request){
		"a network of IPv6": {from("[fd66::2]:1"), from("[fd66::4]:1"), from("[fd66::5]:1")},
		"a proxy":           {with("X-Forwarded-For", "10.0.0.2"), with("X-Forwarded-For", "1.2.3.4, 10.0.0.4"), with("X-Forwarded-For", "10.0.0.5")},
		"one address":       {from("10.0.0.2:1"), from("10.0.0.2:2"), from("10.0.0.2:3")},
	} {
		s, _, _ := served(nil)
		rests := 0
		s.guard.rest = func(context.Context, time.Duration) { rests++ }
		for range 20 {
			undo(t, s, "WRONG234", who[0])
		}
		for range 200 {
			if got := undo(t, s, "", who[1]); got != http.StatusForbidden {
				t.Fatalf("%s, without a code: %d", name, got)
			}
		}
		rests = 0
		for i := range 20 {
			if got := undo(t, s, rightCode, who[2]); got != http.StatusOK {
				t.Errorf("%s: right code %d: %d", name, i, got)
			}
		}
		if name != "one address" && rests > 0 {
			t.Errorf("%s: it had to wait %d times", name, rests)
		}
	}
}

// TestAttackProxies: what a proxy passes on never counts as local, and is counted for the
// address that the last one wrote down.
func TestAttackProxies(t *testing.T) {
	g := newGuard(Config{Code: rightCode})
	for _, test := range []struct {
		remote, header, value string
		want                  visitor
	}{
		{"127.0.0.1:1", "", "", visitor{address: "127.0.0.1", here: true}},
		{"[::1]:1", "", "", visitor{address: "::1", here: true}},
		{"[::ffff:127.0.0.1]:1", "", "", visitor{address: "127.0.0.1", here: true}},
		{"127.0.0.1:1", "X-Forwarded-For", "127.0.0.1, 10.0.0.7", visitor{address: "proxy 10.0.0.7", network: "proxy"}},
		{"127.0.0.1:1", "X-Forwarded-For", "127.0.0.1", visitor{address: "proxy 127.0.0.1", network: "proxy"}},
		{"127.0.0.1:1", "X-Forwarded-For", "[fd66::7]:443", visitor{address: "proxy fd66::7", network: "proxy"}},
		{"127.0.0.1:1", "X-Real-Ip", "10.0.0.8", visitor{address: "proxy 10.0.0.8", network: "proxy"}},
		{"127.0.0.1:1", "Forwarded", "for=10.0.0.8", visitor{address: "proxy ", network: "proxy"}},
		{"127.0.0.1:1", "Via", "1.1 squid", visitor{address: "proxy ", network: "proxy"}},
		{"10.0.0.9:1", "X-Forwarded-For", "127.0.0.1", visitor{address: "10.0.0.9"}},
		{"[fd66::2]:1", "X-Forwarded-For", "10.0.0.1", visitor{address: "fd66::2", network: "fd66::/64"}},
		{"[fe80::2%eth0]:1", "", "", visitor{address: "fe80::2", network: "fe80::/64"}},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		if test.header != "" {
			r.Header.Set(test.header, test.value)
		}
		if got := g.visiting(r); got != test.want {
			t.Errorf("%s, %s: %s: %+v, want %+v", test.remote, test.header, test.value, got, test.want)
		}
	}
}

// farServer is a server that takes whoever asks for the address in a header.
func farServer(t *testing.T, s *Server) string {
	t.Helper()
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at := r.Header.Get("Test-From"); at != "" {
			r.RemoteAddr = at
		}
		s.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(ts.Close)
	return ts.URL
}

// askAs sends a request as if from an address (of this machine: empty), with the headers given in pairs.
func askAs(t *testing.T, method, url, address string, body io.Reader, headers ...string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Test-From", address)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return http.DefaultClient.Do(r)
}

// TestAttackSlowUploads: photos that come a byte at a time, from few or many addresses, keep
// nobody from having one read; and they are given up after a while.
func TestAttackSlowUploads(t *testing.T) {
	s, _, _ := served(fakeReader{})
	url := farServer(t, s)
	var slow sync.WaitGroup
	defer slow.Wait()
	for i := range 6 {
		come, send := io.Pipe()
		defer send.Close()
		slow.Go(func() {
			if r, err := askAs(t, "POST", url+"/api/v1/read", fmt.Sprintf("10.0.0.%d:1", i/2), come); err == nil {
				r.Body.Close()
			}
		})
		send.Write([]byte("\xff\xd8"))
		for s.uploads.size() < min(i+1, 4) {
			time.Sleep(time.Millisecond)
		}
	}
	read := func(address string) {
		t.Helper()
		r, err := askAs(t, "POST", url+"/api/v1/read", address, strings.NewReader(string(tablePicture)))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("a photograph of %q: %s", address, r.Status)
		}
	}
	for range 3 {
		read("10.0.9.9:1")
		read("")
	}
	// Also while others are being read, the machine itself need not wait.
	for range maxReadings {
		s.reading <- struct{}{}
	}
	read("")

	s.sending = time.Millisecond
	come, send := io.Pipe()
	defer send.Close()
	r, err := askAs(t, "POST", url+"/api/v1/read", "10.0.8.8:1", come)
	if err == nil {
		r.Body.Close()
		if r.StatusCode != http.StatusRequestTimeout {
			t.Errorf("a photograph that does not come: %s", r.Status)
		}
	}
}

// TestAttackStreams: whoever opens many streams shuts nobody out: who has the most loses the oldest
// one, and places are kept for those with the code and for the machine itself.
func TestAttackStreams(t *testing.T) {
	s, _, _ := served(nil)
	url := farServer(t, s)
	var lost atomic.Int32
	open := func(address string, more ...string) *http.Response {
		t.Helper()
		r, err := askAs(t, "GET", url+"/api/v1/events", address, nil, more...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Body.Close() })
		return r
	}
	oldest := open("10.0.0.0:1")
	gone := make(chan struct{})
	go func() {
		io.Copy(io.Discard, oldest.Body)
		close(gone)
	}()
	fill := func(v visitor, leave func()) (n int) {
		for {
			if _, ok := s.crowd.enter(v, leave); !ok {
				return n
			}
			n++
		}
	}
	const room = maxStreams - 2*maxSpare
	for i := range 4 {
		n := fill(visitor{address: fmt.Sprintf("10.0.0.%d", i)}, func() { lost.Add(1) })
		if want := maxOfOne; i > 0 && n != want || i == 0 && n != want-1 {
			t.Fatalf("one address keeps %d open", n)
		}
	}
	if s.crowd.size() != room {
		t.Fatalf("%d streams of strangers", s.crowd.size())
	}
	if r := open("10.0.0.0:1"); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("one more of an address that has its share: %s", r.Status)
	}
	if r := open("10.0.9.9:1"); r.StatusCode != http.StatusOK {
		t.Errorf("a page of somebody else: %s", r.Status)
	}
	<-gone // the oldest of those who have the most
	if r := open("10.0.0.1:1", CodeHeader, rightCode); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("with the code, at an address that has its share: %s", r.Status)
	}
	for i := range maxSpare {
		if r := open(fmt.Sprintf("10.0.7.%d:1", i), CodeHeader, rightCode); r.StatusCode != http.StatusOK {
			t.Fatalf("page %d with the code: %s", i, r.Status)
		}
	}
	for i := range maxSpare {
		if r := open(""); r.StatusCode != http.StatusOK {
			t.Fatalf("page %d of the machine itself: %s", i, r.Status)
		}
	}
	if s.crowd.size() != maxStreams || lost.Load() != 0 {
		t.Errorf("%d streams, %d strangers sent away for places that are kept", s.crowd.size(), lost.Load())
	}
	// A network of IPv6 has at most half of what there is for strangers.
	other := New(Config{Match: newFakeMatch("A", "B"), Feed: NewFeed()})
	for i := range 500 {
		other.crowd.enter(visitor{address: fmt.Sprintf("fd66::%x", i), network: "fd66::/64"}, func() {})
	}
	if n := other.crowd.size(); n != room/2 {
		t.Errorf("a network keeps %d open", n)
	}
}

// TestAttackCostlyReads: what takes long to answer is answered to each address now and then,
// and to the machine itself always.
func TestAttackCostlyReads(t *testing.T) {
	s, _, _ := served(nil)
	s.guard.costly.now = func() time.Time { return time.Unix(0, 0) }
	many := func(path string, who func(*http.Request)) (n int) {
		for range 100 {
			if call(t, s.Handler(), "GET", path, "", who).status != http.StatusTooManyRequests {
				n++
			}
		}
		return n
	}
	for i, path := range []string{"/history", "/history/x", "/history/x/export", "/statistics", "/print/board.pdf", "/join.svg", "/legal", "/why", "/hints", "/hint"} {
		if n := many("/api/v1"+path, from(fmt.Sprintf("10.0.0.%d:1", i))); n != 30 {
			t.Errorf("%s is answered %d times", path, n)
		}
		if n := many("/api/v1"+path, nil); n != 100 {
			t.Errorf("%s is answered %d times to the machine itself", path, n)
		}
	}
	if n := many("/api/v1/state", from("10.0.0.1:1")); n != 100 {
		t.Errorf("what costs little is answered %d times", n)
	}
}

// caller is a connection from somewhere.
type caller struct {
	net.Conn
	from   string
	closed atomic.Bool
}

func (c *caller) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", c.from)
	return a
}

func (c *caller) Close() error {
	c.closed.Store(true)
	return nil
}

// callers is a listener to which the test connects.
type callers chan net.Conn

func (c callers) Accept() (net.Conn, error) {
	conn, ok := <-c
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}
func (callers) Close() error   { return nil }
func (callers) Addr() net.Addr { return &net.TCPAddr{} }

// TestAttackConnections: one address may keep 64 connections; where all places are taken, who
// has the most loses the oldest one; the machine itself always comes in.
func TestAttackConnections(t *testing.T) {
	outside := make(callers)
	in := doors(200)(outside)
	inside := make(chan net.Conn, 1000)
	go func() {
		defer close(inside)
		for {
			c, err := in.Accept()
			if err != nil {
				return
			}
			inside <- c
		}
	}()
	dial := func(from string) *caller {
		c := &caller{from: from}
		outside <- c
		return c
	}
	alive := func(list []*caller) (n int) {
		for _, c := range list {
			if !c.closed.Load() {
				n++
			}
		}
		return n
	}
	var all [4][]*caller
	for i := range all {
		for range 100 {
			all[i] = append(all[i], dial(fmt.Sprintf("10.0.0.%d:1", i)))
		}
	}
	for range 300 {
		dial("127.0.0.1:1")
	}
	honest := dial("10.0.9.9:1")
	close(outside)
	n := 0
	for c := range inside {
		if v := visitorAt(c.RemoteAddr().String()); v.here {
			n++
		}
	}
	if n != 300 || honest.closed.Load() {
		t.Errorf("%d of 300 connections of the machine itself; an honest one is sent away: %v", n, honest.closed.Load())
	}
	for {
		left := 0
		for i, list := range all {
			if n := alive(list); n > connectionsOf {
				t.Fatalf("address %d has %d connections", i, n)
			} else {
				left += n
			}
		}
		if left == 199 {
			break
		}
		time.Sleep(time.Millisecond) // those that are sent away are closed by and by
	}

	gone := make(callers, 2)
	in = doors(200)(gone)
	for range 2 {
		gone <- &caller{from: "10.0.0.1:1"}
		c, err := in.Accept()
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		c.Close()
	}
	if n := in.(*guardedDoor).inside.size(); n != 0 {
		t.Errorf("%d places are taken by those who went", n)
	}
}

// TestAttackIdleConnections: a connection on which nothing is asked does not stay.
func TestAttackIdleConnections(t *testing.T) {
	s, _, _ := served(nil)
	s.idle = 20 * time.Millisecond
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { done <- s.Serve(ctx, ln) }()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	r := bufio.NewReader(c)
	a, err := http.ReadResponse(r, nil)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", a, err)
	}
	io.Copy(io.Discard, a.Body)
	a.Body.Close()
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("not closed: %v", err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if idleTime > 30*time.Second {
		t.Errorf("idle connections stay %v", idleTime)
	}
}
