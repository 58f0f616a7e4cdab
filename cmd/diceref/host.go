package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

// host is the table as the page shows it: one match and, where there is a camera,
// one eye. Both can be replaced while the server runs. It is a web.Match and a
// web.Host.
type host struct {
	ctx  context.Context // the server's life
	base eye.Config      // what every eye gets; its path is empty if there is none
	data string          // folder of the journal and the set-up; empty: nothing is kept
	file string          // of the journal, if one was named
	feed *web.Feed
	log  *slog.Logger

	sets    *owned.Shelf // of dice, that their owner has shown; nil: none are kept
	learned string       // folder of corrected pictures; empty: none are kept

	// phoneURL is where a phone's pictures can be read; nil: that camera is not there.
	phoneURL func() string
	// files are the owner's own cards of a game, as they were named at the start.
	files func(table.Game) (ownerOptions, error)
	find  machine // how cameras are found

	turn     sync.Mutex // held while something is being set up
	revising sync.Mutex // held while a set of dice learns
	fixed    bool       // set up by flags: cannot save the set-up for next time
	thumbing chan struct{}

	mu      sync.Mutex
	journal *match.Journal
	cfg     match.Config // of the match in force
	match   *match.Match
	gone    chan struct{} // closed when match is no longer shown
	changed chan struct{}
	now     *looking // what the eye does
	lessons []lesson // of the dice in use, the oldest first

	given     *owned.Set // of dice, by which is read where a set-up names none; nil: they have pips
	givenFile setFile
	back      sight // in force before something was tried
	expire    *time.Timer
	fresh     bool
	closed    bool
}

// tryTime is how long something may be tried before the game goes on as before.
const tryTime = 15 * time.Minute

func newHost(ctx context.Context, base eye.Config, data, file string, log *slog.Logger) *host {
	return &host{
		ctx: ctx, base: base, data: data, file: file, log: log, feed: web.NewFeed(), find: theMachine,
		changed: make(chan struct{}), gone: make(chan struct{}), thumbing: make(chan struct{}, 1),
		files: func(table.Game) (ownerOptions, error) { return ownerOptions{}, nil },
	}
}

// open begins what the program was started with; resume lets an unfinished match of
// the journal go on.
func (h *host) open(cfg match.Config, s sight, resume bool) error {
	h.turn.Lock()
	defer h.turn.Unlock()
	if err := h.begin(cfg, s, resume); err != nil {
		return err
	}
	h.point(s, false)
	return nil
}

// begin shows a match in place of the one before.
func (h *host) begin(cfg match.Config, s sight, resume bool) error {
	journal, err := h.journalFor(s)
	if err != nil {
		return err
	}
	cfg.Journal = journal
	if s.Source == web.SourceDemo {
		if err := demoOf[cfg.Game].set(&cfg); err != nil {
			return err
		}
	}
	if journal != nil && cfg.Model == "" && h.base.Path != "" {
		cfg.Model = readBy(h.ctx, h.base.Path)
	}
	var m *match.Match
	if resume && journal != nil && !replayed(s.Source) {
		if m, err = unfinished(journal, cfg); err != nil { // a new one can always begin
			h.log.Warn("the last match cannot be continued: starting a new one", "error", oneLine(err.Error()))
		}
	}
	if m == nil {
		if m, err = newMatch(cfg, s.Source); err != nil {
			return err
		}
	}
	h.show(cfg, m)
	return nil
}

// show puts a match on the page.
func (h *host) show(cfg match.Config, m *match.Match) {
	gone := make(chan struct{})
	h.mu.Lock()
	old, leave := h.match, h.gone
	h.cfg, h.match, h.gone = cfg, m, gone
	h.mu.Unlock()
	close(leave)
	if old != nil {
		if err := old.Close(); err != nil {
			h.log.Warn("a match was not closed", "error", err)
		}
	}
	go func() {
		for {
			next := m.Changed()
			h.wake()
			if errors.Is(m.Err(), match.ErrBehind) && h.reread(cfg, m, gone) {
				return
			}
			select {
			case <-next:
			case <-gone:
				return
			}
		}
	}()
}

// reread shows a match again that another program has changed in the journal; false: it is no longer shown.
func (h *host) reread(cfg match.Config, m *match.Match, gone <-chan struct{}) bool {
	for {
		again, err := match.Resume(cfg.Journal, m.Setting().ID, nil)
		if err == nil {
			h.turn.Lock()
			defer h.turn.Unlock()
			if h.current() != m {
				return false
			}
			h.log.Info("another program has changed this match: it was read again", "match", m.Setting().ID)
			h.show(cfg, again)
			return true
		}
		h.log.Warn("another program has changed this match, and it cannot be read again yet", "error", oneLine(err.Error()))
		select {
		case <-time.After(time.Second):
		case <-gone:
			return false
		}
	}
}

func (h *host) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
}

// close ends the eye and the match; the journal has all of it. A second time it does nothing.
func (h *host) close() {
	h.turn.Lock()
	defer h.turn.Unlock()
	h.rest()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	if h.expire != nil {
		h.expire.Stop()
	}
	close(h.gone)
	if h.match != nil {
		if err := h.match.Close(); err != nil {
			h.log.Warn("the match was not closed", "error", err)
		}
	}
	if h.journal != nil {
		if err := h.journal.Close(); err != nil {
			h.log.Warn("the journal was not closed", "error", err)
		}
	}
}

func (h *host) current() *match.Match {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.match
}

// Snapshot, Changed and Declare make host a web.Match.
func (h *host) Snapshot() match.Snapshot { return h.current().Snapshot() }

// Changed is closed at the next change, also when another match is shown.
func (h *host) Changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

// Declare passes on a declaration. A rematch replaces the match before it.
func (h *host) Declare(d match.Declaration) error {
	m := h.current()
	if err := m.Declare(d); err != nil {
		return err
	}
	h.learn(d)
	next := m.Next()
	h.mu.Lock()
	cfg, shown := h.cfg, h.match == m
	h.mu.Unlock()
	if next != nil && shown {
		cfg.Players = next.Setting().Players
		h.show(cfg, next)
	}
	return nil
}
