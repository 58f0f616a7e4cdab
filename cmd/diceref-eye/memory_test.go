package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"diceref/table"
	"diceref/vision/eye"
)

// mostMemory is what an eye at work may take above one that has done nothing yet, MB. Pages of files do not count: how much of
// the program and of OpenCV's libraries is mapped is up to the kernel, which may map 2 MB for one byte.
const mostMemory = 120

// TestMemory compares an eye in the middle of a game, and one that reads a picture, with one that waits for its first word.
func TestMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Logf("no such count on this system: %v", err)
		return
	}
	path := eyePath(t)
	idle := exec.Command(path)
	in, err := idle.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := idle.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		idle.Wait()
	}()
	c, err := eye.Start(t.Context(), eye.Config{Path: path, Game: table.DiceBox, Source: "demo", View: eye.View{On: true, Width: 640}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	seen := 0
	for m := range c.Frames() {
		if m.Observation == nil {
			continue
		}
		if seen++; seen == 200 {
			break
		}
	}
	if seen < 200 {
		t.Errorf("%d frames were read, want 200", seen)
	}
	atMost(t, idle.Process.Pid, c.PID())

	// Small loose dice on a checkered cloth are looked at closer, all of them.
	r := eye.NewReader(path)
	defer r.Close()
	picture, err := os.ReadFile(filepath.Join("..", "..", "vision", "testdata", "checkered", "030.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if o, err := r.Read(t.Context(), table.DiceCreams, picture); err != nil || len(o.Dice) == 0 {
			t.Fatalf("%d dice are read, %v", len(o.Dice), err)
		}
	}
	atMost(t, idle.Process.Pid, r.PID())
}

// atMost compares the memory of an eye at work with that of an idle one.
func atMost(t *testing.T, idle, atWork int) {
	t.Helper()
	before, after := taken(t, idle), taken(t, atWork)
	t.Logf("%d MB before the first word, %d at work", before, after)
	if after-before > mostMemory {
		t.Errorf("at work an eye takes %d MB more than at first, want at most %d", after-before, mostMemory)
	}
}

// taken is what a process takes of memory besides files, in MB, once it does not grow any more.
func taken(t *testing.T, pid int) int {
	t.Helper()
	last := -1
	for {
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "RssAnon:")
		var kb int
		if _, err := fmt.Sscan(rest, &kb); err != nil {
			t.Fatal(err)
		}
		if kb/1024 <= last {
			return kb / 1024
		}
		last = kb / 1024
		time.Sleep(300 * time.Millisecond)
	}
}
