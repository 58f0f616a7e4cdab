package eye

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill the eye when this program is killed, even if
// the eye is stuck and does not see its input close.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
