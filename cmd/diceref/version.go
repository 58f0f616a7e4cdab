package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the program's own number.
const version = "0.1.0"

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print the version of the program",
		Args:        cobra.NoArgs,
		Annotations: noConfig,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.stdout, "diceref %s\nsources %s\nbuilt with %s for %s/%s\n",
				version, sources(""), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// commit is the state of the sources that a program was built from, as its
// build says: the commit, and whether there were changes beside it.
func commit(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	var revision, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = "commit " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed since"
		}
	}
	return cmp.Or(revision, "without a commit") + changed
}
