package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// nameless is what can be pressed and has no name for a screen reader, among what is shown.
const nameless = `JSON.stringify([...document.querySelectorAll('button, a[href], input, select, summary, [role=button]')]
	.filter((e) => e.checkVisibility({ visibilityProperty: true }) || e.type === 'file' && e.parentElement.checkVisibility())
	.filter((e) => !(e.getAttribute('aria-label') || e.textContent).trim())
	.map((e) => e.outerHTML.slice(0, 120)))`

// TestBrowserNamedFromTheStart: everything that can be pressed has its name before the words of
// the page's language have come, and is named in that language afterwards.
func TestBrowserNamedFromTheStart(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s, h := hosted(t)
	page, words := s.Handler(), make(chan struct{})
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/static/lang/") {
			select {
			case <-words:
			case <-r.Context().Done():
				return
			}
		}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	h.state.Fresh = false
	look := func(path, when string) {
		t.Helper()
		if found := ask[string](t, ctx, nameless); found != "[]" {
			t.Errorf("%s, %s: without a name: %s", path, when, found)
		}
	}
	for _, path := range []string{"/setup", "/", "/tv", "/drop", "/dice", "/play", "/camera", "/trust", "/print", "/history", "/stream"} {
		run(t, ctx, chromedp.Navigate(ts.URL+path), wait(`document.readyState === 'complete'`))
		if path == "/setup" && ask[string](t, ctx, `document.getElementById('next').ariaLabel`) != "Next" {
			t.Error("the wizard's button to go on is not named")
		}
		look(path, "before the words have come")
	}
	ask[bool](t, ctx, `localStorage.setItem("language", "de"), true`)
	close(words)
	run(t, ctx, chromedp.Navigate(ts.URL+"/setup"), wait(`document.getElementById('next').textContent.trim() === 'Weiter'`))
	look("/setup", "in German")
	if name := ask[string](t, ctx, `document.getElementById('next').ariaLabel + ' ' + document.getElementById('theme').ariaLabel`); strings.Contains(name, "Next") || !strings.Contains(name, "Weiter") {
		t.Errorf("in German the button to go on is named %q", name)
	}
	if left := ask[string](t, ctx, `JSON.stringify([...document.querySelectorAll('[data-t]:not([data-t-label])[aria-label]')].map((e) => e.outerHTML))`); left != "[]" {
		t.Errorf("names of the time before the words are left: %s", left)
	}
	ask[bool](t, ctx, `localStorage.clear(), true`)
}
