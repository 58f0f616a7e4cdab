package main

import (
	"fmt"
	"io"
	"os"

	"diceref/match"
	"diceref/web"
)

// past is the journal of a host as the page asks for it; before the first real match
// there is none, and nothing to tell.
type past struct{ h *host }

var _ web.History = past{}

// journal is the journal that is open, or one that an earlier evening left; nil: there is none.
func (p past) journal() (*match.Journal, error) {
	p.h.mu.Lock()
	j := p.h.journal
	p.h.mu.Unlock()
	if j != nil {
		return j, nil
	}
	if info, err := os.Stat(p.h.journalFile()); !match.IsAddress(p.h.journalFile()) && (err != nil || info.Size() == 0) {
		return nil, nil
	}
	return p.h.journalFor(sight{Sight: web.Sight{Source: web.SourceNone}})
}

// find is the journal that has a match.
func (p past) find(id string) (*match.Journal, error) {
	j, err := p.journal()
	if err == nil && j == nil {
		err = fmt.Errorf("%w: %.60q", match.ErrNoMatch, id)
	}
	return j, err
}

// change changes something about a match.
func (p past) change(id string, do func(*match.Journal) error) error {
	j, err := p.find(id)
	if err != nil {
		return err
	}
	return do(j)
}

// History makes past a web.History.
func (p past) History(q match.HistoryQuery) (match.History, error) {
	j, err := p.journal()
	if err != nil || j == nil {
		return match.History{Matches: []match.Summary{}}, err
	}
	return j.History(q)
}

// Past returns a match step by step.
func (p past) Past(id string, from, limit int) (match.Past, error) {
	j, err := p.find(id)
	if err != nil {
		return match.Past{}, err
	}
	return j.Past(id, from, limit)
}

// Statistics adds up all matches.
func (p past) Statistics() (match.Statistics, error) {
	j, err := p.journal()
	if err != nil || j == nil {
		return match.Statistics{Players: []match.PlayerStatistics{}, Games: []match.GameStatistics{}}, err
	}
	return j.Statistics()
}

// Write writes a match in a form of its own.
func (p past) Write(id, form string, w io.Writer) error {
	return p.change(id, func(j *match.Journal) error { return j.Write(id, form, w) })
}

// Rename gives a match a title.
func (p past) Rename(id, title string) error {
	return p.change(id, func(j *match.Journal) error { return j.Rename(id, title) })
}

// RenamePlayers gives the players of one match other names.
func (p past) RenamePlayers(id string, names []string) error {
	return p.change(id, func(j *match.Journal) error { return j.RenamePlayers(id, names) })
}

// RenamePlayer gives a player another name in every match.
func (p past) RenamePlayer(from, to string) (match.Renamed, error) {
	j, err := p.find(from)
	if err != nil {
		return match.Renamed{}, err
	}
	return j.RenamePlayer(from, to)
}

// Delete removes a match from the history.
func (p past) Delete(id string) error {
	return p.change(id, func(j *match.Journal) error { return j.Delete(id) })
}

// Restore brings a deleted match back.
func (p past) Restore(id string) error {
	return p.change(id, func(j *match.Journal) error { return j.Restore(id) })
}

// Purge erases a match forever.
func (p past) Purge(id string) error {
	return p.change(id, func(j *match.Journal) error { return j.Purge(id) })
}
