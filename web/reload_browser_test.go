package web

import (
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
