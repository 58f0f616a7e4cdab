package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// cuts is a server of one page whose lines are cut: the first two times that it is loaded none of its files arrive,
// and its words and the set-up arrive only the third time that they are asked for.
type cuts struct {
	http.Handler
	mu     sync.Mutex
	loaded int
	asked  map[string]int
}

func (c *cuts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.cut(r) {
		panic(http.ErrAbortHandler) // ends the connection without a word in the log
	}
	c.Handler.ServeHTTP(w, r)
}

func (c *cuts) cut(r *http.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch at := r.URL.Path; {
	case r.Header.Get("Sec-Fetch-Dest") == "document":
		c.loaded++
	case strings.HasPrefix(at, "/static/lang/"), at == "/api/v1/setup":
		c.asked[at]++
		return c.asked[at] < 3
	case strings.HasPrefix(at, "/static/"):
		return c.loaded < 3
	}
	return false
}

// TestBrowserLoadsAgain: a page of which parts do not arrive loads again by itself, until it is whole.
func TestBrowserLoadsAgain(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	s := New(Config{Match: m, Feed: feed, Host: newFakeHost(m, feed), Version: "test"})
	defer close(s.closing)
	for _, page := range []struct{ address, selector, text string }{
		{"/play", "#scores", "Ada"},
		{"/history", "h1", "History"},
		{"/setup", "#step-game", "Dessert Dice"},
	} {
		far := httptest.NewServer(&cuts{Handler: s.Handler(), asked: map[string]int{}})
		defer far.Close()
		run(t, ctx, chromedp.Navigate(far.URL+page.address), shows(page.selector, page.text))
		if !ask[bool](t, ctx, `sessionStorage.getItem('again') === null`) {
			t.Errorf("%s does not know that it is whole", page.address)
		}
	}
}

// TestBrowserConnecting: a page that has not been answered yet says that it is connecting, and that a connection is lost only once it is.
func TestBrowserConnecting(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := New(Config{Match: newFakeMatch("Ada", "Ben"), Feed: NewFeed(), Version: "test"})
	answers, cut := make(chan struct{}), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/events" {
			select {
			case <-answers:
			case <-s.closing:
			}
			within, cancel := context.WithCancel(r.Context())
			defer cancel()
			go func() { <-cut; cancel() }()
			r = r.WithContext(within)
		}
		s.Handler().ServeHTTP(w, r)
	}))
	defer func() {
		close(s.closing)
		slow.Close()
	}()
	state := func(want string) step {
		return wait(`document.getElementById('state').dataset.state === "` + want + `"`)
	}
	run(t, ctx, chromedp.Navigate(slow.URL+"/tv"), state("connecting"), shows("#state", "Connecting"))
	if ask[bool](t, ctx, `document.documentElement.classList.contains('offline')`) {
		t.Error("the page takes a connection for lost before it is there")
	}
	close(answers)
	run(t, ctx, state("camera-starting"))
	close(cut)
	run(t, ctx, state("offline"), shows("#state", "Connection lost"))
}
