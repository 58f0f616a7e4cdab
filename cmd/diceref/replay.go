package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"diceref/match"
)

func newReplayCommand(a *app) *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "replay MATCH",
		Short: "Print a saved match, or export it",
		Long: `replay prints a match from the journal (diceref history lists them) or from an
exported file. Forms: words (the default), json (as printed by diceref watch), text
(notation), csv (the score pad), export (the whole match, to import elsewhere).`,
		Example: `  diceref replay 2026-11-21-31b37fcf
  diceref replay 2026-11-21-31b37fcf --as export > game.json
  diceref replay game.json --as csv`,
		Args: takes("match"),
		RunE: func(_ *cobra.Command, args []string) error { return a.replay(args[0], form) },
	}
	cmd.Flags().StringVar(&form, "as", "words", "`form`: words, json, text, csv or export")
	a.settings.flags(cmd.Flags(), "journal")
	return cmd
}

func (a *app) replay(name, form string) error {
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		m, err := match.ReadExport(f)
		if err != nil {
			return fmt.Errorf("replay %s: %w", name, err)
		}
		if form == "export" {
			return usagef("%s is already an exported match", name)
		}
		return a.printMatch(m, form)
	}
	j, err := a.readJournal()
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replay: there is no file %q, and %w", name, err)
	}
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	defer j.Close()
	if form == "export" {
		return j.Export(name, a.stdout)
	}
	m, err := match.Reread(j, name)
	if errors.Is(err, match.ErrNoMatch) {
		return fmt.Errorf("replay: there is no file and no saved match called %q (diceref history lists the matches)", name)
	}
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return a.printMatch(m, form)
}

func (a *app) printMatch(m *match.Match, form string) error {
	forms := map[string]func(io.Writer) error{"text": m.WriteText, "csv": m.WriteCSV}
	if write := forms[form]; write != nil {
		return write(a.stdout)
	}
	if form != "words" && form != "json" {
		return usagef("--as %q: expected words, json, text, csv or export", form)
	}
	for _, e := range m.Events() {
		if err := a.printEvent(e, watching{json: form == "json"}); err != nil {
			return exitError{exitBad, err}
		}
	}
	return nil
}
