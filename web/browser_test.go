package web

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/match"
	"diceref/table"
	"diceref/web/webtest"
)

// chromium is the one browser that all tests share; each has a tab of its own.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

// atOnce is how many tests run at once: most of the time a tab waits for the other side.
const atOnce = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if !slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.parallel") }) {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// startChromium starts the browser at path with a profile of its own.
func startChromium(path string) {
	dir, err := os.MkdirTemp("", "diceref-browser-*")
	if err != nil {
		chromium.err = err
		return
	}
	ctx, cancelAll := chromedp.NewExecAllocator(context.Background(), webtest.Options(path, dir, nil)...)
	ctx, cancel := chromedp.NewContext(ctx)
	chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
	chromium.stop = func() {
		cancel()
		cancelAll()
		os.RemoveAll(dir)
	}
}

// browser opens a tab.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := webtest.Chromium(t)
	chromium.once.Do(func() { startChromium(path) })
	if chromium.err != nil {
		t.Fatalf("cannot start %s: %v", path, chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx)
	t.Cleanup(cancel)
	run(t, ctx, size(1280, 800))
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
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
	seen := seenTable()
	for i := range seen.Dice {
		if r := &seen.Dice[i]; !r.Sure { // it may as well be a 2
			r.Faces, r.Colors[r.Color] = [7]float64{2: 0.3, 6: 0.61}, 0.9
		}
	}
	feed.ShowObservation(seen)
	s := New(Config{Match: m, Feed: feed, Reader: fakeReader{}, Version: "test", Dice: fakeShelf(t)})
	return listening(t, s), m, feed
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

// wait waits until an expression is true in the page, or in the one that comes after it.
func wait(expression string) step {
	poll := chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingInterval(30*time.Millisecond), chromedp.WithPollingTimeout(60*time.Second))
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for range 100 {
			_, err := poll(ctx, target)
			if err == nil {
				return nil
			}
			if !navigates(err) {
				return fmt.Errorf("waiting for %s: %w", expression, err)
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return fmt.Errorf("waiting for %s: the page does not stay", expression)
	})
}

// navigates says whether a question failed because its page went while another comes: the
// browser knows nothing of the one it was put to any more.
func navigates(err error) bool {
	var gone *cdproto.Error
	return errors.As(err, &gone) && gone.Code == -32000
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

// shot keeps a picture of the page with the test's artifacts, where go test -artifacts asks for these.
func shot(t *testing.T, name string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if flag.Lookup("test.artifacts").Value.String() != "true" {
			return nil // drawing pictures that nobody sees takes as long as all else
		}
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
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	play(m)
	acted := shows("#verdict-text", "tips purple 6 from c5 to b4")
	drawn := wait(`document.querySelector('#stage.seen') && document.querySelectorAll('.found').length > 10`)
	views := []struct {
		path    string
		screens []int
		ready   step
	}{
		{"/", []int{0, 1, 2}, chromedp.Steps(acted, drawn)},
		{"/tv", []int{2}, chromedp.Steps(acted, drawn)},
		{"/overlay", []int{1}, acted},
		{"/drop", []int{0, 1}, shows(".zone", "Drop a photo here")},
	}
	for _, view := range views {
		run(t, ctx, chromedp.Navigate(ts.URL+view.path), view.ready)
		for _, i := range view.screens {
			screen := screens[i]
			for _, night := range []bool{false, true} {
				name := strings.TrimPrefix(fmt.Sprintf("%s-%s-%s", view.path[1:], screen.name, map[bool]string{false: "light", true: "dark"}[night]), "-")
				run(t, ctx, size(screen.width, screen.height), dark(night), shot(t, name))
				if !ask[bool](t, ctx, noneOverflows) {
					t.Errorf("%s: has to be scrolled sideways", name)
				}
			}
		}
	}
}

// TestBrowserLive: what happens is shown without loading the page again, and
// nothing moves on the page when it does.
func TestBrowserLive(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, feed := tableServer(t)
	const places = `JSON.stringify(['.scores','.verdict','.stage','#scores li','#scores .total'].map(s => {
		const r = document.querySelector(s).getBoundingClientRect(); return [s, r.x, r.y, r.width, r.height].join(' '); }))`
	m.change(func(s *match.Snapshot) { s.Game = table.DiceBox })
	run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL), shows("#verdict-text", "No moves yet"), shows("#state-text", "Waiting for a move"), wait(`document.querySelectorAll('.found').length > 10`))
	before := ask[string](t, ctx, places)
	ask[bool](t, ctx, `window.sameDocument = true`)

	m.add(place("Ada", table.Red, 4, 2, 1), "")
	run(t, ctx, shows("#verdict-text", "Ada places red 4 on b3"), shows("#moves", "Ada places red 4 on b3"))
	m.change(func(s *match.Snapshot) { s.Sheets[0].Total = 12 })
	run(t, ctx, shows("#scores .total", "12"))
	if after := ask[string](t, ctx, places); after != before {
		t.Errorf("a score of two digits moved the page:\n%s\n%s", before, after)
	}
	m.add(diagonal("Ben"), "")
	run(t, ctx, shows("#verdict-word", "Not allowed"), shows("#verdict-why", "you may not move a die diagonally"), shows("#verdict-choices", "Allow anyway"))
	if after := ask[string](t, ctx, places); after != before {
		t.Errorf("a verdict moved the page:\n%s\n%s", before, after)
	}
	m.change(func(s *match.Snapshot) { s.Events[0].Undone = true })
	run(t, ctx, wait(`document.querySelector('#moves li:last-child').classList.contains('undone')`))
	for phase, text := range map[string]string{"hand": "Hand in view", "doubt": "Not sure", "paused": "Paused"} {
		m.change(func(s *match.Snapshot) { s.Phase = phase })
		run(t, ctx, shows("#state-text", text))
	}
	feed.ShowStatus(Status{State: CameraRestarting, Reason: "the eye died"})
	run(t, ctx, shows("#state-text", "Camera is restarting"), shows("#state-why", "the eye died"))
	if !ask[bool](t, ctx, `window.sameDocument === true`) {
		t.Error("the page was loaded again")
	}
	for _, script := range []string{`document.querySelectorAll('#moves li').length === 2`, `document.querySelectorAll('#overlay .spot').length === 25`} {
		if !ask[bool](t, ctx, script) {
			t.Errorf("not so: %s", script)
		}
	}
}

