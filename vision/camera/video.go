package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"gocv.io/x/gocv"

	"diceref/vision/eye"
)

// video is what OpenCV's VideoCapture can play.
type video struct {
	capture *gocv.VideoCapture
	info    Info
	next    int
	began   time.Time // of a live one
}

// askedFPS is asked of a camera: dice lie for seconds, and every picture has to be decoded.
const askedFPS = 15

// guessedFPS is taken for a file that does not say how fast it is.
const guessedFPS = 25

func openVideo(path, name string) (*video, error) {
	capture, err := gocv.VideoCaptureFileWithAPI(path, gocv.VideoCaptureFFmpeg)
	if err != nil {
		return nil, eye.Faultf(eye.NoVideo, "cannot open %s: not a video that can be played", path)
	}
	v := &video{capture: capture, info: infoOf(capture, name)}
	if v.info.FPS == 0 {
		v.info.FPS = guessedFPS
	}
	return v, nil
}

// download is a video that comes over the network.
type download struct {
	*video
	pipe *os.File // where FFmpeg reads it
	stop context.CancelFunc
	cut  *atomic.Bool // it broke off before its end
}

// openDownload plays the body of an answer, until it ends or stalls: a film, or what a camera sends live. FFmpeg
// gets it through a pipe and may open nothing else: it would follow redirects and lists of addresses to other machines.
func openDownload(body io.ReadCloser, stop context.CancelFunc, name string, live bool, stall time.Duration) (Source, error) {
	out, in, err := os.Pipe()
	if err != nil {
		stop()
		return nil, fmt.Errorf("cannot open %s: %w", name, err)
	}
	cut := new(atomic.Bool)
	go func() {
		defer in.Close()
		defer body.Close()
		_, err := io.Copy(in, &stalling{body, time.AfterFunc(stall, stop), stall})
		cut.Store(err != nil)
	}()
	const key = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
	if before, ok := os.LookupEnv(key); ok {
		defer os.Setenv(key, before)
	} else {
		defer os.Unsetenv(key)
	}
	os.Setenv(key, "protocol_whitelist;pipe")
	v, err := openVideo(fmt.Sprintf("pipe:%d", out.Fd()), name)
	if err != nil {
		stop()
		out.Close()
		return nil, eye.Faultf(eye.NoVideo, "cannot open %s: this video cannot be streamed (save it, and give the file)", name)
	}
	v.info.Live, v.began = live, time.Now()
	d := &download{v, out, stop, cut}
	if live {
		return newLatest(d, stall), nil
	}
	return d, nil
}

// Next returns the next picture. A truncated film is an error, not an end.
func (d *download) Next(ctx context.Context, p *Picture) (Frame, error) {
	f, err := d.video.Next(ctx, p)
	if errors.Is(err, io.EOF) && d.cut.Load() {
		err = fmt.Errorf("%s broke off in the middle", d.info.Name)
	}
	return f, err
}

func (d *download) Close() error {
	d.stop()
	return errors.Join(d.video.Close(), d.pipe.Close())
}

// stalling reads from a connection that is ended when it gives nothing for a while.
type stalling struct {
	from  io.Reader
	watch *time.Timer
	stall time.Duration
}

func (s *stalling) Read(p []byte) (int, error) {
	s.watch.Reset(s.stall)
	defer s.watch.Stop()
	return s.from.Read(p)
}

func infoOf(c *gocv.VideoCapture, name string) Info {
	i := Info{
		Name:  name,
		Width: int(c.Get(gocv.VideoCaptureFrameWidth)), Height: int(c.Get(gocv.VideoCaptureFrameHeight)),
		FPS: c.Get(gocv.VideoCaptureFPS),
	}
	if !(i.FPS >= 0.1 && i.FPS <= 1000) { // also not a number
		i.FPS = 0
	}
	return i
}

// openDevice opens a camera, after a look at why that might fail, as OpenCV doesn't tell.
func openDevice(path string, opts Options) (Source, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil { // /dev/v4l/by-id/...
		path = real
	}
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, eye.Faultf(eye.NoDevice, "cannot open the camera %s: there is no such device (is it plugged in?)", path)
	case errors.Is(err, os.ErrPermission):
		return nil, eye.Faultf(eye.Forbidden, "cannot open the camera %s: permission denied (add yourself to the group video: sudo usermod -aG video $USER, then log in again)", path)
	case errors.Is(err, syscall.EBUSY):
		return nil, eye.Faultf(eye.Busy, "cannot open the camera %s: another program is using it", path)
	case err != nil:
		return nil, fmt.Errorf("cannot open the camera %s: %w", path, bare(err))
	}
	f.Close()
	capture, err := gocv.VideoCaptureFileWithAPI(path, gocv.VideoCaptureV4L2)
	if err != nil {
		return nil, eye.Faultf(eye.NoPictures, "cannot open the camera %s: it sends no pictures (another program may be using it, or it is not a camera)", path)
	}
	// Over USB 2 only MJPEG reaches HD at full speed; a camera that cannot keeps its own format.
	capture.Set(gocv.VideoCaptureFOURCC, capture.ToCodec("MJPG"))
	width, height := opts.Width, opts.Height
	if width == 0 {
		width, height = 1280, 720
	}
	capture.Set(gocv.VideoCaptureFrameWidth, float64(width))
	capture.Set(gocv.VideoCaptureFrameHeight, float64(height))
	capture.Set(gocv.VideoCaptureFPS, askedFPS)
	capture.Set(gocv.VideoCaptureBufferSize, 1)
	info := infoOf(capture, path)
	info.Live = true
	return newLatest(&video{capture: capture, info: info, began: time.Now()}, opts.Stall), nil
}

func (v *video) Info() Info { return v.info }

// Next reads a frame. A file's frames have the times that its speed gives them.
func (v *video) Next(ctx context.Context, p *Picture) (Frame, error) {
	if err := ctx.Err(); err != nil {
		return Frame{}, err
	}
	if !v.capture.Read(&p.full) || p.full.Empty() {
		switch {
		case v.info.Live:
			return Frame{}, eye.Faultf(eye.NoPictures, "the camera %s stopped sending pictures", v.info.Name)
		case v.next == 0:
			return Frame{}, eye.Faultf(eye.NoVideo, "cannot play %s: it has no pictures that can be decoded", v.info.Name)
		}
		return Frame{}, io.EOF
	}
	p.filled()
	f := Frame{Index: v.next}
	if v.info.Live {
		f.T = time.Since(v.began).Seconds()
	} else {
		f.T = float64(v.next) / v.info.FPS
	}
	v.next++
	return f, nil
}

func (v *video) Close() error { return v.capture.Close() }
