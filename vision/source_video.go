package vision

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"gocv.io/x/gocv"
)

// video is what OpenCV's VideoCapture can play.
type video struct {
	capture *gocv.VideoCapture
	info    SourceInfo
	next    int
	began   time.Time // of a live one
}

// askedFPS is asked of a camera: dice lie for seconds, and every picture has to be decoded.
const askedFPS = 15

// guessedFPS is taken for a file that does not tell how fast it is.
const guessedFPS = 25

func openVideo(path, name string) (*video, error) {
	capture, err := gocv.VideoCaptureFileWithAPI(path, gocv.VideoCaptureFFmpeg)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: not a video that can be played", path)
	}
	v := &video{capture: capture, info: infoOf(capture, name)}
	if v.info.FPS == 0 {
		v.info.FPS = guessedFPS
	}
	return v, nil
}

func infoOf(c *gocv.VideoCapture, name string) SourceInfo {
	i := SourceInfo{
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
func openDevice(path string, opts SourceOptions) (Source, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil { // /dev/v4l/by-id/...
		path = real
	}
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("cannot open the camera %s: there is no such device (is it plugged in?)", path)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("cannot open the camera %s: permission denied (add yourself to the group video: sudo usermod -aG video $USER, then log in again)", path)
	case errors.Is(err, syscall.EBUSY):
		return nil, fmt.Errorf("cannot open the camera %s: another program is using it", path)
	case err != nil:
		return nil, fmt.Errorf("cannot open the camera %s: %w", path, bare(err))
	}
	f.Close()
	capture, err := gocv.VideoCaptureFileWithAPI(path, gocv.VideoCaptureV4L2)
	if err != nil {
		return nil, fmt.Errorf("cannot open the camera %s: it gives no pictures (another program may be using it, or it is not a camera)", path)
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

// openRTSP plays a network camera. TCP, as lost UDP packets look like grey smears.
func openRTSP(address string, u *url.URL, stall time.Duration) (Source, error) {
	const key = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
	if os.Getenv(key) == "" {
		os.Setenv(key, "rtsp_transport;tcp|stimeout;5000000|timeout;5000000|fflags;nobuffer")
		defer os.Unsetenv(key) // with these a file would lose frames
	}
	capture, err := gocv.VideoCaptureFileWithAPI(address, gocv.VideoCaptureFFmpeg)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: the camera does not answer, or the address or password is wrong", u.Redacted())
	}
	info := infoOf(capture, u.Redacted())
	info.Live = true
	return newLatest(&video{capture: capture, info: info, began: time.Now()}, stall), nil
}

func (v *video) Info() SourceInfo { return v.info }

// Next reads a frame. A file's frames have the times that its speed gives them.
func (v *video) Next(ctx context.Context, img *gocv.Mat) (Frame, error) {
	if err := ctx.Err(); err != nil {
		return Frame{}, err
	}
	if !v.capture.Read(img) || img.Empty() {
		switch {
		case v.info.Live:
			return Frame{}, fmt.Errorf("the camera %s gives no more pictures", v.info.Name)
		case v.next == 0:
			return Frame{}, fmt.Errorf("cannot play %s: it has no pictures that can be decoded", v.info.Name)
		}
		return Frame{}, io.EOF
	}
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
