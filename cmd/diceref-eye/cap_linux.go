package main

import (
	"log/slog"

	"golang.org/x/sys/unix"
)

// capMemory has the kernel refuse this process more than dataCap. What is mapped but not written to,
// OpenCV's libraries and Go's reserves among it, does not count.
func capMemory() {
	var now unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_DATA, &now); err != nil {
		slog.Warn("cannot tell how much memory is allowed", "err", err)
		return
	}
	now.Cur = min(now.Cur, now.Max, dataCap())
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &now); err != nil {
		slog.Warn("cannot cap the memory", "err", err)
	}
}
