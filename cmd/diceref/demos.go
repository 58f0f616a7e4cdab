package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/web"
)

// demo is what is known of a recorded game besides its pictures, which the eye brings along.
type demo struct {
	Players []string            `json:"players"`
	Owners  [][]table.Color     `json:"owners"`  // Dice Box
	Options map[string]any      `json:"options"` // house rules
	Zones   []calibration.Zone  `json:"zones"`   // of games without a grid
	Says    []match.Declaration `json:"says"`    // what the players said that no camera sees, each at its frame
}

//go:embed demo/*.json
var demoFiles embed.FS

// demoOf is the recorded game of a game; nil: there is none.
var demoOf = loadDemos()

// loadDemos reads what the program brings along, so that a failure is a mistake in it.
func loadDemos() map[table.Game]*demo {
	demos := map[table.Game]*demo{}
	for _, game := range table.Games {
		name := fmt.Sprintf("demo/%s.json", game)
		text, err := demoFiles.ReadFile(name)
		if err != nil {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		d := new(demo)
		if err := dec.Decode(d); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		demos[game] = d
	}
	return demos
}

// set makes a match that of the recorded game: it was played by these house rules, and its
// zones lie where they lay. Other names are left to whoever gives them, another number of players
// is refused.
func (d *demo) set(cfg *match.Config) error {
	if len(cfg.Players) == 0 {
		cfg.Players = d.Players
	}
	kit := cfg.Game.Kit()
	n := len(cfg.Players)
	if allowed := n >= kit.Players[0] && n <= kit.Players[1]; allowed && n != len(d.Players) { // the others no game is begun with
		return fmt.Errorf("the demo of %s has %d players, not %d", kit.Title, len(d.Players), n)
	}
	cfg.Owners, cfg.Options, cfg.Zones = d.Owners, d.Options, d.Zones
	return nil
}

// says is what the players of the recorded game said, by the names of a match.
func (d *demo) says(players []string) []match.Declaration {
	said := slices.Clone(d.Says)
	for i := range said {
		if seat := slices.Index(d.Players, said[i].Player); seat >= 0 {
			said[i].Player = players[seat]
		}
	}
	return said
}

// layout is a file that tells an eye where the zones lie, until it is removed; its path is
// empty if there are none.
func (d *demo) layout(game table.Game) (path string, remove func(), err error) {
	if d.Zones == nil {
		return "", func() {}, nil
	}
	dir, err := os.MkdirTemp("", "diceref-demo-*")
	if err != nil {
		return "", nil, fmt.Errorf("cannot play the demo: %w", err)
	}
	path = filepath.Join(dir, "table.json")
	p := calibration.Profile{Game: game, Zones: d.Zones}
	return path, func() { os.RemoveAll(dir) }, p.Save(path)
}

// newMatch begins a match. One of the demo is told what its players said.
func newMatch(cfg match.Config, source string) (*match.Match, error) {
	m, err := match.New(cfg)
	if err != nil || source != web.SourceDemo {
		return m, err
	}
	for _, d := range demoOf[cfg.Game].says(cfg.Players) {
		if err := m.Declare(d); err != nil {
			return nil, fmt.Errorf("cannot play the demo: %w", err)
		}
	}
	return m, nil
}
