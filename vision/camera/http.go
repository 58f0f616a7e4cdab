package camera

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"diceref/vision/eye"
)

const (
	pollEvery   = 200 * time.Millisecond // of a camera that gives single pictures
	maxPart     = 32 << 20               // bytes of one picture of a stream
	reconnect   = 500 * time.Millisecond // wait before a camera that went away is called again
	maxDamaged  = 20                     // damaged pictures in a row until it is said
	headerLimit = 64                     // lines before a picture
)

// httpCamera reads a camera's MJPEG stream (or single pictures, again and again) and
// keeps the newest picture. It is read here rather than by OpenCV, which queues old pictures
// and blocks for half a minute when the network does.
type httpCamera struct {
	address string
	name    string // what everybody may see of the address
	client  *http.Client
	stall   time.Duration
	least   int
	notice  func(error)
	stop    context.CancelFunc
	done    chan struct{}
	began   time.Time

	mu     sync.Mutex
	newest []byte
	taken  time.Time
	fresh  chan struct{}
	count  int
	bad    int // damaged pictures in a row
}

// openHTTP asks the address what it is: a stream of pictures, a picture, or a video.
func openHTTP(ctx context.Context, address string, opts Options) (Source, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, eye.Faultf(eye.BadAddress, "cannot open %s: this is not a camera address", eye.Shown(address))
	}
	c := &httpCamera{
		address: address, name: eye.Shown(address), notice: opts.Notice, stall: opts.Stall, least: opts.Least, began: time.Now(),
		done: make(chan struct{}), fresh: make(chan struct{}, 1),
		client: &http.Client{CheckRedirect: stays, Transport: &http.Transport{
			DialContext:           eye.Dialer(u.Hostname(), opts.Stall).DialContext,
			ResponseHeaderTimeout: opts.Stall,
			DisableCompression:    true,
		}},
	}
	if c.notice == nil {
		c.notice = func(error) {}
	}
	live, stop := context.WithCancel(context.Background())
	c.stop = stop
	unhook := context.AfterFunc(ctx, stop)
	body, kind, err := c.connect(live)
	unhook()
	switch {
	case err != nil:
		stop()
		return nil, fmt.Errorf("cannot open %s: %w", c.name, err)
	case kind == isFilm || kind == isVideo:
		return openDownload(body, stop, c.name, kind == isVideo, opts.Stall)
	}
	go c.run(live, body, kind)
	return c, nil
}

// hungUp has words for a connection that ended.
func hungUp(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return eye.ErrHungUp
	}
	return err
}

// unanswered is why an address could not be called, where nothing else is known of it.
func unanswered(err error) error {
	if eye.KindOf(err) != "" {
		return err
	}
	return &eye.Fault{Kind: eye.NoAnswer, Err: err}
}

// stays follows a camera to another path, port or scheme, never to another machine: what
// was checked before it was opened is the machine that was named.
func stays(next *http.Request, before []*http.Request) error {
	if len(before) >= 5 {
		return eye.Faultf(eye.Elsewhere, "the camera redirects from one address to the next")
	}
	if first := before[0].URL.Hostname(); !strings.EqualFold(next.URL.Hostname(), first) {
		return eye.Faultf(eye.Elsewhere, "the camera redirects to another machine (%s): use that address if you mean it", next.URL.Hostname())
	}
	return nil
}

// What an address can give.
type httpKind int

const (
	isStream httpKind = iota
	isStill
	isVideo // that goes on for as long as the camera likes
	isFilm  // a video with a beginning and an end
)

// connect asks for the address and looks at the kind of answer.
func (c *httpCamera) connect(ctx context.Context) (io.ReadCloser, httpKind, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address, nil)
	if err != nil {
		return nil, 0, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) { // it names the whole address
			err = u.Err
		}
		return nil, 0, unanswered(hungUp(err))
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		kind := eye.NoAnswer
		if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
			kind = eye.Password
		}
		return nil, 0, eye.Faultf(kind, "the camera answers %d (%s)", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "" { // a malformed parameter, such as an odd boundary, is not a reason to give up
		kind, _, _ = strings.Cut(resp.Header.Get("Content-Type"), ";")
	}
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case strings.HasPrefix(kind, "multipart/"):
		return resp.Body, isStream, nil
	case strings.HasPrefix(kind, "image/"):
		return resp.Body, isStill, nil
	case strings.HasPrefix(kind, "text/"):
		resp.Body.Close()
		return nil, 0, eye.Faultf(eye.WebPage, "it answers with a web page, not with pictures (use the address of the camera's stream, which often ends in /video or ?action=stream)")
	}
	if resp.ContentLength >= 0 {
		return resp.Body, isFilm, nil
	}
	return resp.Body, isVideo, nil
}