// TestBrowserReconnects: the server goes away and comes back with more moves.
func TestBrowserReconnects(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowObservation(seenTable())
	serve := func(address string) (string, func()) {
		ln, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		background, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- New(Config{Match: m, Feed: feed}).Serve(background, ln) }()
		return ln.Addr().String(), func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	address, stop := serve("127.0.0.1:0")
	m.add(place("Ada", table.Red, 4, 2, 1), "")
	run(t, ctx, chromedp.Navigate("http://"+address), shows("#moves", "Ada places red 4 on b3"))
	stop()
	run(t, ctx, shows("#state-text", "Connection lost"), shot(t, "connection-lost"))
	m.add(place("Ben", table.Yellow, 3, 2, 2), "")
	_, stop = serve(address)
	defer stop()
	run(t, ctx, shows("#moves", "Ben places yellow 3 on c3"), shows("#state-text", "Waiting for a move"))
	if got := ask[int](t, ctx, `document.querySelectorAll('#moves li').length`); got != 2 {
		t.Errorf("%d moves after coming back, want 2", got)
	}
}

// lastSaid waits until the page declared something, and returns the last of it.
func lastSaid(t *testing.T, m *fakeMatch, count int) string {
	t.Helper()
	for range 200 {
		if said := m.said(); len(said) >= count {
			text, err := json.Marshal(said[count-1])
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing was declared: %v", m.said())
	return ""
}

// TestBrowserCorrects: a misread die in two taps, one that was not seen in two
// taps, undo and answers in one; with the keyboard too.
func TestBrowserCorrects(t *testing.T) {
	t.Parallel()
	for _, screen := range screens[:2] {
		t.Run(screen.name, func(t *testing.T) {
			ctx := browser(t)
			ts, m, _ := tableServer(t)
			play(m)
			run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL), wait(`document.querySelectorAll('#overlay .spot').length === 25`))

			run(t, ctx, middle(`[data-spot="24"]`), shows("#correct-now", "I read purple 6"), wait(`document.querySelector('#correct-dice .row').matches('.likely') && document.querySelector('#correct-dice button').ariaLabel === 'purple 2'`), shot(t, "correct-"+screen.name),
				middle(`#correct [aria-label="purple 5"]`), shows("#notice", "Corrected"))
			if got, want := lastSaid(t, m, 1), `{"say":"correct","square":[4,4],"color":"purple","face":5}`; got != want {
				t.Errorf("a misread die: %s, want %s", got, want)
			}
			run(t, ctx, middle(`[data-spot="20"]`), shows("#correct-now", "I saw nothing"), middle(`#correct [aria-label="black 1"]`))
			if got, want := lastSaid(t, m, 2), `{"say":"correct","square":[4,0],"color":"black","face":1}`; got != want {
				t.Errorf("a die that was not seen: %s, want %s", got, want)
			}
			run(t, ctx, middle(`#verdict-choices button`))
			if got, want := lastSaid(t, m, 3), `{"say":"keep"}`; got != want {
				t.Errorf("keep: %s, want %s", got, want)
			}
			run(t, ctx, wait(`document.querySelectorAll('#verdict-choices button').length === 0`), middle(`#undo`))
			if got, want := lastSaid(t, m, 4), `{"say":"undo"}`; got != want {
				t.Errorf("undo: %s, want %s", got, want)
			}
			m.change(func(s *match.Snapshot) {
				s.Phase, s.Ask, s.Choices = "doubt", "Is it 4 or 6?", []string{"red 4 on c3", "red 6 on c3"}
			})
			run(t, ctx, shows("#verdict-text", "Is it 4 or 6?"), shot(t, "doubt-"+screen.name), middle(`#verdict-choices button:nth-child(2)`))
			if got, want := lastSaid(t, m, 5), `{"say":"answer","choice":"red 6 on c3","ask":"Is it 4 or 6?"}`; got != want {
				t.Errorf("an answer: %s, want %s", got, want)
			}
			run(t, ctx, middle(`[data-spot="24"]`), shows("#correct-now", "I read"), middle(`#correct-gone`))
			if got, want := lastSaid(t, m, 6), `{"say":"correct","square":[4,4]}`; got != want {
				t.Errorf("a die that was invented: %s, want %s", got, want)
			}
			ask[any](t, ctx, `document.querySelector('#overlay [tabindex="0"]').focus()`)
			run(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), wait(`document.activeElement.getAttribute('aria-label').startsWith('d4')`),
				chromedp.KeyEvent(" "), wait(`document.getElementById('correct').open`), chromedp.KeyEvent(kb.Escape), wait(`!document.getElementById('correct').open`))
		})
	}
}

