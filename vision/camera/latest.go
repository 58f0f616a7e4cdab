package camera

import (
	"context"
	"fmt"
	"sync"
	"time"

	"diceref/vision/eye"
)

// stallTime is how long a camera may give no picture before it counts as gone, if
// nothing else is said.
const stallTime = 5 * time.Second

// latest reads a live source all the time and keeps only its newest picture, so
// that nobody ever sees an old one: cameras and their drivers queue pictures up.
type latest struct {
	from  Source
	stall time.Duration
	stop  context.CancelFunc
	done  chan struct{}

	mu    sync.Mutex
	img   *Picture
	frame Frame
	has   bool          // img has not been taken
	fresh chan struct{} // holds a token when it is worth to look at has and err
	err   error
	count int
}

func newLatest(from Source, stall time.Duration) *latest {
	ctx, stop := context.WithCancel(context.Background())
	l := &latest{from: from, stall: stall, stop: stop, done: make(chan struct{}), img: NewPicture(), fresh: make(chan struct{}, 1)}
	go l.run(ctx)
	return l
}

func (l *latest) run(ctx context.Context) {
	defer close(l.done)
	img := NewPicture()
	defer func() { img.Close() }()
	for {
		f, err := l.from.Next(ctx, img)
		l.mu.Lock()
		if err != nil {
			l.err = err
		} else {
			l.img, img = img, l.img
			l.frame, l.has = f, true
		}
		l.mu.Unlock()
		select {
		case l.fresh <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (l *latest) Info() Info { return l.from.Info() }

// Next waits for a picture that has not been given yet. Pictures are counted as they are given.
func (l *latest) Next(ctx context.Context, img *Picture) (Frame, error) {
	stalled := time.NewTimer(l.stall)
	defer stalled.Stop()
	for {
		select {
		case <-l.fresh:
		case <-stalled.C:
			return Frame{}, eye.Faultf(eye.NoPictures, "the camera %s has sent no picture for %v", l.from.Info().Name, l.stall)
		case <-ctx.Done():
			return Frame{}, ctx.Err()
		}
		if f, ok, err := l.take(img); ok || err != nil {
			return f, err
		}
	}
}

// take exchanges img for the newest picture, if there is one that was not taken.
func (l *latest) take(img *Picture) (Frame, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return Frame{}, false, l.err
	}
	if !l.has {
		return Frame{}, false, nil
	}
	*l.img, *img = *img, *l.img
	l.has = false
	l.count++
	return Frame{Index: l.count - 1, T: l.frame.T}, true, nil
}

// Close stops the reading. If a camera is stuck in its driver, only the end of the process
// frees it.
func (l *latest) Close() error {
	l.stop()
	select {
	case <-l.done:
	case <-time.After(time.Second):
		return fmt.Errorf("the camera %s does not close", l.from.Info().Name)
	}
	l.img.Close()
	return l.from.Close()
}
