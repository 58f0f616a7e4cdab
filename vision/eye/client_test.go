package eye

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"diceref/table"
	"diceref/vision/owned"
)

// deadline is only there to end a test that hangs.
const deadline = 20 * time.Second

// all takes everything that a client tells.
func all(t *testing.T, c *Client) (frames []int, pictures int, states []State, last Status) {
	t.Helper()
	end := time.After(deadline)
	for {
		select {
		case m, ok := <-c.Frames():
			switch {
			case !ok:
				return
			case m.Observation != nil:
				frames = append(frames, m.Observation.Frame)
			case m.Picture != nil:
				pictures++
				if !strings.HasSuffix(string(m.Picture.JPEG), "\n one") {
					t.Errorf("picture %d arrived as %q", m.Picture.Frame, m.Picture.JPEG)
				}
			case m.Status != nil:
				states = append(states, m.Status.State)
				last = *m.Status
			}
		case <-end:
			t.Fatal("the client hangs")
		}
	}
}

func TestClient(t *testing.T) {
	tests := []struct {
		name, how, source string
		restart           bool
		frames            int
		states            string
		reason            string
	}{
		{"a file to its end", "good", "file", false, fileFrames, "starting running ended", ""},
		{"an eye that dies", "dies at 7", "file", false, 7, "starting running failed", "something odd in frame 7"},
		{"an eye that dies comes back", "dies at 7", "file", true, fileFrames, "starting running restarting running ended", ""},
		{
			"a file that kills every eye", "dies at 9 always", "file", true, 9,
			"starting running restarting running restarting running restarting running restarting running restarting running failed", "killed",
		},
		{"a camera that says it has ended", "good", "camera", false, fileFrames, "starting running failed", "the camera closed the connection"},
		{"no such source", "good", "missing", true, 0, "starting failed", "cannot open missing"},
		{"an older eye", "older", "file", true, 0, "starting failed", "an older version than diceref: install both from one package"},
		{"a newer eye", "newer", "file", true, 0, "starting failed", "a newer version"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := fakePath(t, test.how)
			c, err := Start(t.Context(), Config{Path: path, Source: test.source, Restart: test.restart})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			frames, _, states, last := all(t, c)
			for i, f := range frames {
				if i != f {
					t.Fatalf("frames %v: want every one once, in order", frames)
				}
			}
			if len(frames) != test.frames {
				t.Errorf("%d frames, want %d", len(frames), test.frames)
			}
			var got []string
			for _, s := range states {
				got = append(got, string(s))
			}
			if s := strings.Join(got, " "); s != test.states {
				t.Errorf("states: %s\nwant:   %s", s, test.states)
			}
			if !strings.Contains(last.Reason, test.reason) {
				t.Errorf("the reason is %q, want one with %q", last.Reason, test.reason)
			}
		})
	}
}

