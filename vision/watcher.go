package vision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gocv.io/x/gocv"

	"diceref/calibration"
	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/net"
	"diceref/vision/owned"
	"diceref/vision/register"
)

// recognizer reads the dice of a picture; see Recognizer.
type recognizer interface {
	ReadKnown(img gocv.Mat, game table.Game, k Known) (table.Observation, error)
	Signed(*owned.Set) (*owned.Set, error)
}

// Watcher is the eye at work: it does what the client says, and tells it what
// it sees. It implements eye.Commands.
type Watcher struct {
	voice *eye.Voice
	log   *slog.Logger
	demos fs.FS // recorded games, each named after its game: dice-box.mp4
	// load gives the recognizer; it is loaded when it is first needed.
	load func() (recognizer, error)

	mu      sync.Mutex
	view    eye.View
	lessons []table.Lesson
	dice    *owned.Set                  // that is read by
	told    int                         // how often lessons or dice were told
	tops    map[table.Square]*table.Top // on squares as they lay still last, where there are dice of one's own
	stop    context.CancelFunc          // of what is being watched
	done    chan struct{}
}

// NewWatcher returns an eye that watches nothing yet and speaks with the given
// voice. The recordings of the source "demo" lie in demos.
func NewWatcher(v *eye.Voice, log *slog.Logger, demos fs.FS) *Watcher {
	return &Watcher{voice: v, log: log, demos: demos, load: sync.OnceValues(func() (recognizer, error) {
		return NewRecognizer(RecognizerOptions{})
	})}
}

// Preview says whether pictures are wanted from now on.
func (w *Watcher) Preview(v eye.View) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.view = v
}

func (w *Watcher) wanted() eye.View {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.view
}

// Teach tells what players put right about the color of a die.
func (w *Watcher) Teach(l table.Lesson) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lessons = append(w.lessons[:len(w.lessons):len(w.lessons)], l)
	w.told++
}

// taught is what a picture is read by, and how often that has changed.
func (w *Watcher) taught() (lessons []table.Lesson, dice *owned.Set, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lessons, w.dice, w.told
}

// Dice tells which set of dice is read by; nil: by their pips.
func (w *Watcher) Dice(s *owned.Set) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dice = s
	w.told++
}

// keepTops keeps how the dice on squares look, in case that somebody says what they show.
func (w *Watcher) keepTops(dice []table.Reading) {
	tops := map[table.Square]*table.Top{}
	for _, d := range dice {
		if d.Square != nil && d.Top != nil {
			tops[*d.Square] = d.Top
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tops = tops
}

// Top is how the die on a square looks, signed; nil: none was seen there, or dice are read by their pips.
func (w *Watcher) Top(sq table.Square) (*table.Top, error) {
	w.mu.Lock()
	seen := w.tops[sq]
	w.mu.Unlock()
	if seen == nil {
		return nil, nil
	}
	rec, err := w.load()
	if err != nil {
		return nil, err
	}
	one := &owned.Set{Groups: []owned.Group{{Tops: []owned.Top{{Picture: (*owned.Picture)(seen.Picture), Pips: seen.Pips}}}}}
	if one, err = rec.Signed(one); err != nil {
		return nil, err
	}
	return one.Groups[0].Tops[0].Told(), nil
}

// withoutTops is dice without how they look, which is not told unasked.
func withoutTops(dice []table.Reading) []table.Reading {
	out := slices.Clone(dice)
	for i := range out {
		out[i].Top = nil
	}
	return out
}

// Sign has the pictures of a set of dice signed.
func (w *Watcher) Sign(s *owned.Set) (*owned.Set, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	rec, err := w.load()
	if err != nil {
		return nil, err
	}
	return rec.Signed(s)
}

// Read reads a still, with its grid where that is known.
func (w *Watcher) Read(q eye.StillRequest, picture []byte) (seen table.Observation, shown []byte, err error) {
	rec, err := w.load()
	if err != nil {
		return seen, nil, err
	}
	start := time.Now()
	img, err := camera.Decode(picture)
	if err != nil {
		return seen, nil, err
	}
	defer img.Close()
	decode := milliseconds(time.Since(start))
	w.mu.Lock()
	known := Known{Dice: w.dice, Tops: q.Tops}
	w.mu.Unlock()
	if q.Corners != nil {
		if known.Profile, err = calibration.FromGrid(q.Game, img.Cols(), img.Rows(), *q.Corners); err != nil {
			return seen, nil, err
		}
	}
	if seen, err = rec.ReadKnown(img, q.Game, known); err != nil {
		return seen, nil, err
	}
	seen.MS.Decode = decode
	if !q.Tops {
		seen.Dice = withoutTops(seen.Dice)
	}
	if q.Show > 0 {
		shown, err = encode(img, q.Show)
	}
	return seen, shown, err
}

// encode is a picture as a JPEG of at most so many pixels a side.
func encode(img gocv.Mat, side int) ([]byte, error) {
	if long := max(img.Cols(), img.Rows()); long > side {
		small := gocv.NewMat()
		defer small.Close()
		size := image.Pt(max(1, img.Cols()*side/long), max(1, img.Rows()*side/long))
		gocv.Resize(img, &small, size, 0, 0, gocv.InterpolationArea)
		img = small
	}
	buf, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, img, []int{gocv.IMWriteJpegQuality, 85})
	if err != nil {
		return nil, fmt.Errorf("cannot encode a picture: %w", err)
	}
	defer buf.Close()
	return bytes.Clone(buf.GetBytes()), nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Watch follows a source in place of the one before.
func (w *Watcher) Watch(what eye.Watch) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	w.mu.Lock()
	before, stop := w.done, w.stop
	w.stop, w.done, w.lessons = cancel, done, append(w.lessons, what.Lessons...)
	w.dice, w.tops = what.Dice, nil
	w.mu.Unlock()
	go func() {
		defer close(done)
		defer cancel()
		if before != nil {
			stop()
			<-before
		}
		w.follow(ctx, what)
	}()
}

// follow tells what a source shows until its end, and how that came.
func (w *Watcher) follow(ctx context.Context, what eye.Watch) {
	err := w.tryFollow(ctx, what)
	last := eye.Status{State: eye.Failed, Source: eye.Shown(what.Source)}
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, errOver):
		last.State = eye.Ended
	default:
		last.Kind, last.Reason = eye.KindOf(err), err.Error()
		w.log.Warn("cannot go on", "source", eye.Shown(what.Source), "err", err)
	}
	w.say(last)
}

