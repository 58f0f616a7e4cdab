//go:build !linux

package postgrestest

import "syscall"

// endsWithUs: this system cannot do that.
func endsWithUs(*syscall.SysProcAttr) {}
