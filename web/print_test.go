package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

func TestPrint(t *testing.T) {
	tests := []struct {
		path   string
		status int
		kind   string
		body   string
	}{
		{"board.svg", 200, "image/svg+xml", `width="210mm" height="297mm"`},
		{"board.svg?paper=letter&square=24", 200, "image/svg+xml", `width="215.9mm"`},
		{"board.pdf", 200, "application/pdf", "%PDF-"},
		{"zones.svg?game=dicecreams&players=2&page=5&language=de", 200, "image/svg+xml", "Spieler 2"},
		{"zones.svg?game=dicecreams&players=2&page=6", 404, "", "no such page"},
		{"zones.svg?page=0", 404, "", "no such page"},
		{"reference.pdf?game=dice-flick", 200, "application/pdf", "%PDF-"},
		{"board.png", 404, "", ".pdf or .svg"},
		{"board", 404, "", ".pdf or .svg"},
		{"poster.pdf", 400, "", "sheet: expected board"},
		{"board.pdf?square=1e9", 400, "", "square"},
		{"board.pdf?square=NaN", 400, "", "square"},
		{"board.pdf?square=x", 400, "", "millimeters"},
		{"notepad.pdf?players=1000000", 400, "", "players"},
		{"notepad.pdf?players=x", 400, "", "whole number"},
		{"zones.svg?game=" + strings.Repeat("%3Cscript%3E", 50), 400, "", "game"},
		{"..%2f..%2fgo.mod", 404, "", ""},
	}
	for _, test := range tests {
		s, _, _ := served(nil)
		a := call(t, s.Handler(), "GET", "/api/v1/print/"+test.path, "", from("192.168.1.9:4000"))
		if a.status != test.status || !strings.Contains(a.body, test.body) || test.kind != "" && a.header.Get("Content-Type") != test.kind {
			t.Errorf("%s: %d %s %.200s", test.path, a.status, a.header.Get("Content-Type"), a.body)
		}
	}
}

// TestBrowserPrint: the game in play is chosen first; every sheet is previewed, and can be
// had as PDF as it was chosen.
func TestBrowserPrint(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	m.change(func(s *match.Snapshot) {
		s.Game, s.Players = table.FromageATrois, []string{"Ada", "Ben", "Cleo", "Dora"}
	})
	all := `[...document.querySelectorAll('.sheet img')].length >= 5 && [...document.querySelectorAll('.sheet img')].every(i => i.complete && i.naturalWidth > 0)`
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL+"/print"), wait(all), shot(t, "print-"+screen.name))
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", screen.name)
		}
		if got := ask[string](t, ctx, `document.getElementById('game').value + ' ' + document.getElementById('players').value`); got != "fromage-a-trois 4" {
			t.Errorf("%s: %s is chosen first", screen.name, got)
		}
	}
	ask[any](t, ctx, `(() => { const s = document.getElementById('paper'); s.value = 'letter'; s.dispatchEvent(new Event('change')); const g = document.getElementById('game'); g.value = 'dicecreams'; g.dispatchEvent(new Event('change')); })()`)
	run(t, ctx, wait(all))
	for _, want := range []string{"/api/v1/print/board.pdf?paper=letter", "/api/v1/print/zones.pdf?paper=letter&language=en&game=dicecreams"} {
		if !ask[bool](t, ctx, `[...document.querySelectorAll('.sheet a')].some(a => a.getAttribute('href').startsWith('`+want+`'))`) {
			t.Errorf("%s cannot be had", want)
		}
	}
	ask[any](t, ctx, `(() => { const g = document.getElementById('game'); g.value = 'dice-box'; g.dispatchEvent(new Event('change')); })()`)
	run(t, ctx, wait(`document.querySelectorAll('.sheet').length === 4`)) // a board has no zones
}
