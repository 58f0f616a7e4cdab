//go:build !unix

package web

// openFiles is how many files this program may have open, as far as it need be known.
func openFiles() int { return 2 * maxConnections }
