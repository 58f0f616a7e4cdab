//go:build unix

package eye

import (
	"strings"
	"syscall"
	"testing"
)

// noMoreFiles keeps this program from opening any more files, until more is called.
func noMoreFiles(t *testing.T) (more func()) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	few := was
	few.Cur = 3
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	more = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(more)
	return more
}

// TestAttackFilesRunOut: an eye that died while too many files were open is started again once they are
// closed, also one that follows a file.
func TestAttackFilesRunOut(t *testing.T) {
	c, err := Start(t.Context(), Config{Path: fakePath(t, "dies at 7"), Source: "file", Restart: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	more := func() {}
	frames, refused := 0, 0
	var last Status
	for m := range c.Frames() {
		if m.Observation != nil {
			frames++
		}
		if m.Status == nil {
			continue
		}
		last = *m.Status
		if last.State == Running && frames == 0 {
			more = noMoreFiles(t)
		}
		if strings.Contains(last.Reason, "too many open files") {
			refused++
		}
		if refused == fileTries {
			more()
		}
	}
	if last.State != Ended || frames != fileFrames || refused != fileTries {
		t.Errorf("%d frames, %d times refused, then %s: %s", frames, refused, last.State, last.Reason)
	}
}

// TestAttackFilesAtTheStart: the first eye that cannot be started for want of files says so.
func TestAttackFilesAtTheStart(t *testing.T) {
	path := fakePath(t, "good")
	more := noMoreFiles(t)
	_, err := Start(t.Context(), Config{Path: path, Source: "file"})
	more()
	if !Crowded(err) {
		t.Errorf("%v", err)
	}
	if _, err := Start(t.Context(), Config{Path: "/nowhere/diceref-eye", Source: "file"}); err == nil || Crowded(err) {
		t.Errorf("no such eye: %v", err)
	}
}
