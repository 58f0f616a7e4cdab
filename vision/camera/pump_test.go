package camera

import (
	"context"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"
)

// endless is a live source that always has a new picture.
type endless struct{ img gocv.Mat }

func (e *endless) Info() Info   { return Info{Name: "endless", Live: true} }
func (e *endless) Close() error { return e.img.Close() }
func (e *endless) Next(ctx context.Context, p *Picture) (Frame, error) {
	gocv.Flip(e.img, &e.img, 1)
	p.show(e.img.Clone())
	return Frame{}, ctx.Err()
}

// TestPumpStops stops pumps in the middle of it all.
func TestPumpStops(t *testing.T) {
	for _, live := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		var src Source
		if live {
			src = newLatest(&endless{gocv.NewMatWithSize(48, 64, gocv.MatTypeCV8UC3)}, stallTime)
		} else {
			video, err := openVideo(filepath.Join("..", "..", "cmd", "diceref-eye", "demo", "dice-box.mp4"), "demo")
			if err != nil {
				t.Fatal(err)
			}
			src = video
		}
		p := NewPump(ctx, src)
		for i := range 9 {
			f, err := p.Next()
			if err != nil || f.Index != i || f.Picture.Width == 0 {
				t.Fatalf("live %v: frame %d is %+v, %v", live, i, f.Frame, err)
			}
			p.Done(f)
		}
		cancel()
		p.Close() // hangs if the decoding does
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}
