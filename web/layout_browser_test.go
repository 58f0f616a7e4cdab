package web

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/rules"
	"diceref/table"
)

//go:embed testdata/layout.js
var layoutFaults string

type screenSize struct{ width, height int64 }

// sizes are the screens that every state of every page must fit: what comes up now and then is looked at on
// the tightest of each kind.
var (
	sizes = []screenSize{{390, 844}, {360, 640}, {1280, 800}, {1920, 1080}}
	tight = []screenSize{{360, 640}, {1280, 800}}
	far   = map[string][]screenSize{"/tv": {{1280, 800}, {1920, 1080}}, "/overlay": {{1280, 800}, {1920, 1080}}}
)

// staged is what an open page shows: one match after the other, each as a test made it.
type staged struct {
	mu      sync.Mutex
	real    *match.Match
	now     match.Snapshot
	changed chan struct{}
}

func (s *staged) Snapshot() match.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *staged) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *staged) judge() *match.Match {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.real
}

func (s *staged) Declare(d match.Declaration) error { return s.judge().Declare(d) }
func (s *staged) Legal(with []string, from, limit int) match.Acts {
	return s.judge().Legal(with, from, limit)
}
func (s *staged) Why(act string) (match.Judgment, error)       { return s.judge().Why(act) }
func (s *staged) Hints() match.Hints                           { return s.judge().Hints() }
func (s *staged) Hint(card string) ([]rules.Suggestion, error) { return s.judge().Hint(card) }

// show puts a match on the stage, under a name that tells it from all before.
func (s *staged) show(id string, m *match.Match, edit func(*match.Snapshot)) {
	now := m.Snapshot()
	if edit != nil {
		edit(&now)
	}
	now.ID = id
	s.mu.Lock()
	defer s.mu.Unlock()
	s.real, s.now = m, now
	close(s.changed)
	s.changed = make(chan struct{})
}

// follows has a page say which match it shows (window.heard) and what it still waits for (window.asking).
const follows = `(() => {
	window.asking = 0;
	const real = window.fetch;
	window.fetch = async (path, ...rest) => {
		if (String(path).includes('preview')) return real(path, ...rest);
		window.asking++;
		try { return await real(path, ...rest); } finally { setTimeout(() => { window.asking--; }); }
	};
	window.EventSource = class extends EventSource {
		addEventListener(name, then) { super.addEventListener(name, (event) => { then(event); if (name === 'match') window.heard = JSON.parse(event.data).id; }); }
	};
})()`

// stage is an open page and what is shown on it.
type stage struct {
	t      *testing.T
	ctx    context.Context
	match  *staged
	s      *Server
	url    string
	count  int
	where  string                       // page, game and camera, for the names of faults
	still  map[string]map[string]string // by size: where what must not move was at first
	view   string
	camera bool
	rare   bool // what is shown comes up now and then
}

// screens are those that what is shown must fit.
func (st *stage) screens() []screenSize {
	all := sizes
	if list, ok := far[st.view]; ok {
		all = list
	}
	if !st.rare {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(s screenSize) bool { return !slices.Contains(tight, s) })
}

func newStage(t *testing.T) *stage {
	t.Helper()
	st := &stage{t: t, ctx: browser(t), match: &staged{changed: make(chan struct{})}}
	st.s, _ = tapped(t, table.DiceBox, "Ada", "Ben")
	st.s.cfg.Match = st.match
	st.url = listening(t, st.s).URL
	run(t, st.ctx, onLoad(follows))
	return st
}

// eye sets what the camera of the stage sees; without one all is tapped.
func (st *stage) eye(camera bool, game table.Game, warnings ...table.Warning) {
	st.camera = camera
	if !camera {
		st.s.cfg.Feed.Clear(game, Status{State: CameraNone})
		return
	}
	seen := seenTable()
	seen.Game, seen.Warnings = game, warnings
	st.s.cfg.Feed.ShowStatus(Status{State: CameraRunning})
	st.s.cfg.Feed.ShowPicture(tablePicture)
	st.s.cfg.Feed.ShowObservation(seen)
}

// open loads a page of the stage.
func (st *stage) open(view string) {
	st.view = view
	language := "en"
	if !st.camera {
		language = "de" // longer words, where most of them are
	}
	// set for both: a port may have belonged to another stage, and the browser keeps what that one stored
	run(st.t, st.ctx, onLoad(`localStorage.setItem('language', '`+language+`')`))
	run(st.t, st.ctx, size(1280, 800), chromedp.Navigate(st.url+view))
}

// show has the page show a match, and looks at it.
func (st *stage) show(state string, m *match.Match, edit func(*match.Snapshot)) {
	st.t.Helper()
	st.put(m, edit)
	st.look(state)
}

func (st *stage) put(m *match.Match, edit func(*match.Snapshot)) {
	st.t.Helper()
	st.count++
	id := fmt.Sprint("m", st.count)
	st.match.show(id, m, edit)
	run(st.t, st.ctx, wait(fmt.Sprintf(`window.heard === %q`, id)))
	st.settle()
}

