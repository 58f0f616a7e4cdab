package match

import (
	"slices"

	"diceref/calibration"
)

// SetZones draws the zones of the table again in the middle of a match that is followed by
// zones. They count from now on and are kept with the match. What is in another zone now
// than before has not been moved: the table as it was seen last is taken as it is, until
// something moves. The error says which zone cannot be so (calibration.CheckZones).
func (m *Match) SetZones(zones []calibration.Zone) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if err := calibration.CheckZones(m.setting.Game, len(m.setting.Players), zones); err != nil {
		return err
	}
	m.setting.Zones = slices.Clone(zones)
	m.redrawn = m.setting.Zones
	m.noteFacts()
	m.ballot.clear()
	m.settled = false
	if m.seen.ok {
		m.outOfForce(m.seen.obs)
	}
	m.setPhase(m.restPhase())
	return m.trouble
}
