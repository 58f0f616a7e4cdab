//go:build !unix

package postgrestest

import "syscall"

// attributes: here, nobody is root.
func attributes(*account) *syscall.SysProcAttr { return nil }
