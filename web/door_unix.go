//go:build unix

package web

import "syscall"

// openFiles is how many files this program may have open.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 2*maxConnections {
		return 2 * maxConnections
	}
	return int(limit.Cur)
}
