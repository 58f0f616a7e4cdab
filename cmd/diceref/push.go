package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// pusher sends observations to a table of a hall: all of them, in order. What got no answer is sent again, and has
// numbers, so that the other side takes it once.
type pusher struct {
	at      string // the table's address
	token   string
	log     *slog.Logger
	client  *http.Client
	camera  string // this stream of observations, as the other side knows it again
	waiting chan struct{}

	mu    sync.Mutex
	first int64 // the number of the first in the queue
	queue []table.Observation
	sent  int // how many of them have arrived; they may be asked for again

	again time.Duration // askAgain
}

// Limits of what is queued and sent.
const (
	mostQueued = 20_000 // observations: more than an hour of a table
	mostPushed = 50     // at once
	mostKept   = 1_000  // that have arrived, and are not in the journal yet
	pushTime   = 15 * time.Second
)

// How long to wait before what got no answer is sent again: longer each time.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
)

// When there is nothing to send, how often the table is asked whether it has everything, and how many times at the end.
const (
	askAgain  = 2 * time.Second
	lastAsked = 5
)

// tokenVariable is the environment variable with the token of a table's camera: on a command line everybody on the machine could read it.
const tokenVariable = "DICEREF_TOKEN"

func newPusher(at, token string, log *slog.Logger) (*pusher, error) {
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, usagef("--push needs the address of a table, such as https://hall.example/t/window")
	}
	if token == "" {
		return nil, usagef("--push needs --token (diceref hall list prints it)")
	}
	return &pusher{
		at: strings.TrimSuffix(u.String(), "/"), token: token, log: log, client: &http.Client{Timeout: pushTime}, camera: rand.Text(),
		waiting: make(chan struct{}, 1), first: 1, again: askAgain,
	}, nil
}

// game is what is played at the table, and how many play it.
func (p *pusher) game(ctx context.Context) (game table.Game, players int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.at+"/api/v1/state", nil)
	if err != nil {
		return "", 0, err
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return "", 0, fmt.Errorf("the table cannot be reached: %w", err)
	}
	defer answer.Body.Close()
	var state struct {
		Game    table.Game
		Players []string
	}
	if err := json.NewDecoder(answer.Body).Decode(&state); err != nil || answer.StatusCode != http.StatusOK || state.Game == "" {
		return "", 0, fmt.Errorf("there is no table at %s", p.at)
	}
	return state.Game, len(state.Players), nil
}

// add queues an observation. When nobody could be reached for an hour, the oldest is given up.
func (p *pusher) add(o table.Observation) {
	p.mu.Lock()
	if len(p.queue) >= mostQueued {
		p.queue = p.queue[1:]
		p.first++
		p.sent = max(p.sent-1, 0)
	}
	p.queue = append(p.queue, o)
	p.mu.Unlock()
	select {
	case p.waiting <- struct{}{}:
	default:
	}
}

// next is what is to be sent, with the number of its first, and of the first that is still here.
func (p *pusher) next(most int) (first, kept int64, list []table.Observation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	end := min(p.sent+most, len(p.queue))
	return p.first + int64(p.sent), p.first, p.queue[p.sent:end:end]
}

// done goes on after something has arrived. What is in the journal is not needed any more; of what is not, so much is kept.
func (p *pusher) done(t web.Taken) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = min(max(int(t.Next-p.first), 0), len(p.queue))
	if gone := min(max(int(t.Keep-p.first), p.sent-mostKept), p.sent); gone > 0 {
		p.queue, p.first, p.sent = p.queue[gone:], p.first+int64(gone), p.sent-gone
	}
}

// settled says whether all that has arrived is in the journal.
func (p *pusher) settled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent == 0
}

// later is when the table is asked again what it has; nil: all that has arrived is in the journal.
func (p *pusher) later() <-chan time.Time {
	if p.settled() {
		return nil
	}
	return time.After(p.again)
}

// lastSent is what has arrived last, with the numbers of next.
func (p *pusher) lastSent() (first, kept int64, list []table.Observation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := max(p.sent-1, 0)
	return p.first + int64(last), p.first, p.queue[last:p.sent:p.sent]
}

// errRefusedPush: the other side will not take what the camera sends, however often it is sent.
var errRefusedPush = errors.New("the table does not take what the camera sees")

