package eye

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"diceref/table"
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
	mu   sync.Mutex
	p    *process
	id   int64
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

func (r *Reader) read(ctx context.Context, q StillRequest, picture []byte) (seen table.Observation, shown []byte, err error) {
	if _, err := CheckPicture(picture); err != nil {
		return seen, nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return seen, nil, err
	}
	if r.p == nil {
		p, err := startProcess(r.path, "", r.Log)
		if err != nil {
			return seen, nil, err
		}
		r.p = p
	}
	r.id++
	q.ID = r.id
	answers := make(chan StillAnswer, 1)
	failed := make(chan error, 1)
	go ask(r.p, q, picture, answers, failed)
	limit := time.NewTimer(r.Limit)
	defer limit.Stop()
	select {
	case a := <-answers:
		switch {
		case a.Error != "":
			return seen, nil, errors.New(a.Error)
		case a.Observation == nil:
			return seen, nil, errors.New("eye: an answer without an observation")
		}
		return *a.Observation, a.JPEG, nil
	case err := <-failed:
		if KindOf(err) == OtherEye {
			r.drop()
			return seen, nil, err
		}
		r.p.close(closeGrace) // it is going down: let it say why
		err = fmt.Errorf("%w (%s)", ErrDied, r.p.ending())
		r.p = nil
		return seen, nil, err
	case <-limit.C:
		r.drop()
		return seen, nil, fmt.Errorf("%w (it took longer than %v)", ErrDied, r.Limit)
	case <-ctx.Done():
		r.drop()
		return seen, nil, ctx.Err()
	}
}

// drop kills an eye that is busy with a picture nobody waits for any more.
func (r *Reader) drop() {
	r.p.close(0)
	r.p = nil
}

// ask sends a picture and waits for the answer to it.
func ask(p *process, q StillRequest, picture []byte, answers chan<- StillAnswer, failed chan<- error) {
	if err := p.to.send(kindRead, q, picture); err != nil {
		failed <- err
		return
	}
	for {
		m, err := p.hear()
		if err != nil {
			failed <- err
			return
		}
		if m.Still != nil && m.Still.ID == q.ID {
			answers <- *m.Still
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
