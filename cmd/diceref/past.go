package main

import (
	"fmt"
	"io"

	"diceref/match"
	"diceref/web"
)

// past is the journal of a host as the page asks for it; before the first real match
// there is none, and nothing to tell.
type past struct{ h *host }

var _ web.History = past{}

func (p past) journal() *match.Journal {
	p.h.mu.Lock()
	defer p.h.mu.Unlock()
	return p.h.journal
}

func (p past) History(q match.HistoryQuery) (match.History, error) {
	if j := p.journal(); j != nil {
		return j.History(q)
	}
	return match.History{Matches: []match.Summary{}}, nil
}

func (p past) Past(id string, from, limit int) (match.Past, error) {
	if j := p.journal(); j != nil {
		return j.Past(id, from, limit)
	}
	return match.Past{}, fmt.Errorf("%w: %.60q", match.ErrNoMatch, id)
}

func (p past) Statistics() (match.Statistics, error) {
	if j := p.journal(); j != nil {
		return j.Statistics()
	}
	return match.Statistics{Players: []match.PlayerStatistics{}, Games: []match.GameStatistics{}}, nil
}

func (p past) Write(id, form string, w io.Writer) error {
	if j := p.journal(); j != nil {
		return j.Write(id, form, w)
	}
	return fmt.Errorf("%w: %.60q", match.ErrNoMatch, id)
}
