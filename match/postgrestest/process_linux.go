package postgrestest

import "syscall"

// attributes are those of a program that runs as somebody, and ends when the tests do, however they end.
func attributes(who *account) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if who != nil {
		a.Credential = &syscall.Credential{Uid: who.uid, Gid: who.gid}
	}
	return a
}
