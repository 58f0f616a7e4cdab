package web

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/scoring"
	"diceref/table"
)

// TestBrowserScoresStay: whatever the scores become, nothing on the page moves, on any
// screen and in any game.
func TestBrowserScoresStay(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	const places = `JSON.stringify([...document.querySelectorAll('.scores, .stage, .verdict, .moves, #scores li, .tiles, .tiles > div')].map((node) => {
		const r = node.getBoundingClientRect(); return [node.className || node.id, r.x, r.y, r.width, r.height].join(' '); }))`
	for _, test := range []struct {
		game  table.Game
		lines []string
		state string // the rest of the state, where N stands for the points
	}{
		{table.DiceBox, []string{"red"}, `{"unclaimed":{"B":N,"W":N}}`},
		{table.DiceBox, []string{"red", "white"}, `{"unclaimed":{}}`},
		{table.DessertDice, nil, `{"clusters":{"J":N,"S":N,"P":N,"I":N}}`},
	} {
		m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
		feed.ShowStatus(Status{State: CameraRunning})
		feed.ShowPicture(tablePicture)
		feed.ShowObservation(seenTable())
		points := func(n int) {
			m.change(func(s *match.Snapshot) {
				s.Game, s.State, s.Sheets = test.game, json.RawMessage(strings.ReplaceAll(test.state, "N", fmt.Sprint(n))), nil
				for seat := range s.Players {
					sheet := scoring.Sheet{Player: seat, Total: n}
					for _, name := range test.lines {
						sheet.Lines = append(sheet.Lines, scoring.Line{Name: name, Points: n})
					}
					s.Sheets = append(s.Sheets, sheet)
				}
			})
		}
		s := New(Config{Match: m, Feed: feed})
		ts := httptest.NewServer(s.Handler())
		points(0)
		m.add(place("Ada", table.Red, 4, 2, 1), "")
		run(t, ctx, chromedp.Navigate(ts.URL), shows("#verdict-text", "Ada places"), wait(`document.querySelector('.stage.seen')`))
		for _, screen := range screens {
			points(0)
			run(t, ctx, size(screen.width, screen.height), shows(".scores", "0"))
			before := ask[string](t, ctx, places)
			for _, n := range []int{8, 28} {
				points(n)
				run(t, ctx, shows(".scores", fmt.Sprint(n)))
				if after := ask[string](t, ctx, places); after != before {
					t.Errorf("%s, %s: %d points moved the page:\n%s\n%s", test.game, screen.name, n, before, after)
				}
			}
		}
		run(t, ctx, chromedp.Navigate("about:blank"))
		close(s.closing)
		ts.Close()
	}
}

// TestBrowserLeavesNoLines: pages that are left let go of the server. A browser keeps them for
// its "back" button and opens no more than six lines to one address.
func TestBrowserLeavesNoLines(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	m.add(place("Ada", table.Red, 4, 2, 1), "")
	for i := range 9 {
		run(t, ctx, chromedp.Navigate(ts.URL+[]string{"/", "/tv"}[i%2]), shows("#moves", "Ada places red 4"))
	}
	m.add(place("Ben", table.Yellow, 3, 2, 2), "")
	run(t, ctx, shows("#moves", "Ben places yellow 3"))
}
