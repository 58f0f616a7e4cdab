//go:build unix && !linux

package postgrestest

import "syscall"

// attributes are those of a program that runs as somebody. This system cannot end it with the tests, however they end.
func attributes(who *account) *syscall.SysProcAttr {
	if who == nil {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: who.uid, Gid: who.gid}}
}
