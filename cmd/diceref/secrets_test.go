package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"diceref/web"
)

// planted are what nobody may read of a camera's address: its user, password, path and query.
var planted = []string{"CAMUSER", "HUNTER2", "PATHSECRET", "QUERYSECRET", "xxxxx"}

// withSecrets puts them into an address of a machine.
func withSecrets(scheme, machine string) string {
	return scheme + "://CAMUSER:HUNTER2@" + machine + "/PATHSECRET/video.cgi?user=adm&pwd=QUERYSECRET"
}

// record is a text that several may write to.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(b)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// leak says which secret is in a text.
func leak(text string) string {
	for _, secret := range planted {
		if at := strings.Index(text, secret); at >= 0 {
			return text[max(0, at-120):min(len(text), at+60)]
		}
	}
	return ""
}

// TestAttackCameraSecrets: whatever becomes of a camera whose address has secrets in it, none
// is in any answer, event, log, or word of doctor.
func TestAttackCameraSecrets(t *testing.T) {
	refusing := newFickle(t)
	says := func(text string) {
		how := func(c *net.TCPConn) {
			if asked(c) {
				io.WriteString(c, text)
			}
		}
		refusing.way.Store(&how)
	}
	well := newFickle(t)
	silent := new(record)
	url, stop, done, stderr := serving(t, "--log-level", "debug", "--source", withSecrets("http", well.Addr().String()), "--game", "dice-flick", "--players", "Ann,Ben")
	defer stop()
	events, err := http.Get(url + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	go io.Copy(silent, events.Body)

	type seen struct{ Camera web.Status }
	is := func(source string, states ...string) {
		t.Helper()
		ask(t, url+"/api/v1/observation", func(s seen) bool { return strings.Contains(strings.Join(states, " "), s.Camera.State) })
		for path := range openPaths(t, url) {
			if got := leak(path + fetch(t, url+path)); got != "" {
				t.Errorf("%s, %s tells …%s…", source, path, got)
			}
		}
	}
	is("a camera that is well", web.CameraRunning)
	for _, test := range []struct{ source, says, state string }{
		{withSecrets("http", "127.0.0.1:1"), "", web.CameraRetrying},
		{withSecrets("https", refusing.Addr().String()), "", web.CameraRetrying},
		{withSecrets("rtsp", "127.0.0.1:1"), "", web.CameraRetrying},
		{withSecrets("rtsp", refusing.Addr().String()), "RTSP/1.0 404 No\r\nCSeq: 1\r\n\r\n", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.1 401 No PATHSECRET\r\nContent-Length: 0\r\n\r\n", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.1 302 Found\r\nLocation: /PATHSECRET/again\r\nContent-Length: 0\r\n\r\n", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.1 302 Found\r\nLocation: " + withSecrets("http", "192.0.2.7") + "\r\nContent-Length: 0\r\n\r\n", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.0 200 OK\r\n\r\nno video", web.CameraRetrying},
		{withSecrets("http", refusing.Addr().String()), "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n", web.CameraRestarting},
	} {
		says(test.says)
		if got := leak(look(t, url, test.source)); got != "" {
			t.Errorf("%s: POST /setup/camera tells …%s…", test.source, got)
		}
		is(test.source, test.state)
	}
	for _, source := range []string{
		withSecrets("ftp", "10.0.0.7"), withSecrets("http", ""), withSecrets("http", "10.0.0.7:99999"), withSecrets("http", "[::1"),
		withSecrets("http", "10.0.0.7:port"), "http:CAMUSER:HUNTER2@10.0.0.7/PATHSECRET", withSecrets("http", "10.0.0.7") + "%zz\x7f",
	} {
		if got := leak(look(t, url, source)); got != "" {
			t.Errorf("%s: refused with …%s…", source, got)
		}
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit %d", code)
	}
	if got := leak(silent.String()); got != "" {
		t.Errorf("an event tells …%s…", got)
	}
	if got := leak(stderr.String()); got != "" || !strings.Contains(stderr.String(), "cannot be opened") {
		t.Errorf("the log tells …%s…", got)
	}
	for _, source := range []string{withSecrets("http", "127.0.0.1:1"), withSecrets("rtsp", "127.0.0.1:1"), withSecrets("http", "127.0.0.1:port"), withSecrets("http", "")} {
		var out record
		run(t.Context(), []string{"doctor", "--source", source}, strings.NewReader(""), &out, &out)
		if got := leak(out.String()); got != "" {
			t.Errorf("doctor --source %s tells …%s…", source, got)
		}
	}
}

// openPaths are the addresses that answer to GET and come to an end.
func openPaths(t *testing.T, url string) map[string]any {
	t.Helper()
	var api struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal([]byte(fetch(t, url+"/api/v1/openapi.json")), &api); err != nil {
		t.Fatal(err)
	}
	list := map[string]any{"/metrics": nil}
	for path, methods := range api.Paths {
		if _, ok := methods["get"]; ok && path != "/events" && path != "/stream" && !strings.Contains(path, "{") && !strings.HasPrefix(path, "/hint") {
			list["/api/v1"+path] = nil
		}
	}
	return list
}

// fetch is the answer to a GET, whatever it is.
func fetch(t *testing.T, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// look has a camera tried.
func look(t *testing.T, url, source string) string {
	t.Helper()
	want, err := json.Marshal(map[string]string{"game": "dice-flick", "source": source})
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := http.Post(url+"/api/v1/setup/camera", "application/json", bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != http.StatusTooManyRequests {
			return string(body)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
