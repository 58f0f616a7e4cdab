package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

// datedFile saves a calibration to a file of its own, dated later each time: files are dated too
// coarsely for a test.
func datedFile(t *testing.T) (path string, save func(*calibration.Profile)) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "table.json")
	then := time.Now().Add(-time.Hour)
	return path, func(p *calibration.Profile) {
		t.Helper()
		if err := p.Save(path); err != nil {
			t.Fatal(err)
		}
		then = then.Add(time.Second)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCornersOfAFile: a board that is drawn elsewhere in the calibration while watch runs is
// looked for there at once; what else changes in the file, and a file that makes no sense,
// moves nothing.
func TestCornersOfAFile(t *testing.T) {
	path, save := datedFile(t)
	board := func(left float64) *calibration.Profile {
		t.Helper()
		p, err := calibration.FromGrid(table.DiceBox, 800, 600, [4]table.Point{{X: left, Y: 100}, {X: left + 400, Y: 100}, {X: left + 400, Y: 500}, {X: left, Y: 500}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	save(board(200))
	m, err := match.New(match.Config{Game: table.DiceBox, Players: []string{"A", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	file := newTableFile(path)
	moved := 0
	follow := func(what string, want int) {
		t.Helper()
		if err := file.follow(m, func() { moved++ }); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if moved != want {
			t.Errorf("%s: the board was moved %d times, want %d", what, moved, want)
		}
	}
	follow("nothing has changed", 0)
	taught := board(200)
	taught.Learn(table.Lesson{Color: table.Red})
	save(taught)
	follow("a color was learned", 0)
	save(board(280))
	follow("other corners", 1)
	follow("told already", 1)
	other := board(200)
	other.Game = table.DessertDice
	save(other)
	if err := file.follow(m, func() { moved++ }); err == nil || moved != 1 {
		t.Errorf("the board of another game: %v, moved %d times", err, moved)
	}
}

// TestZonesOfAFile: zones that are drawn again in the calibration while watch runs count at
// once; a file that makes no sense changes nothing.
func TestZonesOfAFile(t *testing.T) {
	path, save := datedFile(t)
	p := &calibration.Profile{Game: table.FromageATrois, Zones: calibration.ZonesFor(table.FromageATrois, 3)}
	save(p)
	m, err := match.New(match.Config{Game: p.Game, Players: []string{"A", "B", "C"}, Zones: p.Zones})
	if err != nil {
		t.Fatal(err)
	}
	still := func() { t.Error("zones alone were drawn anew, and the board is said to lie elsewhere") }
	file := newTableFile(path)
	p.Zones = calibration.ZonesFor(table.FromageATrois, 3)
	p.Zones[0].Outline[0].X += 0.01
	save(p)
	if err := file.follow(m, still); err != nil || !sameZones(m.Setting().Zones, p.Zones) {
		t.Errorf("%v; the zones are %v, want %v", err, m.Setting().Zones, p.Zones)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.follow(m, still); err == nil || !sameZones(m.Setting().Zones, p.Zones) {
		t.Errorf("a damaged file: %v; the zones are %v", err, m.Setting().Zones)
	}
	if err := file.follow(m, still); err != nil {
		t.Errorf("told twice: %v", err)
	}
	none := newTableFile("")
	if err := none.follow(m, still); err != nil {
		t.Error(err)
	}
}
