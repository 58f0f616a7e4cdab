package eye

import (
	"bufio"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"diceref/table"
	"diceref/vision/owned"
)

// Config says what an eye should watch.
type Config struct {
	Path        string     // of the eye's binary: see Find
	Game        table.Game // the game whose dice and board to look for
	Source      string     // a device, a file, a folder, a URL, or demo
	Calibration string     // path of a saved profile; empty: found again
	Realtime    bool       // play a file at its own speed instead of as fast as possible
	Width       int        // requested from a camera, in pixels; 0: its default
	Height      int
	View        View // the pictures wanted at the start
	// Corners are those of the grid in an earlier observation of the same table, so that
	// a resumed match keeps its numbering of squares. May be nil.
	Corners *[4]table.Point
	// Dice are the dice as their owner has shown them; nil: they have pips.
	Dice *owned.Set
	// Tops asks for pictures of the tops, to make such a set.
	Tops bool
	// Restart restarts the eye when it crashes or its camera goes away, for as long as
	// the client lives. A file continues where it was. Without it, the first failure ends
	// in Failed.
	Restart bool
	Log     *slog.Logger // receives the eye's log; nil: no log
}

// Message is one message from an eye; exactly one of its fields is set.
type Message struct {
	Observation *table.Observation
	Picture     *Picture
	Status      *Status
	Still       *StillAnswer // to a Reader alone
	Signed      *SignedDice  // to a Reader alone
	Top         *SeenTop     // as it was asked for
	// Markers are all stickers of an arena, learned while it was empty, to be saved in the
	// table's calibration.
	Markers []table.MarkerReading
}

// Hear returns the next message from an eye; io.EOF: it has closed its end. A message
// from a later version has no field set.
func Hear(r *bufio.Reader) (Message, error) {
	m, err := receive(r)
	if err != nil {
		return Message{}, err
	}
	var out Message
	switch m.kind {
	case kindObservation:
		out.Observation = new(table.Observation)
		err = m.decode(out.Observation)
	case kindPicture:
		out.Picture = &Picture{JPEG: m.blob}
		err = m.decode(out.Picture)
	case kindStatus:
		out.Status = new(Status)
		err = m.decode(out.Status)
	case kindStill:
		out.Still = &StillAnswer{JPEG: m.blob}
		err = m.decode(out.Still)
	case kindSigned:
		out.Signed = new(SignedDice)
		err = m.decode(out.Signed)
	case kindSeenTop:
		out.Top = new(SeenTop)
		err = m.decode(out.Top)
	case kindMarkers:
		err = m.decode(&out.Markers)
	}
	return out, err
}

// How an eye that died is started again.
const (
	firstWait = 200 * time.Millisecond // doubled each time
	lastWait  = 5 * time.Second
	goodRun   = 10 * time.Second // after which the waiting starts over
	fileTries = 5                // without a new frame: something in the file kills the eye
	// silence is how long an eye that follows something may say nothing. It looks
	// after stalled cameras itself and tells of it, so silence means that it hangs.
	silence = 15 * time.Second
)

// Client runs an eye that watches a source, and supervises it.
type Client struct {
	cfg    Config
	frames chan Message
	cancel context.CancelFunc
	ended  chan struct{}

	mu      sync.Mutex
	view    View
	lessons []table.Lesson
	dice    *owned.Set
	p       *process // nil between two
	anew    atomic.Bool

	// What the eye has reported so far, for an eye that takes over. Only run uses these.
	began time.Time
	last  int  // the last frame reported; -1: none
	ran   bool // the source could be opened once
	live  bool // it is a camera
	grid  *[4]table.Point
	marks []table.MarkerReading // of an arena, as they were learned
}

// Start starts to watch cfg.Source. The error is about an eye that cannot be started;
// everything that goes wrong later is reported as a Status. The client lives until
// Close, the end of ctx, or a Status of Ended or Failed.
func Start(ctx context.Context, cfg Config) (*Client, error) {
	p, err := startProcess(cfg.Path, cfg.Source, cfg.Log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	c := &Client{
		cfg: cfg, frames: make(chan Message, 4), cancel: cancel, ended: make(chan struct{}),
		view: cfg.View, dice: cfg.Dice, began: time.Now(), last: -1, grid: cfg.Corners,
	}
	go c.run(ctx, p)
	return c, nil
}

// Frames delivers what the eye sees, in order, and is closed at the end. A slow receiver
// slows a file down, and makes a camera skip frames.
func (c *Client) Frames() <-chan Message { return c.frames }

// Preview sets which pictures are wanted from now on.
func (c *Client) Preview(v View) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.view = v
	if c.p != nil {
		_ = c.p.to.send(kindPreview, v, nil) // an eye that is gone gets it when it is back
	}
}

// Teach tells the eye about a corrected color of a die, with its look in a reading. The
// client does not save it: see calibration.Profile.
func (c *Client) Teach(l table.Lesson) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lessons = append(c.lessons, l)
	if c.p != nil {
		_ = c.p.to.send(kindTeach, l, nil) // an eye that is gone gets it when it is back
	}
}

// Own has the dice read by another set from now on; nil: by their pips.
func (c *Client) Own(s *owned.Set) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dice = s
	if c.p != nil {
		_ = c.p.to.send(kindDice, s, nil) // an eye that is gone gets it when it is back
	}
}

// Again restarts watching the source from where it is, with the calibration as it is in its
// file now. No frame is reported twice.
func (c *Client) Again() { c.anew.Store(true) }

// AskTop asks how a die looks. The answer is a Message; an eye that is gone gives none.
func (c *Client) AskTop(q TopRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p != nil {
		_ = c.p.to.send(kindTop, q, nil)
	}
}

