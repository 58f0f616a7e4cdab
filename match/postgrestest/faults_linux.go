package postgrestest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// StartFaulty is Start of a server to which all can happen that happens to servers: it has a small disk of its own, where
// this process may mount one, and a clock of its own, where libfaketime is installed.
func StartFaulty(t testing.TB, megabytes int) *Server {
	t.Helper()
	return start(t, func(s *Server, dir string) {
		if os.Geteuid() == 0 && syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)) == nil {
			s.disk = dir
			t.Cleanup(func() {
				if err := syscall.Unmount(dir, 0); err != nil {
					t.Errorf("unmount %s: %v", dir, err)
				}
			})
		}
		if found, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1"); len(found) > 0 { // a pattern without a flaw
			s.clock = filepath.Join(dir, "clock")
			s.environment = []string{"LD_PRELOAD=" + found[0], "FAKETIME_TIMESTAMP_FILE=" + s.clock, "FAKETIME_CACHE_DURATION=1", "FAKETIME_DONT_FAKE_MONOTONIC=1"}
			s.SetClock(t, 0)
		}
	})
}

// HasDisk says whether Fill has something to fill.
func (s *Server) HasDisk() bool { return s.disk != "" }

// HasClock says whether SetClock does anything.
func (s *Server) HasClock() bool { return s.clock != "" }

// Fill leaves no room on the server's disk for a while.
func (s *Server) Fill(t testing.TB, d time.Duration) {
	t.Helper()
	name := filepath.Join(s.disk, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Millisecond) { // whatever room there is again, too
		if _, err := io.Copy(f, io.LimitReader(zeros{}, 1<<40)); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk is not full: %v", err)
		}
	}
	if err := errors.Join(f.Close(), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.ended: // it gives up where it cannot even write that it has begun again
		s.cmd = nil
		s.Run(t)
	default:
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// SetClock makes the server's clock wrong by some time.
func (s *Server) SetClock(t testing.TB, wrong time.Duration) {
	t.Helper()
	if err := os.WriteFile(s.clock, fmt.Appendf(nil, "%+d\n", int(wrong.Seconds())), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Stall stops all of the server's processes for a while.
func (s *Server) Stall(d time.Duration) {
	all := s.family()
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // else it has ended
	}
	time.Sleep(d)
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
}

// family is the server's processes, the first one first, so that it makes no others meanwhile.
func (s *Server) family() []int {
	first := s.cmd.Process.Pid
	all := []int{first}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // a pattern without a flaw
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(after); len(f) > 1 && f[1] == strconv.Itoa(first) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))) // it is a number
			all = append(all, pid)
		}
	}
	return all
}
