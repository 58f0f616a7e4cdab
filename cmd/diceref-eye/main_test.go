package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"diceref/table"
	"diceref/vision/eye"
)

// TestMain has the test binary be the eye itself when it is started by a client.
func TestMain(m *testing.M) {
	if os.Getenv("DICEREF_EYE_ITSELF") != "" {
		beGreedy()
		main()
		return
	}
	os.Exit(m.Run())
}

func eyePath(t *testing.T) string {
	t.Helper()
	t.Setenv("DICEREF_EYE_ITSELF", "yes")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// TestKilledEye kills the eye in the middle of the demo: it comes back, and no frame is
// missing or told twice.
func TestKilledEye(t *testing.T) {
	c, err := eye.Start(t.Context(), eye.Config{Path: eyePath(t), Game: table.DiceBox, Source: "demo", Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	next, restarts := 0, 0
	var corners [4]table.Point
	for m := range c.Frames() {
		switch {
		case m.Status != nil && m.Status.State == eye.Failed:
			t.Fatal(m.Status.Reason)
		case m.Status != nil && m.Status.State == eye.Restarting:
			restarts++
		case m.Observation != nil:
			o := m.Observation
			if o.Frame != next {
				t.Fatalf("frame %d after %d", o.Frame, next-1)
			}
			if next++; next == 30 {
				if !o.Grid.Found {
					t.Fatal("the board was not found in 30 frames")
				}
				corners = o.Grid.Corners
				if p, err := os.FindProcess(c.PID()); err != nil {
					t.Fatal(err)
				} else if err := p.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			if next == 60 {
				if restarts != 1 {
					t.Errorf("%d restarts were told, want 1", restarts)
				}
				for i, c := range o.Grid.Corners {
					if dx, dy := c.X-corners[i].X, c.Y-corners[i].Y; dx*dx+dy*dy > 100 {
						t.Errorf("corner %d moved from %v to %v: the numbering is another", i, corners[i], c)
					}
				}
				return
			}
		}
	}
	t.Fatal("the client ended")
}

// TestStills reads pictures of all sorts with one eye.
func TestStills(t *testing.T) {
	r := eye.NewReader(eyePath(t))
	defer r.Close()
	board, err := os.ReadFile(firstPicture(t))
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Read(t.Context(), table.DiceBox, board)
	if err != nil || first.Width == 0 || first.MS.Decode <= 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	for n := len(board) / 4; n < len(board); n += len(board) / 4 {
		if _, err := r.Read(t.Context(), table.DiceBox, board[:n]); err == nil || errors.Is(err, eye.ErrDied) {
			t.Errorf("%d of %d bytes: %v, want an error that the eye survives", n, len(board), err)
		}
	}
	again, err := r.Read(t.Context(), table.DiceBox, board)
	if err != nil || len(again.Dice) != len(first.Dice) {
		t.Errorf("read again: %d dice, %v; there were %d at first", len(again.Dice), err, len(first.Dice))
	}
}

func firstPicture(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "vision", "testdata", "easy", "*.jpg"))
	if err != nil || len(names) == 0 {
		t.Fatal("no pictures in vision/testdata/easy", err)
	}
	return names[0]
}

// TestInputCloses starts an eye whose output nobody reads and closes its input.
func TestInputCloses(t *testing.T) {
	cmd := exec.Command(eyePath(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close() // whatever it writes fails
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	watch := `{"game":"dice-box","source":"/nonexistent"}`
	if _, err := in.Write(append([]byte{'w', 0, 0, 0, byte(len(watch))}, watch...)); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the eye ended with %v, want no error", err)
	}
}
