package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"diceref/table"
	"diceref/vision/eye"
)

// machine is what the doctor asks of the computer; tests give it others.
type machine struct {
	findEye   func(configured string) (string, error)
	tryEye    func(ctx context.Context, path string) error
	builtFrom func(program string) string // what it was built from; "": this program
	cameras   func() []string
	camera    func(path string) (camera, error)
	reach     func(context.Context, *url.URL) error
	readable  func(path string) error
	listen    func(address string) error
	writable  func(dir string) error
	free      func(dir string) (bytes uint64, err error)
}

var theMachine = machine{
	findEye:   eye.Find,
	tryEye:    tryEye,
	builtFrom: builtFrom,
	cameras:   listCameras,
	camera:    lookAtCamera,
	reach:     reach,
	readable:  readable,
	listen:    tryListen,
	writable:  writable,
	free:      freeSpace,
}

// camera is what a camera says of itself.
type camera struct {
	name, driver string
	formats      []string // four letters each: MJPG, YUYV
	holder       string   // the program that uses it, if it is busy
}

var (
	errBusy     = errors.New("busy")
	errNoCamera = errors.New("no camera")
)

// tryEye has the eye read a picture of nothing: that shows that it starts,
// finds its libraries, has its models and speaks our language.
func tryEye(ctx context.Context, path string) error {
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 320, 240)), nil); err != nil {
		return err
	}
	_, err := eye.ReadStill(ctx, path, table.Any, picture.Bytes(), 20*time.Second)
	return err
}

// builtFrom names what a program was built from, as its build says.
func builtFrom(program string) string {
	var info *debug.BuildInfo
	if program == "" {
		info, _ = debug.ReadBuildInfo()
	} else {
		info, _ = buildinfo.ReadFile(program)
	}
	return commit(info)
}

// reach asks whether somebody answers at the host of a camera's URL.
func reach(ctx context.Context, u *url.URL) error {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "rtsp": "554"}[u.Scheme]
	}
	if port == "" {
		return fmt.Errorf("unknown kind of address %s://", u.Scheme)
	}
	dialer := net.Dialer{Timeout: 3 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}

func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

func tryListen(address string) error {
	l, err := listen(address)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err // the address is said already
		}
		return err
	}
	return l.Close()
}

// writable writes a file in the folder or, where that is not there yet, in the
// one that it would be made in.
func writable(dir string) error {
	f, err := os.CreateTemp(existingFolder(dir), ".diceref-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("diceref doctor was here\n")
	return errors.Join(err, f.Close(), os.Remove(filepath.Clean(f.Name())))
}
