package match

import (
	"errors"
	"fmt"

	"diceref/table"
)

// Shown is how far a match has seen what a camera elsewhere sends: observations with numbers. The journal keeps it with
// each record, so that whoever goes on with the match knows it, too, and what is sent again does not take the match back to
// how the table was.
type Shown struct {
	Camera string `json:"camera"` // one stream of observations; a camera that starts again is another one
	Number int64  `json:"number"` // the last of them
}

// mostCameras is how many cameras a match remembers.
const mostCameras = 16

// cameras is how far each camera has been seen.
type cameras struct {
	by      map[string]int64
	last    Shown
	kept    Shown // what the journal knows of that
	settled Shown // all that was seen until then is in the journal
	spoilt  bool  // something could not be written, and with it may be lost what was seen of it
}

// note takes in how far a camera was seen.
func (c *cameras) note(n Shown) {
	if n.Camera == "" {
		return
	}
	if _, known := c.by[n.Camera]; c.by == nil || !known && len(c.by) >= mostCameras {
		c.by = map[string]int64{}
	}
	c.by[n.Camera] = max(c.by[n.Camera], n.Number)
	c.last = Shown{n.Camera, c.by[n.Camera]}
}

// news is what a record has to keep of it; nil: nothing.
func (c *cameras) news() *Shown {
	if c.last == c.kept {
		return nil
	}
	last := c.last
	return &last
}

// SeeOnce is See of an observation of a camera elsewhere, unless it, or a later one of that camera, was seen before:
// then fresh is false. After an error it has to come again. ErrBehind, also: something that was seen could not be written; the match
// has to be resumed, and shown again what is not in the journal.
func (m *Match) SeeOnce(n Shown, obs table.Observation) (fresh bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false, ErrClosed
	}
	if n.Number <= m.cameras.by[n.Camera] {
		return false, nil
	}
	if !m.cameras.spoilt {
		m.cameras.last = n // of the records that follow from it
		m.see(obs)
	}
	if m.cameras.spoilt {
		if m.trouble != nil && !errors.Is(m.trouble, ErrBehind) {
			return false, fmt.Errorf("%w: %w", ErrBehind, m.trouble)
		}
		return false, ErrBehind
	}
	m.cameras.note(n)
	if m.atRest() {
		m.cameras.settled = n
	}
	return true, nil
}

// atRest says that nothing is known of the table but what the journal tells.
func (m *Match) atRest() bool {
	switch m.phase {
	case PhasePaused, PhaseOver:
		return true
	case PhaseRead:
		return len(m.rivals) == 0
	}
	return false
}

// Shown is how far the camera that was seen last was seen.
func (m *Match) Shown() Shown {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cameras.last
}

// ShownOf is how far a camera was seen, and how far of that everything is in the journal: whoever goes on with the match has
// to be shown again what came later.
func (m *Match) ShownOf(camera string) (last, settled int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range []Shown{m.cameras.kept, m.cameras.settled} {
		if s.Camera == camera {
			settled = max(settled, s.Number)
		}
	}
	return m.cameras.by[camera], settled
}
