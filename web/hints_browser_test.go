package web

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// TestBrowserHints: every game points out what can be done, in words of the page's language
// and with players' names; a tap shows on the board where it is meant.
func TestBrowserHints(t *testing.T) {
	ctx := browser(t)
	games := []struct {
		game  table.Game
		acts  []string
		tap   string // the hint that is tapped
		words string
		shown string // what is marked then
	}{
		{table.DessertDice, []string{"A place R1 c3", "B place Y1 c2", "A place G3 d3"}, "grows", "grows to", ".square.advised"},
		{table.DiceBox, []string{"seed 3", "A place R4 c2"}, "open", "fits on", ".square.advised"},
		{table.DiceFlick, []string{"markers center=c3 bonus=e1 blue=b2", "A flick B4 c3"}, "bonus", "A die on e1", ".square.advised"},
		{table.FromageATrois, []string{"A roll 22335", "A keep 22", "A end", "B roll 11336", "B keep 33", "B end", "C roll 22233", "C keep 22", "C end", "A roll 22456"}, "keeps", "Keep", "#hints .die"},
		{table.DiceCreams, []string{"nature reveal lemon-1", "nature reveal mint-1", "nature draw blue4,green2,green5,black1,yellow3,orange6"}, "fits", "fits on", ".spot3.advised"},
	}
	for _, g := range games {
		players := []string{"Ada", "Bartholomäus", "Cleo"}
		if g.game == table.DiceBox {
			players = players[:2]
		}
		s, m := tapped(t, g.game, players...)
		for _, act := range g.acts {
			if err := m.Declare(match.Declaration{Say: match.SayAct, Move: act, Keep: true}); err != nil {
				t.Fatalf("%s: %s: %v", g.game, act, err)
			}
		}
		ts := httptest.NewServer(s.Handler())
		chip := fmt.Sprintf(`#hints [data-hint="%s"]`, g.tap)
		run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL), tap("#show-me"), wait(fmt.Sprintf("document.querySelector(%q)", chip)), shows("#hints", g.words), tap(chip),
			wait(fmt.Sprintf("document.querySelector(%q)", g.shown)), shot(t, "hints-"+string(g.game)+"-laptop"))
		wellLaidOut(t, ctx, string(g.game)+" laptop")
		run(t, ctx, size(390, 844), chromedp.ScrollIntoView("#hints"), shot(t, "hints-"+string(g.game)+"-phone"))
		wellLaidOut(t, ctx, string(g.game)+" phone")
		ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
		run(t, ctx, chromedp.Reload(), tap("#show-me"), wait(fmt.Sprintf("document.querySelector(%q)", chip)))
		inGerman(t, ctx, string(g.game))
		ask[any](t, ctx, `localStorage.removeItem('language')`)
		run(t, ctx, tap("#show-me"), wait(`document.getElementById('hints').hidden`), chromedp.Navigate("about:blank"))
		close(s.closing)
		ts.Close()
	}
}
