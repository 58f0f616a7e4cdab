package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// browser starts Chromium, or skips the test on machines that have none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium on this machine")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("lang", "en-US"),
		chromedp.WSURLReadTimeout(60*time.Second),
	)
	ctx, cancelAll := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancelAll)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancelTime)
	return ctx
}

// tableServer is a server with fakes, and the fakes.
func tableServer(t *testing.T, players ...string) (*httptest.Server, *fakeMatch, *Feed) {
	t.Helper()
	if len(players) == 0 {
		players = []string{"Ada", "Ben", "Cleo"}
	}
	m, feed := newFakeMatch(players...), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowPicture(tablePicture)
	feed.ShowObservation(seenTable())
	s := New(Config{Match: m, Feed: feed, Reader: fakeReader{}, Version: "test"})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	return ts, m, feed
}

// step is one thing to do in the browser.
type step = chromedp.Action[chromedp.Void]

func run(t *testing.T, ctx context.Context, steps ...step) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true in the page.
func wait(expression string) step {
	poll := chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingTimeout(15*time.Second))
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := poll(ctx, target); err != nil {
			return fmt.Errorf("waiting for %s: %w", expression, err)
		}
		return nil
	})
}

// shows waits until an element's text contains something.
func shows(selector, text string) step {
	return wait(fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

func size(width, height int64) step { return chromedp.EmulateViewport(width, height) }

func dark(on bool) step {
	scheme := map[bool]string{true: "dark", false: "light"}[on]
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, "Emulation.setEmulatedMedia", map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}},
		}, nil)
	})
}

// shot keeps a picture of the page with the test's artifacts.
func shot(t *testing.T, name string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		png, err := chromedp.CaptureScreenshot()(ctx, target)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(t.ArtifactDir(), name+".png"), png, 0o644)
	})
}

// noneOverflows checks that nothing has to be scrolled sideways.
const noneOverflows = `document.documentElement.scrollWidth <= innerWidth`

func play(m *fakeMatch) {
	m.add(match.Event{Type: match.TypeStart, Game: table.DessertDice, Players: m.now.Players}, "The game begins.")
	m.add(place("Ada", table.Black, 5, 0, 4), "")
	m.add(place("Ben", table.Yellow, 3, 4, 4), "")
	m.add(place("Cleo", table.Green, 3, 3, 4), "")
	m.add(diagonal("Cleo"), "")
	m.change(func(s *match.Snapshot) {
		s.ToMove = 0
		s.State = map[string]any{"clusters": map[string]int{"J": 4, "S": 3, "P": 5, "I": 2}}
	})
}

var screens = []struct {
	name          string
	width, height int64
}{{"phone", 390, 844}, {"laptop", 1280, 800}, {"wall", 1920, 1080}}

func TestBrowserViews(t *testing.T) {
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	play(m)
	for _, view := range []string{"/", "/tv", "/overlay", "/drop"} {
		for _, screen := range screens {
			for _, night := range []bool{false, true} {
				name := strings.Trim(fmt.Sprintf("%s-%s-%v", strings.Trim(view, "/"), screen.name, map[bool]string{false: "light", true: "dark"}[night]), "-")
				ready := shows("#verdict-text", "tips purple 6 from c5 to b4")
				if view == "/drop" {
					ready = shows(".zone", "Drop a photograph here")
				}
				if view == "/" || view == "/tv" {
					ready = chromedp.Steps(ready, wait(`document.querySelector('#stage.seen') && document.querySelectorAll('.found').length > 10`), chromedp.Sleep(500*time.Millisecond))
				}
				run(t, ctx, size(screen.width, screen.height), dark(night), chromedp.Navigate(ts.URL+view), ready, shot(t, name))
				if !ask[bool](t, ctx, noneOverflows) {
					t.Errorf("%s: has to be scrolled sideways", name)
				}
			}
		}
	}
}
