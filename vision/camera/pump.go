package camera

import "context"

// Taken is a frame and its picture.
type Taken struct {
	Frame
	Picture *Picture
}

// Pump takes frames from a source. A file is decoded ahead, in parallel with the
// reading, and never loses a frame; a camera is asked when the next frame is wanted,
// so that it is the newest.
type Pump struct {
	src      Source
	ctx      context.Context
	stop     context.CancelFunc
	pictures []*Picture
	free     chan *Picture
	frames   chan Taken
	err      error         // why frames was closed
	ended    chan struct{} // the decoding has ended
}

// ahead is how many frames of a file are decoded before they are wanted.
const ahead = 3

// NewPump returns a pump, to be closed before its source.
func NewPump(ctx context.Context, src Source) *Pump {
	ctx, stop := context.WithCancel(ctx)
	p := &Pump{
		src: src, ctx: ctx, stop: stop,
		free: make(chan *Picture, ahead+1), frames: make(chan Taken, ahead+1), ended: make(chan struct{}),
	}
	for range ahead + 1 {
		img := NewPicture()
		p.pictures = append(p.pictures, img)
		p.free <- img
	}
	if src.Info().Live {
		close(p.ended)
	} else {
		go p.run()
	}
	return p
}

func (p *Pump) run() {
	defer close(p.ended)
	defer close(p.frames)
	for {
		var img *Picture
		select {
		case img = <-p.free:
		case <-p.ctx.Done():
			p.err = p.ctx.Err()
			return
		}
		f, err := p.src.Next(p.ctx, img)
		if err != nil {
			p.err = err
			return
		}
		p.frames <- Taken{f, img} // there is room for every picture
	}
}

// Next waits for a frame, which has to be given back with Done.
func (p *Pump) Next() (Taken, error) {
	if p.src.Info().Live {
		img := <-p.free
		f, err := p.src.Next(p.ctx, img)
		if err != nil {
			p.free <- img
		}
		return Taken{f, img}, err
	}
	f, ok := <-p.frames
	if !ok {
		return Taken{}, p.err
	}
	return f, nil
}

// Done gives a frame back.
func (p *Pump) Done(f Taken) { p.free <- f.Picture }

// Close ends the decoding and frees the frames.
func (p *Pump) Close() {
	p.stop()
	<-p.ended
	for _, img := range p.pictures {
		img.Close()
	}
}
