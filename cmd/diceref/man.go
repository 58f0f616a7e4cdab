package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages for all commands",
		Long: `man writes a manual page for every command: diceref.1, diceref-serve.1 and so on.
Write them to a man1 folder on your manual path, so that man can find them.`,
		Example: `  diceref man ~/.local/share/man/man1
  man diceref-serve`,
		Args:        takes("folder"),
		Annotations: noConfig,
		RunE:        func(cmd *cobra.Command, args []string) error { return a.writeManual(cmd.Root(), args[0]) },
	}
}

// writeManual writes the pages, with the date of the sources where it is known.
func (a *app) writeManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("man: cannot make the folder: %w", err)
	}
	root.DisableAutoGenTag = true
	indentTables(root)
	header := doc.GenManHeader{Section: "1", Source: "diceref " + version, Manual: "diceref", Date: builtAt()}
	if err := doc.GenManTree(root, &header, dir); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	fmt.Fprintln(a.stdout, dir)
	return nil
}

// indentTables makes what is set in columns in a help text what Markdown, of which the pages are
// made, takes for it: lines that begin with four spaces.
func indentTables(cmd *cobra.Command) {
	cmd.Long = strings.ReplaceAll(cmd.Long, "\n  ", "\n      ")
	for _, child := range cmd.Commands() {
		indentTables(child)
	}
}

// builtAt is the date of the commit that the program was built from; else the first day of all clocks, so
// that the same sources always make the same pages.
func builtAt() *time.Time {
	at := time.Unix(0, 0).UTC()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				at = t
			}
		}
	}
	return &at
}
