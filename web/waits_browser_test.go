package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/rules/dicecreams"
	"diceref/table"
)

// TestBrowserWaits: an act that was said and that no picture has shown yet is seen as such, in
// its player's shape and color, and nothing moves when it comes or goes.
func TestBrowserWaits(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	m.change(func(s *match.Snapshot) {
		s.Game, s.State = table.DiceCreams, nil
		s.Ask, s.Phase = "What happened?", match.PhaseDoubt
	})
	take, err := dicecreams.Game.ParseMove("B take orange5 lagoon-2.0")
	if err != nil {
		t.Fatal(err)
	}
	waits := []match.Waiting{
		{Say: match.SayPlay, Act: take.String(), Event: &match.Event{Type: match.TypeMove, Player: "Ben", Move: take}},
		{Say: match.SayPoints},
	}
	const chips = `[...document.querySelectorAll('#waits .wait')]`
	const places = `JSON.stringify([...document.querySelectorAll('.scores, .verdict, .moves, .actions, #state, #whole, #live, #scores li')].map((e) => {
		const r = e.getBoundingClientRect(); return [e.id, r.x, r.y, r.width, r.height]; }))`
	for path, language := range map[string]string{"/": "en", "/tv": "de"} {
		run(t, ctx, chromedp.Navigate(ts.URL+"/static/style.css"))
		ask[bool](t, ctx, fmt.Sprintf(`localStorage.setItem('language', %q), true`, language))
		run(t, ctx, chromedp.Navigate(ts.URL+path))
		for _, screen := range screens {
			name := strings.Trim(path, "/") + screen.name
			run(t, ctx, size(screen.width, screen.height), wait(`document.querySelector('#stage.seen') && document.querySelectorAll('.found').length > 10 && document.querySelector('#verdict-text').textContent`))
			before := ask[string](t, ctx, places)
			m.change(func(s *match.Snapshot) { s.Waiting = waits })
			run(t, ctx, wait(chips+`.length === 2`), shot(t, "waits-"+name))
			if after := ask[string](t, ctx, places); after != before {
				t.Errorf("%s: what waits moves the page:\n%s\n%s", name, before, after)
			}
			label := ask[string](t, ctx, chips+`.map((e) => e.ariaLabel).join('|')`)
			want := map[string]string{"en": "Waiting to see: Ben places orange 5 on", "de": "Warte, bis ich es sehe: Ben"}[language]
			if !strings.HasPrefix(label, want) || strings.Contains(label, "say.") || strings.Contains(label, "undefined") {
				t.Errorf("%s: what waits is named %q, want %q", name, label, want)
			}
			for what, script := range map[string]string{
				"Ben's shape is not there":        chips + `[0].querySelector('.token.seat1 path') && !` + chips + `[1].querySelector('.token')`,
				"there is no hourglass":           chips + `.every((e) => e.querySelector('.glass path').getBBox().height > 10)`,
				"it lies outside of the picture":  `(() => { const s = document.getElementById('stage').getBoundingClientRect(); return ` + chips + `.every((e) => { const r = e.getBoundingClientRect(); return r.left >= s.left && r.right <= s.right && r.top >= s.top && r.bottom <= s.bottom; }); })()`,
				"it lies over the table's state":  `(() => { const s = document.getElementById('state').getBoundingClientRect(); return ` + chips + `.every((e) => e.getBoundingClientRect().top >= s.bottom); })()`,
				"it takes taps from the picture":  `getComputedStyle(document.getElementById('waits')).pointerEvents === 'none'`,
				"a screen reader is not told":     `document.getElementById('waits').role === 'status' || document.getElementById('waits').getAttribute('role') === 'status'`,
				"words stand where icons are due": `document.getElementById('waits').textContent.trim() === ''`,
			} {
				if !ask[bool](t, ctx, "Boolean("+script+")") {
					t.Errorf("%s: %s", name, what)
				}
			}
			m.change(func(s *match.Snapshot) { s.Waiting = nil })
			run(t, ctx, wait(chips+`.length === 0`))
			if after := ask[string](t, ctx, places); after != before {
				t.Errorf("%s: the page moves when nothing waits any more:\n%s\n%s", name, before, after)
			}
		}
	}
	ask[bool](t, ctx, `localStorage.clear(), true`)
}
