package vision

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"diceref/table"
	"diceref/vision/camera/cameratest"
	"diceref/vision/eye"
)

// rude is a camera that answers each call in its way and closes the connection then.
type rude struct {
	net.Listener
	calls atomic.Int32
}

func newRude(t *testing.T, answer func(c *net.TCPConn)) *rude {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	r := &rude{Listener: ln}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			r.calls.Add(1)
			go func() {
				defer c.Close()
				answer(c.(*net.TCPConn))
			}()
		}
	}()
	return r
}

// heard takes a whole request.
func heard(c net.Conn) bool {
	_, err := http.ReadRequest(bufio.NewReader(c))
	return err == nil
}

// saying answers a request with some text.
func saying(text string) func(*net.TCPConn) {
	return func(c *net.TCPConn) {
		if heard(c) {
			io.WriteString(c, text)
			c.CloseWrite()
			io.Copy(io.Discard, c) // so that it ends in order, not by a reset
		}
	}
}

// waysToHangUp are all the ways in which a camera over HTTP has been seen, or could be made, to go.
func waysToHangUp(t *testing.T) map[string]func(*net.TCPConn) {
	t.Helper()
	picture := string(cameratest.JPEG(t, cameratest.Quarters(64, 32)))
	movie := string(cameratest.Film(t, ".avi", "MJPG"))
	part := fmt.Sprintf("--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture)
	const stream = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n"
	return map[string]func(*net.TCPConn){
		"accepts and closes":      func(*net.TCPConn) {},
		"closes once it is asked": func(c *net.TCPConn) { heard(c) },
		"resets":                  func(c *net.TCPConn) { c.SetLinger(0) },
		"resets once it is asked": func(c *net.TCPConn) { heard(c); c.SetLinger(0) },
		"half an answer":          saying("HTTP/1.1 200 OK\r\nContent-Ty"),
		"another protocol":        saying("RTSP/1.0 200 OK\r\n\r\n"),
		"nothing, with a length":  saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
		"nothing":                 saying("HTTP/1.0 200 OK\r\n\r\n"),
		"no content":              saying("HTTP/1.1 204 No Content\r\n\r\n"),
		"not allowed":             saying("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"),
		"broken":                  saying("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
		"a page":                  saying("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"),
		"in circles":              saying("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
		"sends elsewhere":         saying("HTTP/1.1 302 Found\r\nLocation: http://192.0.2.7/\r\nContent-Length: 0\r\n\r\n"),
		"a stream of nothing":     saying(stream),
		"a stream, cut":           saying(stream + part + part[:len(part)/2]),
		"a stream":                saying(stream + part + part),
		"a stream, ended well":    saying(stream + part + part + "--x--\r\n"),
		"a stream in one chunk": saying("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(part), part)),
		"a picture":        saying(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s", len(picture), picture)),
		"a picture, cut":   saying(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s", len(picture), picture[:len(picture)/2])),
		"an empty picture": saying("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: 0\r\n\r\n"),
		"a live video":     saying("HTTP/1.0 200 OK\r\nContent-Type: video/x-msvideo\r\n\r\n" + movie),
		"a film, cut": saying(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: video/x-msvideo\r\nContent-Length: %d\r\n\r\n%s",
			len(movie), movie[:len(movie)/2])),
	}
}

// TestAttackHangUp: whatever way a camera takes to hang up, at the first call or later, it is
// told as one that failed or is called again, never as a recording that ended.
func TestAttackHangUp(t *testing.T) {
	t.Parallel()
	for name, way := range waysToHangUp(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			camera := newRude(t, way)
			toldNoEnd(t, camera, "http://"+camera.Addr().String()+"/")
		})
	}
	reel := bytes.Repeat(cameratest.Film(t, ".ts", "mp4v"), 20)
	for name, way := range map[string]func(*net.TCPConn){
		"accepts and closes": func(*net.TCPConn) {},
		"resets":             func(c *net.TCPConn) { c.SetLinger(0) },
		"half an answer":     saying("RTSP/1.0 200 OK\r\nCSe"),
		"not allowed":        saying("RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n"),
		"a stream":           func(c *net.TCPConn) { cameratest.ServeRTSP(c, hangsUp, reel) },
	} {
		t.Run("rtsp, "+name, func(t *testing.T) {
			t.Parallel()
			camera := newRude(t, way)
			toldNoEnd(t, camera, "rtsp://"+camera.Addr().String()+"/")
		})
	}
}

// hangsUp is willing, up to what comes after the last picture.
func hangsUp(method string) string {
	if method == "GET_PARAMETER" || method == "TEARDOWN" {
		return "500 No\n\n"
	}
	return cameratest.Willing(method)
}

// toldNoEnd watches a camera until it failed or was called three times.
func toldNoEnd(t *testing.T, camera *rude, source string) {
	t.Helper()
	r, w := io.Pipe()
	watcher := NewWatcher(eye.NewVoice(w), slog.New(slog.DiscardHandler), fstest.MapFS{})
	watcher.load = func() (recognizer, error) { return &turning{}, nil }
	watcher.Watch(eye.Watch{Game: table.DiceBox, Source: source})
	defer func() {
		go io.Copy(io.Discard, r)
		watcher.stop()
		<-watcher.done
	}()
	in := bufio.NewReader(r)
	for camera.calls.Load() < 3 {
		m, err := eye.Hear(in)
		if err != nil {
			t.Fatal(err)
		}
		if m.Status == nil {
			continue
		}
		switch m.Status.State {
		case eye.Ended:
			t.Fatalf("told as the end of a recording: %+v", m.Status)
		case eye.Failed, eye.Restarting:
			if m.Status.Reason == "" || strings.Contains(m.Status.Reason, "EOF") {
				t.Errorf("told with the reason %q", m.Status.Reason)
			}
		}
		if m.Status.State == eye.Failed {
			return
		}
	}
}

// TestRecordingsEnd: a film that comes whole is over at its end, wherever it lies.
func TestRecordingsEnd(t *testing.T) {
	video := cameratest.Film(t, ".avi", "MJPG")
	camera := newRude(t, saying(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: video/x-msvideo\r\nContent-Length: %d\r\n\r\n%s", len(video), video)))
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/1.jpg", cameratest.JPEG(t, cameratest.Quarters(64, 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"http://" + camera.Addr().String() + "/film.avi", dir} {
		told := watching(t, &turning{}, eye.Watch{Game: table.DiceBox, Source: source}, eye.View{})
		if last := told[len(told)-1].Status; last.State != eye.Ended {
			t.Errorf("%s: %+v", source, last)
		}
	}
	// A file that breaks off is none that ended: an empty calibration, a picture that is cut.
	if err := os.WriteFile(dir+"/2.jpg", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/table.json", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, what := range []eye.Watch{
		{Game: table.DiceBox, Source: dir},
		{Game: table.DiceBox, Source: dir, Calibration: dir + "/table.json"},
	} {
		told := watching(t, &turning{}, what, eye.View{})
		if last := told[len(told)-1].Status; last.State != eye.Failed {
			t.Errorf("%+v: %+v", what, last)
		}
	}
}
