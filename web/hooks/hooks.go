// Package hooks sends every event of the match to other programs, by POST to each address
// that the owner has configured. It never blocks the match: a receiver that does not answer
// misses events, and the log says so.
package hooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"diceref/match"
	"diceref/table"
)

// SignatureHeader carries "sha256=" and the HMAC of the body in hexadecimal.
const SignatureHeader = "X-Diceref-Signature"

// EventHeader carries "match:seq", so that receivers can recognize duplicates.
const EventHeader = "X-Diceref-Event"

// How hard it is tried.
const (
	attempts = 5 // times that an event is sent to a receiver that fails
	firstGap = time.Second
	mostGap  = 30 * time.Second
	answer   = 10 * time.Second // for one answer
	waiting  = 256              // events that wait for one receiver, at most
)

// Match is the source of events.
type Match interface {
	Snapshot() match.Snapshot
	Changed() <-chan struct{} // closed at the next change
}

// Config says who receives what.
type Config struct {
	Addresses []string // as CheckAddress allows
	Secret    []byte   // signs every body
	Match     Match
	Log       *slog.Logger
	Client    *http.Client                                    // nil: one that does not follow redirects
	Rest      func(ctx context.Context, d time.Duration) bool // waits between attempts, false: give up; nil: the clock
}

// Message is the body of one POST.
type Message struct {
	Match   string          `json:"match"` // its id
	Game    table.Game      `json:"game"`
	Players []string        `json:"players"`
	Event   match.EventView `json:"event"`
}

// CheckAddress returns an error if an address is not valid; only http and https are allowed.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("expected an address such as https://example.org/dice")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("expected an address that begins with http:// or https://, not %q", u.Redacted())
	case u.Hostname() == "":
		return fmt.Errorf("there is no host in %q", u.Redacted())
	}
	return nil
}

// Hooks sends events to the receivers, from the time it was created.
type Hooks struct {
	cfg Config
	id  string // of the match that was told of last
	seq int64  // of its last event that was told
}

// New starts to listen. Events that a resumed match already had are not sent again; the
// start of a new match is.
func New(cfg Config) *Hooks {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Client == nil {
		cfg.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if cfg.Rest == nil {
		cfg.Rest = rest
	}
	now := cfg.Match.Snapshot()
	h := &Hooks{cfg: cfg, id: now.ID}
	if len(now.Events) > 1 {
		h.seq = now.Seq
	}
	return h
}

// Run sends events until the context ends.
func (h *Hooks) Run(ctx context.Context) {
	if len(h.cfg.Addresses) == 0 {
		return
	}
	var all sync.WaitGroup
	defer all.Wait()
	var queues []chan parcel
	for _, address := range h.cfg.Addresses {
		r := &receiver{cfg: h.cfg, address: address, queue: make(chan parcel, waiting)}
		if u, err := url.Parse(address); err == nil {
			r.name = u.Scheme + "://" + u.Host // its path or query may be a secret
		}
		queues = append(queues, r.queue)
		all.Go(func() { r.run(ctx) })
	}
	h.follow(ctx, queues)
}

// parcel is a message on its way.
type parcel struct {
	id   string
	body []byte
}

// follow hands every new event to the receivers.
func (h *Hooks) follow(ctx context.Context, queues []chan parcel) {
	lost := make([]int, len(queues))
	for {
		changed := h.cfg.Match.Changed()
		now := h.cfg.Match.Snapshot()
		if now.ID != h.id {
			h.id, h.seq = now.ID, 0
		}
		for _, e := range now.Events {
			if e.Seq <= h.seq {
				continue
			}
			h.seq = e.Seq
			body, err := json.Marshal(Message{now.ID, now.Game, now.Players, e})
			if err != nil {
				h.cfg.Log.Error("an event was not sent: it cannot be encoded", "event", e.Seq, "error", err)
				continue
			}
			for i, q := range queues {
				select {
				case q <- parcel{now.ID + ":" + strconv.FormatInt(e.Seq, 10), body}:
				default:
					if lost[i]++; lost[i]%waiting == 1 {
						h.cfg.Log.Warn("a webhook is too slow: skipping events", "webhook", i+1, "left out", lost[i])
					}
				}
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// receiver is one address.
type receiver struct {
	cfg     Config
	address string
	name    string // for the log
	queue   chan parcel
}

func (r *receiver) run(ctx context.Context) {
	for {
		select {
		case p := <-r.queue:
			r.deliver(ctx, p)
		case <-ctx.Done():
			return
		}
	}
}

// deliver sends one event, again and again if need be, in order: what comes later waits.
func (r *receiver) deliver(ctx context.Context, p parcel) {
	gap := firstGap
	for n := 1; ; n++ {
		again, err := r.post(ctx, p)
		if err == nil || ctx.Err() != nil {
			return
		}
		if !again || n == attempts {
			r.cfg.Log.Warn("a webhook refused an event", "webhook", r.name, "event", p.id, "attempts", n, "error", err)
			return
		}
		if !r.cfg.Rest(ctx, gap) {
			return
		}
		gap = min(2*gap, mostGap)
	}
}

// post sends one event once; again says whether another attempt may help.
func (r *receiver) post(ctx context.Context, p parcel) (again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address, bytes.NewReader(p.body))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "diceref")
	req.Header.Set(EventHeader, p.id)
	req.Header.Set(SignatureHeader, Sign(r.cfg.Secret, p.body))
	resp, err := r.cfg.Client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address itself may hold a secret
		}
		return true, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	code := resp.StatusCode
	switch {
	case code >= 200 && code < 300:
		return false, nil
	case code >= 500, code == http.StatusTooManyRequests, code == http.StatusRequestTimeout:
		return true, fmt.Errorf("it answers %s", resp.Status)
	}
	return false, fmt.Errorf("it answers %s", resp.Status)
}

// Sign is the signature of a body. Compare in constant time.
func Sign(secret, body []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write(body)
	return "sha256=" + hex.EncodeToString(h.Sum(nil))
}

// rest waits; false if the context ended.
func rest(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
