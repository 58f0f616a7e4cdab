//go:build unix

package main

import (
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// TestAttackFilesForTheDemo: a demo whose eye could not be started while too many files were open
// is tried again, as a camera is.
func TestAttackFilesForTheDemo(t *testing.T) {
	path := builtEye(t)
	h := newHost(t.Context(), eye.Config{Path: path, View: eye.View{On: true, Width: 320}}, "", "", slog.New(slog.DiscardHandler))
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	more := func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
			t.Error(err)
		}
	}
	defer more()
	few := was
	few.Cur = 3
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	cfg := match.Config{Game: table.DiceBox, Players: []string{"Ada", "Ben"}}
	if err := h.open(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceDemo}}, false); err != nil {
		t.Fatal(err)
	}
	defer h.close()
	<-h.now.opened
	if err := h.now.failed; err == nil || !strings.Contains(err.Error(), "too many open files") {
		t.Fatalf("opened with %v", err)
	}
	more()
	for h.feed.Picture() == nil {
		if ended(h.now) || !pause(t.Context(), 20*time.Millisecond) {
			t.Fatal("it is not tried again")
		}
	}
}
