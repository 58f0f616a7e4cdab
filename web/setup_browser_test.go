package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
)

// fakeHost remembers what was set up, and lets its feed and match show it.
type fakeHost struct {
	mu     sync.Mutex
	m      *fakeMatch
	feed   *Feed
	state  SetupState
	looks  []Sight
	begun  []Setup
	used   []bool
	refuse error
	blind  Status // of a camera that gives no picture; zero: it does
	open   bool   // to other devices
}

func newFakeHost(m *fakeMatch, feed *Feed) *fakeHost {
	h := &fakeHost{m: m, feed: feed}
	h.state = SetupState{
		Fresh: true, Phone: true, Now: Setup{Game: table.DessertDice, Players: []string{"Ada", "Ben", "Cleo"}, Sight: Sight{Source: SourceDemo}},
		Cameras: []CameraChoice{{Number: 0, Source: "/dev/video0", Name: "HD Webcam"}, {Number: 2, Source: "/dev/video2", Name: "Desk camera", Busy: "cheese (process 41)"}},
	}
	layouts := map[table.Layout]string{table.Loose: "loose", table.Board: "board", table.Arena: "arena"}
	demos := map[table.Game][]string{table.DessertDice: {"Ada", "Ben", "Cleo"}, table.DiceBox: {"Ada", "Ben"}}
	for _, game := range table.Games {
		g := GameChoice{
			Name: game, Title: game.Kit().Title, Players: game.Kit().Players, Layout: layouts[game.Kit().Layout], Demo: append([]string{}, demos[game]...), Colors: []table.Color{},
			Rules: []RuleChoice{{Name: "wrap", Kind: "switch", Default: false, Text: "6 and 1 differ by one"}, {Name: "tie", Kind: "choice", Default: "shared", Values: []any{"shared", "first"}, Text: "players with equal totals share the win"}},
		}
		for n := g.Players[0]; n <= g.Players[1]; n++ {
			if zones := calibration.ZonesFor(game, n); zones != nil {
				g.Zones = append(g.Zones, zones)
			}
		}
		h.state.Games = append(h.state.Games, g)
	}
	return h
}

func (h *fakeHost) Setup() SetupState {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

func (h *fakeHost) Fresh() bool { return h.Setup().Fresh }

func (h *fakeHost) Begin(s Setup, _ Asker) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return h.refuse
	}
	h.begun = append(h.begun, s)
	h.state.Fresh, h.state.Trying, h.state.Now = false, false, s
	h.m.change(func(now *match.Snapshot) {
		now.ID, now.Game, now.Players = fmt.Sprint("m", len(h.begun)+1), s.Game, s.Players
	})
	if s.Source == SourceNone {
		h.feed.Clear(s.Game, Status{State: CameraNone})
	} else {
		h.feed.ShowStatus(Status{State: CameraRunning})
	}
	return nil
}

func (h *fakeHost) Look(game table.Game, c Sight, here bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if strings.HasPrefix(c.Source, "ftp:") || !here {
		return &Refused{Code: "source-scheme", Text: "no"}
	}
	if !strings.ContainsAny(c.Source, ":/") && !slices.Contains([]string{"", SourceDemo, SourcePhone}, c.Source) {
		return &Refused{Code: "source-missing", Text: "no", About: map[string]string{"name": c.Source}}
	}
	h.looks = append(h.looks, c)
	h.state.Trying = true
	if h.blind.State != "" || c.Source == SourcePhone {
		h.feed.Clear(game, h.blind)
		return nil
	}
	h.feed.Clear(game, Status{State: CameraRunning, Trying: true})
	h.feed.ShowPicture(tablePicture)
	seen := seenTable()
	seen.Game = game
	if game.Kit().Layout == table.Loose {
		seen.Grid = nil
	}
	if game == table.DiceFlick {
		seen.Dice = nil
		seen.Markers = []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}, {Row: 1, Col: 3, Marker: table.BlueMarker}}
		seen.Warnings = []table.Warning{{Code: "dark", Text: "the table is dark"}}
	}
	h.feed.ShowObservation(seen)
	return nil
}

