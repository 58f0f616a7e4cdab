package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diceref/table"
)

// takes is the rule for the arguments of a command: one for each name, and no more. A name in brackets may
// be missing; one with dots behind may stand several times.
func takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		whole := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
		if len(args) < len(names) && !strings.HasPrefix(names[len(args)], "[") {
			return usagef("%s: the %s is missing", whole, strings.TrimSuffix(names[len(args)], "..."))
		}
		if len(args) <= len(names) || len(names) > 0 && strings.HasSuffix(names[len(names)-1], "...") {
			return nil
		}
		extra := args[len(names)]
		if cmd.HasAvailableSubCommands() {
			return unknownCommand(cmd, extra)
		}
		return usagef("%s: unexpected argument %.60q", whole, extra)
	}
}

// unknownCommand is the error about a word that is none of the commands below another.
func unknownCommand(above *cobra.Command, word string) error {
	var names []string
	for _, cmd := range above.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	if meant := table.Closest(word, names); meant != "" {
		return usagef("unknown command %.60q (did you mean %s?)", word, meant)
	}
	return usagef("unknown command %.60q", word)
}

// flagError is what a wrong flag is told with.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return exitError{exitUsage, err}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if meant := table.Closest(unknown.GetSpecifiedName(), names); meant != "" {
		return usagef("%w (did you mean --%s?)", err, meant)
	}
	return exitError{exitUsage, err}
}
