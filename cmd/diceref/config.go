package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"diceref/table"
	"diceref/web/hooks"
)

// Config is the configuration of one run. Each field is one key, which is also the key in
// diceref.yaml, the flag and, in capitals with underscores, the DICEREF_ environment
// variable.
type Config struct {
	Listen       string         `mapstructure:"listen"`         // host:port of the page
	LAN          bool           `mapstructure:"lan"`            // answer on every network interface, not only on Listen's host
	Source       string         `mapstructure:"source"`         // device, file, folder, URL, "phone", "demo" or "none"; empty: the first camera, or the demo
	CameraWidth  int            `mapstructure:"camera-width"`   // requested from a camera, in pixels
	CameraHeight int            `mapstructure:"camera-height"`  // requested from a camera, in pixels
	Game         string         `mapstructure:"game"`           // a name that table.ParseGame reads; empty: not chosen yet
	Players      []string       `mapstructure:"players"`        // names in turn order
	Option       map[string]any `mapstructure:"option"`         // house rules by name (and owners); values as they were given
	Profile      string         `mapstructure:"profile"`        // name of a saved calibration
	Calibration  string         `mapstructure:"calibration"`    // file of a calibration
	Dice         string         `mapstructure:"dice"`           // name or file of a set of dice that the owner has shown; empty: they have pips
	Journal      string         `mapstructure:"journal"`        // file of the match's journal; empty: the command decides
	Data         string         `mapstructure:"data"`           // folder of journals and profiles
	Eye          string         `mapstructure:"eye"`            // path of diceref-eye; empty: next to this program, or on the PATH
	PreviewWidth int            `mapstructure:"preview-width"`  // pixels; the live picture is made smaller than the camera's
	PreviewFPS   int            `mapstructure:"preview-fps"`    // live pictures per second, at most
	Language     string         `mapstructure:"language"`       // auto, en or de
	Learn        bool           `mapstructure:"learn"`          // save the pictures of tables on which a die was corrected
	Webhooks     []string       `mapstructure:"webhooks"`       // addresses to send every event to
	HookSecret   string         `mapstructure:"webhook-secret"` // signs the requests; empty: one is created and stored in the data folder
	LogLevel     string         `mapstructure:"log-level"`      // debug, info, warn or error
}

// keys describes every key of Config: its default, what it is for, and what it
// accepts beyond its type.
var keys = []key{
	{name: "listen", def: "localhost:8080", usage: "address of the page, `host:port`", check: checkListen},
	{name: "lan", def: false, usage: "allow other devices in the local network to open the page"},
	{name: "source", def: "", usage: "the `source` to watch: a camera (0, /dev/video0), a video file, a folder of pictures, an MJPEG or RTSP URL, phone, demo, or none; default: the first camera, or demo if there is none"},
	{name: "camera-width", def: 1280, usage: "width of the camera picture to request, in `pixels`", check: between(160, 7680)},
	{name: "camera-height", def: 720, usage: "height of the camera picture to request, in `pixels`", check: between(120, 4320)},
	{name: "game", def: "", usage: "the `game`: dessert-dice, dice-box, fromage-a-trois, dicecreams or dice-flick", check: checkGame},
	{name: "players", def: []string{}, usage: "comma-separated `names` of the players, in turn order", check: checkPlayers},
	{name: "option", def: map[string]any{}, usage: "set a house rule, `name=value`; can be repeated (diceref rules lists them)"},
	{name: "profile", def: "", usage: "`name` of a saved calibration to use"},
	{name: "calibration", def: "", usage: "calibration `file` to use"},
	{name: "dice", def: "", usage: "`set` of your own dice to read by, a name or a file (diceref teach makes one)"},
	{name: "journal", def: "", usage: "`file` that stores the matches, or the address of a PostgreSQL database, postgres://user@host/database"},
	{name: "data", def: defaultDataDir(), usage: "`folder` for journals and profiles"},
	{name: "eye", def: "", usage: "`path` of diceref-eye; default: next to diceref, or on the PATH"},
	{name: "preview-width", def: 960, usage: "width of the live picture, in `pixels`", check: between(160, 1920)},
	{name: "preview-fps", def: 10, usage: "most `pictures` per second in the live view", check: between(1, 30)},
	{name: "language", def: "auto", usage: "`language` of the page: auto (the browser's), en or de", check: oneOf("auto", "en", "de")},
	{name: "learn", def: false, usage: "save the picture of the table whenever a die is corrected, with the right answers, in the data folder (for diceref eval)"},
	{name: "webhooks", def: []string{}, usage: "comma-separated `addresses` (http or https) to send every event to, as JSON", check: checkWebhooks},
	{name: "webhook-secret", def: "", usage: "`text` used to sign webhook requests; default: one is created and stored in the data folder"},
	{name: "log-level", def: "info", usage: "log `level` on standard error: debug, info, warn or error", check: oneOf("debug", "info", "warn", "error")},
}