func (h *fakeHost) Settle(use bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used = append(h.used, use)
	h.state.Trying = false
	h.feed.Settle()
	return nil
}

func (h *fakeHost) Thumbnail(_ context.Context, number int) ([]byte, error) {
	if number == 7 {
		return nil, errors.New("no picture")
	}
	if number != 0 {
		return nil, &Refused{Code: "source-device", Text: "that camera is not there"}
	}
	return tablePicture, nil
}

// letIn lets other devices in, and addresses is where they come then.
func (h *fakeHost) letIn() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	return nil
}

func (h *fakeHost) addresses() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.open {
		return nil
	}
	return []string{"192.168.1.5:8080"}
}

// setupServer is a server that can be set up, with fakes.
func setupServer(t *testing.T) (*httptest.Server, *fakeHost) {
	t.Helper()
	m, feed := newFakeMatch("Ada", "Ben", "Cleo"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowPicture(tablePicture)
	feed.ShowObservation(seenTable())
	h := newFakeHost(m, feed)
	s := New(Config{Match: m, Feed: feed, Host: h, Reader: fakeReader{}, Version: "test", Code: "ABCD2345", Open: h.letIn, Addresses: h.addresses})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	return ts, h
}

// laidOut looks for what a page must not have: anything beyond its sides, things to tap
// that lie over each other, that are too small for a finger, or that have no name.
const laidOut = `(() => {
	const faults = [], name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + '.' + (e.getAttribute('class') ?? '') + ' ' + (e.textContent ?? '').trim().slice(0, 30);
	const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getBoundingClientRect().width > 0;
	const clipped = (e) => { for (let p = e.parentElement; p; p = p.parentElement) { const o = getComputedStyle(p); if (o.overflowX !== 'visible' || o.clipPath !== 'none') return true; } return getComputedStyle(e).clipPath !== 'none'; };
	if (document.documentElement.scrollWidth > innerWidth) faults.push('has to be scrolled sideways: ' + document.documentElement.scrollWidth);
	for (const e of document.body.querySelectorAll('*')) {
		if (e.closest('svg') && e.tagName !== 'svg' || !seen(e) || clipped(e) || e.matches('.skip')) continue;
		const r = e.getBoundingClientRect();
		if (r.left < -1 || r.right > innerWidth + 1) faults.push('leaves the page: ' + name(e));
		if (e.children.length === 0 && e.scrollWidth > e.clientWidth + 2 && getComputedStyle(e).overflowX === 'visible' && getComputedStyle(e).display !== 'inline') faults.push('text is cut off: ' + name(e));
	}
	const top = document.querySelector('dialog[open]') ?? document.body;
	const taps = [...top.querySelectorAll('a[href], button, select, input, summary, [role=button]')].filter((e) => seen(e) && !e.closest('svg') && !e.matches('.skip, input[type=file], label input, #stage *') && !e.closest('#menu-list'));
	const inView = (e) => { // what scrolls out of its list lies over nothing
		let { left, right, top, bottom } = e.getBoundingClientRect();
		for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
			if (getComputedStyle(p).overflowY === 'visible') continue;
			const r = p.getBoundingClientRect();
			[left, right, top, bottom] = [Math.max(left, r.left), Math.min(right, r.right), Math.max(top, r.top), Math.min(bottom, r.bottom)];
		}
		return { left, right, top, bottom };
	};
	const boxes = taps.map((e) => [e, e.getBoundingClientRect(), inView(e)]);
	for (const [e, r, part] of boxes) {
		if (r.width < 43.5 || r.height < 43.5) faults.push('too small: ' + name(e) + ' ' + r.width.toFixed(0) + 'x' + r.height.toFixed(0));
		if (!(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)) faults.push('without a name: ' + name(e));
		for (const [o, , q] of boxes) {
			if (o === e || o.contains(e) || e.contains(o) || e.closest('.wiz-foot, .actions, #table-head') || o.closest('.wiz-foot, .actions, #table-head')) continue;
			if (Math.min(part.right, q.right) - Math.max(part.left, q.left) > 1 && Math.min(part.bottom, q.bottom) - Math.max(part.top, q.top) > 1) faults.push('overlap: ' + name(e) + ' and ' + name(o));
		}
	}
	return [...new Set(faults)];
})()`

func wellLaidOut(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	for _, fault := range ask[[]string](t, ctx, laidOut) {
		t.Errorf("%s: %s", what, fault)
	}
}

// arrives waits until another page is there: while one page goes and the other comes, nothing
// can be asked.
func arrives(path string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for range 300 {
			at, err := chromedp.Evaluate[string](`document.readyState === 'complete' ? location.pathname : ''`)(ctx, target)
			if err == nil && at == path {
				return nil
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return fmt.Errorf("the page %s does not come", path)
	})
}

// inStep waits until a step of the wizard is shown.
func inStep(name string) step {
	return wait(fmt.Sprintf("document.getElementById('step-%s') && !document.getElementById('step-%s').hidden", name, name))
}

// TestBrowserWizard goes through the wizard on every screen, by day and by night.
func TestBrowserWizard(t *testing.T) {
	t.Parallel()
	for i, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			ctx := browser(t)
			ts, h := setupServer(t)
			look := func(name string) {
				for _, night := range []bool{false, true} {
					run(t, ctx, dark(night), shot(t, fmt.Sprintf("setup-%s-%s-%v", name, screen.name, map[bool]string{false: "light", true: "dark"}[night])))
				}
				wellLaidOut(t, ctx, name)
			}
			run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL), arrives("/setup"), inStep("game"))
			look("game")
			run(t, ctx, middle(`[data-game="dice-box"]`), inStep("camera"), wait(`document.querySelector('[data-camera="0"] img')?.naturalWidth > 0`))
			look("camera")
			run(t, ctx, middle(`[data-source="demo"]`), inStep("check"), wait(`document.querySelectorAll('#overlay .found').length > 10 && document.querySelector('#stage.seen')`), shows("#lamps", "Found"), shows("#read-count", "12 dice"))
			look("check")
			run(t, ctx, middle("#next"), inStep("players"))
			look("players")
			run(t, ctx, middle("#next"), arrives("/"), wait(`document.querySelectorAll('#scores li').length === 2`))
			wellLaidOut(t, ctx, "the table")
			if got := h.begun; len(got) != 1 || got[0].Game != table.DiceBox || got[0].Source != SourceDemo || !slices.Equal(got[0].Players, []string{"Ada", "Ben"}) {
				t.Errorf("began %+v", got)
			}
			if i > 0 {
				return
			}
			run(t, ctx, middle("#menu"), wait(`document.activeElement.closest('#menu-list')`), shot(t, "menu"), chromedp.KeyEvent(kb.Escape), wait(`document.activeElement.id === 'menu' && document.getElementById('menu-list').hidden`))
		})
	}
}

