package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

// sight is what an eye is to look at.
type sight struct {
	game table.Game
	web.Sight
	profile string     // of a calibration that was named at the start; empty: made of Sight
	dice    *owned.Set // by Dice; nil: those that were named at the start
}

// looking is one eye at work, or a table without one.
type looking struct {
	sight
	trying bool // the match does not see it
	cancel context.CancelFunc
	done   chan struct{}
	opened chan struct{} // closed once the source gave pictures, or cannot
	failed error         // why it cannot; read it after opened
	once   sync.Once
	tries  int             // how often it could not be opened; of follow alone
	home   *[4]table.Point // where the grid was at first
	// recent are the last readings of the view as it lies, for a match that begins, or goes
	// on, while nothing moves: a view that stays the same is not read again.
	recent []table.Observation
	met    *match.Match // the match that has seen them
	pupil  pupil        // what corrections teach
	still  stillView    // what they are about
}

// demoRest is how long the end of the demo stays on the page.
const demoRest = 12 * time.Second

// How long a camera that cannot be opened is left alone before it is tried again: longer each time.
const (
	firstRetry = 2 * time.Second
	lastRetry  = 16 * time.Second
)

// rest ends the eye that is at work; h.turn is held.
func (h *host) rest() {
	h.mu.Lock()
	l := h.now
	h.now = nil
	h.mu.Unlock()
	if l != nil {
		l.cancel()
		<-l.done
	}
}

// point has an eye look at something, in place of what was looked at; h.turn is held.
func (h *host) point(s sight, trying bool) *looking {
	h.rest()
	ctx, cancel := context.WithCancel(h.ctx)
	l := &looking{sight: s, trying: trying, cancel: cancel, done: make(chan struct{}), opened: make(chan struct{}), home: s.Corners}
	state := web.CameraStarting
	if s.Source == web.SourceNone {
		state = web.CameraNone
	}
	h.feed.Clear(s.game, web.Status{State: state, Trying: trying})
	h.mu.Lock()
	h.now = l
	h.mu.Unlock()
	go func() {
		defer close(l.done)
		defer cancel()
		if s.Source == web.SourceNone {
			l.open(nil)
			return
		}
		h.follow(ctx, l)
	}()
	return l
}

// open notes how opening the source went.
func (l *looking) open(err error) {
	l.once.Do(func() {
		l.failed = err
		close(l.opened)
	})
}

// sees is the match that is shown what an eye sees; nil while something is tried.
func (h *host) sees(l *looking) *match.Match {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != l || l.trying || h.cfg.Game != l.game {
		return nil
	}
	return h.match
}

// follow follows a source to its end; the demo again and again, each time as a new match.
func (h *host) follow(ctx context.Context, l *looking) {
	for {
		err := h.watch(ctx, l)
		again, wait, state := l.Source == web.SourceDemo && err == nil, demoRest, web.CameraFailed
		switch {
		case l.Source == web.SourcePhone: // it may come any time
			again, wait = true, firstRetry
		case err != nil && (isCamera(l.Source) || eye.Crowded(err)): // plugged in or switched on later
			again, wait, state = true, min(firstRetry<<l.tries, lastRetry), web.CameraRetrying
		}
		if errors.Is(err, errLost) {
			state = web.CameraRestarting
		}
		if err != nil && ctx.Err() == nil {
			reason := eye.Hide(err.Error(), l.Source)
			if l.tries = min(l.tries+1, 8); l.tries == 1 {
				h.log.Warn("the camera cannot be opened", "error", reason)
			}
			h.feed.ShowStatus(web.Status{State: state, Kind: string(eye.KindOf(err)), Reason: reason, Trying: h.trying(l)})
		}
		l.open(err)
		if !again || !pause(ctx, wait) {
			return
		}
		if m := h.sees(l); m != nil && l.Source == web.SourceDemo && err == nil {
			h.mu.Lock()
			cfg := h.cfg
			h.mu.Unlock()
			fresh, err := newMatch(cfg, l.Source)
			if err != nil {
				h.log.Warn("the demo cannot start again", "error", err)
				return
			}
			h.show(cfg, fresh)
		}
	}
}

// pause waits; false if the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

func (h *host) trying(l *looking) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return l.trying
}

// errLost says that a camera was there and no longer is: the match waits for it.
var errLost = eye.ErrHungUp

