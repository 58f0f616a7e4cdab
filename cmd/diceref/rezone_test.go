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

// TestZonesOfAFile: zones that are drawn anew in the calibration while watch runs count at
// once; a file that makes no sense changes nothing.
func TestZonesOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.json")
	p := &calibration.Profile{Game: table.FromageATrois, Zones: calibration.ZonesFor(table.FromageATrois, 3)}
	then := time.Now().Add(-time.Hour)
	write := func() {
		t.Helper()
		if err := p.Save(path); err != nil {
			t.Fatal(err)
		}
		then = then.Add(time.Second) // files are dated too coarsely for a test
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	write()
	m, err := match.New(match.Config{Game: p.Game, Players: []string{"A", "B", "C"}, Zones: p.Zones})
	if err != nil {
		t.Fatal(err)
	}
	file := newZonesFile(path)
	p.Zones = calibration.ZonesFor(table.FromageATrois, 3)
	p.Zones[0].Outline[0].X += 0.01
	write()
	if err := file.follow(m); err != nil || !sameZones(m.Setting().Zones, p.Zones) {
		t.Errorf("%v; the zones are %v, want %v", err, m.Setting().Zones, p.Zones)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.follow(m); err == nil || !sameZones(m.Setting().Zones, p.Zones) {
		t.Errorf("a damaged file: %v; the zones are %v", err, m.Setting().Zones)
	}
	if err := file.follow(m); err != nil {
		t.Errorf("told twice: %v", err)
	}
	none := newZonesFile("")
	if err := none.follow(m); err != nil {
		t.Error(err)
	}
}
