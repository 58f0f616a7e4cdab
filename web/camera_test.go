package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	_ "embed"
	"encoding/base64"
	"image/jpeg"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"diceref/table"
	"diceref/web/trust"
	"diceref/web/webtest"
)

// firstMove is a rendered table before, during and after a move, four pictures
// each, as one JPEG after the other.
//
//go:embed testdata/first-move.mjpeg
var firstMove []byte

// cameraFile writes what the fake camera of Chromium plays: JPEGs one after the
// other, 30 per second, again and again; each of ours counts for several.
func cameraFile(t *testing.T, times int) string {
	t.Helper()
	var clip []byte
	mark := []byte{0xff, 0xd8, 0xff}
	for _, each := range bytes.Split(firstMove, mark)[1:] {
		clip = append(clip, bytes.Repeat(append(bytes.Clone(mark), each...), times)...)
	}
	name := filepath.Join(t.TempDir(), "camera.mjpeg")
	if err := os.WriteFile(name, clip, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// trustingCamera are the flags of a Chromium whose camera plays a file and that
// trusts one certificate, as a phone does that followed /trust.
func trustingCamera(camera string, leaf *tls.Certificate) map[string]any {
	key := sha256.Sum256(leaf.Leaf.RawSubjectPublicKeyInfo)
	return map[string]any{
		"use-fake-device-for-media-stream": true, "use-file-for-fake-video-capture": camera, "use-fake-ui-for-media-stream": true,
		"ignore-certificate-errors-spki-list": base64.StdEncoding.EncodeToString(key[:]),
	}
}

// secureServer is a server over http and https on one port, as serve opens it with lan.
func secureServer(t *testing.T) (s *Server, feed *Feed, address string, leaf *tls.Certificate) {
	t.Helper()
	authority, err := trust.Open(t.TempDir(), func() []net.IP { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if leaf, err = authority.Leaf(); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := newFakeMatch("Ada", "Ben")
	feed = NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	address = ln.Addr().String()
	s = New(Config{
		Match: m, Feed: feed, Code: "ABCD2345", Authority: authority.Certificate,
		Addresses: func() []string { return []string{address} },
	})
	plain, secure := trust.Split(ln, authority.TLS())
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, plain, secure) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, feed, address, leaf
}

// TestBrowserPhone: a phone comes over http, is led to https as it trusts the
// table, starts its camera with one tap, and its pictures reach the eye; another
// phone has to ask; when it sleeps the page says so, and it comes back by itself.
func TestBrowserPhone(t *testing.T) {
	t.Parallel()
	camera := cameraFile(t, 30)
	s, feed, address, leaf := secureServer(t)
	ctx := webtest.Phone(t, trustingCamera(camera, leaf), 2*time.Minute)
	run(t, ctx, chromedp.Navigate("http://"+address+"/trust#code=ABCD2345"), shows("#lamp", "trusts the table"), shot(t, "trusted"))
	if got := ask[string](t, ctx, `document.getElementById('ready').href`); got != "https://"+address+"/camera#code=ABCD2345" {
		t.Errorf("on to %s", got)
	}
	run(t, ctx, middle("#ready"), wait(`location.protocol === 'https:' && location.pathname === '/camera' && document.readyState === 'complete'`))
	run(t, ctx, wait(`document.getElementById('state').dataset.state !== 'tap' || !document.getElementById('start').hidden`))
	if ask[bool](t, ctx, `!document.getElementById('start').hidden`) {
		run(t, ctx, shot(t, "start"), middle("#start"))
	}
	run(t, ctx, shows("#state-text", "is using another camera"), shot(t, "ready"))

	next, stop := openStream(t, s.PhoneURL())
	for range 5 {
		picture := next()
		head, err := jpeg.DecodeConfig(strings.NewReader(picture))
		if err != nil || head.Width != 640 || head.Height != 480 {
			t.Fatalf("a picture of %v, %v", head, err)
		}
	}
	seen := seenTable() // what the table sees is drawn over what the phone sees
	seen.Warnings = []table.Warning{{Code: "dark", Text: "It is dark."}}
	feed.ShowObservation(seen)
	run(t, ctx, wait(`document.getElementById('state').dataset.state === 'sending'`), shows("#state-why", "turn on a light"),
		wait(`document.querySelectorAll('#overlay .found').length === 12 && getComputedStyle(document.getElementById('overlay')).visibility === 'visible'`), shot(t, "sending"))
	if !ask[bool](t, ctx, noneOverflows) {
		t.Error("has to be scrolled sideways")
	}
	if state := feed.state().status.Phone; state != PhoneHere {
		t.Errorf("the phone is %q", state)
	}
	// Another phone takes over; ours says so, and takes its place again when told to.
	s.phone.put("phone-two", []byte(jpegOf(t, 40, 30)), true)
	run(t, ctx, shows("#state-text", "Another phone is the camera"), shot(t, "taken"), middle("#take"), wait(`document.getElementById('state').dataset.state === 'sending'`))
	// It sleeps: the browser ends the camera, and the page opens it again when it wakes.
	ask[any](t, ctx, `(() => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); document.dispatchEvent(new Event('visibilitychange')); document.getElementById('video').srcObject.getTracks()[0].stop(); })()`)
	run(t, ctx, shows("#state-text", "Waiting"), shot(t, "asleep"))
	for range 400 {
		if feed.state().status.Phone == PhoneAway {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if state := feed.state().status.Phone; state != PhoneAway {
		t.Errorf("asleep, but the phone is %q", state)
	}
	ask[any](t, ctx, `(() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); })()`)
	run(t, ctx, wait(`document.getElementById('state').dataset.state === 'sending'`))
	next()
	stop()
	run(t, ctx, shows("#state-text", "is using another camera"))
}

// TestBrowserPhoneAway: the page says that the phone is away, and no longer when it is back.
func TestBrowserPhoneAway(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, feed := tableServer(t)
	run(t, ctx, chromedp.Navigate(ts.URL+"/play"), shows("#state-text", "Waiting for a move"))
	feed.showPhone(PhoneAway)
	run(t, ctx, shows("#state-text", "The phone camera is gone"))
	feed.showPhone(PhoneHere)
	run(t, ctx, shows("#state-text", "Waiting for a move"))
}

// TestBrowserWithoutTrust: over http a phone is told what to do, and a photo
// stands for the live picture.
func TestBrowserWithoutTrust(t *testing.T) {
	t.Parallel()
	ctx := webtest.Phone(t, map[string]any{"host-resolver-rules": "MAP table.test 127.0.0.1"}, 2*time.Minute)
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Match: m, Feed: feed, Hosts: []string{"table.test"}})
	background, end := context.WithCancel(context.Background())
	defer end()
	go func() { _ = s.Serve(background, ln) }()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	photo := filepath.Join(t.TempDir(), "table.jpg")
	if err := os.WriteFile(photo, tablePicture, 0o600); err != nil {
		t.Fatal(err)
	}
	// Another name of this machine's is no secure page, as an address in the network is none.
	for _, screen := range screens[:2] {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate("http://table.test:"+port+"/camera"), shows("#state-text", "one-time setup below"), shot(t, "insecure-"+screen.name))
		if !ask[bool](t, ctx, noneOverflows+` && !document.getElementById('trust').hidden && document.getElementById('start').hidden`) {
			t.Error("not led to /trust")
		}
	}
	next, stop := openStream(t, s.PhoneURL())
	defer stop()
	run(t, ctx, chromedp.SetUploadFiles("#photo", []string{photo}), shows("#state-text", "Photo sent"), shot(t, "photograph"))
	for range 3 { // as long as the page is open it is there
		if head, err := jpeg.DecodeConfig(strings.NewReader(next())); err != nil || head.Width != 800 {
			t.Fatalf("%v, %v", head, err)
		}
	}
	for _, screen := range screens[:2] {
		for _, road := range []string{"ios", "android"} {
			run(t, ctx, size(screen.width, screen.height), chromedp.Navigate("http://table.test:"+port+"/trust"), wait(`document.querySelectorAll('#steps .drawing').length === 5`),
				middle("#"+road), shows("#lamp", "Not yet"), shot(t, "trust-"+road+"-"+screen.name))
			if !ask[bool](t, ctx, noneOverflows) {
				t.Errorf("%s: has to be scrolled sideways", road)
			}
		}
	}
}

// TestBrowserJoin: the big screen shows the code, the table's own page in a dialog;
// who may not know the code sees none.
func TestBrowserJoin(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s, _, address, _ := secureServer(t)
	s.cfg.Addresses = func() []string { return []string{"192.168.1.5:8080"} }
	loaded := func(id string) step { return wait(`document.getElementById('` + id + `').naturalWidth > 0`) }
	run(t, ctx, size(1920, 1080), chromedp.Navigate("http://"+address+"/tv"), loaded("joinbox-picture"), shows("#joinbox", "ABCD2345"), shot(t, "tv"))
	run(t, ctx, size(1280, 800), chromedp.Navigate("http://"+address+"/"), wait(`!document.getElementById('join-open').hidden`), middle("#join-open"),
		loaded("join-picture"), shows("#join", "ABCD2345"), shows("#join-where", "192.168.1.5:8080/play"), shot(t, "join"),
		middle(`#join-roads button:nth-child(2)`), shows("#join-where", "192.168.1.5:8080/camera"))
}

// TestBrowserPlay: who came by the QR code may change things at once, and the code
// is no longer in the address.
func TestBrowserPlay(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowObservation(seenTable())
	s := New(Config{Match: m, Feed: feed, Code: "ABCD2345"})
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.168.1.9:4000"
		s.Handler().ServeHTTP(w, r)
	}))
	defer far.Close()
	defer close(s.closing)
	m.add(place("Ada", table.Red, 4, 2, 1), "")
	run(t, ctx, size(390, 844), chromedp.Navigate(far.URL+"/play#code=ABCD2345"), shows("#moves", "Ada places red 4 on b3"), shows("#scores", "Ben"),
		wait(`document.querySelectorAll('#overlay .spot').length === 25`), shot(t, "play"), middle("#undo"))
	if got := lastSaid(t, m, 1); got != `{"say":"undo"}` {
		t.Errorf("declared %s", got)
	}
	run(t, ctx, middle(`[data-spot="24"]`), shows("#correct-now", "I read"), middle(`#correct [aria-label="purple 5"]`))
	if got, want := lastSaid(t, m, 2), `{"say":"correct","square":[4,4],"color":"purple","face":5}`; got != want {
		t.Errorf("declared %s, want %s", got, want)
	}
	if ask[bool](t, ctx, `location.href.includes('ABCD') || document.getElementById('code').open`) {
		t.Error("the code is in the address, or was asked for")
	}
}
