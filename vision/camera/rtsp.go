package camera

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"diceref/vision/eye"
)

// rtspCamera is a network camera that FFmpeg plays, through a relay of ours.
type rtspCamera struct {
	*video
	relay *relay
}

// openRTSP plays a network camera. TCP, as lost UDP packets look like gray smears.
func openRTSP(u *url.URL, stall time.Duration) (Source, error) {
	r, err := newRelay(u, stall)
	if err != nil {
		return nil, err
	}
	const key = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
	if os.Getenv(key) == "" {
		os.Setenv(key, "rtsp_transport;tcp|stimeout;5000000|timeout;5000000|fflags;nobuffer")
		defer os.Unsetenv(key) // with these a file would lose frames
	}
	capture, err := gocv.VideoCaptureFileWithAPI(r.address(), gocv.VideoCaptureFFmpeg)
	name := eye.Shown(u.String())
	if err != nil {
		r.Close()
		if err = r.why(); err == nil {
			err = eye.Faultf(eye.NoAnswer, "the camera does not answer, or the address or password is wrong")
		}
		return nil, fmt.Errorf("cannot open %s: %w", name, err)
	}
	info := infoOf(capture, name)
	info.Live = true
	return newLatest(rtspCamera{&video{capture: capture, info: info, began: time.Now()}, r}, stall), nil
}

func (c rtspCamera) Close() error { return errors.Join(c.video.Close(), c.relay.Close()) }

// relay stands between FFmpeg and a camera. Left alone, FFmpeg looks a name up again and
// follows a camera that sends it to another machine; here the machine is judged
// when it is connected to, and nobody is sent anywhere.
type relay struct {
	camera *url.URL
	stall  time.Duration
	ln     net.Listener
	ctx    context.Context // ends with Close
	stop   context.CancelFunc
	served sync.WaitGroup

	mu     sync.Mutex
	failed error
}

func newRelay(camera *url.URL, stall time.Duration) (*relay, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", eye.Shown(camera.String()), err)
	}
	r := &relay{camera: camera, stall: stall, ln: ln}
	r.ctx, r.stop = context.WithCancel(context.Background())
	r.served.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return // closed
			}
			r.served.Go(func() {
				defer conn.Close() // when it is known why: FFmpeg gives up at once
				r.note(r.serve(conn))
			})
		}
	})
	return r, nil
}

// address is the camera's, with the relay in place of its machine.
func (r *relay) address() string {
	u := *r.camera
	u.Scheme, u.Host = "rtsp", r.ln.Addr().String()
	return u.String()
}

// Close ends all connections.
func (r *relay) Close() error {
	r.stop()
	err := r.ln.Close()
	r.served.Wait()
	return err
}

// note keeps the first thing that went wrong.
func (r *relay) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil && !errors.Is(err, io.EOF) && r.ctx.Err() == nil {
		r.failed = err
	}
}

// why is what went wrong between relay and camera; nil: nothing that the relay knows of.
func (r *relay) why() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// serve passes on what FFmpeg and the camera say, until one of them ends it.
func (r *relay) serve(player net.Conn) error {
	defer context.AfterFunc(r.ctx, func() { player.Close() })()
	camera, err := r.connect()
	if err != nil {
		return err
	}
	defer camera.Close()
	defer context.AfterFunc(r.ctx, func() { camera.Close() })()
	r.served.Go(func() {
		_, _ = io.Copy(camera, player) // why it ends is told by the other way
		camera.Close()
	})
	return passAnswers(player, bufio.NewReaderSize(camera, longestLine))
}

// connect calls the camera. Cameras sign their certificates themselves, so that there is nothing
// to check them against.
func (r *relay) connect() (net.Conn, error) {
	port := r.camera.Port()
	if port == "" {
		port = map[string]string{"rtsp": "554", "rtsps": "322"}[r.camera.Scheme]
	}
	host := r.camera.Hostname()
	conn, err := eye.Dialer(host, r.stall).DialContext(r.ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, unanswered(err)
	}
	if r.camera.Scheme != "rtsps" {
		return conn, nil
	}
	return tls.Client(conn, &tls.Config{ServerName: host, InsecureSkipVerify: true}), nil
}

// longestLine is the longest line in bytes that FFmpeg keeps of an answer.
const longestLine = 4096

// passAnswers passes on what a camera says, up to an answer that sends elsewhere. Pictures come
// in between, each after a dollar sign, a channel and a length.
func passAnswers(player io.Writer, camera *bufio.Reader) error {
	for {
		head, err := camera.Peek(1)
		if err != nil {
			return err
		}
		if head[0] != '$' {
			if err := passAnswer(player, camera); err != nil {
				return err
			}
			continue
		}
		if head, err = camera.Peek(4); err != nil {
			return err
		}
		if _, err := io.CopyN(player, camera, 4+int64(binary.BigEndian.Uint16(head[2:]))); err != nil {
			return err
		}
	}
}

// passAnswer passes one answer on. What FFmpeg might take apart in another way is refused.
func passAnswer(player io.Writer, camera *bufio.Reader) error {
	size := int64(0)
	for first := true; ; first = false {
		line, err := camera.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = errOddAnswer
		}
		if err != nil {
			return err
		}
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if strings.HasPrefix(text, "$") || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' }) {
			return errOddAnswer
		}
		if first {
			if err := checkStatus(text); err != nil {
				return err
			}
		}
		if key, value, _ := strings.Cut(text, ":"); strings.EqualFold(strings.TrimSpace(key), "Content-Length") {
			if size != 0 || key != strings.TrimSpace(key) {
				return errOddAnswer
			}
			if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 32); err != nil || size < 0 {
				return errOddAnswer
			}
		}
		if _, err := player.Write(bytes.Clone(line)); err != nil {
			return err
		}
		if text == "" {
			break
		}
	}
	_, err := io.CopyN(player, camera, size)
	return err
}

// checkStatus refuses a first line that sends elsewhere.
func checkStatus(line string) error {
	fields := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
	if len(fields) < 2 {
		return errOddAnswer
	}
	code := fields[1]
	if _, err := strconv.ParseUint(code, 10, 16); strings.HasPrefix(fields[0], "RTSP/") && (err != nil || len(code) != 3) {
		return errOddAnswer
	}
	if fields[0] == "REDIRECT" || code[0] == '3' {
		return eye.Faultf(eye.Elsewhere, "the camera redirects to another address: use that one if you mean it")
	}
	return nil
}

var errOddAnswer = eye.Faultf(eye.BadAddress, "the camera does not answer in RTSP")
