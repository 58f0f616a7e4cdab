//go:build !unix

package match

import "os"

// takeLock leaves it to SQLite's own locks.
func takeLock(*os.File) error { return nil }
