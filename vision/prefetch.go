package vision

import (
	"context"

	"gocv.io/x/gocv"
)

// taken is a frame that was decoded.
type taken struct {
	Frame
	img *gocv.Mat
}

// pump takes frames from a source. A file is decoded ahead, in parallel with the
// reading, and never loses a frame; a camera is asked when the next frame is wanted,
// so that it is the newest.
type pump struct {
	src    Source
	ctx    context.Context
	stop   context.CancelFunc
	mats   []*gocv.Mat
	free   chan *gocv.Mat
	frames chan taken
	err    error         // why frames was closed
	ended  chan struct{} // the decoding has ended
}

// ahead is how many frames of a file are decoded before they are wanted.
const ahead = 3

func newPump(ctx context.Context, src Source) *pump {
	ctx, stop := context.WithCancel(ctx)
	p := &pump{
		src: src, ctx: ctx, stop: stop,
		free: make(chan *gocv.Mat, ahead+1), frames: make(chan taken, ahead+1), ended: make(chan struct{}),
	}
	for range ahead + 1 {
		m := gocv.NewMat()
		p.mats = append(p.mats, &m)
		p.free <- &m
	}
	if src.Info().Live {
		close(p.ended)
	} else {
		go p.run()
	}
	return p
}

func (p *pump) run() {
	defer close(p.ended)
	defer close(p.frames)
	for {
		var img *gocv.Mat
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
		p.frames <- taken{f, img} // there is room for every Mat
	}
}

// next waits for a frame, which has to be given back with done.
func (p *pump) next() (taken, error) {
	if p.src.Info().Live {
		img := <-p.free
		f, err := p.src.Next(p.ctx, img)
		if err != nil {
			p.free <- img
		}
		return taken{f, img}, err
	}
	f, ok := <-p.frames
	if !ok {
		return taken{}, p.err
	}
	return f, nil
}

func (p *pump) done(f taken) { p.free <- f.img }

// close ends the decoding and frees the frames.
func (p *pump) close() {
	p.stop()
	<-p.ended
	for _, m := range p.mats {
		m.Close()
	}
}
