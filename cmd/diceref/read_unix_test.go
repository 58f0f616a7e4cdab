//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
)

// TestReadPipe: a pipe that nobody writes to costs only its own line.
func TestReadPipe(t *testing.T) {
	t.Chdir(pictures(t))
	if err := syscall.Mkfifo("pipe.jpg", 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := diceref(t, "", "read", "--game", "any", "--json", "pipe.jpg", "good.jpg")
	if want := "diceref: cannot read pipe.jpg: it is a pipe that nobody writes to\n"; code != exitBad || stderr != want {
		t.Errorf("exit code %d, standard error %q, want %d, %q", code, stderr, exitBad, want)
	}
	if !strings.HasPrefix(stdout, `{"image":"good.jpg"`) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("standard output: %q", stdout)
	}
}