// TestBrowserNextAlwaysWorks: with nothing chosen, "next" leads to a match, in every game.
func TestBrowserNextAlwaysWorks(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	for _, game := range table.Games {
		ts, h := setupServer(t)
		h.state.Now.Game = game
		run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle("#next"), inStep("camera"), middle("#next"), inStep("check"),
			wait(`document.querySelector('#stage.seen') && document.getElementById('lamps').childElementCount > 0`), shot(t, "check-"+string(game)))
		wellLaidOut(t, ctx, string(game))
		run(t, ctx, middle("#next"), inStep("players"), shot(t, "players-"+string(game)))
		wellLaidOut(t, ctx, string(game))
		run(t, ctx, middle("#next"), arrives("/"))
		if len(h.begun) != 1 || h.begun[0].Game != game || h.begun[0].Source != "/dev/video0" {
			t.Errorf("%s: began %+v", game, h.begun)
		}
		if loose := game.Kit().Layout == table.Loose; len(h.begun) == 1 && loose {
			if err := calibration.CheckZones(game, len(h.begun[0].Players), h.begun[0].Zones); err != nil {
				t.Errorf("%s: %v", game, err)
			}
		}
	}
}

// TestBrowserKeepsItsCamera: the camera in force is what "next" takes, also where its
// address is not told in full; a camera that is plugged in comes along, and shows itself again.
func TestBrowserKeepsItsCamera(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	h.state.Fresh = false
	h.state.Now.Sight = Sight{Source: "http://192.168.1.20:8080/a-rather-long-path-that-nobody-would-type/video"}
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle("#next"), inStep("camera"),
		wait(`document.querySelector('[data-source="url"]').ariaPressed === 'true' && document.querySelector('[data-camera="0"] img')`), shot(t, "camera-kept"))
	wellLaidOut(t, ctx, "the camera in force")
	ask[bool](t, ctx, `(document.querySelector('[data-source="demo"]').focus(), window.first = document.querySelector('[data-camera="0"] img').src, true)`)
	h.mu.Lock()
	h.state.Cameras = append(h.state.Cameras, CameraChoice{Number: 4, Source: "/dev/video4", Name: "New camera"})
	h.mu.Unlock()
	run(t, ctx, wait(`document.querySelector('[data-source="/dev/video4"]') && document.querySelector('[data-camera="0"] img').src !== window.first`))
	if at := ask[string](t, ctx, `document.activeElement.dataset.source`); at != "demo" {
		t.Errorf("the keyboard is at %q when a camera comes along", at)
	}
	run(t, ctx, middle("#next"), inStep("check"))
	if got := h.lastLook(t, 1); got.Source != "" {
		t.Errorf("the eye is pointed at %q", got.Source)
	}
	run(t, ctx, middle("#next"), inStep("players"), middle("#next"), arrives("/"))
	if len(h.begun) != 1 || h.begun[0].Source != "" {
		t.Errorf("began %+v", h.begun)
	}
}