// level is the log level in force.
func (c Config) level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return slog.LevelInfo
	}
	return l
}

// defaultDataDir follows the XDG rules; empty where the machine tells no home.
func defaultDataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "diceref")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "diceref")
}

func checkListen(v any) error {
	host, port, err := net.SplitHostPort(v.(string))
	if err != nil {
		return fmt.Errorf("expected host:port, for example localhost:8080, not %q", v)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("expected a port from 0 to 65535 after the colon, not %q", port)
	}
	if strings.ContainsAny(host, "/ ") {
		return fmt.Errorf("expected host:port without http://, not %q", v)
	}
	return nil
}

func checkGame(v any) error {
	if v == "" {
		return nil
	}
	_, err := table.ParseGame(v.(string))
	return err
}

func checkPlayers(v any) error {
	seen := map[string]bool{}
	for _, name := range v.([]string) {
		if strings.TrimSpace(name) == "" {
			return fmt.Errorf("expected names separated by commas, but one is empty")
		}
		if seen[name] {
			return fmt.Errorf("expected different names, but %q is there twice", name)
		}
		seen[name] = true
	}
	return nil
}

func checkWebhooks(v any) error {
	for _, address := range v.([]string) {
		if err := hooks.CheckAddress(address); err != nil {
			return err
		}
	}
	return nil
}

func between(least, most int) func(any) error {
	return func(v any) error {
		if n := v.(int); n < least || n > most {
			return fmt.Errorf("expected a whole number from %d to %d, not %d", least, most, n)
		}
		return nil
	}
}

func oneOf(names ...string) func(any) error {
	return func(v any) error {
		for _, name := range names {
			if v == name {
				return nil
			}
		}
		return fmt.Errorf("expected one of %s, not %q", strings.Join(names, ", "), v)
	}
}

func newConfigCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the current configuration and where each value comes from",
		Long: `config prints the current configuration and where each value comes from.

Flags override environment variables (such as DICEREF_LISTEN for listen), which
override the file, which overrides the defaults. The file is the one named by
--config, or else diceref.yaml in the working directory, or else diceref.yaml in
your config folder. You can save the output as diceref.yaml.`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error {
			if file := a.settings.file; file != "" {
				fmt.Fprintf(a.stdout, "# file: %s\n", file)
			}
			for _, k := range keys {
				value, err := yamlFlow(a.settings.values[k.name])
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%-42s # %s\n", k.name+": "+value, a.settings.origins[k.name])
			}
			return nil
		},
	}
	for _, k := range keys {
		if cmd.Flags().Lookup(k.name) == nil && !global[k.name] {
			a.settings.flags(cmd.Flags(), k.name)
		}
	}
	return cmd
}

// yamlFlow is a value in YAML on one line.
func yamlFlow(v any) (string, error) {
	var node yaml.Node
	if err := node.Encode(v); err != nil {
		return "", fmt.Errorf("config: cannot print %v: %w", v, err)
	}
	node.Style = yaml.FlowStyle
	if s, ok := v.(string); ok && s == "" {
		node.Style = yaml.DoubleQuotedStyle
	}
	text, err := yaml.Marshal(&node)
	return strings.TrimSpace(string(text)), err
}
