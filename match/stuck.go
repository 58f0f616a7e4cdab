package match

import (
	"slices"

	"diceref/table"
)

// stuck notices that nothing that is seen can be taken in. What keeps an eye from reading at all, the eye tells by itself.
type stuck struct {
	why   table.Warning // no code: all is well
	since float64       // seconds
}

// stuckAfter is for how many seconds nothing may be taken in before it is said why: a hand, or a board that is carried, is
// somewhere else by then.
const stuckAfter = 10.0

var (
	stuckNumbers = table.Warning{Code: "turned", Text: "the board is not where it was, and nothing on it tells which side is which: put it or the camera back as it was"}
	stuckHidden  = table.Warning{Code: "hand", Text: "something is covering the board"}
)

// note takes in why a still view cannot be taken in.
func (s *stuck) note(why table.Warning, t float64) {
	if s.why.Code == "" {
		s.since = t
	}
	s.why = why
}

// found notes that a view was taken in.
func (s *stuck) found() { *s = stuck{} }

// Stuck is why nothing that the camera sees could be taken in for long; nil: it can be.
func (m *Match) Stuck() *table.Warning {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stuck.why.Code == "" || m.t-m.stuck.since < stuckAfter || m.line.paused || m.ended {
		return nil
	}
	why := m.stuck.why
	return &why
}

// Warned is what is seen with why a match can take nothing in, if that is so.
func (m *Match) Warned(seen table.Observation) table.Observation {
	if why := m.Stuck(); why != nil && !warned(seen, why.Code) {
		seen.Warnings = append(slices.Clone(seen.Warnings), *why)
	}
	return seen
}
