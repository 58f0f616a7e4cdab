package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the program's own number; the build may set it (-ldflags -X).
var version = "0.1.0-dev"

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print the version of the program, its eye and its model",
		Args:        cobra.NoArgs,
		Annotations: noConfig,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.stdout, "diceref %s (%s)\n%s %s/%s\n", version, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// commit is the state of the sources that the program was built from.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "built without module information"
	}
	revision, changed := "commit unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "commit " + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed since"
		}
	}
	return revision + changed
}