// TestBrowserNames: names are texts, whatever they look like, and long ones fit.
func TestBrowserNames(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	wild := []string{`<img src=x onerror="window.hacked=1">`, `"><script>window.hacked=1</script>`, "Bartholomäus-Maximilian von und zu Hohenstein-Waldeck"}
	ts, m, _ := tableServer(t, wild...)
	for i, name := range wild {
		m.add(place(name, table.Red, 4, 2, i), "")
	}
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL), wait(`document.querySelectorAll('#moves li').length === 3`), shot(t, "names-"+screen.name))
		if ask[bool](t, ctx, `Boolean(window.hacked) || Boolean(document.querySelector('main img[src="x"]'))`) {
			t.Error("a name was taken for markup")
		}
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", screen.name)
		}
		for i, name := range wild {
			if got := ask[string](t, ctx, fmt.Sprintf(`document.querySelectorAll('#scores .name b')[%d].textContent`, i)); got != name {
				t.Errorf("name %q is shown as %q", name, got)
			}
		}
	}
}

// TestBrowserLanguages: every visible text is in the language's file, or is a
// name, a number or a square.
func TestBrowserLanguages(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	play(m)
	for view, ready := range map[string]step{
		"/":       wait(`document.querySelectorAll('#moves li').length === 5`),
		"/dice":   wait(`!document.getElementById('shelf').hidden && document.getElementById('name').value`),
		"/drop":   wait(`document.querySelectorAll('#game option').length === 6`),
		"/camera": wait(`!document.getElementById('start').hidden`),
		"/trust":  wait(`document.querySelectorAll('#steps li').length === 5`),
		"/print":  wait(`document.querySelectorAll('.sheet').length === 4`),
		"/stream": wait(`document.getElementById('tv-address').textContent.endsWith('/tv?stream')`),
	} {
		run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL+view), ready)
		ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
		run(t, ctx, chromedp.Reload(), ready, shot(t, "german"+strings.ReplaceAll(view, "/", "-")))
		allowed := germanTexts(t)
		texts := ask[[]string](t, ctx, `(() => { const all = []; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			while (walk.nextNode()) { const e = walk.currentNode.parentElement; if (e.checkVisibility() && e.id !== 'verdict-why' && !e.closest('title')) all.push(walk.currentNode.textContent.trim()); }
			for (const e of document.querySelectorAll('[aria-label]')) all.push(e.getAttribute('aria-label'));
			return all; })()`)
		if len(texts) < 10 {
			t.Errorf("%s: only %d texts", view, len(texts))
		}
		for _, text := range texts {
			if !allowed.MatchString(text) {
				t.Errorf("%s: %q is not in the language's file", view, text)
			}
		}
	}
}