// drag moves the mouse from the middle of an element by some pixels, with the button down.
func drag(selector string, dx, dy float64) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		at, err := chromedp.Evaluate[[2]float64](middleOf(selector))(ctx, target)
		if err != nil {
			return err
		}
		for _, e := range []struct {
			kind   string
			dx, dy float64
		}{{"mousePressed", 0, 0}, {"mouseMoved", dx / 2, dy / 2}, {"mouseMoved", dx, dy}, {"mouseReleased", dx, dy}} {
			err := target.Call(ctx, "Input.dispatchMouseEvent", map[string]any{"type": e.kind, "x": at[0] + e.dx, "y": at[1] + e.dy, "button": "left", "buttons": 1, "clickCount": 1}, nil)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// lastLook waits until the eye was pointed somewhere count times, and returns the last.
func (h *fakeHost) lastLook(t *testing.T, count int) Sight {
	t.Helper()
	for range 200 {
		h.mu.Lock()
		looks := slices.Clone(h.looks)
		h.mu.Unlock()
		if len(looks) >= count {
			return looks[count-1]
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the eye was pointed %d times, want %d", len(h.looks), count)
	return Sight{}
}

// TestBrowserCorners: the board's corners are dragged with a finger and moved with keys,
// and let go of again.
func TestBrowserCorners(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="dice-box"]`), inStep("camera"), middle(`[data-source="/dev/video0"]`), inStep("check"),
		wait(`document.querySelectorAll('.handle').length === 4`), drag(".handle:nth-child(2)", 40, -30))
	scale := ask[float64](t, ctx, `document.getElementById('handles').getScreenCTM().a`)
	got := h.lastLook(t, 2)
	if got.Corners == nil || got.Picture != [2]int{800, 600} {
		t.Fatalf("looks with %+v", got)
	}
	want := tableCorners
	want[1].X, want[1].Y = want[1].X+40/scale, want[1].Y-30/scale
	if !near(*got.Corners, want, 3) {
		t.Errorf("corners %v, want %v", *got.Corners, want)
	}
	run(t, ctx, shot(t, "corners-dragged"))
	ask[any](t, ctx, `document.querySelectorAll('.handle')[2].focus()`)
	run(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown))
	keyed := h.lastLook(t, 3)
	want[2].X, want[2].Y = want[2].X+2*3.2, want[2].Y+3.2
	if keyed.Corners == nil || !near(*keyed.Corners, want, 3) {
		t.Errorf("with keys: corners %v, want %v", keyed.Corners, want)
	}
	run(t, ctx, middle("#tools button:nth-child(2)"))
	if turned := h.lastLook(t, 4); turned.Corners == nil || !near(*turned.Corners, [4]table.Point{want[1], want[2], want[3], want[0]}, 3) {
		t.Errorf("turned: %v", turned.Corners)
	}
	run(t, ctx, middle("#tools button:nth-child(1)"))
	if again := h.lastLook(t, 5); again.Corners != nil {
		t.Errorf("found again with %v", again.Corners)
	}
}

// TestBrowserMarksAndZones: stickers of an arena are told with two taps, zones dragged.
func TestBrowserMarksAndZones(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="dice-flick"]`), inStep("camera"), middle(`[data-source="/dev/video0"]`), inStep("check"),
		wait(`document.querySelectorAll('#handles .marker').length === 2`), shows("#lamps", "turn on a light"),
		middle(`[data-spot="7"]`), wait(`document.getElementById('mark').open`), shot(t, "mark"), middle("#marks button:nth-child(2)"), wait(`document.querySelectorAll('#handles .marker').length === 3`), shot(t, "marks"),
		middle("#next"), inStep("players"), middle("#next"), arrives("/"))
	want := []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}, {Row: 1, Col: 3, Marker: table.BlueMarker}, {Row: 1, Col: 2, Marker: table.BonusMarker}}
	if got := h.begun[0].Markers; !slices.Equal(got, want) {
		t.Errorf("markers %v, want %v", got, want)
	}

	ts, h = setupServer(t)
	run(t, ctx, chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="fromage-a-trois"]`), inStep("camera"), middle(`[data-source="/dev/video0"]`), inStep("check"),
		wait(`document.querySelectorAll('.zone-of').length === 5 && document.querySelectorAll('.handle').length === 4`), drag(".handle:nth-child(2)", 60, 20), shot(t, "zones"))
	wellLaidOut(t, ctx, "zones")
	run(t, ctx, middle(".wiz-counts button:nth-child(2)"), wait(`document.querySelectorAll('.zone-of').length === 6`), middle("#next"), inStep("players"), middle("#next"), arrives("/"))
	if got := h.begun[0]; len(got.Players) != 4 || len(got.Zones) != 6 {
		t.Errorf("%d players and %d zones, want 4 and 6", len(got.Players), len(got.Zones))
	}
}

// TestBrowserSetsUp: refusals are told in words of the page's language, an address
// can be typed, players and rules changed.
func TestBrowserSetsUp(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="dice-box"]`), inStep("camera"), middle(`[data-source="url"]`), wait(`!document.getElementById('ask-source').hidden`))
	ask[any](t, ctx, `document.getElementById('ask-input').value = 'ftp://x'`)
	run(t, ctx, middle("#ask-source button"), shows("#ask-problem", "starts with http"), shot(t, "refused"))
	ask[any](t, ctx, `document.getElementById('ask-input').value = 'http://10.0.0.7/video'`)
	run(t, ctx, middle("#ask-source button"), inStep("check"), middle("#next"), inStep("players"), middle("#add"), wait(`document.querySelectorAll('#players li').length === 3`))
	ask[any](t, ctx, `(() => { const i = document.querySelector('#players li:nth-child(2) input'); i.value = '<b>Eve</b>'; i.dispatchEvent(new Event('input')); i.dispatchEvent(new Event('change')); })()`)
	run(t, ctx, middle("#players li:nth-child(2) .swap"), wait(`document.querySelector('#players li input').value === '<b>Eve</b>'`), middle("#players li:nth-child(2) .drop"), wait(`document.querySelectorAll('#players li').length === 2`),
		middle(`#players li:nth-child(1) [aria-label="blue"]`), middle("#rules summary"), wait(`document.getElementById('rules').open`))
	ask[any](t, ctx, `document.querySelector('#rule-list input').click()`)
	wellLaidOut(t, ctx, "players")
	run(t, ctx, shot(t, "rules"), middle("#next"), arrives("/"))
	got, err := json.Marshal(h.begun[0])
	want := `{"game":"dice-box","players":["<b>Eve</b>","Player 3"],"options":{"wrap":true},"owners":[["blue"],["yellow"]],"source":"http://10.0.0.7/video"}`
	if unescape := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">"); err != nil || unescape.Replace(string(got)) != want {
		t.Errorf("began %s (%v), want %s", got, err, want)
	}
}

