package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/vision/eye"
	"diceref/web"
)

// builtEye is the eye that make build makes, or one on the PATH. Without one the test fails.
func builtEye(t *testing.T) string {
	t.Helper()
	for _, name := range []string{filepath.Join(root, "bin", eye.Program), eye.Program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("%s is not built: run make build", eye.Program)
	return ""
}

// ask waits until what a page tells fulfills a condition.
func ask[T any](t *testing.T, url string, until func(T) bool) T {
	t.Helper()
	var v T
	for range 600 {
		if r, err := http.Get(url); err == nil {
			var now T
			err = json.NewDecoder(r.Body).Decode(&now)
			r.Body.Close()
			if v = now; err == nil && until(v) {
				return v
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s: still %+v", url, v)
	return v
}

// children are the processes that this one started with a program of that name.
func children(t *testing.T, program string) (pids []int) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range processes {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		_, rest, _ := strings.Cut(string(stat), "(")
		name, rest, _ := strings.Cut(rest, ") ")
		fields := strings.Fields(rest)
		if !strings.HasPrefix(program, name) || len(fields) < 2 || fields[0] == "Z" || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// serving runs the program until stop and says where its page is.
func serving(t *testing.T, args ...string) (url string, stop func(), done <-chan int, stderr *strings.Builder) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	stderr = new(strings.Builder)
	exit := make(chan int, 1)
	args = append([]string{"serve", "--listen", "localhost:0", "--data", t.TempDir(), "--eye", builtEye(t)}, args...)
	go func() {
		exit <- run(ctx, args, strings.NewReader(""), in, stderr)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, exit %d: %s", err, <-exit, stderr)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "diceref is at ")), stop, exit, stderr
}

// TestServe plays the demo: pictures and events come, the eye may be killed, and
// nothing is left when the server ends.
func TestServe(t *testing.T) {
	url, stop, done, stderr := serving(t, "--source", "demo")
	defer stop()

	type health struct{ Camera string }
	ask(t, url+"/api/v1/healthz", func(h health) bool { return h.Camera == "running" })
	first := ask(t, url+"/api/v1/state", func(s match.Snapshot) bool { return len(s.Events) > 1 })
	if r, err := http.Get(url + "/api/v1/preview.jpg?after=0"); err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("no picture: %v, %v", r, err)
	} else {
		r.Body.Close()
	}

	eyes := children(t, eye.Program)
	if len(eyes) == 1 { // elsewhere than on Linux they cannot be listed
		if p, err := os.FindProcess(eyes[0]); err != nil || p.Kill() != nil {
			t.Fatalf("cannot kill the eye: %v", err)
		}
		ask(t, url+"/api/v1/healthz", func(h health) bool { return h.Camera == "restarting" })
		ask(t, url+"/api/v1/healthz", func(h health) bool { return h.Camera == "running" })
	}
	later := ask(t, url+"/api/v1/state", func(s match.Snapshot) bool { return len(s.Events) > len(first.Events) })
	if later.ID != first.ID || later.Events[1].Text != first.Events[1].Text {
		t.Errorf("the game did not go on: %s %q, then %s %q", first.ID, first.Events[1].Text, later.ID, later.Events[1].Text)
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if left := children(t, eye.Program); len(left) > 0 {
		t.Errorf("eyes are left: %v", left)
	}
}

// TestServeWithoutAnswer: a network camera that hangs, then fails, does not hold the page up; it
// is called again until it works.
func TestServeWithoutAnswer(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join(root, "web", "testdata", "table.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan int, 8) // what the camera answers, once it does
	camera := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case status := <-answer:
			w.Header().Set("Content-Type", "image/jpeg")
			w.WriteHeader(status)
			w.Write(picture)
		case <-r.Context().Done():
		}
	}))
	defer camera.Close()
	url, stop, done, stderr := serving(t, "--source", camera.URL, "--game", "dessert-dice", "--players", "Ann,Ben")
	defer stop()
	type seen struct{ Camera web.Status }
	is := func(state, why string) {
		t.Helper()
		ask(t, url+"/api/v1/observation", func(s seen) bool {
			return s.Camera.State == state && strings.Contains(s.Camera.Reason, why)
		})
	}
	is(web.CameraStarting, "")
	answer <- http.StatusServiceUnavailable
	is(web.CameraRetrying, "503")
	for range cap(answer) {
		answer <- http.StatusOK
	}
	is(web.CameraRunning, "")
	stop()
	if code := <-done; code != exitDone || !strings.Contains(stderr.String(), "cannot be opened") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
