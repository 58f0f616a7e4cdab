package web

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/table"
	"diceref/vision/eye"
)

//go:embed openapi.json
var openAPI []byte

func (s *Server) openapi(c *gin.Context) {
	c.Data(http.StatusOK, "application/json; charset=utf-8", openAPI)
}

// state is the whole match.
func (s *Server) state(c *gin.Context) { c.JSON(http.StatusOK, s.cfg.Match.Snapshot()) }

// observation is what the camera sees, with its frame and the camera's status.
func (s *Server) observation(c *gin.Context) {
	now := s.cfg.Feed.state()
	answer := struct {
		Camera      Status       `json:"camera"`
		Observation *observation `json:"observation"` // null: nothing was seen yet
	}{Camera: now.status}
	if now.seen != nil {
		answer.Observation = newObservation(*now.seen)
	}
	c.JSON(http.StatusOK, answer)
}

// observation is a drawing with what changes from frame to frame.
type observation struct {
	Frame int     `json:"frame"`
	T     float64 `json:"t"` // seconds
	drawing
	Rivals [][]rival    `json:"rivals"` // by die: what else it may be, the most likely first
	MS     table.Timing `json:"ms"`
}

func newObservation(seen table.Observation) *observation {
	o := &observation{seen.Frame, seen.T, newDrawing(seen), make([][]rival, len(seen.Dice)), seen.MS}
	for i, r := range seen.Dice {
		o.Rivals[i] = rivals(seen.Game, r)
	}
	return o
}

func (s *Server) health(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"status": "ok", "camera": s.cfg.Feed.state().status.State})
}

func (s *Server) version(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"version": s.cfg.Version}) }

// ErrUnreadable is wrapped by a Reader's error if the picture itself is the problem.
var ErrUnreadable = errors.New("cannot read the picture")

// read reads a photo: the body is the file, the game is in the query.
func (s *Server) read(c *gin.Context) {
	game, err := table.ParseGame(c.DefaultQuery("game", string(table.Any)))
	if err != nil {
		fail(c, http.StatusBadRequest, "game", err.Error())
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	picture, leave, ok := s.receive(c, cancel)
	if !ok {
		return
	}
	defer leave()
	if s.cfg.Reader == nil {
		noEye(c)
		return
	}
	s.readPhoto(ctx, c, func(ctx context.Context) error {
		seen, shown, err := s.cfg.Reader.Read(ctx, game, picture, c.Query("show") == "1")
		if err == nil {
			c.JSON(http.StatusOK, struct {
				*observation
				Picture []byte `json:"picture,omitempty"` // a JPEG
			}{newObservation(seen), shown})
		}
		return err
	})
}

func noEye(c *gin.Context) {
	fail(c, http.StatusServiceUnavailable, "no-eye", "pictures cannot be read here: diceref-eye is missing (see diceref doctor)")
}

// receive takes a photo that is sent, if there is room for another; false: it has been answered. cancel ends what is done with it
// once its place is needed; leave gives the place back.
func (s *Server) receive(c *gin.Context, cancel func()) (picture []byte, leave func(), ok bool) {
	leave, ok = s.uploads.enter(s.guard.visiting(c.Request), func() {
		cancel()
		within(c, 0)
	})
	if !ok {
		slowDown(c, "other photos are being sent; try again in a moment")
		return nil, nil, false
	}
	picture, ok = body(c, maxUpload, s.sending)
	if ok {
		head, err := eye.CheckPicture(picture)
		switch {
		case head.TooLarge():
			fail(c, http.StatusRequestEntityTooLarge, "too-many-pixels", err.Error())
		case err != nil:
			fail(c, http.StatusUnsupportedMediaType, "not-a-picture", err.Error())
		default:
			return picture, leave, true
		}
	}
	leave()
	return nil, nil, false
}

// readPhoto has a photo read when its turn comes, and answers with what went wrong; read answers with the rest.
func (s *Server) readPhoto(ctx context.Context, c *gin.Context, read func(context.Context) error) {
	ctx, stop := context.WithTimeout(ctx, s.cfg.ReadTime)
	defer stop()
	done := s.turn(ctx, c.Request)
	if done == nil {
		slowDown(c, "other photos are being read; try again in a moment")
		return
	}
	defer done()
	err := read(ctx)
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		fail(c, http.StatusGatewayTimeout, "too-slow", fmt.Sprintf("reading took longer than %v and was stopped", s.cfg.ReadTime))
	case errors.Is(err, ErrUnreadable):
		fail(c, http.StatusUnprocessableEntity, "unreadable", err.Error())
	default:
		s.log.Warn("a photo was not read", "error", err)
		fail(c, http.StatusBadGateway, "not-read", "the picture could not be read: "+err.Error())
	}
}

