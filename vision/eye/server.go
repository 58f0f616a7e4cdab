package eye

import (
	"bufio"
	"errors"
	"io"

	"diceref/table"
	"diceref/vision/owned"
)

// Commands is what an eye does when it is told to. Watch, Preview and Teach are called
// one after the other and must not wait; Dice, Sign, Top and Read are called
// one after the other, too, and may take their time: in a goroutine of their own.
type Commands interface {
	// Watch starts to watch a source, in place of the current one.
	Watch(Watch)
	// Preview sets whether pictures are wanted from now on.
	Preview(View)
	// Teach passes on a corrected color.
	Teach(table.Lesson)
	// Dice passes on the dice to read by from now on; nil: none.
	Dice(*owned.Set)
	// Top tells how the die on a square looks that was read last while nothing moved; nil: none was.
	Top(table.Square) (*table.Top, error)
	// Sign has the pictures of a set signed.
	Sign(*owned.Set) (*owned.Set, error)
	// Read reads a picture as it is asked for. shown is the picture as a JPEG, where that is wanted.
	Read(q StillRequest, picture []byte) (seen table.Observation, shown []byte, err error)
}

// Voice sends messages from an eye to its client. Several goroutines may use it.
type Voice struct{ w writer }

// NewVoice writes to w.
func NewVoice(w io.Writer) *Voice { return &Voice{writer{w: w}} }

// Observe sends an observation.
func (v *Voice) Observe(o table.Observation) error { return v.w.send(kindObservation, o, nil) }

// Show sends the picture of a frame.
func (v *Voice) Show(p Picture) error { return v.w.send(kindPicture, p, p.JPEG) }

// Say sends the state of the eye.
func (v *Voice) Say(s Status) error { return v.w.send(kindStatus, s, nil) }

// Learned sends an arena's stickers, seen while it was empty.
func (v *Voice) Learned(m []table.MarkerReading) error { return v.w.send(kindMarkers, m, nil) }

// Serve executes the client's commands from r until the client sends stop or closes its
// end, which is not an error. Then it returns at once, even while a picture is being read.
func Serve(r io.Reader, v *Voice, c Commands) error {
	_ = v.w.send(kindHello, hello{protocol}, nil) // where nobody listens any more, our input is about to close
	in := bufio.NewReaderSize(r, 1<<16)
	pictures := make(chan message, 8)
	defer close(pictures)
	broken := make(chan error, 1)
	go func() {
		for m := range pictures {
			if err := answer(m, v, c); err != nil {
				broken <- err
				return
			}
		}
	}()
	for {
		m, err := receive(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case m.kind == kindStop:
			return nil
		case m.kind == kindRead, m.kind == kindDice, m.kind == kindSign, m.kind == kindTop:
			select {
			case pictures <- m:
			case err := <-broken:
				return err
			}
		default:
			if err := command(m, c); err != nil {
				return err
			}
		}
	}
}

func command(m message, c Commands) error {
	switch m.kind {
	case kindWatch:
		var w Watch
		if err := m.decode(&w); err != nil {
			return err
		}
		c.Watch(w)
	case kindPreview:
		var p View
		if err := m.decode(&p); err != nil {
			return err
		}
		c.Preview(p)
	case kindTeach:
		var l table.Lesson
		if err := m.decode(&l); err != nil {
			return err
		}
		c.Teach(l)
	}
	return nil // an unknown kind is of a later version: nothing that concerns us
}

func answer(m message, v *Voice, c Commands) error {
	switch m.kind {
	case kindDice:
		var s *owned.Set
		if err := m.decode(&s); err != nil {
			return err
		}
		c.Dice(s)
		return nil
	case kindTop:
		var q TopRequest
		if err := m.decode(&q); err != nil {
			return err
		}
		top, err := c.Top(q.Square)
		if err != nil {
			top = nil // there is nothing to learn
		}
		return v.w.send(kindSeenTop, SeenTop{q.ID, top}, nil)
	case kindSign:
		var s owned.Set
		if err := m.decode(&s); err != nil {
			return err
		}
		signed, err := c.Sign(&s)
		if err != nil {
			return v.w.send(kindSigned, SignedDice{Error: err.Error()}, nil)
		}
		return v.w.send(kindSigned, SignedDice{Set: signed}, nil)
	}
	var r StillRequest
	if err := m.decode(&r); err != nil {
		return err
	}
	a := StillAnswer{ID: r.ID}
	o, shown, err := c.Read(r, m.blob)
	if err != nil {
		a.Error = err.Error()
	} else {
		a.Observation = &o
	}
	return v.w.send(kindStill, a, shown)
}
