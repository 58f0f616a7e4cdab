package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// phoneServer is a server with a phone whose clock the test moves.
func phoneServer(t *testing.T) (s *Server, feed *Feed, later func(time.Duration)) {
	t.Helper()
	s, _, feed = served(nil)
	clock := time.Unix(1000, 0)
	s.phone.now = func() time.Time { return clock }
	s.guard.frames.now = func() time.Time { return clock }
	t.Cleanup(func() { close(s.closing) })
	return s, feed, func(by time.Duration) { clock = clock.Add(by) }
}

func jpegOf(t *testing.T, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func phoneNamed(name string) func(*http.Request) {
	return both(with(PhoneHeader, name), with("Content-Type", "image/jpeg"))
}

func TestPhoneRefuses(t *testing.T) {
	small := jpegOf(t, 40, 30)
	far := from("192.168.1.9:4000")
	me := phoneNamed("phone-one")
	tests := []struct {
		name, body string
		edit       func(*http.Request)
		status     int
		code       string
	}{
		{"a picture", small, me, 200, ""},
		{"from the network with the code", small, both(me, far, with(CodeHeader, "ABCD2345")), 200, ""},
		{"from the network without the code", small, both(me, far), 403, "code"},
		{"from another site", small, both(me, with("Origin", "https://evil.example")), 403, "origin"},
		{"no name", small, with("Content-Type", "image/jpeg"), 400, "phone"},
		{"an odd name", small, phoneNamed(`"><script>`), 400, "phone"},
		{"a form", small, both(me, with("Content-Type", "text/plain")), 415, "not-a-picture"},
		{"a text", "hello", me, 415, "not-a-picture"},
		{"half a picture", small[:len(small)/2], me, 415, "not-a-picture"},
		{"nothing", "", me, 415, "not-a-picture"},
		{"too many pixels", jpegOf(t, 4000, 3000), me, 413, "too-many-pixels"},
		{"too many bytes", small + strings.Repeat("x", maxFrame), me, 413, "too-many-bytes"},
	}
	for _, test := range tests {
		s, feed, _ := phoneServer(t)
		a := call(t, s.Handler(), "POST", "/api/v1/phone/frame", test.body, test.edit)
		if a.status != test.status || test.code != "" && a.problem(t).Code != test.code {
			t.Errorf("%s: %d %s, want %d %s", test.name, a.status, a.body, test.status, test.code)
		}
		if taken := feed.state().status.Phone == PhoneReady; taken != (test.status == 200) {
			t.Errorf("%s: taken %v", test.name, taken)
		}
	}
}

func TestPhoneFramesAreLimited(t *testing.T) {
	s, _, later := phoneServer(t)
	small, me := jpegOf(t, 40, 30), phoneNamed("phone-one")
	send := func() int { return call(t, s.Handler(), "POST", "/api/v1/phone/frame", small, me).status }
	for range 30 {
		if got := send(); got != 200 {
			t.Fatalf("a burst: %d", got)
		}
	}
	if got := send(); got != 429 {
		t.Errorf("more than a burst: %d", got)
	}
	for range 50 {
		later(100 * time.Millisecond)
		if got := send(); got != 200 {
			t.Fatalf("ten a second: %d", got)
		}
	}
	// Pictures do not use up what is there for changes.
	if got := call(t, s.Handler(), "POST", "/api/v1/undo", "", nil).status; got != 200 {
		t.Errorf("undo: %d", got)
	}
}

// TestOnePhone: a second phone has to ask, and may take over; one that is gone is replaced unasked.
func TestOnePhone(t *testing.T) {
	s, _, later := phoneServer(t)
	small := jpegOf(t, 40, 30)
	send := func(name, query string) int {
		return call(t, s.Handler(), "POST", "/api/v1/phone/frame"+query, small, phoneNamed(name)).status
	}
	steps := []struct {
		name, query string
		wait        time.Duration
		status      int
	}{
		{"phone-one", "", 0, 200},
		{"phone-two", "", time.Second, 409},
		{"phone-one", "", time.Second, 200},
		{"phone-two", "?take=1", time.Second, 200},
		{"phone-one", "", time.Second, 409},
		{"phone-two", "", time.Second, 200},
		{"phone-one", "", phoneFree - time.Second, 409},
		{"phone-one", "", 2 * time.Second, 200},
	}
	for i, step := range steps {
		later(step.wait)
		if got := send(step.name, step.query); got != step.status {
			t.Errorf("step %d, %s%s: %d, want %d", i, step.name, step.query, got, step.status)
		}
	}
}

// openStream reads the phone's stream as the eye does.
func openStream(t *testing.T, source string) (next func() string, stop func()) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	req, err := http.NewRequestWithContext(ctx, "GET", source, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%v %v", r, err)
	}
	t.Cleanup(func() { r.Body.Close() })
	in := textproto.NewReader(bufio.NewReader(r.Body))
	return func() string {
		t.Helper()
		line := ""
		for err = nil; line == "" && err == nil; line, err = in.ReadLine() {
		}
		head, err2 := in.ReadMIMEHeader()
		size, err3 := strconv.Atoi(head.Get("Content-Length"))
		if err := errors.Join(err, err2, err3); err != nil || line != "--phone" {
			t.Fatalf("no picture: %q, %v", line, err)
		}
		b := make([]byte, size)
		if _, err := io.ReadFull(in.R, b); err != nil {
			t.Fatal(err)
		}
		return string(b)
	}, stop
}

