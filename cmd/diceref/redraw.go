package main

import (
	"fmt"
	"os"
	"reflect"
	"time"

	"diceref/calibration"
	"diceref/match"
)

// tableFile is a calibration that may be changed while a table is watched: its zones drawn
// again, or the corners of its board moved.
type tableFile struct {
	path    string // empty: none
	size    int64
	changed time.Time
	camera  calibration.Camera // how the board lies in it
}

func newTableFile(path string) *tableFile {
	f := &tableFile{path: path}
	if f.fresh() {
		if p, err := calibration.Load(path); err == nil {
			f.camera = p.Camera
		}
	}
	return f
}

// fresh says whether the file was written since it was asked last.
func (f *tableFile) fresh() bool {
	if f.path == "" {
		return false
	}
	info, err := os.Stat(f.path)
	if err != nil || info.Size() == f.size && info.ModTime().Equal(f.changed) {
		return false // it may be about to be written
	}
	f.size, f.changed = info.Size(), info.ModTime()
	return true
}

// follow has a match play by the zones of the file as they are now, and calls moved where the
// board lies elsewhere in it than before. The error says why it cannot; the match goes on as
// it was.
func (f *tableFile) follow(m *match.Match, moved func()) error {
	if !f.fresh() {
		return nil
	}
	s := m.Setting()
	zones, err := zonesOf(s.Game, len(s.Players), f.path)
	if err == nil && len(s.Zones) > 0 && len(zones) > 0 && !sameZones(zones, s.Zones) {
		err = m.SetZones(zones)
	}
	if err != nil {
		return fmt.Errorf("keeping the zones as they were: %w", err)
	}
	p, err := calibration.Load(f.path)
	if err == nil && p.Game != "" && p.Game != s.Game {
		err = fmt.Errorf("calibration %s is for %s, not for %s", f.path, p.Game.Kit().Title, s.Game.Kit().Title)
	}
	if err != nil {
		return fmt.Errorf("keeping the board where it was: %w", err)
	}
	if p.Camera != f.camera {
		f.camera = p.Camera
		moved()
	}
	return nil
}

func sameZones(a, b []calibration.Zone) bool { return reflect.DeepEqual(a, b) }
