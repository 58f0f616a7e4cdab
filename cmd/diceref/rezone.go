package main

import (
	"fmt"
	"os"
	"reflect"
	"time"

	"diceref/calibration"
	"diceref/match"
)

// zonesFile is a calibration whose zones may be drawn anew while a table is watched.
type zonesFile struct {
	path    string // empty: none
	size    int64
	changed time.Time
}

func newZonesFile(path string) *zonesFile {
	z := &zonesFile{path: path}
	z.fresh()
	return z
}

// fresh says whether the file was written since it was asked last.
func (z *zonesFile) fresh() bool {
	if z.path == "" {
		return false
	}
	info, err := os.Stat(z.path)
	if err != nil || info.Size() == z.size && info.ModTime().Equal(z.changed) {
		return false // it may be about to be written
	}
	z.size, z.changed = info.Size(), info.ModTime()
	return true
}

// follow has a match play by the zones of the file as they are now. The error says why it
// cannot; the match goes on by those that it had.
func (z *zonesFile) follow(m *match.Match) error {
	if !z.fresh() {
		return nil
	}
	s := m.Setting()
	zones, err := zonesOf(s.Game, len(s.Players), z.path)
	if err == nil && len(s.Zones) > 0 && len(zones) > 0 && !sameZones(zones, s.Zones) {
		err = m.SetZones(zones)
	}
	if err != nil {
		return fmt.Errorf("the zones stay as they were: %w", err)
	}
	return nil
}

func sameZones(a, b []calibration.Zone) bool { return reflect.DeepEqual(a, b) }