// turn waits until a photo that has come whole may be read, and returns what ends that; nil: not
// in time. Whatever comes from the network, the table's own machine need not wait for it.
func (s *Server) turn(ctx context.Context, r *http.Request) func() {
	spare := s.spare
	if !local(r) {
		spare = nil
	}
	select {
	case s.reading <- struct{}{}:
		return func() { <-s.reading }
	case spare <- struct{}{}:
		return func() { <-s.spare }
	case <-ctx.Done():
		return nil
	}
}

// within gives a request's body so much time to come; what comes too late is no more read.
// Where the reader has no deadlines (tests), it is as patient as the reader.
func within(c *gin.Context, d time.Duration) {
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(d))
}

// preview is the latest picture as a JPEG. With ?after=N it waits for one that
// is not number N, so that a page asks once a picture.
func (s *Server) preview(c *gin.Context) {
	now := s.cfg.Feed.state()
	if after, err := strconv.ParseInt(c.Query("after"), 10, 64); err == nil {
		release := s.stay(c)
		if release == nil {
			return
		}
		defer release()
		patience := time.NewTimer(10 * time.Second)
		defer patience.Stop()
		for now.number == after || now.picture == nil {
			select {
			case <-now.changed:
				now = s.cfg.Feed.state()
			case <-patience.C:
				c.Status(http.StatusNoContent)
				return
			case <-c.Request.Context().Done():
				return
			case <-s.closing:
				fail(c, http.StatusServiceUnavailable, "closing", "the server is stopping")
				return
			}
		}
	}
	if now.picture == nil {
		fail(c, http.StatusNotFound, "no-picture", "there is no picture yet")
		return
	}
	c.Header("X-Picture", strconv.FormatInt(now.number, 10))
	c.Data(http.StatusOK, "image/jpeg", now.picture)
}

// stream is the live picture as MJPEG, for other programs; the page asks for
// one picture after the other, which holds on phones.
func (s *Server) stream(c *gin.Context) {
	release := s.stay(c)
	if release == nil {
		return
	}
	defer release()
	const boundary = "picture"
	c.Header("Content-Type", "multipart/x-mixed-replace; boundary="+boundary)
	c.Status(http.StatusOK)
	control := http.NewResponseController(c.Writer)
	last := int64(0)
	for {
		now := s.cfg.Feed.state()
		if now.number != last && now.picture != nil {
			last = now.number
			_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, err := fmt.Fprintf(c.Writer, "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n", boundary, len(now.picture))
			if err == nil {
				_, err = c.Writer.Write(append(now.picture[:len(now.picture):len(now.picture)], "\r\n"...))
			}
			if err != nil || control.Flush() != nil {
				return
			}
		}
		select {
		case <-now.changed:
		case <-c.Request.Context().Done():
			return
		case <-s.closing:
			return
		}
	}
}

// stay makes a request one that stays open, if there is room for another; it
// returns what ends it, or nil after having answered.
func (s *Server) stay(c *gin.Context) func() {
	ctx, cancel := context.WithCancel(c.Request.Context())
	leave, ok := s.crowd.enter(s.guard.visiting(c.Request), cancel)
	if !ok {
		cancel()
		slowDown(c, "too many pages are open")
		return nil
	}
	c.Request = c.Request.WithContext(ctx)
	// The server's own limit is for requests that come to an end. Where the
	// writer has no deadlines (tests), there is nothing to lift.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Time{})
	return func() {
		leave()
		cancel()
	}
}

// decodeJSON reads a small JSON body strictly; it has answered if it returns false.
func decodeJSON(c *gin.Context, v any) bool {
	if mediaType(c.Request) != "application/json" {
		fail(c, http.StatusUnsupportedMediaType, "json", "send JSON (Content-Type: application/json)")
		return false
	}
	within(c, bodyTime)
	d := json.NewDecoder(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var tooMany *http.MaxBytesError
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other) && other.Field == "move":
		fail(c, http.StatusBadRequest, "notation", "move must be a string in the game's notation, such as act in /api/v1/legal or acts in an event")
	case errors.As(err, &tooMany):
		fail(c, http.StatusRequestEntityTooLarge, "too-many-bytes", "the request is too long")
	case err != nil:
		fail(c, http.StatusBadRequest, "json", "cannot understand the request: "+clip(err.Error()))
	case d.More():
		err = errors.New("more than one value")
		fail(c, http.StatusBadRequest, "json", "send one JSON value")
	}
	return err == nil
}
