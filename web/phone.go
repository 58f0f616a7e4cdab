package web

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/vision/eye"
)

// Limits of a phone's pictures, and when it counts as gone.
const (
	maxFrame       = 4 << 20 // bytes
	maxFramePixels = 9_000_000
	phoneGone      = 3 * time.Second  // without a picture: the page says so
	phoneFree      = 10 * time.Second // without a picture: another phone may take its place unasked
)

// PhoneHeader identifies the phone that sends a picture, by a random word from its page.
const PhoneHeader = "X-Phone"

var phoneName = regexp.MustCompile(`^[A-Za-z0-9-]{8,64}$`)

// States of the phone as the page shows them.
const (
	PhoneNone  = ""      // no phone sends, and none is needed
	PhoneReady = "ready" // it sends, but the table uses another camera
	PhoneHere  = "here"  // it sends, and the eye uses it
	PhoneAway  = "away"  // the eye waits for it, but nothing arrives
)

// phone is the newest picture that a phone sent, on its way to the eye.
type phone struct {
	feed *Feed
	now  func() time.Time

	mu      sync.Mutex
	changed chan struct{}
	frame   []byte
	number  int64
	at      time.Time // when frame came
	owner   string    // the phone that sends
	readers int       // eyes that look
	gone    *time.Timer

	once   sync.Once
	source string // where the eye reads it
	inner  *http.Server
}

func newPhone(feed *Feed) *phone {
	return &phone{feed: feed, now: time.Now, changed: make(chan struct{})}
}

// put takes a picture of a phone; false if another phone sends.
func (p *phone) put(who string, jpeg []byte, take bool) (reading, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.owner != "" && p.owner != who && !take && now.Sub(p.at) < phoneFree {
		return false, false
	}
	p.owner, p.frame, p.at = who, jpeg, now
	p.number++
	close(p.changed)
	p.changed = make(chan struct{})
	if p.gone == nil {
		p.gone = time.AfterFunc(phoneGone, p.tell)
	}
	p.gone.Reset(phoneGone)
	p.show()
	return p.readers > 0, true
}

// look counts an eye that begins (1) or ends (-1) to look.
func (p *phone) look(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readers += by
	p.show()
}

func (p *phone) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.show()
}

// show tells the pages how the phone is; p.mu is held.
func (p *phone) show() { p.feed.showPhone(p.state()) }

func (p *phone) state() string {
	sends := p.frame != nil && p.now().Sub(p.at) < phoneGone
	switch {
	case sends && p.readers > 0:
		return PhoneHere
	case sends:
		return PhoneReady
	case p.readers > 0:
		return PhoneAway
	}
	return PhoneNone
}

// newest is the picture of now, nil if there is none that is new enough.
func (p *phone) newest() (jpeg []byte, number int64, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frame == nil || p.now().Sub(p.at) >= phoneGone {
		return nil, p.number, p.changed
	}
	return p.frame, p.number, p.changed
}

// phoneFrame takes one picture of the phone that is the camera.
func (s *Server) phoneFrame(c *gin.Context) {
	who := c.GetHeader(PhoneHeader)
	if !phoneName.MatchString(who) {
		fail(c, http.StatusBadRequest, "phone", "give the phone's name, 8 to 64 letters and digits, in "+PhoneHeader)
		return
	}
	if mediaType(c.Request) != "image/jpeg" {
		fail(c, http.StatusUnsupportedMediaType, "not-a-picture", "send a JPEG (Content-Type: image/jpeg)")
		return
	}
	picture, ok := body(c, maxFrame, bodyTime)
	if !ok {
		return
	}
	head, err := eye.CheckPicture(picture)
	switch {
	case head.Width*head.Height > maxFramePixels:
		fail(c, http.StatusRequestEntityTooLarge, "too-many-pixels", fmt.Sprintf("%d×%d pixels are too many; send at most %d megapixels", head.Width, head.Height, maxFramePixels/1_000_000))
		return
	case err != nil:
		fail(c, http.StatusUnsupportedMediaType, "not-a-picture", err.Error())
		return
	case head.Format != "jpeg":
		fail(c, http.StatusUnsupportedMediaType, "not-a-picture", "this is not a JPEG")
		return
	}
	reading, ok := s.phone.put(who, picture, c.Query("take") == "1")
	if !ok {
		fail(c, http.StatusConflict, "taken", "another phone is the camera; take over, or stop the other one")
		return
	}
	c.JSON(http.StatusOK, gin.H{"reading": reading})
}

// PhoneURL is the source from which an eye on this machine reads a phone's pictures:
// an MJPEG stream on localhost, with a random password. It is empty if no stream can be
// opened; the log says why.
func (s *Server) PhoneURL() string {
	s.phone.once.Do(func() {
		source, err := s.phone.listen(s.closing)
		if err != nil {
			s.log.Error("a phone cannot be the camera", "error", err)
		}
		s.phone.source = source
	})
	return s.phone.source
}

// listen opens the stream on a port of its own, which other machines cannot reach
// whatever the page listens on.
func (p *phone) listen(closing <-chan struct{}) (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("web: cannot open the phone's stream: %w", err)
	}
	key := rand.Text()
	p.inner = &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		MaxHeaderBytes:    8 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, given, _ := r.BasicAuth()
			if subtle.ConstantTimeCompare([]byte(given), []byte(key)) != 1 || r.Method != http.MethodGet {
				http.NotFound(w, r)
				return
			}
			p.look(1)
			defer p.look(-1)
			p.stream(w, r)
		}),
	}
	go func() {
		<-closing
		p.inner.Close()
	}()
	go func() { _ = p.inner.Serve(ln) }() // ends when it is closed
	u := url.URL{Scheme: "http", User: url.UserPassword("eye", key), Host: ln.Addr().String(), Path: "/phone.mjpeg"}
	return u.String(), nil
}

// stream gives every new picture to one eye, until it goes.
func (p *phone) stream(w http.ResponseWriter, r *http.Request) {
	const boundary = "phone"
	w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary="+boundary)
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	if control.Flush() != nil {
		return
	}
	last := int64(0)
	for {
		picture, number, changed := p.newest()
		if picture != nil && number != last {
			last = number
			_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, err := fmt.Fprintf(w, "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", boundary, len(picture), picture)
			if err != nil || control.Flush() != nil {
				return
			}
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// body takes the body as a file of at most so many bytes that comes in time, or says why not.
func body(c *gin.Context, most int64, in time.Duration) ([]byte, bool) {
	refuse := func() {
		fail(c, http.StatusRequestEntityTooLarge, "too-many-bytes", fmt.Sprintf("the file is larger than %d MB; make it smaller", most>>20))
	}
	if c.Request.ContentLength > most {
		refuse()
		return nil, false
	}
	within(c, in)
	data, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, most))
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Time{}) // what is done with it has its own limits
	var tooMany *http.MaxBytesError
	switch {
	case errors.As(err, &tooMany):
		refuse()
	case errors.Is(err, os.ErrDeadlineExceeded):
		fail(c, http.StatusRequestTimeout, "upload", "the picture arrived too slowly; move closer to the router, or make it smaller")
	case err != nil:
		fail(c, http.StatusBadRequest, "upload", "the picture arrived incomplete")
	}
	return data, err == nil
}

// phonePath says whether a request is one of a phone's many pictures.
func phonePath(path string) bool { return strings.HasPrefix(path, "/api/v1/phone/") }
