package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/rules"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// ownerOptions are the owner's own cards of a game, by the names that the rulebook gives the files.
type ownerOptions = map[string]json.RawMessage

// Fresh makes host a web.Host.
func (h *host) Fresh() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fresh
}

// Setup is the current set-up and the choices.
func (h *host) Setup() web.SetupState {
	h.mu.Lock()
	s := web.SetupState{
		Fresh: h.fresh, Phone: h.phoneURL != nil,
		Now: web.Setup{Game: h.cfg.Game, Players: h.cfg.Players, Options: typed(h.cfg.Game, h.cfg.Options), Owners: h.cfg.Owners},
	}
	if now := h.match.Snapshot().Players; len(now) == len(s.Now.Players) {
		s.Now.Players = now // they may have been renamed since
	}
	if h.now != nil {
		s.Trying = h.now.trying
		s.Now.Sight = h.now.Sight
		if s.Trying {
			s.Now.Sight = h.back.Sight
		}
		s.Now.Source = eye.Shown(s.Now.Source)
		if h.now.dice != nil {
			delete(s.Now.Options, profileRule) // it comes of the dice
		}
	}
	h.mu.Unlock()
	if h.base.Path == "" {
		s.Eye = "diceref-eye is missing on this machine (see diceref doctor)"
	}
	s.Games = gameChoices()
	s.Cameras = h.cameras()
	return s
}

// typed is house rules with values of their own types: flags give them as texts. Those
// that are at their default are left out.
func typed(game table.Game, given map[string]any) map[string]any {
	book, err := rulebook(string(game))
	if err != nil {
		return nil
	}
	options, err := rules.Resolve(book.HouseRules(), given)
	if err != nil {
		return given
	}
	list := map[string]any{}
	for _, r := range book.HouseRules() {
		if v := options.Value(r.Name); !reflect.DeepEqual(v, r.Default) {
			list[r.Name] = v
		}
	}
	return list
}

// Begin starts a new match.
func (h *host) Begin(want web.Setup, by web.Asker) error {
	h.turn.Lock()
	defer h.turn.Unlock()
	s, err := h.sightOf(want.Game, want.Sight, by.Here)
	if err != nil {
		return err
	}
	switch {
	case s.Source == web.SourceDemo:
		want.Options, want.Owners, want.Zones = nil, nil, nil // those of the recording
	case s.Source != web.SourceNone && len(want.Zones) == 0:
		want.Zones = calibration.ZonesFor(want.Game, len(want.Players)) // a layout to begin with
		s.Zones = want.Zones
	}
	options, err := withIcons(want.Options, s.dice)
	if err != nil {
		return &web.Refused{Code: "rules", Text: err.Error()}
	}
	cfg := match.Config{Game: want.Game, Players: want.Players, Options: options, Owners: want.Owners, Zones: want.Zones, Program: version}
	if cfg.Files, err = h.files(want.Game); err != nil {
		return &web.Refused{Code: "cards", Text: err.Error()}
	}
	if err := checkRules(want); err != nil {
		return err
	}
	if err := h.begin(cfg, s, false); err != nil {
		return &web.Refused{Code: "match", Text: err.Error()}
	}
	h.mu.Lock()
	l := h.now
	same := l != nil && l.same(s)
	h.fresh = false
	h.mu.Unlock()
	h.stopTrying()
	if !same || replayed(s.Source) || ended(l) {
		h.point(s, false)
	} else {
		h.accept(l)
	}
	if !h.fixed && s.Source != web.SourceDemo {
		want.Sight = s.Sight
		if err := h.keep(want); err != nil {
			h.log.Warn("cannot save the set-up for next time", "error", err)
		}
	}
	return nil
}

// ended says whether an eye is no longer at work.
func ended(l *looking) bool {
	select {
	case <-l.done:
		return l.Source != web.SourceNone
	default:
		return false
	}
}

// accept lets the match see what was tried until now.
func (h *host) accept(l *looking) {
	h.mu.Lock()
	l.trying = false
	h.mu.Unlock()
	h.feed.Settle()
}

// checkRules refuses house rules by name before anything is ended.
func checkRules(want web.Setup) error {
	book, err := rulebook(string(want.Game))
	if err != nil {
		return &web.Refused{Code: "game", Text: err.Error()}
	}
	if _, err := rules.Resolve(book.HouseRules(), want.Options); err != nil {
		return &web.Refused{Code: "rules", Text: err.Error()}
	}
	return nil
}

