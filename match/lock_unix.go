//go:build unix

package match

import (
	"os"
	"syscall"
)

// takeLock makes the file this process's alone until it is closed or the
// process dies. SQLite's own locks are of another kind and stay untouched.
func takeLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
