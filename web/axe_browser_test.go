package web

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

//go:embed testdata/axe.min.js.gz
var axePacked []byte

// axe is axe-core's source.
func axe(t *testing.T) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(axePacked))
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// serious has axe-core look at the page; what is serious or critical is told, each with the element.
// The layout moves nothing while it looks, so that colors are those that stay.
const serious = `axe.run(document, { resultTypes: ['violations'], %s }).then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
	.flatMap(({ id, nodes }) => nodes.map(({ target, any, all, none }) => id + ' at ' + target.join(' ') + ': ' + ([...any, ...all, ...none][0]?.message ?? ''))))`

// accessible checks the page as it is, by day; by night its colors alone are other ones.
func accessible(t *testing.T, ctx context.Context, source, what string) {
	t.Helper()
	run(t, ctx, size(390, 2400), wait(noneMoves)) // all at once, so that nothing lies under what stays at the bottom
	ask[any](t, ctx, `window.axe ? true : (`+"(() => { "+source+" })(), true)")
	for _, night := range []bool{false, true} {
		rules := map[bool]string{true: `runOnly: ['color-contrast']`, false: `runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']`}[night]
		run(t, ctx, dark(night))
		found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](fmt.Sprintf(serious, rules), chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, fault := range found {
			t.Errorf("%s, %s: %s", what, map[bool]string{true: "dark", false: "light"}[night], fault)
		}
	}
	run(t, ctx, dark(false))
}

// TestBrowserAccessible: axe-core finds nothing serious on any page and in any of the main states, in light and dark.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	source := axe(t)
	t.Run("table", func(t *testing.T) { accessibleTable(t, source) })
	t.Run("pages", func(t *testing.T) { accessiblePages(t, source) })
}

func accessibleTable(t *testing.T, source string) {
	st := newStage(t)
	look := func(what string) {
		t.Helper()
		accessible(t, st.ctx, source, what)
	}
	for i, sc := range scenes {
		players := guests[:sc.players]
		whole := plays(t, sc.game, players, sc.acts(len(sc.states))...)
		camera := i == 0
		st.eye(camera, sc.game)
		st.match.show(fmt.Sprint("a", i), whole, nil)
		st.open("/")
		st.put(whole, nil)
		run(t, st.ctx, size(390, 2400))
		look(string(sc.game))
		if sc.game != table.DiceBox {
			continue
		}
		ask[bool](t, st.ctx, `(document.querySelector('#show-me').click(), true)`)
		st.settle()
		look("a hint")
		ask[bool](t, st.ctx, `(document.querySelector('#show-me').click(), [...document.querySelectorAll('#moves button.what')].at(0).click(), true)`)
		st.settle()
		look("a correction")
		ask[any](t, st.ctx, closes)
		ask[bool](t, st.ctx, `(() => { const $ = (s) => document.querySelector(s); return `+sc.wrong+`; })()`)
		st.settle()
		look("not allowed")
		st.put(whole, asked(players))
		look("asked")
		st.put(plays(t, sc.game, players, append(sc.acts(len(sc.states)), sc.illegal)...), nil)
		look("not allowed but kept")
		ask[bool](t, st.ctx, `(document.querySelector('#menu').click(), true)`)
		look("menu")
		ask[bool](t, st.ctx, `(document.querySelector('#menu').click(), document.querySelector('main').inert === false)`)
	}
	m := plays(t, table.DessertDice, guests[:3])
	declared(t, m, match.Declaration{Say: match.SayRoll})
	playOut(t, m, 3)
	st.put(m, nil)
	look("cards")
	for i, p := range guests[:3] {
		declared(t, m, match.Declaration{Say: match.SayCard, Player: p, Card: "SPI"[i : i+1]})
	}
	for _, view := range []string{"/", "/tv", "/overlay"} {
		st.open(view)
		st.put(m, nil)
		look("over " + view)
	}
	st.put(plays(t, table.DiceFlick, guests[:4], scenes[2].acts(5)...), nil)
	look("/overlay")
}

func accessiblePages(t *testing.T, source string) {
	ctx := browser(t)
	setup, _ := setupServer(t)
	pages, _, _ := tableServer(t)
	past := pastServer(t)
	dice, ds := diceServer(t, fakeTops(4, 3, 2))
	_, begun := ds.cfg.Dice.Begin(t.Context(), "ours", table.DessertDice)
	if _, err := ds.cfg.Dice.Throw(t.Context(), "ours", tablePicture); begun != nil || err != nil {
		t.Fatal(begun, err)
	}
	run(t, ctx, chromedp.Navigate(setup.URL+"/setup"), inStep("game"))
	accessible(t, ctx, source, "setup, game")
	run(t, ctx, middle(`[data-game="dice-box"]`), inStep("camera"), wait(`document.querySelector('[data-camera="0"] img')?.naturalWidth > 0`))
	accessible(t, ctx, source, "setup, camera")
	run(t, ctx, middle(`[data-source="demo"]`), inStep("check"), shows("#read-count", "12 dice"))
	accessible(t, ctx, source, "setup, check")
	run(t, ctx, middle("#next"), inStep("players"))
	accessible(t, ctx, source, "setup, players")
	for _, page := range []struct {
		ts    *httptest.Server
		path  string
		ready step
	}{
		{pages, "/drop", wait(`document.querySelectorAll('#game option').length === 6`)},
		{dice, "/dice", wait(`document.getElementById('name').value`)},
		{dice, "/dice#ours", kinds(3, 3)},
		{pages, "/camera", wait(`!document.getElementById('start').hidden`)},
		{pages, "/trust", wait(`document.querySelectorAll('#steps li').length === 5`)},
		{pages, "/print", wait(`document.querySelectorAll('.sheet').length === 4`)},
		{pages, "/stream", wait(`document.getElementById('address').value.endsWith('/overlay')`)},
		{past, "/history", wait(`document.querySelectorAll('#matches > li').length === 5`)},
		{past, "/history?match=dice-flick", shows(".count", "26")},
		{past, "/history?match=dicecreams", shows(".count", "Step")},
	} {
		run(t, ctx, chromedp.Navigate(page.ts.URL+page.path), page.ready)
		accessible(t, ctx, source, page.path)
	}
}
