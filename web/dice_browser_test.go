package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/table"
)

// diceServer is a table whose camera sees throws of dice, one after the other.
func diceServer(t *testing.T, throws ...[]table.Reading) (*httptest.Server, *Server) {
	t.Helper()
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowPicture(tablePicture)
	h := newFakeHost(m, feed)
	h.state.Now.Source = "/dev/video0"
	s := New(Config{Match: m, Feed: feed, Host: h, Dice: fakeShelf(t, throws...), Version: "test"})
	ts := listening(t, s)
	return ts, s
}

// kinds waits for so many groups, of which so many have no name.
func kinds(all, open int) step {
	return wait(fmt.Sprintf(`document.querySelectorAll('#tiles li').length === %d && document.querySelectorAll('#tiles .open').length === %d && !document.body.classList.contains('busy')`, all, open))
}

// called taps what a group shows.
func called(name string) step { return tap(fmt.Sprintf(`.own-names [data-name=%q]`, name)) }

// TestBrowserDice shows a set on a phone: one tap a name, the second throw asks what is new alone, what is wrong is put right,
// the page goes on after it was left, and the set is played with.
func TestBrowserDice(t *testing.T) {
	t.Parallel()
	ts, s := diceServer(t, fakeTops(5, 4, 3), fakeTops(3, 3, 3, 2))
	ctx := browser(t)
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/dice"), tap("#begin"), shows("#say", "Throw all your dice"), tap("#look"), kinds(3, 3),
		called("popsicle"), kinds(3, 2), called("jello tart"), kinds(3, 1))
	// The third shows two icons.
	run(t, ctx, tap(".several"), called("ice cream"), called("jello tart"), tap(".own-tools button"), kinds(3, 0), shows("#tiles", "Ice cream + Jello tart"), shows("#missing", "Sweet roll"))
	run(t, ctx, tap("#look"), kinds(4, 1), shows("#group h2", "What does this show?"), called("sweet roll"), kinds(4, 0), wait(`document.getElementById('missing').textContent === ''`), shows("#say", "Everything was shown"))
	// One picture of the first group shows something else after all; then that is the same again.
	run(t, ctx, tap(`[data-group="A"]`), shows("#group h2", "This shows: Popsicle"), tap(".own-pictures button"), shows("#group h2", "What does the marked picture show?"), called("none"), kinds(5, 0), shows("#tiles", "No die"))
	run(t, ctx, tap(`[data-group="E"]`), tap(".merge"), shows("#say", "Tap the one"), tap(`[data-group="A"]`), kinds(4, 0))
	// Left and opened again.
	run(t, ctx, chromedp.Navigate(ts.URL+"/dice"), tap("#sets .go"), kinds(4, 0), wait(`location.hash === '#Dessert%20Dice'`))
	// Somebody else has it opened anew: the page says so, and looks again.
	for i := range 9 { // of which so many are not kept open
		if _, err := s.cfg.Dice.Begin(t.Context(), fmt.Sprint("other ", i), table.Any); err != nil {
			t.Fatal(err)
		}
	}
	run(t, ctx, tap(`[data-group="A"]`), called("sweet roll"), shows("#problem", "changed meanwhile"), tap(`[data-group="A"]`), called("sweet roll"), kinds(3, 0))
	run(t, ctx, tap("#enough"), inStep("camera"), tap(`[data-source="/dev/video0"]`), inStep("check"), tap("#next"), inStep("players"), wait(`document.getElementById('own-set').value === 'Dessert Dice'`))
	// From the wizard to the dice and back: what was planned is still there.
	typeIn(t, ctx, "#players li:nth-child(2) input", "Zoe")
	run(t, ctx, tap("#own-show"), shows("#sets", "Dessert Dice"), tap("#sets .go"), kinds(3, 0), tap("#enough"), inStep("players"),
		wait(`document.querySelector('#players li:nth-child(2) input').value === 'Zoe' && document.getElementById('own-set').value === 'Dessert Dice'`), tap("#next"), wait(`location.pathname === '/'`))
	h := s.cfg.Host.(*fakeHost)
	h.mu.Lock()
	defer h.mu.Unlock()
	if begun := h.begun; len(begun) != 1 || begun[0].Dice != "Dessert Dice" || begun[0].Players[1] != "Zoe" {
		t.Errorf("began %+v", begun)
	}
}