// run keeps the newest picture and calls again when the connection is lost or stalls.
func (c *httpCamera) run(ctx context.Context, body io.ReadCloser, kind httpKind) {
	defer close(c.done)
	for {
		var err error
		if body != nil {
			err = c.receive(body, kind)
			body.Close()
		}
		if ctx.Err() != nil {
			return
		}
		wait := reconnect
		if kind == isStill && err == nil {
			wait = pollEvery
		} else {
			c.notice(fmt.Errorf("lost the camera %s, connecting again (%w)", c.name, hungUp(err)))
		}
		for {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
			if body, kind, err = c.connect(ctx); err == nil && (kind == isStream || kind == isStill) {
				break
			}
			if err == nil {
				body.Close()
				err = eye.Faultf(eye.NoPictures, "it stopped sending pictures")
			}
			if ctx.Err() == nil {
				c.notice(fmt.Errorf("cannot reach the camera %s: %w", c.name, err))
			}
			wait = reconnect
		}
	}
}

// receive takes pictures from a connection until it ends or stalls.
func (c *httpCamera) receive(body io.ReadCloser, kind httpKind) error {
	stalled := false
	var mu sync.Mutex
	watch := time.AfterFunc(c.stall, func() {
		mu.Lock()
		stalled = true
		mu.Unlock()
		body.Close() // ends the reading below
	})
	defer watch.Stop()
	why := func(err error) error {
		mu.Lock()
		defer mu.Unlock()
		if stalled {
			return eye.Faultf(eye.NoPictures, "no picture for %v", c.stall)
		}
		return err
	}
	if kind == isStill {
		data, err := io.ReadAll(io.LimitReader(body, maxPart))
		if err != nil {
			return why(err)
		}
		c.put(data)
		return nil
	}
	parts := &partReader{r: bufio.NewReaderSize(body, 1<<16)}
	for {
		data, err := parts.next()
		if err != nil {
			return why(err)
		}
		watch.Reset(c.stall)
		c.put(data)
	}
}

func (c *httpCamera) put(data []byte) {
	c.mu.Lock()
	c.newest, c.taken = data, time.Now()
	c.mu.Unlock()
	select {
	case c.fresh <- struct{}{}:
	default:
	}
}

func (c *httpCamera) Info() Info { return Info{Name: c.name, Live: true} }

// Next waits for a new picture and decodes it, skipping damaged ones.
func (c *httpCamera) Next(ctx context.Context, p *Picture) (Frame, error) {
	for {
		select {
		case <-c.fresh:
		case <-ctx.Done():
			return Frame{}, ctx.Err()
		}
		c.mu.Lock()
		data, taken := c.newest, c.taken
		c.newest = nil
		c.mu.Unlock()
		if data == nil { // taken already, when it was newer than its token
			continue
		}
		if err := p.Load(data, c.least); err != nil {
			if c.bad++; c.bad%maxDamaged == 0 {
				c.notice(eye.Faultf(eye.Damaged, "the pictures of the camera %s are damaged: %w", c.name, err))
			}
			continue
		}
		c.bad = 0
		c.count++
		return Frame{Index: c.count - 1, T: taken.Sub(c.began).Seconds()}, nil
	}
}

func (c *httpCamera) Close() error {
	c.stop()
	<-c.done
	c.client.CloseIdleConnections()
	return nil
}

// partReader takes the parts of a multipart/x-mixed-replace stream. The line between
// them is learned from the stream itself: cameras announce it with dashes too many or too few.
type partReader struct {
	r       *bufio.Reader
	between []byte // the line between the parts
	at      bool   // it has just been read
}

func (p *partReader) next() ([]byte, error) {
	for !p.at {
		line, err := p.line()
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(line, []byte("--")) && (p.between == nil || bytes.Equal(line, p.between)) {
			p.between, p.at = bytes.Clone(line), true
		}
	}
	p.at = false
	size := -1
	for range headerLimit {
		line, err := p.line()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			return p.body(size)
		}
		key, value, _ := strings.Cut(string(line), ":")
		if textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(key)) == "Content-Length" {
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n > 0 {
				size = n
			}
		}
	}
	return nil, eye.Faultf(eye.NoPictures, "the stream has no pictures")
}

// line is the next line without its end; one that is too long is cut.
func (p *partReader) line() ([]byte, error) {
	line, err := p.r.ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// body is the picture that follows the headers: so many bytes, or up to the line between.
func (p *partReader) body(size int) ([]byte, error) {
	if size > maxPart {
		return nil, fmt.Errorf("a picture of %d MB", size>>20)
	}
	if size > 0 {
		data := make([]byte, size)
		_, err := io.ReadFull(p.r, data)
		return data, err
	}
	var data []byte
	for {
		piece, err := p.r.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if bytes.Equal(bytes.TrimRight(piece, "\r\n"), p.between) {
			p.at = true
			return bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r")), nil
		}
		if len(data)+len(piece) > maxPart {
			return nil, fmt.Errorf("a picture of more than %d MB", maxPart>>20)
		}
		data = append(data, piece...)
	}
}
