package vision

import (
	"slices"

	"diceref/calibration"
	"diceref/table"
)

// An empty arena shows all its stickers. They are learned then: later dice hide them, and
// shade them. The client keeps them in the table's calibration, for the next match too.

// arenaMarkers is how many stickers an arena has.
const arenaMarkers = 5

// learnMarkers remembers an empty arena's stickers when two readings in a row agree on all
// of them, and says whether it did.
func learnMarkers(cal *calibration.Profile, before, now table.Observation) bool {
	if cal == nil || len(cal.Markers) > 0 || len(now.Markers) != arenaMarkers || !slices.Equal(before.Markers, now.Markers) {
		return false
	}
	for _, d := range now.Dice {
		if d.Square != nil {
			return false
		}
	}
	cal.Markers = slices.Clone(now.Markers)
	return true
}

// takeUp starts from what is known of the table by the calibration, and by an eye before this one.
func (s *session) takeUp() {
	s.markers = s.what.Markers
	if s.what.Corners != nil {
		s.numbered, s.corners = true, *s.what.Corners
	}
	if s.saved == nil || s.what.Game.Kit().Layout != table.Arena {
		return
	}
	// A match that goes on may count its squares from another corner than a calibration that
	// was made again since.
	if s.numbered && s.info.Width > 0 {
		cam := s.saved.Camera.Scaled(float64(s.info.Width), float64(s.info.Height))
		s.otherwise = turnOf(cam.Corners(), s.corners) != 0
	}
	switch {
	case s.otherwise:
	case len(s.saved.Markers) == 0:
		s.saved.Markers = s.markers
	default:
		s.markers = s.saved.Markers
	}
}

// tellLearned tells the client of stickers that were learned.
func (s *session) tellLearned(markers []table.MarkerReading) error {
	s.markers = slices.Clone(markers)
	if s.otherwise {
		return nil
	}
	return s.w.voice.Learned(markers)
}
