package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"diceref/match"
	"diceref/vision/eye"
	"diceref/web"
)

// fickle is a camera that gives pictures well, or goes away in some way.
type fickle struct {
	net.Listener
	way   atomic.Pointer[func(*net.TCPConn)] // nil: it is well
	calls atomic.Int32
}

func newFickle(t *testing.T) *fickle {
	t.Helper()
	picture, err := os.ReadFile(filepath.Join(root, "web", "testdata", "table.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	f := &fickle{Listener: ln}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			f.calls.Add(1)
			go func() {
				defer c.Close()
				if way := f.way.Load(); way != nil {
					(*way)(c.(*net.TCPConn))
				} else if asked(c) {
					f.give(c, picture)
				}
			}()
		}
	}()
	return f
}

// give gives pictures until the camera is no longer well.
func (f *fickle) give(c net.Conn, picture []byte) {
	fmt.Fprint(c, "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n")
	for f.way.Load() == nil {
		if _, err := fmt.Fprintf(c, "--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// asked takes a whole request.
func asked(c net.Conn) bool {
	_, err := http.ReadRequest(bufio.NewReader(c))
	return err == nil
}

// TestAttackCameraHangsUp: a camera that goes away in any way, and an eye that dies meanwhile,
// end no match: the page says that restarting the camera, it is called until it is
// well, and the match goes on.
func TestAttackCameraHangsUp(t *testing.T) {
	camera := newFickle(t)
	url, stop, done, stderr := serving(t, "--source", "http://"+camera.Addr().String()+"/video", "--game", "dice-flick", "--players", "Ann,Ben")
	defer stop()
	type seen struct{ Camera web.Status }
	until := func(states ...string) {
		t.Helper()
		ask(t, url+"/api/v1/observation", func(s seen) bool { return strings.Contains(strings.Join(states, " "), s.Camera.State) })
	}
	called := func(more int32) {
		t.Helper()
		for before := camera.calls.Load(); camera.calls.Load() < before+more; {
			if !pause(t.Context(), 20*time.Millisecond) {
				t.Fatal("it is no longer called")
			}
		}
	}
	until(web.CameraRunning)
	picture, err := os.ReadFile(filepath.Join(root, "web", "testdata", "table.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	film := strings.Repeat(string(picture), 20)
	answer := func(head, body string) func(*net.TCPConn) {
		return func(c *net.TCPConn) {
			if asked(c) {
				io.WriteString(c, head+"\r\n\r\n"+body)
				c.CloseWrite()
				io.Copy(io.Discard, c)
			}
		}
	}
	for _, way := range []struct {
		name string
		how  func(*net.TCPConn)
	}{
		{"accepts and closes", func(*net.TCPConn) {}},
		{"a stream that ends well", answer("HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x", "--x--\r\n")},
		{"a film", answer(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: video/x-motion-jpeg\r\nContent-Length: %d", len(film)), film)},
	} {
		began := ask(t, url+"/api/v1/state", func(match.Snapshot) bool { return true })
		camera.way.Store(&way.how)
		until(web.CameraRestarting, web.CameraRetrying)
		called(1)
		for _, pid := range children(t, eye.Program) { // the next one meets it at its first call
			if p, err := os.FindProcess(pid); err != nil || p.Kill() != nil {
				t.Fatalf("cannot kill the eye: %v", err)
			}
		}
		called(2)
		camera.way.Store(nil)
		until(web.CameraRunning)
		now := ask(t, url+"/api/v1/state", func(match.Snapshot) bool { return true })
		if now.ID != began.ID || now.Phase == match.PhaseOver {
			t.Fatalf("%s: match %s is %s, it was %s", way.name, now.ID, now.Phase, began.ID)
		}
		if r, err := http.Post(url+"/api/v1/declare", "application/json", strings.NewReader(`{"say":"miss"}`)); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: the match does not go on: %v, %v", way.name, r, err)
		} else {
			r.Body.Close()
		}
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
