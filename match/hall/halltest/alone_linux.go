package halltest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// alone names the test that this process was started for.
const alone = "TEST_ALONE"

// A new network cannot even reach itself. A test may want to before it asks whether it is alone.
func init() {
	if os.Getenv(alone) == "" {
		return
	}
	if out, err := exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("ip: %v %s", err, out))
	}
}

// Alone says whether this process has a network of its own. If not, it runs the test again in one that has: all programs
// of a machine hear of a cable that comes or goes, and a browser then gives up what it is loading.
//
// Only root may make such a network, and not in every container: elsewhere the test is skipped. CI has to have the
// program for it.
func Alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(alone) == t.Name() {
		return true
	}
	if os.Getuid() != 0 {
		t.Skip("only root may make a network namespace, so no network is cut")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("ip is missing (.dev/install network)")
		}
		t.Skip("ip is missing, so no network is cut (.dev/install network)")
	}
	only := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	args := append(os.Args[1:], "-test.run="+only, "-test.count=1", "-test.v=true", "-test.testlogfile=")
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...) //nolint:gosec // the test itself
	cmd.Env = append(os.Environ(), alone+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM):
		t.Skipf("no network namespace can be made here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()+" "):
		t.Skipf("\n%s", out)
	}
	t.Logf("\n%s", out)
	return false
}
