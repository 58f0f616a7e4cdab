package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diceref/match"
	"diceref/match/hall"
	"diceref/table"
	"diceref/web"
)

// hallTables is a hall as its pages need it.
type hallTables struct {
	*hall.Hall
	games []web.GameChoice
}

func newHallTables(h *hall.Hall) hallTables { return hallTables{h, gameChoices()} }

var _ web.Tables = hallTables{}

// List makes hallTables a web.Tables.
func (h hallTables) List() []web.Seat {
	tables := h.Tables()
	list := make([]web.Seat, len(tables))
	for i, t := range tables {
		list[i] = web.Seat{ID: t.ID(), Name: t.Name(), Owned: t.Owned(), Help: t.Help(), Observations: t.Observations(), Live: t.Live()}
	}
	return list
}

// Table is what a table's pages are made of.
func (h hallTables) Table(id string) (web.Config, bool) {
	t := h.Hall.Table(id)
	if t == nil {
		return web.Config{}, false
	}
	return web.Config{
		Match: hallMatch{t}, Feed: hallFeed(t), Host: hallHost{t, h.games}, History: hallHistory{h.Journal()}, Code: t.Code(), Help: t.AskForHelp,
		Token: t.Token(), Draw: t.Draw, Push: func(p web.Pushed) (web.Taken, error) {
			far, err := t.See(p.Camera, p.First, p.Kept, p.Observations)
			return web.Taken(far), err
		},
	}, true
}

// silent is how long a camera elsewhere may send nothing before the page says so.
const silent = 10 * time.Second

// hallFeed shows what a table's camera sees, for as long as the table is there.
func hallFeed(t *hall.Table) *web.Feed {
	feed := web.NewFeed()
	feed.Clear(t.Setup().Game, web.Status{State: web.CameraNone})
	go func() {
		var shown *table.Observation
		var last time.Time
		for {
			changed := t.Changed()
			if seen := t.Seen(); seen != nil && seen != shown {
				shown, last = seen, time.Now()
				feed.ShowStatus(web.Status{State: web.CameraRunning})
				feed.ShowObservation(*seen)
			}
			select {
			case <-changed:
			case <-time.After(time.Second):
				if shown != nil && time.Since(last) > silent {
					feed.ShowStatus(web.Status{State: web.CameraRetrying, Reason: "the table's camera sends nothing"})
				}
			case <-t.Done():
				return
			}
		}
	}()
	return feed
}

// hallMatch is a table's match, wherever in the hall it is.
type hallMatch struct{ *hall.Table }

var _ web.Judge = hallMatch{}

// Declare makes hallMatch a web.Match. What is no answer of the match may be said again.
func (m hallMatch) Declare(d match.Declaration) error {
	err := m.Table.Declare(d)
	if err != nil && !refusal(err) {
		return fmt.Errorf("%w: %w", web.ErrNotNow, err)
	}
	return err
}

// refusal says whether an error is the match's answer.
func refusal(err error) bool {
	var rejection *match.Rejection
	var illegal *match.Refusal
	return errors.As(err, &rejection) || errors.As(err, &illegal)
}

// hallHost sets up new matches at a table of a hall. There is no camera at the server.
type hallHost struct {
	*hall.Table
	games []web.GameChoice
}

var _ web.Host = hallHost{}

// Setup makes hallHost a web.Host.
func (h hallHost) Setup() web.SetupState {
	s := h.Table.Setup()
	return web.SetupState{
		Now:   web.Setup{Game: s.Game, Players: s.Players, Options: typed(s.Game, s.Options), Owners: s.Owners, Sight: web.Sight{Source: web.SourceNone}},
		Games: h.games, Cameras: []web.CameraChoice{}, Eye: "in a hall, a table's camera is not at the server",
	}
}

// Fresh: a table is set up when it is added.
func (h hallHost) Fresh() bool { return false }

// Begin starts a new match.
func (h hallHost) Begin(want web.Setup, by web.Asker) error {
	if want.Source != "" && want.Source != web.SourceNone {
		return noCameraHere()
	}
	if err := checkRules(want); err != nil {
		return err
	}
	s := hall.Setup{Game: want.Game, Players: want.Players, Options: want.Options, Owners: want.Owners, Zones: want.Zones}
	if now := h.Table.Setup(); now.Game == want.Game {
		s.Files = now.Files
	}
	if err := h.Table.Begin(s, by.Source); err != nil {
		return &web.Refused{Code: "match", Text: err.Error()}
	}
	return nil
}

func noCameraHere() error {
	return &web.Refused{Code: "source-missing", Text: "in a hall, a table's camera is not at the server", About: map[string]string{"name": "camera"}}
}

// Look, Settle and Thumbnail are about cameras at the server.
func (h hallHost) Look(table.Game, web.Sight, bool) error { return noCameraHere() }

// Settle has nothing to end.
func (h hallHost) Settle(bool) error { return nil }

// Thumbnail has no camera to show.
func (h hallHost) Thumbnail(context.Context, int) ([]byte, error) { return nil, noCameraHere() }

// hallHistory shows the matches of all tables. Whoever has one table's code may not change them.
type hallHistory struct{ *match.Journal }

var _ web.History = hallHistory{}

// Rename, and whatever else changes a past match, is for whoever runs the hall: diceref history.
func (hallHistory) Rename(string, string) error { return match.ErrInHall }

// RenamePlayers is refused.
func (hallHistory) RenamePlayers(string, []string) error { return match.ErrInHall }

// RenamePlayer is refused.
func (hallHistory) RenamePlayer(string, string) (match.Renamed, error) {
	return match.Renamed{}, match.ErrInHall
}

// Delete is refused.
func (hallHistory) Delete(string) error { return match.ErrInHall }

// Restore is refused.
func (hallHistory) Restore(string) error { return match.ErrInHall }

// Purge is refused.
func (hallHistory) Purge(string) error { return match.ErrInHall }