// TestPhoneStream: the eye gets the newest picture alone, pages learn that the
// phone went away and that it is back.
func TestPhoneStream(t *testing.T) {
	s, feed, later := phoneServer(t)
	state := func() string { return feed.state().status.Phone }
	until := func(want string) {
		t.Helper()
		for range 500 {
			if state() == want {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("the phone is %q, want %q", state(), want)
	}
	source := s.PhoneURL()
	if again := s.PhoneURL(); again != source {
		t.Errorf("the source changed from %s to %s", source, again)
	}
	first, second := jpegOf(t, 40, 30), jpegOf(t, 48, 32)
	post := func(picture string) (reading bool) {
		a := call(t, s.Handler(), "POST", "/api/v1/phone/frame", picture, phoneNamed("phone-one"))
		var answer struct{ Reading bool }
		if err := json.Unmarshal([]byte(a.body), &answer); err != nil || a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		return answer.Reading
	}
	if post(jpegOf(t, 64, 64)) || state() != PhoneReady {
		t.Error("somebody looks already")
	}
	post(first)
	next, stop := openStream(t, source)
	if next() != first {
		t.Error("not the newest picture")
	}
	until(PhoneHere)
	if !post(second) || next() != second {
		t.Error("not the next picture")
	}
	later(phoneGone + time.Second)
	s.phone.tell() // as its timer does
	until(PhoneAway)
	if !post(first) || next() != first || state() != PhoneHere {
		t.Error("it did not come back")
	}
	stop()
	until(PhoneReady)
	later(phoneGone)
	s.phone.tell()
	until(PhoneNone)
	next, stop = openStream(t, source)
	defer stop()
	until(PhoneAway)
	post(second)
	if next() != second {
		t.Error("an old picture was sent as if it were of now")
	}
}

// TestPhoneStreamIsTheEyesAlone: without its password there is nothing, and the
// page's own address has no stream at all.
func TestPhoneStreamIsTheEyesAlone(t *testing.T) {
	s, _, _ := phoneServer(t)
	u, err := url.Parse(s.PhoneURL())
	if err != nil {
		t.Fatal(err)
	}
	if u.Hostname() != "127.0.0.1" {
		t.Errorf("it can be reached at %s", u.Host)
	}
	key, _ := u.User.Password()
	if len(key) < 20 || strings.Contains(u.Redacted(), key) {
		t.Errorf("a short key, or one that logs show: %s", u.Redacted())
	}
	for _, user := range []*url.Userinfo{nil, url.UserPassword("eye", ""), url.UserPassword("eye", key[1:]), url.UserPassword("eye", strings.ToLower(key))} {
		wrong := *u
		wrong.User = user
		r, err := http.Get(wrong.String())
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != 404 {
			t.Errorf("%v: %d", user, r.StatusCode)
		}
	}
	if a := call(t, s.Handler(), "GET", "/api/v1/phone/stream", "", nil); a.status != 404 {
		t.Errorf("the page's own address: %d", a.status)
	}
}

func TestJoin(t *testing.T) {
	far := from("192.168.1.9:4000")
	tests := []struct {
		name, path string
		edit       func(*http.Request)
		addresses  []string
		status     int
		body       string
	}{
		{"here", "/join", nil, []string{"192.168.1.5:8080"}, 200, `{"code":"ABCD2345","addresses":["192.168.1.5:8080"],"secure":true,"may_open":false}`},
		{"here, alone", "/join", nil, nil, 200, `{"code":"ABCD2345","addresses":[],"secure":true,"may_open":false}`},
		{"from the network without the code", "/join", far, []string{"192.168.1.5:8080"}, 403, `"code"`},
		{"from the network with a wrong code", "/join", both(far, with(CodeHeader, "ABCD2346")), nil, 403, `"code"`},
		{"from the network with the code", "/join", both(far, with(CodeHeader, "ABCD2345")), nil, 200, `"ABCD2345"`},
		{"the picture", "/join.svg", nil, []string{"192.168.1.5:8080"}, 200, "<svg "},
		{"the picture from the network without the code", "/join.svg", far, []string{"192.168.1.5:8080"}, 403, `"code"`},
		{"the picture through a proxy", "/join.svg", with("X-Forwarded-For", "1.2.3.4"), []string{"192.168.1.5:8080"}, 403, `"code"`},
		{"the picture to elsewhere", "/join.svg?to=//evil.example", nil, []string{"192.168.1.5:8080"}, 404, `"not-found"`},
		{"the picture, alone", "/join.svg", nil, nil, 404, `"no-lan"`},
	}
	for _, test := range tests {
		s := New(Config{
			Match: newFakeMatch("A", "B"), Feed: NewFeed(), Code: "ABCD2345", Authority: func() []byte { return []byte("certificate") },
			Addresses: func() []string { return test.addresses },
		})
		a := call(t, s.Handler(), "GET", "/api/v1"+test.path, "", test.edit)
		if a.status != test.status || !strings.Contains(a.body, test.body) {
			t.Errorf("%s: %d %s", test.name, a.status, a.body)
		}
	}
}

func TestAuthorityIsOffered(t *testing.T) {
	s := New(Config{Match: newFakeMatch("A", "B"), Feed: NewFeed(), Authority: func() []byte { return []byte("certificate") }})
	a := call(t, s.Handler(), "GET", "/trust/diceref.crt", "", from("192.168.1.9:4000"))
	if a.status != 200 || a.body != "certificate" || a.header.Get("Content-Type") != "application/x-x509-ca-cert" || a.header.Get("Content-Disposition") != "" {
		t.Errorf("%d %v", a.status, a.header)
	}
	s, _, _ = served(nil)
	if a := call(t, s.Handler(), "GET", "/trust/diceref.crt", "", nil); a.status != 404 {
		t.Errorf("without https: %d", a.status)
	}
}

func TestCameraIsAskedForOnItsPageAlone(t *testing.T) {
	s, _, _ := served(nil)
	for path, want := range map[string]string{"/camera": "camera=(self),", "/": "camera=(),", "/trust": "camera=(),", "/play": "camera=(),"} {
		a := call(t, s.Handler(), "GET", path, "", nil)
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Permissions-Policy"), want) || len(a.body) < 100 {
			t.Errorf("%s: %d %q", path, a.status, a.header.Get("Permissions-Policy"))
		}
	}
}

// TestQRCode reads the drawn code back as a scanner sees it: the finder patterns
// stand in three corners with the quiet zone around, and every module is there.
func TestQRCode(t *testing.T) {
	svg, err := qrSVG("http://192.168.1.5:8080/play#code=ABCD2345")
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(string(svg), `/><path d="`)
	dark := map[[2]int]bool{}
	for in := bufio.NewReader(strings.NewReader(path)); ; {
		run, err := in.ReadString('z')
		if err != nil {
			break
		}
		x, y, n := parseRun(t, run)
		for i := range n {
			dark[[2]int{x + i, y}] = true
		}
	}
	side := 29 + 8 // version 3
	finder := []string{"#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"}
	for _, corner := range [][2]int{{4, 4}, {side - 11, 4}, {4, side - 11}} {
		for dy, row := range finder {
			for dx, c := range row {
				if dark[[2]int{corner[0] + dx, corner[1] + dy}] != (c == '#') {
					t.Fatalf("no finder pattern at %v", corner)
				}
			}
		}
	}
	for at := range dark {
		if at[0] < 4 || at[1] < 4 || at[0] >= side-4 || at[1] >= side-4 {
			t.Errorf("the quiet zone is not quiet at %v", at)
		}
	}
	if len(dark) < 300 {
		t.Errorf("%d dark modules", len(dark))
	}
}

// parseRun reads "M4 5h7v1h-7z".
func parseRun(t *testing.T, run string) (x, y, n int) {
	t.Helper()
	if _, err := fmt.Sscanf(run, "M%d %dh%d", &x, &y, &n); err != nil {
		t.Fatalf("%q: %v", run, err)
	}
	return x, y, n
}
