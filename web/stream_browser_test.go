package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// locks has the wake locks counted that a page asks for; a browser lets go of them whenever a page is hidden.
const locks = `(() => {
	window.asked = 0;
	const hidden = { value: false };
	window.hide = (on) => {
		hidden.value = on;
		if (on && window.lock) window.lock.released = true;
		document.dispatchEvent(new Event('visibilitychange'));
	};
	Object.defineProperty(document, 'hidden', { get: () => hidden.value });
	Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
		window.asked++;
		if (window.refuses || kind !== 'screen') throw new DOMException('no', 'NotAllowedError');
		return window.lock = { released: false };
	} } });
})()`

// onLoad has a script run before every page of a tab.
func onLoad(source string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if err := target.Call(ctx, "Page.enable", map[string]any{}, nil); err != nil {
			return err
		}
		return target.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": source}, nil)
	})
}

// TestBrowserAwake: the live page keeps the screen on, again after it was hidden, once at a time; where the browser
// refuses or cannot, nothing is said and all else works.
func TestBrowserAwake(t *testing.T) {
	t.Parallel()
	const uncaught = `; window.wrong = []; addEventListener('unhandledrejection', (e) => window.wrong.push(String(e.reason)))`
	url, _ := tapServer(t, table.DiceBox, "Ada", "Ben")
	ctx := browser(t)
	do := func(script string) step { return wait("(" + script + ", true)") }
	run(t, ctx, onLoad(locks+uncaught), chromedp.Navigate(url), wait(`window.asked === 1 && !window.lock.released`),
		do(`document.dispatchEvent(new Event('visibilitychange'))`), do(`window.hide(true)`), wait(`window.asked === 1`),
		do(`window.hide(false)`), wait(`window.asked === 2 && !window.lock.released`),
		do(`window.refuses = true, window.hide(true), window.hide(false)`), wait(`window.asked === 3`),
		do(`window.refuses = false, window.hide(true), window.hide(false)`), wait(`window.asked === 4 && !window.lock.released`),
		tap(key("die-black-3")), wait(toMove(0)))
	if wrong := ask[[]string](t, ctx, `window.wrong`); len(wrong) > 0 {
		t.Errorf("a refusal is not caught: %v", wrong)
	}
	run(t, ctx, chromedp.Navigate(url+"/tv"), wait(`window.asked === 1`))

	without := browser(t) // as in a page that comes without https
	run(t, without, onLoad(`delete Navigator.prototype.wakeLock`+uncaught), chromedp.Navigate(url), shows("#game", "Dice Box"), tap("#undo"))
	if wrong := ask[string](t, without, `('wakeLock' in navigator) + window.wrong.join()`); wrong != "false" {
		t.Errorf("without wake locks: %v", wrong)
	}
}

// TestBrowserTVStream: a big screen that is streamed tells its viewers neither the table's code nor its address.
func TestBrowserTVStream(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s, _ := tapped(t, table.DiceBox, "Ada", "Ben")
	s.cfg.Addresses = func() []string { return []string{"192.168.1.5:8080"} }
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	run(t, ctx, size(1920, 1080), onLoad(follows), chromedp.Navigate(ts.URL+"/tv"), shows("#joinbox-code", "ABCD2345"), wait(`document.getElementById('joinbox-picture').naturalWidth > 0`))
	run(t, ctx, chromedp.Navigate(ts.URL+"/tv?stream"), shows("#game", "Dice Box"), wait(`window.asking === 0`), shot(t, "tv-stream"))
	if !ask[bool](t, ctx, `document.getElementById('joinbox').hidden && !performance.getEntriesByType('resource').some((e) => e.name.includes('/api/v1/join'))`) {
		t.Error("the code is asked for")
	}
	if page := ask[string](t, ctx, `document.documentElement.outerHTML`); strings.Contains(page, "ABCD2345") || strings.Contains(page, "192.168.1.5") {
		t.Error("the page has the code or the address")
	}
}

// TestBrowserStream: the menu leads to the page that makes the overlay of a stream; what is chosen there is in the
// address and in the preview, and the overlay that is opened by it looks so.
func TestBrowserStream(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceBox, "Ada", "Ben")
	for _, act := range []string{"seed 3", "A place R4 c2"} {
		declared(t, m, match.Declaration{Say: match.SayAct, Move: act})
	}
	address := func(want string) step {
		return wait(fmt.Sprintf(`document.getElementById('address').value === %q && document.getElementById('preview').contentDocument?.querySelector('#scores li') && document.getElementById('preview').contentWindow.location.href === %q`, url+want, url+want))
	}
	set := func(id, value string) step {
		return wait(fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('change')); return true; })()`, id, value))
	}
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(url), tap("#menu"), tap(`#menu-list a[href="/stream"]`), arrives("/stream"), address("/overlay"), shot(t, "stream-"+screen.name))
		wellLaidOut(t, ctx, "stream "+screen.name)
		run(t, ctx, tap("#part-table"), set("side", "right"), set("scale", "150"), address("/overlay?parts=scores,move&side=right&size=150"))
	}
	run(t, ctx, tap("#copy"), shows("#copied", "Copied"), shot(t, "stream-set"))
	const look = `(() => { const seen = (s) => Boolean(document.querySelector(s)?.checkVisibility()), r = document.querySelector('.verdict, .scores').getBoundingClientRect();
		return [seen('#scores li'), seen('.verdict'), seen('#extra'), parseFloat(getComputedStyle(document.documentElement).fontSize), document.querySelector('.scores').getBoundingClientRect().right > innerWidth - 40]; })()`
	run(t, ctx, size(1280, 800), chromedp.Navigate(url+"/overlay"), shows("#verdict-text", "red 4"))
	plain := ask[[]any](t, ctx, look)
	run(t, ctx, chromedp.Navigate(url+"/overlay?parts=scores,move&side=right&size=150"), shows("#verdict-text", "red 4"), shot(t, "overlay-set"))
	other := ask[[]any](t, ctx, look)
	if got, want := fmt.Sprint(plain[:3], plain[4], other[:3], other[4]), "[true true true] false [true true false] true"; got != want {
		t.Errorf("the overlay shows %s, want %s", got, want)
	}
	if a, b := plain[3].(float64), other[3].(float64); b < 1.49*a || b > 1.51*a {
		t.Errorf("letters of %g px become %g px, want half as large again", a, b)
	}
	run(t, ctx, chromedp.Navigate(url+`/overlay?parts=move,<b>&side="x&size=9e9`), shows("#verdict-text", "red 4"))
	if got := fmt.Sprint(ask[[]any](t, ctx, look)); got != fmt.Sprint([]any{false, true, false, plain[3], false}) {
		t.Errorf("an address that makes no sense shows %s", got)
	}
}
