package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes of the program.
const (
	exitDone  = 0 // everything that was asked for was done
	exitBad   = 1 // the input, the configuration or the machine is not as it has to be
	exitUsage = 2 // the command line is wrong
)

// exitError ends the program with a code. Its text becomes the one line on
// standard error; a nil err says that everything has been reported already.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// usagef is an error about the command line (exit code 2).
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// app is what every command gets: the configuration in force and the streams.
// Commands write answers to stdout and everything else to log or stderr.
type app struct {
	cfg    Config
	in     io.Reader
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger

	settings *settings // where the values of cfg came from
	running  bool      // a command's own code has begun: errors are no longer wrong usage
}

// commands lists the constructors of all commands. A command declares the flags of
// keys of the configuration with a.settings.flags(cmd.Flags(), "game", ...)
// and finds their values, wherever they were set, in a.cfg when it runs.
var commands = []func(*app) *cobra.Command{
	newConfigCommand,
	newDiceCommand,
	newDoctorCommand,
	newEvalCommand,
	newHallCommand,
	newHistoryCommand,
	newJudgeCommand,
	newLeagueCommand,
	newManCommand,
	newPrintCommand,
	newReadCommand,
	newReplayCommand,
	newRulesCommand,
	newServeCommand,
	newSuggestCommand,
	newTeachCommand,
	newVersionCommand,
	newWatchCommand,
}

// run runs the program and returns its exit code. An error becomes one line on
// stderr; a panic too, as a stack trace helps nobody at the table.
func run(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer) (code int) {
	a := &app{
		in: in, stdout: stdout, stderr: stderr,
		log:      slog.New(slog.NewTextHandler(stderr, nil)),
		settings: newSettings(),
	}
	defer func() {
		if p := recover(); p != nil {
			a.log.Debug("stack of the internal error", "stack", string(debug.Stack()))
			fmt.Fprintf(stderr, "diceref: internal error: %s (please report it; --log-level debug shows more)\n", oneLine(fmt.Sprint(p)))
			code = exitBad
		}
	}()
	root := newRootCommand(a)
	root.SetArgs(args)
	return a.report(root.ExecuteContextC(ctx))
}

// report prints a command's error as one line and says which exit code it stands for.
func (a *app) report(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitDone
	}
	code := exitBad
	if !a.running {
		code = exitUsage
	}
	var exit exitError
	if errors.As(err, &exit) {
		code = exit.code
		if exit.err == nil {
			return code
		}
	}
	line := oneLine(err.Error())
	if code == exitUsage && !strings.HasSuffix(line, "?)") { // what was meant says enough
		line += " (see " + cmd.CommandPath() + " --help)"
	}
	fmt.Fprintln(a.stderr, "diceref: "+line)
	return code
}

// oneLine puts a message that came as several lines on one.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "diceref",
		Short: "A referee for real dice games",
		Long: `diceref watches your table through a camera, reads the dice, checks every move
against the rulebook, keeps score, and shows it all on a web page.

Start with:  diceref serve`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          takes(),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Annotations:   noConfig,
	}
	root.SetVersionTemplate("diceref {{.Version}}\n")
	root.SetIn(a.in)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().String("config", "", "configuration `file` (default: diceref.yaml in the working directory, or in your config folder)")
	a.settings.flags(root.PersistentFlags(), "log-level", "eye", "data")
	for _, newCommand := range commands {
		root.AddCommand(newCommand(a))
	}
	a.prepare(root)
	a.complete(root)
	root.InitDefaultCompletionCmd()
	return root
}

// noConfig marks commands that work whatever the configuration says.
var noConfig = map[string]string{"config": "none"}

// prepare makes every command load the configuration just before it runs.
func (a *app) prepare(cmd *cobra.Command) {
	for _, child := range cmd.Commands() {
		a.prepare(child)
	}
	runE := cmd.RunE
	if runE == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.running = true
		if cmd.Annotations["config"] != noConfig["config"] {
			if err := a.loadConfig(cmd); err != nil {
				return err
			}
		}
		return runE(cmd, args)
	}
}

// loadConfig fills in a.cfg for a command and sets the log up as it says.
func (a *app) loadConfig(cmd *cobra.Command) error {
	cfg, err := a.settings.load(cmd.Flags())
	if err != nil {
		return err
	}
	a.cfg = cfg
	a.log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: cfg.level()}))
	return nil
}
