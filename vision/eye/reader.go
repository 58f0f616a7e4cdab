package eye

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"diceref/table"
	"diceref/vision/owned"
)

// ErrDied: the eye crashed on a picture, or took too long.
var ErrDied = errors.New("the eye crashed on this picture")

// Reader reads single pictures, one after the other. It starts an eye when it first needs
// one, and restarts it when it crashes. Nothing carries over from one picture to the
// next. Several goroutines may use it; they take turns.
type Reader struct {
	// Limit is how long one picture may take, including the start of the eye.
	Limit time.Duration
	Log   *slog.Logger // receives the eye's log; nil: no log

	path string
	id   atomic.Int64
	mu   sync.Mutex
	p    *process
	dice *owned.Set // that pictures are read by
	own  *process   // that was told so
}

// NewReader reads with the eye at path (see Find). Close it after use.
func NewReader(path string) *Reader { return &Reader{Limit: 30 * time.Second, path: path} }

// ReadStill reads one picture with a separate eye that ends afterward.
func ReadStill(ctx context.Context, path string, game table.Game, picture []byte, limit time.Duration) (table.Observation, error) {
	r := NewReader(path)
	defer r.Close()
	if limit > 0 {
		r.Limit = limit
	}
	return r.Read(ctx, game, picture)
}

// Read reads one picture of the Kinds. The error is one line about this picture; it wraps
// ErrDied if the eye crashed.
func (r *Reader) Read(ctx context.Context, game table.Game, picture []byte) (table.Observation, error) {
	return r.ReadKnown(ctx, game, nil, picture)
}

// ReadKnown is like Read for a picture whose grid has these corners (clockwise from that of
// [0,0], in pixels), if they are not nil.
func (r *Reader) ReadKnown(ctx context.Context, game table.Game, corners *[4]table.Point, picture []byte) (table.Observation, error) {
	seen, _, err := r.read(ctx, StillRequest{Game: game, Corners: corners}, picture)
	return seen, err
}

// ReadShown reads a picture like Read, and gives it as a JPEG of at most so many pixels a side, the right way
// up, for whoever cannot show it as it is.
func (r *Reader) ReadShown(ctx context.Context, game table.Game, picture []byte, side int) (seen table.Observation, shown []byte, err error) {
	return r.read(ctx, StillRequest{Game: game, Show: side}, picture)
}

// ReadTops reads a picture like Read, and tells how the tops in it look, for a set of dice.
func (r *Reader) ReadTops(ctx context.Context, game table.Game, picture []byte) (table.Observation, error) {
	seen, _, err := r.read(ctx, StillRequest{Game: game, Tops: true}, picture)
	return seen, err
}

// Own has pictures read by a set of dice from now on; nil: by their pips.
func (r *Reader) Own(s *owned.Set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dice, r.own = s, nil
}

// Signed is a set whose pictures the eye's own network has signed.
func (r *Reader) Signed(ctx context.Context, s *owned.Set) (*owned.Set, error) {
	answer, err := r.exchange(ctx, kindSign, s, nil, func(m *Message) bool { return m.Signed != nil })
	switch {
	case err != nil:
		return nil, err
	case answer.Signed.Set == nil:
		return nil, errors.New(answer.Signed.Error)
	}
	return answer.Signed.Set, nil
}

func (r *Reader) read(ctx context.Context, q StillRequest, picture []byte) (seen table.Observation, shown []byte, err error) {
	if _, err := CheckPicture(picture); err != nil {
		return seen, nil, err
	}
	q.ID = r.id.Add(1)
	answer, err := r.exchange(ctx, kindRead, q, picture, func(m *Message) bool { return m.Still != nil && m.Still.ID == q.ID })
	if err != nil {
		return seen, nil, err
	}
	switch a := answer.Still; {
	case a.Error != "":
		return seen, nil, errors.New(a.Error)
	case a.Observation == nil:
		return seen, nil, errors.New("eye: an answer without an observation")
	default:
		return *a.Observation, a.JPEG, nil
	}
}

// exchange says something to an eye, and waits for the answer to it.
func (r *Reader) exchange(ctx context.Context, k kind, header any, blob []byte, is func(*Message) bool) (Message, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Message{}, err
	}
	if r.p == nil {
		p, err := startProcess(r.path, "", r.Log)
		if err != nil {
			return Message{}, err
		}
		r.p = p
	}
	answers := make(chan Message, 1)
	failed := make(chan error, 1)
	go func(p *process, dice *owned.Set, tell bool) {
		if tell {
			if err := p.to.send(kindDice, dice, nil); err != nil {
				failed <- err
				return
			}
		}
		ask(p, k, header, blob, is, answers, failed)
	}(r.p, r.dice, r.own != r.p)
	r.own = r.p
	limit := time.NewTimer(r.Limit)
	defer limit.Stop()
	select {
	case a := <-answers:
		return a, nil
	case err := <-failed:
		if KindOf(err) == OtherEye {
			r.drop()
			return Message{}, err
		}
		r.p.close(closeGrace) // it is going down: let it say why
		err = fmt.Errorf("%w (%s)", ErrDied, r.p.ending())
		r.p = nil
		return Message{}, err
	case <-limit.C:
		r.drop()
		return Message{}, fmt.Errorf("%w (it took longer than %v)", ErrDied, r.Limit)
	case <-ctx.Done():
		r.drop()
		return Message{}, ctx.Err()
	}
}

// drop kills an eye that is busy with a picture nobody waits for any more.
func (r *Reader) drop() {
	r.p.close(0)
	r.p = nil
}

// ask says something, and waits for the answer to it.
func ask(p *process, k kind, header any, blob []byte, is func(*Message) bool, answers chan<- Message, failed chan<- error) {
	if err := p.to.send(k, header, blob); err != nil {
		failed <- err
		return
	}
	for {
		m, err := p.hear()
		if err != nil {
			failed <- err
			return
		}
		if is(&m) {
			answers <- m
			return
		}
	}
}

// PID is the process ID of the running eye; 0: none is running.
func (r *Reader) PID() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.p.pid()
}

// Close stops the eye.
func (r *Reader) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.p != nil {
		r.p.close(closeGrace)
		r.p = nil
	}
}