// TestKilled kills the eye from outside, as often as it comes back.
func TestKilled(t *testing.T) {
	path := fakePath(t, "good")
	c, err := Start(t.Context(), Config{Path: path, Source: "endless", Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	next, kills, before := 0, 0, -1.0
	for m := range c.Frames() {
		switch {
		case m.Observation != nil:
			o := m.Observation
			if o.Frame != next {
				t.Fatalf("frame %d after %d", o.Frame, next-1)
			}
			if kills > 0 && o.Grid.Corners[1].X != before {
				t.Fatalf("frame %d: the new eye was told corners %v, want those of frame %v", o.Frame, o.Grid.Corners[1], before)
			}
			next++
			if next%50 == 0 {
				if kills == 3 {
					return
				}
				if p, err := os.FindProcess(c.PID()); err != nil {
					t.Fatal(err)
				} else if err := p.Kill(); err != nil {
					t.Fatal(err)
				}
				kills++
				before = drain(t, c, &next)
			}
		case m.Status != nil && m.Status.State == Failed:
			t.Fatal(m.Status.Reason)
		}
	}
	t.Fatal("the client ended")
}

// drain takes what the killed eye had said still; it returns the last frame of it.
func drain(t *testing.T, c *Client, next *int) float64 {
	for m := range c.Frames() {
		if m.Observation != nil {
			if m.Observation.Frame != *next {
				t.Fatalf("frame %d after %d", m.Observation.Frame, *next-1)
			}
			*next++
		}
		if m.Status != nil && m.Status.State == Restarting {
			break
		}
	}
	return float64(*next - 1)
}

// TestCloseEndsTheEye closes a client whose frames nobody takes.
func TestCloseEndsTheEye(t *testing.T) {
	home, alive := listen(t)
	t.Setenv("DICEREF_FAKE_HOME", home)
	path := fakePath(t, "good")
	c, err := Start(t.Context(), Config{Path: path, Source: "endless", Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	gone := alive()
	c.Close()
	gone()
	if pid := c.PID(); pid != 0 {
		t.Errorf("after Close the eye has process id %d", pid)
	}
	for range c.Frames() { // what was told before; then it is closed
	}
}

func TestPreview(t *testing.T) {
	path := fakePath(t, "good")
	c, err := Start(context.Background(), Config{Path: path, Source: "file", View: View{On: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, pictures, _, _ := all(t, c); pictures != fileFrames {
		t.Errorf("%d pictures, want %d", pictures, fileFrames)
	}
	c.Preview(View{}) // the eye is gone: this must not hang or crash
}

// TestAgain: a source that is followed again goes on where it was, and no frame is told twice.
func TestAgain(t *testing.T) {
	c, err := Start(context.Background(), Config{Path: fakePath(t, "good"), Source: "endless"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Teach(table.Lesson{Color: table.Orange})
	next, more := 0, 20
	for m := range c.Frames() {
		o := m.Observation
		if o == nil {
			continue
		}
		if o.Frame < next {
			t.Fatalf("frame %d came after frame %d", o.Frame, next-1)
		}
		if next = o.Frame + 1; next == 10 {
			c.Again()
		}
		if o.Grid.Corners[3].X == 2 {
			if more--; more == 0 {
				break
			}
		}
		if next > 1_000_000 {
			t.Fatal("the source is not followed anew")
		}
	}
}

// TestOwn: an eye at work reads by another set of dice from then on, and so does the eye that takes over; it tells how a die looks.
func TestOwn(t *testing.T) {
	c, err := Start(context.Background(), Config{Path: fakePath(t, "good"), Source: "endless"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	read := false
	for m := range c.Frames() {
		switch {
		case m.Observation != nil && m.Observation.Frame == 3:
			c.Own(&owned.Set{Groups: make([]owned.Group, 5)})
		case m.Observation != nil && m.Observation.Grid.Corners[3].Y == 5 && !read:
			read = true
			c.AskTop(TopRequest{ID: 7, Square: table.Square{Row: 2, Col: 1}})
		case m.Top != nil:
			if !read || m.Top.ID != 7 || m.Top.Top.Pips != 2 {
				t.Errorf("the top of a die is %+v", m.Top)
			}
			return
		case m.Observation != nil && m.Observation.Frame > 1_000_000:
			t.Fatal("the set comes to nothing")
		}
	}
}

// TestTeach: what an eye was taught, the eye that takes over knows.
func TestTeach(t *testing.T) {
	c, err := Start(context.Background(), Config{Path: fakePath(t, "dies at 7"), Source: "file", Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Teach(table.Lesson{Look: table.Look3{0.5, -0.2, 0.1}, Color: table.Orange})
	c.Teach(table.Lesson{Look: table.Look3{0.4, -0.1, 0.1}, Color: table.Orange})
	known := -1.0
	for m := range c.Frames() {
		if o := m.Observation; o != nil && o.Frame >= 7 {
			known = o.Grid.Corners[2].X
		}
	}
	if known != 2 {
		t.Errorf("the eye that took over knows %v lessons, want 2", known)
	}
	c.Teach(table.Lesson{Color: table.Red}) // the eye is gone: this must not hang or crash
}

// TestNoOrphans kills the program that started an eye: the eye must go too, whether it
// looks at its input or is stuck.
func TestNoOrphans(t *testing.T) {
	for _, child := range []string{"good", "stuck"} {
		t.Run(child, func(t *testing.T) {
			if child == "stuck" && runtime.GOOS != "linux" {
				return // no other system kills a child that does not look
			}
			home, alive := listen(t)
			path := fakePath(t, "parent")
			parent := exec.Command(path)
			parent.Env = append(parent.Environ(), "DICEREF_FAKE_CHILD="+child, "DICEREF_FAKE_HOME="+home)
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			gone := alive()
			if err := parent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			parent.Wait()
			gone()
		})
	}
}

// listen waits for an eye to call: alive returns when it has, and gone when it is dead.
func listen(t *testing.T) (home string, alive func() (gone func())) {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), func() func() {
		l.(*net.TCPListener).SetDeadline(time.Now().Add(deadline))
		conn, err := l.Accept()
		if err != nil {
			t.Fatal("no eye called: ", err)
		}
		conn.SetReadDeadline(time.Now().Add(deadline))
		in := bufio.NewReader(conn)
		pid, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			t.Helper()
			defer conn.Close()
			if _, err := in.ReadByte(); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Fatalf("the eye %s is still there", strings.TrimSpace(pid))
			}
		}
	}
}

func TestStartWithoutAnEye(t *testing.T) {
	_, err := Start(t.Context(), Config{Path: "/nonexistent/diceref-eye", Game: table.Any})
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "/nonexistent/diceref-eye") {
		t.Errorf("error %v, want one line that names the path", err)
	}
	if _, err := Find("/nonexistent/diceref-eye"); err == nil || !strings.Contains(err.Error(), "/nonexistent/diceref-eye") {
		t.Errorf("Find: %v, want an error that names the path", err)
	}
}
