package web

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// TestBrowserHints: every game points out what can be done, in words of the page's language
// and with players' names; a tap shows on the board where it is meant.
func TestBrowserHints(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	games := []struct {
		game  table.Game
		acts  []string
		tap   string // the hint that is tapped
		words string
		shown string // what is marked then
	}{
		{table.DessertDice, []string{"A place R1 c3", "B place Y1 c2", "A place G3 d3"}, "grows", "grows to", ".square.advised"},
		{table.DiceBox, []string{"seed 3", "A place R4 c2"}, "open", "can go on", ".square.advised"},
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
		run(t, ctx, size(1280, 800), chromedp.Navigate(ts.URL), tap("#show-me"), wait(fmt.Sprintf("document.querySelector('[data-key=hint-more]')?.click() || document.querySelector(%q)", chip)), shows("#hints", g.words), tap(chip),
			wait(fmt.Sprintf("document.querySelector(%q)", g.shown)), shot(t, "hints-"+string(g.game)+"-laptop"))
		wellLaidOut(t, ctx, string(g.game)+" laptop")
		run(t, ctx, size(390, 844), chromedp.ScrollIntoView("#hints"), shot(t, "hints-"+string(g.game)+"-phone"))
		wellLaidOut(t, ctx, string(g.game)+" phone")
		ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
		run(t, ctx, chromedp.Reload(), tap("#show-me"), wait(fmt.Sprintf("document.querySelector('[data-key=hint-more]')?.click() || document.querySelector(%q)", chip)))
		inGerman(t, ctx, string(g.game))
		ask[any](t, ctx, `localStorage.removeItem('language')`)
		run(t, ctx, tap("#show-me"), wait(`document.getElementById('hints').hidden`), chromedp.Navigate("about:blank"))
		close(s.closing)
		ts.Close()
	}
}

// TestBrowserMends: earlier acts of every game are corrected in two taps, also by another
// square, player or number of dice; one never happened; all from one on is undone.
func TestBrowserMends(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	row := func(says string) step { return tap(fmt.Sprintf(`#moves li:not(.undone) [aria-label^="%s"]`, says)) }
	to := func(label string) step { return tap(fmt.Sprintf(`#correct [aria-label="%s"]`, label)) }
	inRow := func(n int, label string) step {
		return tap(fmt.Sprintf(`#correct-dice .row:nth-child(%d) [aria-label="%s"]`, n, label))
	}
	games := []struct {
		game  table.Game
		acts  []string
		steps []step
		last  string // act in force at the end
	}{
		{table.DiceFlick, []string{"A flick W4 c3", "A flick B5 d3"}, []step{
			row("Ada flicks white 4 into c3"), to("white 6"), shows("#moves", "Ada flicks white 6 into c3"),
			row("Ada flicks white 6 into c3"), shot(t, "mend-flick"), to("a1"), shows("#moves", "Ada flicks white 6 into a1"),
			row("Ada flicks blue 5"), to("Missed"), shows("#moves", "Ada misses"),
		}, "A miss B"},
		{table.FromageATrois, []string{"A roll 22335", "A keep 22", "A end", "B roll 22344", "B steal A 22"}, []step{
			row("Ada rolls 2, 2, 3, 3, 5"), shot(t, "mend-fromage"), inRow(5, "6"), shows("#moves", "Ada rolls 2, 2, 3, 3, 6"),
			row("Ada keeps 2, 2"), inRow(3, "and 3"), shows("#moves", "Ada keeps 2, 2, 3"),
			row("Ben takes 2, 2 from Ada"), tap("#correct-gone"), wait(`document.querySelectorAll('#moves li.undone').length === 1`),
		}, "B roll 22344"},
		{table.DiceCreams, []string{"nature reveal lemon-1", "nature reveal mint-1", "nature draw blue4,green2,green5,black1,yellow3,orange6", "A take green2 mint-1.0"}, []step{
			wait(`document.querySelector('[data-key="do-roll"]')`), // what can be done has come, and moves the list down
			row("Ada places green 2 on mint-1, spot 1"), shot(t, "mend-creams"), to("mint-1, spot 2"), shows("#moves", "Ada places green 2 on mint-1, spot 2"),
			row("Ada places green 2 on mint-1, spot 2"), to("green 5"), shows("#moves", "Ada places green 5 on mint-1, spot 2"),
		}, "A take green5 mint-1.1"},
		{table.DessertDice, []string{"A place R1 c3", "B place Y1 c2", "C place G1 d3"}, []step{
			row("Ben places yellow 1"), shot(t, "mend-board"), to("b3"), shows("#moves", "Ben places yellow 1 on b3"),
			row("Ben places yellow 1 on b3"), tap("#correct-back"), wait(`document.querySelectorAll('#moves li.undone').length === 2`),
		}, "A place R1 c3"},
	}
	for i, g := range games {
		t.Run(string(g.game), func(t *testing.T) {
			s, m := tapped(t, g.game, "Ada", "Ben", "Cleo")
			for _, act := range g.acts {
				if err := m.Declare(match.Declaration{Say: match.SayAct, Move: act, Keep: true}); err != nil {
					t.Fatalf("%s: %s: %v", g.game, act, err)
				}
			}
			ts := httptest.NewServer(s.Handler())
			screen := screens[i%2]
			run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL), wait(fmt.Sprintf(`document.querySelectorAll('#moves li').length > %d`, len(g.acts)-1)))
			run(t, ctx, g.steps...)
			last := ""
			for _, e := range m.Events() {
				if len(e.Acts) > 0 && !e.Undone {
					last = e.Acts[0]
				}
			}
			if last != g.last {
				t.Errorf("%s: the last act is %q, want %q", g.game, last, g.last)
			}
			run(t, ctx, chromedp.Navigate("about:blank"))
			close(s.closing)
			ts.Close()
		})
	}
}