// TestBrowserMoved: when the camera has moved the live page says so, and leads to the
// check and back into the same match.
func TestBrowserMoved(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	h.state.Fresh, h.state.Now.Source = false, "/dev/video0"
	run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL), wait(`document.querySelectorAll('.found').length > 10 && document.getElementById('moved').hidden`))
	seen := seenTable()
	seen.Warnings = []table.Warning{{Code: "moved", Text: "the camera has moved"}, {Code: "no-dice", Text: "no dice can be read"}}
	h.feed.ShowObservation(seen)
	run(t, ctx, wait(`!document.getElementById('moved').hidden && document.getElementById('warnings').textContent.startsWith('No dice that I can read')`), shot(t, "moved"), middle("#moved a"), arrives("/setup"), inStep("check"), wait(`document.querySelectorAll('.handle').length === 4`), shot(t, "mending"), middle("#next"), arrives("/"))
	if !slices.Equal(h.used, []bool{true}) || len(h.begun) != 0 {
		t.Errorf("settled with %v, began %v", h.used, h.begun)
	}
	run(t, ctx, chromedp.Navigate(ts.URL+"/setup#check"), inStep("check"), middle("#back"), arrives("/"))
	if !slices.Equal(h.used, []bool{true, false}) {
		t.Errorf("settled with %v, want the camera as it was", h.used)
	}
}

