package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"diceref/match"
)

// The page is told at most this often; what happens in between comes together.
const (
	leastGap  = 60 * time.Millisecond
	heartbeat = 10 * time.Second // pages take 25 s of silence for a lost connection (live.js)
)

// events is the stream of server-sent events: "match" (what changed of the
// match), "seen" (what the camera sees, as it is drawn) and "camera" (how the
// camera is); "here" says every ten seconds that the server is still there. A page that comes back tells the last id it got and receives what
// it missed; one that never was here, or saw another match, receives everything.
func (s *Server) events(c *gin.Context) {
	release := s.stay(c)
	if release == nil {
		return
	}
	defer release()
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	last := c.GetHeader("Last-Event-ID")
	if last == "" {
		last = c.Query("after")
	}
	out := newListener(c.Writer, last)
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	out.raw("retry: 1000\n\n")
	for {
		changed, feed := s.cfg.Match.Changed(), s.cfg.Feed.state()
		s.telling.to(out, s.cfg.Match, changed)
		out.feed(feed)
		if out.flush() != nil {
			return
		}
		for wake := false; !wake; {
			select {
			case <-changed:
				wake = true
			case <-feed.changed: // most often a picture, which the stream does not carry
				feed = s.cfg.Feed.state()
				wake = out.stale(feed)
			case <-beat.C:
				out.raw("event: here\ndata: {}\n\n")
				wake = true
			case <-c.Request.Context().Done():
				return
			case <-s.closing:
				return
			}
		}
		time.Sleep(leastGap)
	}
}

// listener is one open page: what it has been sent.
type listener struct {
	w       http.ResponseWriter
	control *http.ResponseController
	out     bytes.Buffer
	id      string // of the match it knows; empty: none
	seq     int64  // of the last event it knows
	rest    []byte // the match without its events, as last sent
	views   int64
	status  Status
}

// newListener continues after the id of the last event that the page got ("match:seq").
func newListener(w http.ResponseWriter, last string) *listener {
	l := &listener{w: w, control: http.NewResponseController(w)}
	if i := strings.LastIndexByte(last, ':'); i > 0 {
		if seq, err := strconv.ParseInt(last[i+1:], 10, 64); err == nil && seq >= 0 {
			l.id, l.seq = last[:i], seq
		}
	}
	return l
}

// matchNews is what changed of a match. With Reset the page forgets what it had.
type matchNews struct {
	Reset bool `json:"reset"`
	match.Snapshot
	Undone []int64 `json:"undone"` // events, old and new, that are out of force
}

// telling is the match as it is told to all pages: however many there are, each change is put into words once.
type telling struct {
	mu      sync.Mutex
	changed <-chan struct{} // closed when it is no longer so
	now     match.Snapshot
	undone  []int64
	rest    []byte           // without the events; nil: it cannot be sent
	news    map[int64][]byte // by the last event that a page knew
}

// to tells a page what is new of a match; changed is the match's, taken before.
func (k *telling) to(l *listener, m Match, changed <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rest == nil || changed != k.changed {
		k.look(m.Snapshot())
		k.changed = changed
	}
	if k.rest == nil {
		l.raw(": the match cannot be sent\n\n")
		return
	}
	known := l.seq
	if k.now.ID != l.id || k.now.Seq < l.seq || k.now.Revision > l.seq {
		known = -1
	}
	if known >= 0 && known == k.now.Seq && bytes.Equal(k.rest, l.rest) {
		return
	}
	l.id, l.seq, l.rest = k.now.ID, k.now.Seq, k.rest
	l.send("match", fmt.Sprintf("%s:%d", oneLine(k.now.ID), k.now.Seq), k.after(known))
}

// look notes how the match is now.
func (k *telling) look(now match.Snapshot) {
	k.now, k.undone, k.news = now, []int64{}, map[int64][]byte{}
	for _, e := range now.Events {
		if e.Undone {
			k.undone = append(k.undone, e.Seq)
		}
	}
	bare := matchNews{Snapshot: now, Undone: k.undone}
	bare.Events = nil
	k.rest = inJSON(bare)
}

// after is the news for a page that knows the events up to one. What it needs that knows none is large and seldom
// asked for, so it is not kept.
func (k *telling) after(known int64) []byte {
	if text, there := k.news[known]; there {
		return text
	}
	news := matchNews{Reset: known < 0, Snapshot: k.now, Undone: k.undone}
	news.Events = []match.EventView{}
	for _, e := range k.now.Events {
		if e.Seq > known {
			news.Events = append(news.Events, e)
		}
	}
	text := inJSON(news)
	if known >= 0 {
		k.news[known] = text
	}
	return text
}

// inJSON is JSON without line ends; nil: it cannot be written.
func inJSON(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	return text
}

// stale says whether the feed has something that the page does not know.
func (l *listener) stale(now feedState) bool { return now.views != l.views || now.status != l.status }

// feed sends what is new of what the camera sees and of how it is.
func (l *listener) feed(now feedState) {
	if now.status != l.status {
		l.status = now.status
		l.send("camera", "", inJSON(now.status))
	}
	if now.views != l.views {
		l.views = now.views
		l.send("seen", "", now.view)
	}
}

// send has something told; nil is told to nobody.
func (l *listener) send(event, id string, text []byte) {
	if text == nil {
		return
	}
	if id != "" {
		l.raw("id: " + id + "\n")
	}
	fmt.Fprintf(&l.out, "event: %s\ndata: %s\n\n", event, text)
}

func (l *listener) raw(s string) { l.out.WriteString(s) }

// flush writes what has been collected; a page that does not take it in time is gone.
func (l *listener) flush() error {
	if l.out.Len() == 0 {
		return nil
	}
	_ = l.control.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_, err := io.Copy(l.w, &l.out)
	if err == nil {
		err = l.control.Flush()
	}
	return err
}

// oneLine keeps an id from ending its line early.
func oneLine(s string) string { return strings.NewReplacer("\n", "", "\r", "", "\x00", "").Replace(s) }

func mediaType(r *http.Request) string {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return t
}
