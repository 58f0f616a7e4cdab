package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// runWith runs the program with one more command, whose code is given.
func runWith(t *testing.T, runE func(*app) error, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	before := commands
	t.Cleanup(func() { commands = before })
	commands = append(commands[:len(commands):len(commands)], func(a *app) *cobra.Command {
		cmd := &cobra.Command{
			Use:  "try FILE",
			Args: takes("file"),
			RunE: func(*cobra.Command, []string) error { return runE(a) },
		}
		a.settings.flags(cmd.Flags(), "game", "players", "option", "preview-fps")
		return cmd
	})
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		name   string
		runE   func(*app) error
		args   string
		code   int
		stderr string
	}{
		{"done", func(*app) error { return nil }, "try x", exitDone, ""},
		{"bad input", func(*app) error { return errors.New("x.jpg: no picture") }, "try x", exitBad, "diceref: x.jpg: no picture\n"},
		{"several lines become one", func(*app) error { return errors.New("one\n\ttwo") }, "try x", exitBad, "diceref: one two\n"},
		{"said already", func(*app) error { return exitError{code: exitBad} }, "try x", exitBad, ""},
		{"usage found late", func(*app) error { return usagef("want --game") }, "try x", exitUsage, "diceref: want --game (see diceref try --help)\n"},
		{"wrong number of arguments", nil, "try", exitUsage, "diceref: try: the file is missing (see diceref try --help)\n"},
		{"unknown flag", nil, "try x --colors", exitUsage, "diceref: unknown flag: --colors (see diceref try --help)\n"},
		{"mistyped flag", nil, "try x --plyers A,B", exitUsage, "diceref: unknown flag: --plyers (did you mean --players?)\n"},
		{"an argument too many", nil, "try x y", exitUsage, "diceref: try: unexpected argument \"y\" (see diceref try --help)\n"},
		{"mistyped command", nil, "tyr x", exitUsage, "diceref: unknown command \"tyr\" (did you mean try?)\n"},
		{"mistyped game", nil, "try x --game DiceBox", exitUsage, "diceref: flag --game: unknown game \"DiceBox\" (did you mean dice-box?)\n"},
		{"value of the wrong type", nil, "try x --preview-fps many", exitUsage, ""},
		{"value out of range", nil, "try x --preview-fps 99", exitUsage, "diceref: flag --preview-fps: expected a whole number from 1 to 30, not 99 (see diceref try --help)\n"},
		{"unknown game", nil, "try x --game chess", exitUsage, ""},
		{"player twice", nil, "try x --players A,B,A", exitUsage, "diceref: flag --players: expected different names, but \"A\" is there twice (see diceref try --help)\n"},
		{"player without a name", nil, "try x --players A,,B", exitUsage, ""},
		{"option without a value", nil, "try x --option wrap", exitUsage, "diceref: flag --option: expected name=value, not \"wrap\" (see diceref try --help)\n"},
		{"option twice", nil, "try x --option wrap=1 --option wrap=2", exitUsage, ""},
		{"a bug", func(*app) error { panic("index out of range\n[3]") }, "try x", exitBad, "diceref: internal error: index out of range [3] (please report it; --log-level debug shows more)\n"},
		{"no configuration", func(*app) error { return nil }, "try x --config nowhere.yaml", exitBad, "diceref: cannot read the configuration: open nowhere.yaml: no such file or directory\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := runWith(t, test.runE, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d (%s)", code, test.code, stderr)
			}
			if stdout != "" {
				t.Errorf("standard output is %q, want none", stdout)
			}
			if test.stderr != "" && stderr != test.stderr || strings.Count(stderr, "\n") > 1 {
				t.Errorf("standard error is\n%swant\n%s", stderr, test.stderr)
			}
			if test.code != exitDone && test.name != "said already" && stderr == "" {
				t.Error("nothing on standard error")
			}
		})
	}
}

// What a command is given, in the types it works with.
func TestCommandFindsItsConfig(t *testing.T) {
	var got Config
	code, _, stderr := runWith(t, func(a *app) error { got = a.cfg; return nil },
		"try", "x", "--game", "dice-box", "--players", "Ann,Bob", "--option", "owners=A:RY,B:BW", "--log-level", "debug")
	if code != exitDone {
		t.Fatal(stderr)
	}
	if got.Game != "dice-box" || len(got.Players) != 2 || got.Players[1] != "Bob" {
		t.Errorf("game and players are %q and %q", got.Game, got.Players)
	}
	if got.Option["owners"] != "A:RY,B:BW" {
		t.Errorf("options are %v", got.Option)
	}
	if got.Listen != "localhost:8080" || got.PreviewFPS != 10 || got.LAN {
		t.Errorf("defaults are %+v", got)
	}
	if got.level().String() != "DEBUG" {
		t.Errorf("log level is %v", got.level())
	}
}

// Every key is a field of Config under the same name: none can be set and then be forgotten.
func TestEveryKeyArrives(t *testing.T) {
	given := map[string]string{
		"listen": "localhost:1", "lan": "true", "source": "demo", "camera-width": "161", "camera-height": "121",
		"game": "dicecreams", "players": "Z", "option": "a=b", "profile": "p", "calibration": "c", "dice": "e", "journal": "j", "data": "d",
		"eye": "e", "preview-width": "162", "preview-fps": "7", "language": "de", "learn": "true", "log-level": "warn",
		"webhooks": "https://example.org/w", "webhook-secret": "s",
	}
	for _, k := range keys {
		value, ok := given[k.name]
		if !ok {
			t.Errorf("give %s a value here, other than its default", k.name)
		}
		t.Setenv(envName(k.name), value)
	}
	s := newSettings()
	cfg, err := s.load(newRootCommand(&app{settings: newSettings()}).Flags())
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen: "localhost:1", LAN: true, Source: "demo", CameraWidth: 161, CameraHeight: 121,
		Game: "dicecreams", Players: []string{"Z"}, Option: map[string]any{"a": "b"}, Profile: "p", Calibration: "c", Dice: "e", Journal: "j", Data: "d",
		Eye: "e", PreviewWidth: 162, PreviewFPS: 7, Language: "de", Learn: true, LogLevel: "warn", Webhooks: []string{"https://example.org/w"}, HookSecret: "s",
	}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Error(diff)
	}
}