// TestBrowserLayout: on every view and screen nothing leaves the page, lies over something
// else that is to be tapped, or is too small for a finger.
func TestBrowserLayout(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	play(m)
	for _, view := range slices.Sorted(maps.Keys(views)) {
		if view == "/setup" {
			continue // TestBrowserWizard looks at each of its steps
		}
		run(t, ctx, chromedp.Navigate(ts.URL+view), wait(`document.title !== 'diceref' && document.readyState === 'complete'`))
		for _, screen := range screens {
			run(t, ctx, size(screen.width, screen.height))
			wellLaidOut(t, ctx, view+" "+screen.name)
		}
	}
}

// TestBrowserWizardPhone: a phone that does not send yet is invited by its code, or is told
// why it cannot come.
func TestBrowserWizardPhone(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="dice-box"]`), inStep("camera"), middle(`[data-source="phone"]`), inStep("check"),
		wait(`!document.getElementById('scan').hidden`), shows("#scan-text", "only this machine"), shot(t, "phone-wanted"))
	wellLaidOut(t, ctx, "a phone is wanted")
	h.feed.showPhone(PhoneHere)
	run(t, ctx, wait(`document.getElementById('scan').hidden`))
}

// inGerman checks that none of the English words is left on a page.
func inGerman(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	en, de := words(t, "en.json"), words(t, "de.json")
	english := map[string]bool{}
	for key, text := range en {
		english[text] = de[key] != text
	}
	for _, text := range ask[[]string](t, ctx, `[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()).flatMap((e) => [e.getAttribute('aria-label') ?? '', ...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim())]).filter(Boolean)`) {
		if english[text] {
			t.Errorf("%s: %q is English", name, text)
		}
	}
}

// TestBrowserWizardGerman goes through the wizard in the other language: its longer words
// fit, and none of the first language is left.
func TestBrowserWizardGerman(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _ := setupServer(t)
	look := func(name string) {
		run(t, ctx, shot(t, "german-"+name))
		wellLaidOut(t, ctx, "German "+name)
		inGerman(t, ctx, name)
	}
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"))
	ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
	run(t, ctx, chromedp.Navigate(ts.URL+"/setup?again"), shows("#title", "Welches Spiel"))
	look("game")
	run(t, ctx, middle(`[data-game="dice-flick"]`), inStep("camera"))
	look("camera")
	run(t, ctx, middle(`[data-source="/dev/video0"]`), inStep("check"), wait(`document.getElementById('lamps').childElementCount > 0`))
	look("check")
	run(t, ctx, middle("#next"), inStep("players"))
	look("players")
	ask[any](t, ctx, `localStorage.removeItem('language')`)
}