func (st *stage) settle() {
	run(st.t, st.ctx, wait(`window.asking === 0`))
}

// does runs a script on the page, waits for what it brings, looks at it, and puts it back.
func (st *stage) does(state, script, back string) {
	st.t.Helper()
	if !ask[bool](st.t, st.ctx, `(() => { const $ = (s) => document.querySelector(s); return Boolean(`+script+`); })()`) {
		st.t.Errorf("%s, %s: cannot be reached", st.where, state)
		return
	}
	st.settle()
	st.look(state)
	if back != "" {
		ask[any](st.t, st.ctx, `(() => { const $ = (s) => document.querySelector(s); `+back+`; })()`)
		st.settle()
	}
}

// seenOnScreen is what layout.js tells.
type seenOnScreen struct {
	Faults []string
	Places map[string]string
}

// look checks what is on the page on every screen.
func (st *stage) look(state string) {
	st.t.Helper()
	for _, s := range st.screens() {
		on := fmt.Sprintf("%dx%d", s.width, s.height)
		run(st.t, st.ctx, size(s.width, s.height))
		found := ask[seenOnScreen](st.t, st.ctx, fmt.Sprintf("(document.getAnimations().forEach((a) => { try { a.finish(); } catch { a.cancel(); } }), %s(%s))", strings.TrimSpace(layoutFaults), promisedHere))
		for _, fault := range found.Faults {
			st.t.Errorf("%s, %s, %s: %s", st.where, state, on, fault)
		}
		if *keepShots {
			run(st.t, st.ctx, shot(st.t, strings.NewReplacer("/", "", " ", "-").Replace(fmt.Sprintf("%s--%s--%s", st.where, state, on))))
		}
		if st.still != nil {
			st.stays(state, on, found.Places)
		}
	}
}

// stays checks that what must not move is where it was at first.
func (st *stage) stays(state, on string, places map[string]string) {
	st.t.Helper()
	if st.still[on] == nil {
		st.still[on] = map[string]string{}
	}
	for _, what := range slices.Sorted(maps.Keys(places)) {
		at, was := places[what], st.still[on][what]
		switch {
		case at == "" || what == "scores" && strings.HasPrefix(state, "asked") || state == "trouble": // that comes first
		case was == "":
			st.still[on][what] = at
		case at != was:
			st.t.Errorf("%s, %s, %s: the %s jumps from %s to %s", st.where, state, on, what, was, at)
		}
	}
}

// promisedHere is what every prompt promises, for the page.
var promisedHere = func() string {
	all := map[string]string{}
	for todo, selectors := range promised {
		list := strings.Split(selectors, ", ")
		for i := range list {
			list[i] = ":is(#table, #doing) " + list[i]
		}
		all[todo] = strings.Join(list, ", ")
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(b)
}()

// TestBrowserFaultsAreSeen: what layout.js looks for is found: one flaw of each kind is put into a page that has none.
func TestBrowserFaultsAreSeen(t *testing.T) {
	t.Parallel()
	st := newStage(t)
	sc := scenes[1]
	st.eye(false, sc.game)
	st.match.show("m0", plays(t, sc.game, guests[:sc.players], sc.acts(len(sc.states))...), nil)
	st.open("/")
	run(t, st.ctx, wait(`window.heard === 'm0'`), size(390, 844))
	st.settle()
	faults := func(style string) string {
		ask[any](t, st.ctx, fmt.Sprintf(`(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync(%q); document.adoptedStyleSheets = [sheet]; })()`, style))
		return strings.Join(ask[seenOnScreen](t, st.ctx, fmt.Sprintf("%s(%s)", strings.TrimSpace(layoutFaults), promisedHere)).Faults, "\n")
	}
	if found := faults(""); found != "" {
		t.Fatalf("as it is: %s", found)
	}
	for style, want := range map[string]string{
		`.dock { bottom: -20rem !important }`:                                       "not in view: p#verdict-text",
		`.dock { position: static !important }`:                                     "not in view: button#undo",
		`#table-todo { font-size: 6rem !important }`:                                "what the prompt names is not in view",
		`#table-body { max-height: 12rem; overflow: auto }`:                         "scroll bars: html",
		`#undo { width: 2rem !important }`:                                          "too small to tap: button#undo",
		`#undo { position: relative; left: -2rem }`:                                 "beyond the side: button#undo",
		`#undo { translate: 2rem 0 }`:                                               "overlap: button#undo",
		`.dock { top: 0; bottom: auto !important; margin-top: -100vh }`:             "covered: ",
		`#moves { width: 130vw }`:                                                   "wider than the window",
		`#verdict-text { max-height: 0.6rem; overflow: hidden }`:                    "cut off: p#verdict-text",
		`#doing button { width: 3rem; flex: none !important; white-space: nowrap }`: "spills over: ",
		`#table { order: 9 }`:                                                       "not in view: p#table-todo",
	} {
		if found := faults(style); !strings.Contains(found, want) {
			t.Errorf("%s is not seen as %q, only as:\n%s", style, want, found)
		}
	}
}