// say tells a status. Where nobody listens any more, whoever did is about to close our input.
func (w *Watcher) say(s eye.Status) {
	if err := w.voice.Say(s); err != nil {
		w.log.Debug("nobody listens", "err", err)
	}
}

// errOver says that a recording was followed to its end. Nothing else ends a source: a camera
// that hangs up, or a file that breaks off, is one that failed.
var errOver = errors.New("the recording is over")

// tryFollow returns errOver at a recording's end.
func (w *Watcher) tryFollow(ctx context.Context, what eye.Watch) error {
	rec, err := w.load()
	if err != nil {
		return err
	}
	var cal *calibration.Profile
	if what.Calibration != "" {
		if cal, err = calibration.Load(what.Calibration); err != nil {
			return err
		}
	}
	demo := ""
	if what.Source == "demo" {
		if demo, err = w.demoFile(what.Game); err != nil {
			return err
		}
	}
	var lost atomic.Bool // the source is mending itself
	src, err := camera.Open(ctx, what.Source, camera.Options{
		Width: what.Width, Height: what.Height, Demo: demo, Least: register.Width,
		Notice: func(err error) {
			lost.Store(true)
			w.say(eye.Status{State: eye.Restarting, Kind: eye.KindOf(err), Reason: err.Error(), Source: eye.Shown(what.Source), Live: true})
		},
	})
	if demo != "" {
		os.Remove(demo) // it stays readable as long as it is open
	}
	if err != nil {
		return err
	}
	defer net.GiveBack() // once all else is closed
	defer src.Close()
	info := src.Info()
	running := eye.Status{State: eye.Running, Source: info.Name, Width: info.Width, Height: info.Height, FPS: info.FPS, Live: info.Live}
	w.say(running)

	s := &session{w: w, what: what, info: info, rec: rec, saved: cal, follow: newFollower(), small: gocv.NewMat(), lastAt: register.Still}
	_, _, s.heeded = w.taught()
	defer s.close()
	s.takeUp()
	frames := camera.NewPump(ctx, src)
	defer frames.Close()
	for {
		f, err := frames.Next()
		if errors.Is(err, io.EOF) {
			err = eye.ErrHungUp
			if !info.Live {
				err = errOver
			}
		}
		if err != nil {
			return err
		}
		if lost.CompareAndSwap(true, false) {
			w.say(running)
		}
		err = s.see(ctx, f)
		frames.Done(f)
		if err != nil {
			return err
		}
	}
}

// demoFile puts the recorded game where the video player can find it.
func (w *Watcher) demoFile(game table.Game) (string, error) {
	clip, err := fs.ReadFile(w.demos, string(game)+".mp4")
	if err != nil {
		return "", fmt.Errorf("there is no recorded demo of %s", game)
	}
	f, err := os.CreateTemp("", "diceref-demo-*.mp4")
	if err != nil {
		return "", fmt.Errorf("cannot play the demo: %w", err)
	}
	_, err = f.Write(clip)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("cannot play the demo: %w", err)
	}
	return f.Name(), nil
}