// run sends what is queued until the context ends. Once ended is closed, it returns when all has arrived and is in the journal, or
// lastAsked times was not.
func (p *pusher) run(ctx context.Context, ended <-chan struct{}) error {
	pause, cut, over, asked := firstPause, false, false, 0
	for {
		first, kept, list := p.next(mostPushed)
		if len(list) == 0 {
			if over && (p.settled() || asked == lastAsked) {
				return nil
			}
			select {
			case <-p.waiting:
				continue
			case <-ended:
				over, ended = true, nil
				continue
			case <-ctx.Done():
				return ctx.Err()
			case <-p.later(): // another server may have the table now, and not know the end
				first, kept, list = p.lastSent()
			}
			if over {
				asked++
			}
		}
		taken, err := p.send(ctx, first, kept, list)
		p.log.Debug("sent", "first", first, "kept", kept, "count", len(list), "next", taken.Next, "keep", taken.Keep, "error", err)
		switch {
		case err == nil:
			if cut {
				p.log.Info("the table can be reached again")
			}
			pause, cut = firstPause, false
			p.done(taken)
			continue
		case errors.Is(err, errRefusedPush) || ctx.Err() != nil:
			return err
		case !cut:
			p.log.Warn("the table cannot be reached; what the camera sees is kept until it can", "error", err)
			cut = true
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		pause = min(2*pause, lastPause)
	}
}

// send sends a part of the queue.
func (p *pusher) send(ctx context.Context, first, kept int64, list []table.Observation) (taken web.Taken, err error) {
	err = p.post(ctx, "observations", web.Pushed{Camera: p.camera, First: first, Kept: kept, Observations: list}, &taken)
	return taken, err
}

// draw sends the zones that the camera sees, again until they have arrived.
func (p *pusher) draw(ctx context.Context, zones []calibration.Zone) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := p.post(ctx, "zones", web.Drawn{Zones: zones}, nil)
		if err == nil || errors.Is(err, errRefusedPush) {
			return err
		}
		p.log.Warn("the table cannot be reached; trying again", "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// post sends something to the table, and reads the answer if somebody wants it.
func (p *pusher) post(ctx context.Context, what string, v, into any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.at+"/api/v1/"+what, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(web.TokenHeader, p.token)
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said := json.NewDecoder(io.LimitReader(answer.Body, 64<<10))
	if answer.StatusCode == http.StatusOK {
		if into == nil {
			return nil
		}
		return said.Decode(into)
	}
	var problem struct{ Error string }
	_ = said.Decode(&problem) // whatever it says, the status counts
	switch {
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%s: %s", answer.Status, problem.Error)
	}
	return fmt.Errorf("%w: %s", errRefusedPush, problem.Error)
}

// push watches a source for a table elsewhere, until the source ends.
func (a *app) push(ctx context.Context, to, token string) error {
	p, err := newPusher(to, token, a.log)
	if err != nil {
		return err
	}
	if a.cfg.Source == "" {
		return usagef("watch --push needs --source (a camera such as 0, a file, a folder, a URL, or demo)")
	}
	profile, err := a.profilePath()
	if err != nil {
		return err
	}
	path, err := eye.Find(a.cfg.Eye)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	game, players, err := p.game(ctx)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	if game.Kit().Layout == table.Loose {
		zones, err := zonesOf(game, players, profile)
		switch {
		case err != nil:
			return fmt.Errorf("watch: %w", err)
		case zones == nil:
			return usagef("watch --push: %s needs the zones of the table: draw them with diceref serve on this computer, and give --calibration with table.json of its data folder", game.Kit().Title)
		}
		if err := p.draw(ctx, zones); err != nil {
			return fmt.Errorf("watch: %w", err)
		}
	}
	dice, err := a.ownedDice(game)
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client, err := eye.Start(ctx, eye.Config{
		Path: path, Game: game, Dice: dice, Source: a.cfg.Source, Calibration: profile, Restart: true, Realtime: true,
		Width: a.cfg.CameraWidth, Height: a.cfg.CameraHeight, Log: a.log,
	})
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer client.Close()
	sent, ended := make(chan error, 1), make(chan struct{})
	go func() {
		err := p.run(ctx, ended)
		cancel() // whatever it is, no more is needed of the camera
		sent <- err
	}()
	failed := error(nil)
	for msg := range client.Frames() {
		switch {
		case msg.Observation != nil:
			p.add(*msg.Observation)
		case msg.Status != nil && msg.Status.State == eye.Failed:
			failed = errors.New(msg.Status.Reason)
		}
	}
	close(ended)
	if err := errors.Join(<-sent, failed); err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	return nil
}
