package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// TestBrowserVoiceAfterCorrection: what was corrected of an act that others followed is said,
// and nothing of what is judged again by it.
func TestBrowserVoiceAfterCorrection(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	m.add(place("Ada", table.Red, 4, 2, 1), "")
	run(t, ctx, chromedp.Navigate(ts.URL), shows("#moves", "Ada places red 4"))
	ask[any](t, ctx, `window.said = []; speechSynthesis.speak = (words) => window.said.push(words.text); null`)
	run(t, ctx, middle("#voice"), wait(`window.said.length === 1`))
	m.add(place("Ben", table.Yellow, 3, 2, 2), "")
	run(t, ctx, wait(`window.said.at(-1) === 'Ben places yellow 3 on c3'`))
	m.change(func(s *match.Snapshot) { // the page gets everything again
		five := 5
		s.Seq++
		s.Revision = s.Seq
		s.Events = append(s.Events, match.EventView{Seq: s.Seq, Event: match.Event{Type: match.TypeCorrect, To: &table.Square{Row: 2, Col: 1}, Color: table.Red, Face: &five}})
	})
	run(t, ctx, wait(`window.said.length === 3`), wait(`/b3.*red 5|red 5.*b3/.test(window.said[2])`))
	if said := ask[string](t, ctx, `JSON.stringify(window.said)`); ask[int](t, ctx, `window.said.length`) != 3 {
		t.Error(said)
	}
}