// germanTexts matches what may stand on a page in German: the texts of the language's
// file with their places filled in, names, numbers, squares, and what has no language.
func germanTexts(t *testing.T) *regexp.Regexp {
	t.Helper()
	de := words(t, "de.json")
	var colors []string
	for _, c := range table.Colors {
		colors = append(colors, de["color."+c.String()])
	}
	die := `(` + strings.Join(colors, "|") + `) [1-6]`
	known := []string{die, `https?://[^ ]*/tv\?stream`, die + `, .*%\)?`, `[a-e][1-5]: (` + die + `.*|` + de["square.empty"] + `)`, "Letter", "A4", "PDF", "SVG"}
	place := regexp.MustCompile(`\\\{\w+\\\}`)
	for _, text := range de {
		text = regexp.QuoteMeta(text)
		if strings.ContainsFunc(place.ReplaceAllString(text, ""), unicode.IsLetter) { // else it would match anything
			known = append(known, place.ReplaceAllString(text, ".*"))
		}
	}
	allowed := regexp.MustCompile(`^(diceref|Ada|Ben|Cleo|[a-e][1-5]|[-–·0-9?%.,: ]*|DD-[A-Z-]+|` + strings.Join(known, "|") + `)$`)
	if text := "Nobody translated this one"; allowed.MatchString(text) {
		t.Fatalf("anything would be allowed, even %q", text)
	}
	return allowed
}

// TestBrowserDrop: a photo is shown with its dice; what is no picture is told.
func TestBrowserDrop(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _, _ := tableServer(t)
	dir := t.TempDir()
	good, phone, bad := filepath.Join(dir, "table.jpg"), filepath.Join(dir, "IMG_0001.HEIC"), filepath.Join(dir, "text.jpg")
	heic, err := os.ReadFile(filepath.Join("..", "cmd", "diceref-eye", "testdata", "uploads", "phone.heic"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{good: tablePicture, phone: heic, bad: []byte("this is a text")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL+"/drop"), shows(".zone", "Drop a photo"),
			chromedp.SetUploadFiles("#file", []string{good}), shows("#summary", "12 dice"), shows("#summary", "1 not sure"),
			wait(`document.querySelectorAll('#overlay .found').length === 12 && document.getElementById('picture').naturalWidth === 800`),
			shot(t, "dropped-"+screen.name))
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", screen.name)
		}
	}
	run(t, ctx, chromedp.SetUploadFiles("#file", []string{phone}), shows("#summary", "12 dice"),
		wait(`document.getElementById('picture').naturalWidth === 800 && !document.getElementById('picture').hidden`), shot(t, "dropped-heic"))
	run(t, ctx, chromedp.SetUploadFiles("#file", []string{bad}), shows("#problem", "not a JPEG, PNG, WebP, HEIC or AVIF"))
}

// TestBrowserCode: from another machine the page asks for the table's code, once.
func TestBrowserCode(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	s := New(Config{Match: m, Feed: feed, Code: "ABCD2345"})
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.168.1.9:4000"
		s.Handler().ServeHTTP(w, r)
	}))
	defer far.Close()
	defer close(s.closing)
	m.add(place("Ada", table.Red, 4, 2, 1), "")
	run(t, ctx, chromedp.Navigate(far.URL), shows("#moves", "Ada"), middle("#undo"), wait(`document.getElementById('code').open`), shot(t, "code"),
		chromedp.SendKeys("#code-input", "abcd2345"), middle("#code .main"))
	if got := lastSaid(t, m, 1); got != `{"say":"undo"}` {
		t.Errorf("declared %s", got)
	}
	run(t, ctx, middle("#redo"))
	if got := lastSaid(t, m, 2); got != `{"say":"redo"}` {
		t.Errorf("declared %s", got)
	}
}
