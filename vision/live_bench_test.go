package vision

import (
	"context"
	"fmt"
	"image"
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"diceref/table"
	"diceref/vision/camera"
	"diceref/vision/eye"
	"diceref/vision/register"
)

// tremblingTable is a table as a camera sees it that trembles by up to so many pixels of 800 across.
func tremblingTable(b *testing.B, width, height int, by float64) (frames []*camera.Picture) {
	b.Helper()
	img := benchPicture(b, filepath.Join("testdata", "known", "arena-blue.jpg"), width, height)
	for i := range 8 {
		m := img.Clone()
		pushed(&m, by*wave(0.23, float64(i), 1), by*wave(0.29, float64(i), 3), 0)
		p := camera.Shown(m)
		b.Cleanup(p.Close)
		frames = append(frames, p)
	}
	return frames
}

// BenchmarkRegister is the registration of a frame, its resizing included, at 1280 by 720.
func BenchmarkRegister(b *testing.B) {
	for _, by := range []float64{0, 1} {
		b.Run(fmt.Sprintf("trembling by %g", by), func(b *testing.B) {
			frames := tremblingTable(b, 1280, 720, by)
			f := newFollower()
			defer f.close()
			i := 0
			for b.Loop() {
				if _, _, err := f.see(frames[i%len(frames)], float64(i)/10); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkLiveFrame is all that a frame of a table costs on which nothing happens: a camera's JPEG is decoded,
// registered, judged and told.
func BenchmarkLiveFrame(b *testing.B) {
	for _, size := range []image.Point{{800, 600}, {1280, 720}} {
		for _, by := range []float64{0, 1} {
			b.Run(fmt.Sprintf("%dx%d trembling by %g", size.X, size.Y, by), func(b *testing.B) {
				var frames [][]byte
				for _, p := range tremblingTable(b, size.X, size.Y, by) {
					pixels, err := p.Full()
					if err != nil {
						b.Fatal(err)
					}
					jpeg, err := gocv.IMEncode(gocv.JPEGFileExt, pixels)
					if err != nil {
						b.Fatal(err)
					}
					frames = append(frames, append([]byte(nil), jpeg.GetBytes()...))
					jpeg.Close()
				}
				w := NewWatcher(eye.NewVoice(io.Discard), slog.New(slog.DiscardHandler), nil)
				s := &session{
					w: w, what: eye.Watch{Game: table.DiceFlick}, info: camera.Info{Live: true}, rec: opened(b),
					follow: newFollower(), small: gocv.NewMat(), lastAt: register.Still,
				}
				defer s.close()
				p := camera.NewPicture()
				defer p.Close()
				i := 0
				frame := func() {
					if err := p.Load(frames[i%len(frames)], register.Width); err != nil {
						b.Fatal(err)
					}
					if err := s.see(context.Background(), camera.Taken{Frame: camera.Frame{Index: i, T: float64(i) / 10}, Picture: p}); err != nil {
						b.Fatal(err)
					}
					i++
				}
				for range 40 { // it has been read by then
					frame()
				}
				for b.Loop() {
					frame()
				}
				b.ReportMetric(float64(len(s.last.Dice)), "dice")
			})
		}
	}
}
