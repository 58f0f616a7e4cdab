package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"diceref/vision/eye"
)

// version is the program's own number.
const version = "0.1.0"

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print the versions of the program, its eye and its models",
		Args:        takes(),
		Annotations: noConfig,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(a.stdout, "diceref %s\nsources %s\nbuilt with %s for %s/%s\n",
				version, builtFrom(""), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			configured, err := cmd.Flags().GetString("eye")
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, "eye", eyeVersion(configured))
			return nil
		},
	}
}

// eyeVersion is what the file of the eye says of its OpenCV and its models, or why it does not.
// The eye is not started: loading OpenCV takes ten times as long as all else.
func eyeVersion(configured string) string {
	path, err := eye.Find(cmp.Or(configured, os.Getenv(envName("eye"))))
	if err != nil {
		return "not found"
	}
	made, err := eye.Version(path)
	if err != nil {
		return fmt.Sprintf("at %s does not say its version (see diceref doctor)", path)
	}
	return made
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