// TestBrowserDiceFit looks at the page of dice on every screen.
func TestBrowserDiceFit(t *testing.T) {
	t.Parallel()
	ts, s := diceServer(t, fakeTops(12, 8, 5, 4, 3))
	st := &stage{t: t, ctx: browser(t), where: "/dice"}
	run(t, st.ctx, chromedp.Navigate(ts.URL+"/dice"), wait(`!document.getElementById('shelf').hidden`))
	st.look("no sets")
	run(t, st.ctx, tap("#begin"), shows("#say", "Throw all your dice"))
	st.look("before a throw")
	run(t, st.ctx, tap("#look"), kinds(5, 5))
	st.look("asked")
	run(t, st.ctx, tap(".own-pictures button"), shows("#group h2", "marked"))
	st.look("marked")
	run(t, st.ctx, tap(".own-tools button:last-child"), tap(".several"), shows("#group", "Tap all icons"))
	st.look("several icons")
	run(t, st.ctx, tap(".own-tools button:last-child"), called("popsicle"), kinds(5, 4), tap(`[data-group="A"]`), shows("#group h2", "This shows"))
	st.look("named")
	run(t, st.ctx, tap(`[data-group="B"]`))
	run(t, st.ctx, tap("#look"), shows("#problem", "No dice are seen"))
	st.look("nothing seen")
	for i, name := range []string{"jello tart", "sweet roll", "ice cream", "none"} {
		run(t, st.ctx, called(name), kinds(5, 3-i))
	}
	run(t, st.ctx, kinds(5, 0), shows("#say", "Everything"))
	st.look("complete")
	if err := os.WriteFile(filepath.Join(s.cfg.Dice.Folder, "damaged.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	st.where = "/setup"
	run(t, st.ctx, chromedp.Navigate(ts.URL+"/setup?dice=Dessert%20Dice&game=dessert-dice"), inStep("camera"), tap(`[data-source="/dev/video0"]`), inStep("check"), tap("#next"), inStep("players"), wait(`!document.getElementById('own-dice').hidden`))
	st.look("players with dice of their own")
	st.where = "/dice"
	h := s.cfg.Host.(*fakeHost)
	h.mu.Lock()
	h.state.Now.Source, h.state.Trying = SourceDemo, false // whose dice are nobody's here
	h.mu.Unlock()
	run(t, st.ctx, chromedp.Navigate(ts.URL+"/dice"), shows("#sets", "damaged"))
	st.look("sets")
	remove := `#sets li:has([aria-label="Delete damaged"]) .remove`
	run(t, st.ctx, tap(remove), shows("#sets .sure", "Delete forever?"))
	st.look("one is to be deleted")
	run(t, st.ctx, tap("#sets .sure"), wait(`document.querySelectorAll('#sets li').length === 1`))
	if names := s.cfg.Dice.Names(); len(names) != 1 || names[0] != "Dessert Dice" {
		t.Errorf("there are %v", names)
	}
	run(t, st.ctx, chromedp.Navigate(ts.URL+"/dice?game=any"), wait(`document.getElementById('game').value === 'any'`), tap("#begin"), shows("#say", "No camera is set up"))
	st.look("no camera")
}

// TestBrowserDiceTaps counts what it takes to show 25 dice with six symbols in three throws, some of which look so unlike the others of
// theirs that they are asked about alone: at most 30 taps.
func TestBrowserDiceTaps(t *testing.T) {
	t.Parallel()
	odd := func(counts ...int) []table.Reading { return fakeTops(append(make([]int, 6), counts...)...) }
	first := append(fakeTops(5, 4, 4, 4, 3), odd(2, 2, 1)...)
	second := append(fakeTops(4, 4, 4, 4, 4, 3), odd(1, 0, 0, 1)...)
	third := append(fakeTops(4, 4, 4, 4, 4, 4), odd(0, 1)...)
	ts, s := diceServer(t, first, second, third)
	ctx := browser(t)
	names := []string{"jello tart", "sweet roll", "popsicle", "ice cream"}
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/dice"), wait(`(window.taps = 0, addEventListener('click', (e) => { if (e.isTrusted) window.taps++; }, true), true)`), tap("#begin"), shows("#say", "Throw all your dice"))
	for range 3 {
		run(t, ctx, tap("#look"), wait(`document.querySelectorAll('#tiles .open').length > 0 || /Everything|Throw all the dice again/.test(document.getElementById('say').textContent)`))
		for open := ask[int](t, ctx, `document.querySelectorAll('#tiles .open').length`); open > 0; {
			all := ask[int](t, ctx, `document.querySelectorAll('#tiles li').length`)
			run(t, ctx, called(names[(all-open)%len(names)]))
			run(t, ctx, wait(fmt.Sprintf(`document.querySelectorAll('#tiles .open').length < %d && !document.body.classList.contains('busy')`, open)))
			open = ask[int](t, ctx, `document.querySelectorAll('#tiles .open').length`)
		}
	}
	taps := ask[int](t, ctx, `window.taps`)
	t.Logf("%d taps", taps)
	if list := s.cfg.Dice.List(); taps > 30 || len(list) != 1 || list[0].Unnamed != 0 || list[0].Pictures < 30 {
		t.Errorf("%d taps for %+v", taps, list)
	}
}
