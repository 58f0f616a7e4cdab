package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"diceref/vision/eye"
)

// TestMain lets the scripts run the program under its own name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"diceref": main, "fake-eye": fakeEye})
}

// TestScripts runs the command lines of testdata/script. A script may ask for
// [eye], which holds where the eye was built (make build) or is on the PATH,
// and finds a port that is taken in $TAKEN, what an eye told of whole games in $SEEN, and the sources in $ROOT.
func TestScripts(t *testing.T) {
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // the scripts run in parallel, after this function
	bin, err := filepath.Abs(filepath.Join("..", "..", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := filepath.Abs(filepath.Join("..", "..", "match", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("TAKEN", taken.Addr().String())
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("SEEN", seen)
			env.Setenv("ROOT", checkout)
			env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+bin)
			return nil
		},
		Condition: func(condition string) (bool, error) {
			if condition == "eye" {
				_, beside := exec.LookPath(filepath.Join(bin, eye.Program))
				_, onPath := exec.LookPath(eye.Program)
				return beside == nil || onPath == nil, nil
			}
			return false, nil
		},
	})
}