// PID is the process ID of the running eye; 0: none is running.
func (c *Client) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.p.pid()
}

// Close stops the eye and returns when it is gone.
func (c *Client) Close() {
	c.cancel()
	<-c.ended
}

// run supervises: one process after the other, until it is enough.
func (c *Client) run(ctx context.Context, p *process) {
	defer close(c.ended)
	defer close(c.frames)
	defer c.cancel()
	c.say(ctx, Starting, nil)
	wait, tries := firstWait, 0
	for {
		started, before := time.Now(), c.last
		end := c.follow(ctx, p)
		for {
			if end.done || ctx.Err() != nil {
				return
			}
			if c.last > before {
				tries = 0
			}
			if !end.crowded { // says nothing of the file
				tries++
			}
			if !c.cfg.Restart || end.final || !c.live && tries > fileTries {
				c.say(ctx, Failed, end.why)
				return
			}
			if time.Since(started) > goodRun {
				wait = firstWait
			}
			c.say(ctx, Restarting, end.why)
			if !sleep(ctx, wait) {
				return
			}
			wait = min(2*wait, lastWait)
			var err error
			if p, err = startProcess(c.cfg.Path, c.cfg.Source, c.cfg.Log); err == nil {
				break
			}
			end, before = ending{why: err, crowded: Crowded(err)}, c.last
		}
	}
}

func (c *Client) say(ctx context.Context, state State, why error) {
	s := Status{State: state, Live: c.live}
	if why != nil {
		s.Kind, s.Reason = KindOf(why), why.Error()
	}
	c.tellStatus(ctx, s)
}

// tellStatus passes a status on, without the secrets of the source.
func (c *Client) tellStatus(ctx context.Context, s Status) {
	s.Source, s.Reason = Shown(c.cfg.Source), Hide(s.Reason, c.cfg.Source)
	c.tell(ctx, Message{Status: &s})
}

// tell passes a message on, as soon as the receiver is ready for it.
func (c *Client) tell(ctx context.Context, m Message) {
	select {
	case c.frames <- m:
	case <-ctx.Done():
	}
}

// ending is how following a process ended.
type ending struct {
	done  bool // the source is at its end
	final bool // trying again would not help
	// crowded: the next one could not even be started, for want of files or memory.
	crowded bool
	why     error
}

// follow passes on what one process tells until it ends, and sees to it that it is gone.
func (c *Client) follow(ctx context.Context, p *process) ending {
	c.mu.Lock()
	c.p = p
	view, watch := c.view, c.watch(slices.Clone(c.lessons))
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.p = nil
		c.mu.Unlock()
	}()
	stop := context.AfterFunc(ctx, func() { p.close(closeGrace) })
	defer stop()

	c.anew.Store(false)
	err := p.to.send(kindPreview, view, nil)
	if err == nil {
		err = p.to.send(kindWatch, watch, nil)
	}
	var end *ending
	if err == nil {
		end = c.pass(ctx, p)
	}
	p.close(closeGrace)
	if end == nil {
		end = &ending{why: Faultf(Crashed, "the eye stopped unexpectedly (%s)", p.ending())}
	}
	return *end
}

// watch is what an eye that takes over is told; c.mu is held.
func (c *Client) watch(lessons []table.Lesson) Watch {
	w := Watch{
		Game: c.cfg.Game, Source: c.cfg.Source, Calibration: c.cfg.Calibration, Realtime: c.cfg.Realtime,
		Width: c.cfg.Width, Height: c.cfg.Height, Resume: c.last + 1, Corners: c.grid, Lessons: lessons, Markers: c.marks,
		Dice: c.dice, Tops: c.cfg.Tops,
	}
	if c.last >= 0 {
		w.Since = time.Since(c.began).Seconds()
	}
	return w
}

// pass passes messages on; nil: the process fell silent or ended without a word.
func (c *Client) pass(ctx context.Context, p *process) *ending {
	quiet := time.AfterFunc(silence, func() { p.cmd.Process.Kill() })
	defer quiet.Stop()
	for {
		quiet.Reset(silence)
		m, err := p.hear()
		quiet.Stop()
		switch {
		case KindOf(err) == OtherEye:
			return &ending{why: err, final: true}
		case err != nil:
			return nil
		}
		if o := m.Observation; o != nil {
			if o.Frame <= c.last {
				continue // told before the source was followed again
			}
			c.last = o.Frame
			if o.Grid != nil && o.Grid.Found {
				corners := o.Grid.Corners // a copy: o is the receiver's
				c.grid = &corners
			}
		}
		if m.Markers != nil {
			c.marks = slices.Clone(m.Markers)
		}
		if m.Status == nil {
			c.tell(ctx, m)
		} else if end := c.status(ctx, *m.Status); end != nil {
			return end
		}
		if ctx.Err() != nil {
			return &ending{done: true}
		}
		if m.Observation != nil && c.anew.CompareAndSwap(true, false) {
			c.mu.Lock()
			err := p.to.send(kindWatch, c.watch(nil), nil) // it has its lessons
			c.mu.Unlock()
			if err != nil {
				return nil
			}
		}
	}
}

// status passes a status on, but keeps a failure that is not the last word.
func (c *Client) status(ctx context.Context, s Status) *ending {
	switch s.State {
	case Failed:
		return &ending{why: s.Err(), final: !c.ran}
	case Ended:
		if c.live || s.Live { // a camera has no end
			return &ending{why: ErrHungUp}
		}
		c.tellStatus(ctx, s)
		return &ending{done: true}
	case Running:
		c.ran, c.live = true, s.Live
	}
	c.tellStatus(ctx, s)
	return nil
}