// Look tries a camera.
func (h *host) Look(game table.Game, c web.Sight, here bool) error {
	h.turn.Lock()
	defer h.turn.Unlock()
	s, err := h.sightOf(game, c, here)
	if err != nil {
		return err
	}
	h.mu.Lock()
	l := h.now
	if l != nil && !l.trying {
		h.back = l.sight
	}
	h.mu.Unlock()
	if l != nil && l.trying && l.same(s) && !ended(l) {
		return nil // it is being looked at already
	}
	h.point(s, true)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.expire != nil {
		h.expire.Stop()
	}
	h.expire = time.AfterFunc(tryTime, func() {
		if err := h.Settle(false); err != nil {
			h.log.Warn("cannot go back to the previous camera", "error", err)
		}
	})
	return nil
}

// Settle ends the trial.
func (h *host) Settle(use bool) error {
	h.turn.Lock()
	defer h.turn.Unlock()
	h.stopTrying()
	h.mu.Lock()
	l, back, game, closed := h.now, h.back, h.cfg.Game, h.closed
	cfg := h.cfg
	h.mu.Unlock()
	if closed || l == nil || !l.trying {
		return nil
	}
	if !use {
		h.point(back, false)
		return nil
	}
	if l.game != game {
		return &web.Refused{Code: "game", Text: "this is another game: start a new match, or go back"}
	}
	if replayed(l.Source) {
		return &web.Refused{Code: "recording", Text: "a recording starts from the beginning: start a new match with it"}
	}
	if err := h.redraw(l.sight); err != nil {
		return &web.Refused{Code: "zones", Text: err.Error()}
	}
	h.accept(l)
	if h.fixed || h.fresh {
		return nil
	}
	return h.keep(web.Setup{Game: cfg.Game, Players: cfg.Players, Options: cfg.Options, Owners: cfg.Owners, Sight: l.Sight})
}

// redraw has the match go on with the zones of a table without a grid that were drawn again.
func (h *host) redraw(s sight) error {
	h.mu.Lock()
	m, was := h.match, h.cfg.Zones
	h.mu.Unlock()
	if m == nil || len(was) == 0 || len(s.Zones) == 0 || reflect.DeepEqual(was, s.Zones) {
		return nil
	}
	if err := m.SetZones(s.Zones); err != nil {
		return err
	}
	h.mu.Lock()
	h.cfg.Zones = s.Zones
	h.mu.Unlock()
	return nil
}

func (h *host) stopTrying() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.expire != nil {
		h.expire.Stop()
		h.expire = nil
	}
}

// sightOf is what an eye looks at for a set-up; an empty source stays what it is.
func (h *host) sightOf(game table.Game, c web.Sight, here bool) (sight, error) {
	s := sight{game: game, Sight: c}
	h.mu.Lock()
	l := h.now
	h.mu.Unlock()
	if c.Source == "" {
		s.Source = web.SourceNone
		if l != nil {
			s.Source = l.Source
			if l.Source != web.SourceNone && c.Corners == nil && l.game == game {
				s.profile = l.profile
			}
		}
	} else {
		source, err := h.checkSource(c.Source, here)
		if err != nil {
			return s, err
		}
		s.Source = source
	}
	if s.Source == web.SourceDemo {
		recorded := demoOf[game]
		if recorded == nil {
			return s, &web.Refused{Code: "demo", Text: fmt.Sprintf("there is no recorded game of %s", game.Kit().Title)}
		}
		s.Sight = web.Sight{Source: s.Source, Zones: recorded.Zones}
	}
	if s.Source != web.SourceNone && h.base.Path == "" {
		return s, &web.Refused{Code: "eye", Text: "diceref-eye is missing on this machine, so no camera can be used; play without one"}
	}
	if err := s.findDice(h.sets); err != nil {
		return s, err
	}
	if _, err := s.calibration(); err != nil {
		code := "corners"
		if s.Corners == nil {
			code = "zones"
		}
		return s, &web.Refused{Code: code, Text: err.Error()}
	}
	return s, nil
}

// afterwards is how long after its end a match is what a restarted table shows: somebody
// may still want to see who has won, or to put the last move right.
const afterwards = time.Hour

// overLong says whether a match ended, and not just now.
func overLong(s match.Setting, now match.Snapshot) bool {
	if now.Phase != match.PhaseOver {
		return false
	}
	seconds := 0.0 // from its beginning to the last that was told of it
	for _, e := range now.Events {
		seconds = max(seconds, e.T)
	}
	return time.Since(s.Created.Add(time.Duration(seconds*float64(time.Second)))) > afterwards
}

