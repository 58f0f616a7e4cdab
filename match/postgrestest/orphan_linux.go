package postgrestest

import "syscall"

// endsWithUs has a program end when the tests do, however they end.
func endsWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGQUIT }
