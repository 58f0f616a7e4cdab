package web

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestBrowserLeague: a league is begun, paired, played and corrected on its page in a hall, seen on all screens and in
// both languages, and on a big screen without anything to press.
func TestBrowserLeague(t *testing.T) {
	t.Parallel()
	l := newTestLeagues(t)
	id := l.playing(t, 9)
	h := NewHall(HallConfig{Tables: newFakeTables(), Leagues: l})
	ts := httptest.NewServer(h.Handler())
	t.Cleanup(func() {
		close(h.closing)
		ts.Close()
	})
	ctx := browser(t)
	run(t, ctx, chromedp.Navigate(ts.URL+"/hall"), wait(`document.querySelector('#menu') !== null`), middle("#menu"), wait(`!document.querySelector('#menu-list').hidden`), middle(`#menu-list a[href="/league"]`),
		shows("#name", "Spring Cup"), wait(`document.querySelectorAll('#players > tr').length === 9`), shows("#round-title", "Round 2, 2 tables still open"))
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), shot(t, "league-"+screen.name))
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", screen.name)
		}
	}
	accessible(t, ctx, axe(t), "league")
	if ask[bool](t, ctx, `[...document.querySelectorAll('#pair, #begin, #join, .match button')].some((b) => b.offsetParent)`) {
		t.Error("whoever only watches can change something")
	}

	// Against whom, and how.
	run(t, ctx, size(1280, 800), middle(`#players button`), wait(`document.querySelector('#edit').open && document.querySelectorAll('#edit .met tbody tr').length > 0`), shot(t, "league-player"))
	run(t, ctx, middle(`#edit footer button`), wait(`!document.querySelector('#edit').open`))

	// The referee begins a match, enters the other results, and pairs the next round.
	ask[bool](t, ctx, `(localStorage.setItem('table-code', 'REFEREE1'), true)`)
	run(t, ctx, middle("#sign-in"), wait(`document.querySelectorAll('.match .main').length === 2`), shot(t, "league-referee"))
	run(t, ctx, middle(`#tables > li:nth-child(3) .main`), wait(`document.querySelector('#problem').hidden`))
	select {
	case table := <-l.begun:
		if table != 2 {
			t.Errorf("the match of table %d has begun", table)
		}
	case <-time.After(10 * time.Second):
		t.Error("no match has begun")
	}
	for n := 2; n <= 3; n++ {
		at := []string{`#tables > li:nth-child(2)`, `#tables > li:nth-child(3)`}[n-2]
		run(t, ctx, middle(at+` .options button:last-child`), wait(`document.querySelector('#edit').open`))
		if n == 2 {
			ask[bool](t, ctx, `(() => { const s = document.querySelectorAll('#edit select'); s[0].value = '2'; s[1].value = '1'; s[2].value = '2'; return true; })()`)
			run(t, ctx, shot(t, "league-result"))
			accessible(t, ctx, axe(t), "league, a result")
		}
		run(t, ctx, middle(`#edit-ok`), wait(`document.querySelector('`+at+`').dataset.state === 'done'`))
	}
	if v, err := l.View(id); err != nil || v.Rounds[1].Tables[1].Who != "referee Ina" || v.Rounds[1].Tables[1].Places[1] != 1 || v.Rounds[1].Tables[1].Places[0] != 2 || v.Rounds[1].Tables[1].Places[2] != 2 {
		t.Errorf("entered was %+v (%v)", v.Rounds[1].Tables[1], err)
	}
	run(t, ctx, shows("#round-title", "all tables are done"), middle("#pair"), shows("#round-title", "Round 3, 3 tables still open"))

	// A new league, with a name that is refused first.
	run(t, ctx, middle("#begin"), wait(`document.querySelector('#edit').open`))
	ask[bool](t, ctx, `(() => { const [name] = document.querySelectorAll('#edit input'); name.value = 'Sommer'; document.querySelector('#edit textarea').value = 'Ann\nBen\nBen'; return true; })()`)
	run(t, ctx, shot(t, "league-new"), middle(`#edit-ok`), shows("#problem", "Ben"))
	run(t, ctx, middle("#begin"), wait(`document.querySelector('#edit').open`))
	ask[bool](t, ctx, `(() => { const [name] = document.querySelectorAll('#edit input'); name.value = 'Sommer'; document.querySelector('#edit textarea').value = 'Ann, Ben\nCleo'; return true; })()`)
	run(t, ctx, middle(`#edit-ok`), shows("#name", "Sommer"), wait(`document.querySelectorAll('#players > tr').length === 3`))

	// In German, and on a big screen.
	run(t, ctx, middle("#language"), shows("#about", "Schweizer System"), chromedp.Navigate(ts.URL+"/league?league="+id), shows("#round-title", "Runde 3"), size(390, 844), shot(t, "league-german"))
	if !ask[bool](t, ctx, noneOverflows) {
		t.Error("German: has to be scrolled sideways")
	}
	run(t, ctx, size(1920, 1080), chromedp.Navigate(ts.URL+"/league?league="+id+"&tv"), shows("#round-title", "Runde 3"), shot(t, "league-tv"))
	if !ask[bool](t, ctx, noneOverflows) || ask[bool](t, ctx, `[...document.querySelectorAll('button, select, a.button')].some((b) => b.offsetParent)`) {
		t.Error("on the big screen something can be pressed, or has to be scrolled sideways")
	}
}
