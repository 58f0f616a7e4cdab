// Package camera opens the sources of pictures of a table: cameras at this machine and in the network, phones, videos,
// and folders of pictures. It gives frames with their times, and knows no dice.
package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"diceref/vision/eye"
)

// Info describes an open source.
type Info struct {
	Name          string
	Width, Height int     // pixels; 0: unknown before the first frame
	FPS           float64 // frames per second according to the source; 0: unknown
	Live          bool    // a camera: frames that are not taken in time are lost
	Posed         bool    // every frame was taken on purpose, so all must be read
}

// Frame is one picture of a source. What it shows belongs to the caller of Next.
type Frame struct {
	Index int     // counted from 0
	T     float64 // seconds since the source began
}

// Source delivers the pictures of a table, one after the other.
type Source interface {
	Info() Info
	// Next puts the next picture into p; for a camera, the newest one. io.EOF: a
	// recording is over.
	Next(ctx context.Context, p *Picture) (Frame, error)
	Close() error
}

// Options are the options for opening a source.
type Options struct {
	Width, Height int    // of a camera, in pixels; 0: its default
	Demo          string // path of the recorded game that "demo" stands for
	// Least is how wide a picture has to be for Picture.Small; 0: as it is.
	Least int
	// Stall is how long a camera may send no picture before it counts as gone; 0: stallTime.
	Stall time.Duration
	// Notice is called with one line when a source recovers by itself; may be nil.
	Notice func(error)
}

// Open opens a device (0, /dev/video0), a video file, a picture or a folder of them,
// an MJPEG or RTSP address, or demo.
func Open(ctx context.Context, name string, opts Options) (Source, error) {
	if opts.Stall == 0 {
		opts.Stall = stallTime
	}
	switch {
	case name == "":
		return nil, errors.New("no source given: expected a camera (0 or /dev/video0), a video file, a folder of pictures, an http:// or rtsp:// address, or demo")
	case name == "demo":
		if opts.Demo == "" {
			return nil, errors.New("there is no recorded demo of this game")
		}
		s, err := openVideo(opts.Demo, "demo")
		return s, err
	case isNumber(name):
		return openDevice("/dev/video"+name, opts)
	case strings.HasPrefix(name, "/dev/"):
		return openDevice(name, opts)
	}
	if u, err := url.Parse(name); err == nil && len(u.Scheme) > 1 {
		switch u.Scheme {
		case "http", "https":
			return openHTTP(ctx, name, opts)
		case "rtsp", "rtsps":
			return openRTSP(u, opts.Stall)
		case "file":
			name = u.Path
		default:
			return nil, eye.Faultf(eye.BadAddress, "cannot open %s: addresses start with http, https, rtsp or rtsps", eye.Shown(name))
		}
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot open %s: %w", name, fileFault(err))
	case info.IsDir():
		return openFolder(name)
	case isPicture(name):
		return &folder{name: name, files: []string{name}}, nil
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("cannot open %s: not a file, a folder or a camera", name)
	}
	return openVideo(name, filepath.Base(name))
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 8)
	return err == nil
}

// bare strips the operation and path from an error of package os.
func bare(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// fileFault is why a file or folder cannot be opened.
func fileFault(err error) error {
	switch why := bare(err); {
	case errors.Is(err, os.ErrNotExist):
		return &eye.Fault{Kind: eye.NoFile, Err: why}
	case errors.Is(err, os.ErrPermission):
		return &eye.Fault{Kind: eye.Forbidden, Err: why}
	default:
		return why
	}
}

// isPicture goes by the name; what the file really holds is looked at when it is read.
func isPicture(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif":
		return true
	}
	return false
}

// folder gives the pictures of a folder, sorted by name, one per second.
type folder struct {
	name  string
	files []string
	next  int
}

func openFolder(name string) (Source, error) {
	entries, err := os.ReadDir(name) // sorted
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", name, fileFault(err))
	}
	f := &folder{name: name}
	for _, e := range entries {
		if isPicture(e.Name()) && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			f.files = append(f.files, filepath.Join(name, e.Name()))
		}
	}
	if len(f.files) == 0 {
		return nil, eye.Faultf(eye.NoAlbum, "cannot watch the folder %s: there are no pictures in it (.jpg, .png, .webp, .heic or .avif)", name)
	}
	return f, nil
}

func (f *folder) Info() Info { return Info{Name: f.name, FPS: 1, Posed: true} }

// Next fails if a picture cannot be read, because skipping it could miss a move.
func (f *folder) Next(ctx context.Context, p *Picture) (Frame, error) {
	if err := ctx.Err(); err != nil {
		return Frame{}, err
	}
	if f.next >= len(f.files) {
		return Frame{}, io.EOF
	}
	file := f.files[f.next]
	data, err := os.ReadFile(file)
	if err != nil {
		return Frame{}, fmt.Errorf("cannot read %s: %w", file, fileFault(err))
	}
	if err := p.Load(data, 0); err != nil {
		return Frame{}, eye.Faultf(eye.Damaged, "cannot read %s: %w", file, err)
	}
	f.next++
	return Frame{Index: f.next - 1, T: float64(f.next - 1)}, nil
}

func (f *folder) Close() error { return nil }