// watch follows a source once. The error is that of one that cannot be opened, or of a camera
// that closed the connection. Only a recording has an end: what is at an address is a camera, whatever it sends.
func (h *host) watch(ctx context.Context, l *looking) error {
	h.mu.Lock()
	s := l.sight
	h.mu.Unlock()
	cfg, err := h.eyeConfig(s)
	if err != nil {
		return err
	}
	client, err := eye.Start(ctx, cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	h.attend(l, client, cfg)
	defer h.attend(l, nil, eye.Config{})
	ran := false
	l.recent, l.met = nil, nil // another eye, and maybe a recording from its beginning
	for msg := range client.Frames() {
		switch {
		case msg.Observation != nil:
			h.seen(l, *msg.Observation)
		case msg.Top != nil:
			go h.hearTop(*msg.Top)
		case msg.Markers != nil:
			if err := keepMarkers(cfg.Calibration, msg.Markers); err != nil {
				h.log.Warn("cannot save the arena's stickers", "error", err)
			}
		case msg.Picture != nil:
			h.feed.ShowPicture(msg.Picture.JPEG)
		case msg.Status != nil:
			switch {
			case msg.Status.State == eye.Failed && !ran:
				return msg.Status.Err()
			case isCamera(l.Source) && (msg.Status.State == eye.Failed || msg.Status.State == eye.Ended):
				return errLost
			}
			if l.tries == 0 || msg.Status.State != eye.Starting { // why it failed before says more
				h.feed.ShowStatus(web.Status{State: string(msg.Status.State), Kind: string(msg.Status.Kind), Reason: msg.Status.Reason, Trying: h.trying(l)})
			}
			if msg.Status.State == eye.Running {
				ran, l.tries = true, 0
				l.open(nil)
			}
			if m := h.sees(l); m != nil && msg.Status.State == eye.Ended {
				m.Finish()
			}
		}
	}
	return nil
}

// seen shows an observation on the page and to the match. Where the board is not
// where it was when it was set up, the page says so.
func (h *host) seen(l *looking, seen table.Observation) {
	h.recall(l, seen)
	m := h.sees(l)
	if m != nil {
		if m != l.met {
			l.met = m
			for _, o := range l.recent {
				m.See(o)
			}
		}
		m.See(seen)
	}
	l.remember(seen)
	if g := seen.Grid; g != nil && g.Found {
		if l.home == nil {
			corners := g.Corners
			l.home = &corners
		} else if moved(*l.home, g.Corners) {
			seen.Warnings = append(seen.Warnings[:len(seen.Warnings):len(seen.Warnings)], table.Warning{
				Code: "moved", Text: "the camera or the board has moved: check the picture",
			})
		}
	}
	if m != nil {
		seen = m.Warned(seen)
	}
	h.feed.ShowObservation(seen)
}

// mostRecent is how many readings of one view are remembered; a match wants two that agree.
const mostRecent = 3

// remember keeps the readings of the view as it lies.
func (l *looking) remember(seen table.Observation) {
	if seen.Look != table.LookStill {
		l.recent = nil
	} else if seen.Read {
		l.recent = append(l.recent, seen)
		l.recent = l.recent[max(0, len(l.recent)-mostRecent):]
	}
}

// eyeConfig is the eye that looks at something.
func (h *host) eyeConfig(s sight) (eye.Config, error) {
	cfg := h.base
	cfg.Game, cfg.Source, cfg.Calibration, cfg.Realtime, cfg.Restart = s.game, s.Source, s.profile, true, true
	if cfg.Dice = s.dice; cfg.Dice == nil {
		h.mu.Lock()
		cfg.Dice = h.given
		h.mu.Unlock()
	}
	if cfg.Dice != nil && !cfg.Dice.For(s.game) || s.Source == web.SourceDemo {
		cfg.Dice = nil
	}
	if cfg.Path == "" {
		return cfg, errors.New("diceref-eye is missing on this machine, so no camera can be used (see diceref doctor)")
	}
	if s.Source == web.SourcePhone {
		if h.phoneURL == nil {
			return cfg, errors.New("a phone cannot be the camera here")
		}
		cfg.Source = h.phoneURL()
	}
	profile, err := s.calibration()
	if err != nil || profile == nil {
		return cfg, err
	}
	dir := h.data
	if dir == "" {
		dir = os.TempDir()
	} else if err := makePrivate(dir); err != nil { // the wizard looks before a match has made it
		return cfg, err
	}
	cfg.Calibration = filepath.Join(dir, "table.json")
	carryLessons(profile, cfg.Calibration)
	return cfg, profile.Save(cfg.Calibration)
}

// calibration is what was told of the table in the picture; nil: nothing.
func (s sight) calibration() (*calibration.Profile, error) {
	switch {
	case s.Corners != nil:
		p, err := calibration.FromGrid(s.game, s.Picture[0], s.Picture[1], *s.Corners)
		if err != nil {
			return nil, err
		}
		p.Markers = s.Markers
		return p, p.Check()
	case len(s.Zones) > 0 && s.game.Kit().Layout == table.Loose:
		p := &calibration.Profile{Game: s.game, Zones: s.Zones}
		return p, p.Check()
	}
	return nil, nil
}

// same says whether an eye that is at work can stay as it is.
func (s sight) same(o sight) bool { return reflect.DeepEqual(s, o) }

// moved says whether a grid lies elsewhere than at first, by a third of a square.
func moved(home, now [4]table.Point) bool {
	off, edge := 0.0, 0.0
	for i := range home {
		off += distance(home[i], now[i]) / 4
		edge += distance(home[i], home[(i+1)%4]) / 4
	}
	return off > edge/table.Size/3
}