// unfinished is the journal's latest match if it is this one and can go on, or ended just now. It
// is nil, with an error, where it should and cannot.
func unfinished(journal *match.Journal, cfg match.Config) (*match.Match, error) {
	last, err := journal.Latest()
	switch {
	case errors.Is(err, match.ErrNoMatch):
		return nil, nil
	case err != nil:
		return nil, err
	case last.Game != cfg.Game:
		return nil, nil
	case last.Lost > 0:
		return nil, fmt.Errorf("match %s lost its last events to a damaged disk: %d", last.ID, last.Lost)
	}
	m, err := match.Resume(journal, last.ID, nil)
	if err != nil {
		return nil, err
	}
	// The players may be known by the names that they were given since.
	now := m.Snapshot()
	if overLong(last, now) || !began(journal, last, cfg.Players) && !samePeople(now.Players, cfg.Players) {
		return nil, m.Close()
	}
	return m, nil
}

// began says whether a match, or one that it is the rematch of, began with these players:
// what was set up names those of the first.
func began(journal *match.Journal, s match.Setting, players []string) bool {
	seen := map[string]bool{}
	for !slices.Equal(s.Players, players) {
		before, err := journal.Setting(s.Follows)
		if err != nil || seen[before.ID] {
			return false
		}
		seen[s.ID], s = true, before
	}
	return true
}

// samePeople says whether two lists hold the same names, in whatever order.
func samePeople(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// replayed says whether a source is a recording, which starts at its own beginning.
func replayed(source string) bool {
	if source == web.SourceDemo {
		return true
	}
	info, err := os.Stat(source)
	return err == nil && (info.Mode().IsRegular() || info.IsDir())
}

// setupFile keeps the last set-up in the data folder.
const setupFile = "setup.json"

// keep saves a set-up for next time. It may hold a camera's password.
func (h *host) keep(s web.Setup) error {
	if h.data == "" {
		return errors.New("there is no data folder (choose one with --data)")
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := makePrivate(h.data); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(h.data, ".setup-*") // readable by the owner alone
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(text, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(h.data, setupFile))
}

// kept is the set-up of last time; false if there is none that still makes sense.
func kept(data string) (web.Setup, bool, error) {
	var s web.Setup
	if data == "" {
		return s, false, nil
	}
	file := filepath.Join(data, setupFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return s, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return s, false, fmt.Errorf("cannot use the last set-up (%s): %w", file, err)
	}
	return s, true, nil
}

// gameChoices are the games with the house rules that can be chosen on a page: what is
// written rather than chosen, and what has one value alone, is left to flags.
func gameChoices() []web.GameChoice {
	layouts := map[table.Layout]string{table.Loose: "loose", table.Board: "board", table.Arena: "arena"}
	var list []web.GameChoice
	for _, book := range rulebooks {
		kit := book.Name().Kit()
		g := web.GameChoice{
			Name: book.Name(), Title: kit.Title, Players: kit.Players, Layout: layouts[kit.Layout],
			Colors: append([]table.Color{}, slices.Sorted(maps.Keys(kit.Dice))...), Demo: []string{}, Rules: []web.RuleChoice{},
		}
		if recorded := demoOf[g.Name]; recorded != nil {
			g.Demo, g.DemoZones = append(g.Demo, recorded.Players...), recorded.Zones
		}
		for _, r := range book.HouseRules() {
			if c := ruleChoice(r); c.Kind != "text" && (c.Kind != "choice" || len(c.Values) > 1) {
				g.Rules = append(g.Rules, c)
			}
		}
		for n := kit.Players[0]; n <= kit.Players[1]; n++ {
			if zones := calibration.ZonesFor(g.Name, n); zones != nil {
				g.Zones = append(g.Zones, zones)
			}
		}
		list = append(list, g)
	}
	return list
}

func ruleChoice(r rules.HouseRule) web.RuleChoice {
	c := web.RuleChoice{Name: r.Name, Default: r.Default, Values: r.Values, Text: r.Text}
	_, isSwitch := r.Default.(bool)
	_, isNumber := r.Default.(int)
	switch {
	case isSwitch:
		c.Kind, c.Values = "switch", nil
	case len(r.Values) > 0:
		c.Kind = "choice"
	case isNumber:
		c.Kind = "number"
	default:
		c.Kind = "text"
	}
	return c
}

func distance(a, b table.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