// TestBrowserBonus: with a camera the buttons of a turn follow its flicks: a miss while one is due, the next player only once all
// are made, and that a die landed on the bonus marker while nobody knows where that is; then there is a flick more.
func TestBrowserBonus(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s, m := tapped(t, table.DiceFlick, "Ada", "Ben", "Cleo")
	s.cfg.Feed.ShowStatus(Status{State: CameraRunning})
	ts := httptest.NewServer(s.Handler())
	says := func(want string) step {
		return wait(fmt.Sprintf(`[...document.querySelectorAll('#says button')].map((b) => b.dataset.say).join(' ') === %q`, want))
	}
	prompts := func(want string) step {
		return wait(fmt.Sprintf(`document.querySelector('#state-text').textContent === %q`, want))
	}
	var dice []table.Reading
	frame := 0
	shows := func(more ...table.Reading) { // two pictures of the arena at rest, with a die more
		dice = append(dice, more...)
		for range 2 {
			m.See(table.Observation{Game: table.DiceFlick, Frame: frame, T: float64(frame) / 10, Width: 800, Height: 600, Look: table.LookStill, Read: true, Posed: true, Grid: seenTable().Grid, Dice: slices.Clone(dice)})
			frame++
		}
	}
	shows()
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL), says("miss"), prompts("Ada: flick two dice"))
	shows(flicked(table.White, 4, 2, 2))
	run(t, ctx, says("miss"), prompts("Ada: flick one more"))
	shows(flicked(table.Blue, 5, 3, 3))
	run(t, ctx, says("bonus next"), prompts("Ada: pick up the dice you score"), shot(t, "bonus"),
		tap(`#says [data-say="bonus"]`), says("miss next"), prompts("Ada: flick one more: bonus"), shot(t, "bonus-said"))
	state, err := json.Marshal(m.Snapshot().State)
	if err != nil || !strings.Contains(string(state), `"flicks_may":1`) || !strings.Contains(string(state), `"marker":"bonus"`) {
		t.Errorf("the position is %s (%v)", state, err)
	}
	run(t, ctx, chromedp.Navigate("about:blank"))
	close(s.closing)
	ts.Close()
}

// flicked is a sure reading of a die in a hole of the arena.
func flicked(color table.Color, face, row, col int) table.Reading {
	r := table.Reading{Die: table.Die{Color: color, Face: face}, Square: &table.Square{Row: row, Col: col}, Sure: true, Confidence: 1}
	r.Faces[face], r.Colors[color] = 1, 1
	return r
}
