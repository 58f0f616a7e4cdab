package web

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/match"
)

// TestBrowserHall: all tables on one screen, on three screens and in both languages; a referee answers from the inbox.
func TestBrowserHall(t *testing.T) {
	t.Parallel()
	ts, f := hallServer(t)
	f.change(func() {
		for i := range 9 { // a hall has more tables than three
			seat := f.seats[i%3]
			seat.ID, seat.Name = fmt.Sprint("t", i), fmt.Sprint("Table ", i)
			f.seats = append(f.seats, seat)
		}
	})
	ctx := browser(t)
	run(t, ctx, chromedp.Navigate(ts.URL+"/hall"), wait(`document.querySelectorAll('#tables > li').length === 12`))
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), shot(t, "hall-"+screen.name))
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", screen.name)
		}
	}
	accessible(t, ctx, axe(t), "hall")
	run(t, ctx, size(1280, 800),
		chromedp.SendKeys("#find", "bar"), wait(`document.querySelectorAll('#tables > li').length === 1`),
		chromedp.SendKeys("#find", kb.Backspace+kb.Backspace+kb.Backspace), wait(`document.querySelectorAll('#tables > li').length === 12`))
	ask[bool](t, ctx, `(() => { const only = document.querySelector('#only'); only.value = 'asks'; return only.dispatchEvent(new Event('change')); })()`)
	run(t, ctx, wait(`document.querySelectorAll('#tables > li').length === 4`))

	// A wrong code is told, the right one opens the inbox.
	run(t, ctx, middle("#sign-in"), wait(`document.querySelector('#code').open`), chromedp.SendKeys("#code-input", "WRONG234"+kb.Enter), shows("#problem", "code"))
	ask[bool](t, ctx, `(localStorage.setItem('table-code', 'REFEREE1'), true)`)
	run(t, ctx, middle("#sign-in"), shows("#referee", "Ina"), wait(`document.querySelectorAll('#asked > li').length === 4`), shot(t, "hall-inbox"))
	accessible(t, ctx, axe(t), "hall, inbox")
	run(t, ctx, middle(`#asked [data-id="bar"] .option`), wait(`document.querySelector('#problem').hidden`))
	for len(f.matches["bar"].said()) == 0 { // the test's own time limit ends it
		run(t, ctx, chromedp.Sleep(10*time.Millisecond))
	}
	if said := f.matches["bar"].said()[0]; said.Say != match.SayAnswer || said.Choice != match.GoOn || said.Ask != f.seats[1].Live.Ask || said.Who != "referee Ina" || said.Key == "" {
		t.Errorf("the referee said %+v", said)
	}
	f.change(func() { f.seats[1].Live.Ask, f.seats[1].Live.Question = "", nil })
	run(t, ctx, wait(`document.querySelectorAll('#asked > li').length === 3`))

	// At a table, the players call a referee from the menu.
	run(t, ctx, chromedp.Navigate(ts.URL+"/t/window/"), wait(`document.querySelector('#menu') !== null`), middle("#menu"), shot(t, "hall-table-menu"))
	ask[bool](t, ctx, `(localStorage.setItem('table-code/t/window', 'CODE-WINDOW'), true)`)
	run(t, ctx, middle("#call"), shows("#notice", "called"))
	run(t, ctx, chromedp.Navigate(ts.URL+"/hall"), shows(`#asked [data-id="window"]`, "ask for a referee"))
	run(t, ctx, middle(`#asked [data-id="window"] button`), wait(`document.querySelector('#asked [data-id="window"]') === null`))

	// In German.
	run(t, ctx, middle("#language"), shows("#tables-title", "12 Tische"), size(390, 844), shot(t, "hall-german"))
	if !ask[bool](t, ctx, noneOverflows) {
		t.Error("German: has to be scrolled sideways")
	}
}
