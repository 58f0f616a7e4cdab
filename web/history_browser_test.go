package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/match"
	"diceref/table"
)

// cleo has a long name that looks like markup.
const cleo = "<i>Cleo</i> von und zu Hohenstein-Wald"

// pastServer serves a journal with one match of each game, played in the order given:
// a whole one of DICE Flick, which Ben wins, and the beginnings of the others.
func pastServer(t *testing.T) *httptest.Server {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	now := time.Date(2026, 3, 7, 19, 30, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(20 * time.Second); return now }
	play := func(game table.Game, players []string, acts ...string) {
		m, err := match.New(match.Config{ID: string(game), Game: game, Players: players, Journal: j, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		for _, act := range acts {
			d := match.Declaration{Say: match.SayAct, Move: act, Keep: true}
			if words := strings.Fields(act); len(words) == 1 {
				d = match.Declaration{Say: act}
			} else if words[0] == match.SayFirst {
				d = match.Declaration{Say: match.SayFirst, Player: words[1]}
			}
			if err := m.Declare(d); err != nil {
				t.Fatalf("%s: %s: %v", game, act, err)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	two, three := []string{"Ada", "Ben"}, []string{"Ada", "Ben", cleo}
	flick := []string{"first Ben", "markers center=c3 bonus=e1", "A flick B4 c3", "A flick B5 c2", "pad A 1 16"}
	for round := 1; round <= 10; round++ {
		if round > 1 {
			flick = append(flick, fmt.Sprintf("pad A %d %d", round, 20-round))
		}
		flick = append(flick, fmt.Sprintf("pad B %d %d", round, 2+round))
	}
	play(table.DiceFlick, two, flick...)
	play(table.DiceCreams, three, "nature reveal lemon-1", "nature reveal mint-1", "nature draw blue4,green2,green5,black1,yellow3,orange6", "A take green2 mint-1.0", "nature reveal lagoon-1", "B take blue4 lagoon-1.0")
	play(table.FromageATrois, three, "A roll 22335", "A keep 22", "A end", "B roll 11336", "B keep 33", "B end", "C roll 11223", "C keep 23")
	play(table.DiceBox, two, "seed 3", "A place R4 c2", "B place Y2 b3", "A place R2 d3", match.SayUndo, "B place W1 e3", match.SayPause)
	play(table.DessertDice, two, "A place R1 c3", "B place Y1 c2", "A place G3 d3", "B move d3 e4 G1")
	feed := NewFeed()
	feed.ShowStatus(Status{State: CameraNone})
	s := New(Config{Match: newFakeMatch(two...), Feed: feed, History: j})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	return ts
}

// lookAtPast keeps pictures in light and dark, and checks the layout.
func lookAtPast(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	for _, night := range []bool{false, true} {
		run(t, ctx, dark(night), shot(t, fmt.Sprintf("%s-%v", name, map[bool]string{false: "light", true: "dark"}[night])))
	}
	run(t, ctx, dark(false))
	wellLaidOut(t, ctx, name)
}

// TestBrowserHistory: matches are listed and narrowed down, and players compared.
func TestBrowserHistory(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts := pastServer(t)
	for _, screen := range screens[:2] {
		listed := func(n int) step {
			return wait(fmt.Sprintf("document.querySelectorAll('#matches > li').length === %d", n))
		}
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL+"/history"), listed(5),
			shows("#matches > li:last-child", "DICE Flick"), shows("#matches > li:last-child .won", "Ben"), shows("#matches > li:nth-child(2)", "Paused"),
			shows("#players", "1 of 1 won"), shows("#games", "DICE Flick"))
		lookAtPast(t, ctx, "history-"+screen.name)
		ask[any](t, ctx, `(() => { const p = document.getElementById('player'); p.value = '`+cleo+`'; p.dispatchEvent(new Event('change')); })()`)
		run(t, ctx, listed(2), shows("#matches .who", cleo), shows("#players", cleo))
	}
	run(t, ctx, size(390, 844))
	ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
	for path, ready := range map[string]step{"/history": shows("#matches", "Nicht zu Ende"), "/history?match=dice-flick": shows(".count", "Schritt 26 von 26")} {
		run(t, ctx, chromedp.Navigate(ts.URL+path), ready)
		inGerman(t, ctx, path)
		wellLaidOut(t, ctx, "German "+path)
	}
	ask[any](t, ctx, `localStorage.removeItem('language')`)
}

// everyStep slides through a match from its end to its beginning: each step tells something,
// shows a table, and moves nothing that is tapped.
const everyStep = `(() => {
	const slider = document.getElementById('step'), faults = [], place = () => JSON.stringify(['#back', '#step', '#on', '#play'].map((e) => document.querySelector(e).getBoundingClientRect()));
	const before = place();
	addEventListener('error', (event) => faults.push(event.message));
	for (let n = Number(slider.max); n >= 1; n--) {
		slider.value = n;
		slider.dispatchEvent(new Event('input'));
		if (!document.querySelector('.count').textContent.includes(' ' + n + ' of ') || !document.querySelector('#act .said').textContent.trim() || !document.getElementById('table-body').childElementCount) faults.push('step ' + n + ' shows nothing');
		if (place() !== before) faults.push('step ' + n + ' moves the slider');
	}
	return faults.join('; ');
})()`

// TestBrowserReplay: every match can be gone through step by step, by the slider, by
// buttons and by keys, and shows the table as it was then.
func TestBrowserReplay(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts := pastServer(t)
	open := func(game table.Game) step {
		return chromedp.Steps(chromedp.Navigate(ts.URL+"/history?match="+string(game)), wait(`document.querySelector('#act .said')`))
	}
	dice := func(n int) step {
		return wait(fmt.Sprintf("document.querySelectorAll('.grid5 .die').length === %d", n))
	}
	slide := func(to int) {
		t.Helper()
		ask[any](t, ctx, fmt.Sprintf(`(() => { const r = document.getElementById('step'); r.value = %d; r.dispatchEvent(new Event('input')); })()`, to))
	}
	for _, game := range table.Games {
		run(t, ctx, open(game))
		for _, screen := range screens[:2] {
			run(t, ctx, size(screen.width, screen.height))
			lookAtPast(t, ctx, fmt.Sprintf("replay-%s-%s", game, screen.name))
			if bad := ask[string](t, ctx, everyStep); bad != "" {
				t.Errorf("%s on the %s: %s", game, screen.name, bad)
			}
		}
	}
	for _, screen := range screens[:2] {
		run(t, ctx, size(screen.width, screen.height))
		run(t, ctx, open(table.DiceBox), shows("#act", "Pause"), shows(".count", "Step 8 of 8"), dice(4),
			middle("#back"), shows("#act", "Ben places white 1 on e3"), shows("#act .why", "not next to"), wait(`document.querySelector('#act[data-kind="bad"]')`),
			shot(t, "replay-illegal-"+screen.name), middle("#back"), shows("#act", "undone"), dice(3), middle("#back"), shows("#act", "Ada places red 2"), dice(4))
		slide(2)
		run(t, ctx, shows(".count", "Step 2 of 8"), dice(1))
		ask[any](t, ctx, `document.activeElement.blur()`)
		run(t, ctx, chromedp.KeyEvent(kb.ArrowRight), shows("#act", "Ada places red 4 on c2"), dice(2), chromedp.KeyEvent(kb.Home), shows("#act", "The game begins"), dice(0),
			wait(`document.getElementById('back').disabled`), middle("#play"), shows(".count", "Step 2 of 8"), middle("#play"), chromedp.KeyEvent(kb.End), shows(".count", "Step 8 of 8"))
	}
	// Charts follow the slider, and the slider a tap on a chart.
	run(t, ctx, open(table.DessertDice), wait(`document.querySelectorAll('.chart .way').length === 4`), open(table.DiceFlick), wait(`document.querySelectorAll('.chart .way').length === 2 && document.querySelectorAll('.chart .column').length === 20`),
		shows(".chart .who", "Ben142"), shows(".chart .who", "Ada75"), tap(".chart .plot"), shows(".count", "Step 13 of 26"), shows(".chart .who", "Ben67"), shows(".chart .who", "Ada18"), shot(t, "charts-"+screens[1].name))
	for _, game := range []table.Game{table.DiceFlick, table.DessertDice} {
		run(t, ctx, size(390, 844), open(game))
		ask[any](t, ctx, `document.querySelector('.charts').scrollIntoView()`)
		lookAtPast(t, ctx, "charts-"+string(game)+"-phone")
	}
	run(t, ctx, size(1280, 800))
	// Who plays on which seat, and the notepad, are those of the step.
	run(t, ctx, open(table.DiceFlick), shows("#extra thead th:nth-of-type(1)", "Ben"))
	slide(1)
	run(t, ctx, shows("#extra thead th:nth-of-type(1)", "Ada"), wait(`document.querySelector('#extra .total').textContent === '0'`))
	slide(6)
	run(t, ctx, shows("#act", "Ben"), wait(`document.querySelector('#extra .total').textContent === '16'`))
	run(t, ctx, chromedp.Navigate(ts.URL+"/history?match=nothing"), shows("#problem", "no such match"), wait(`document.querySelector('.back').getAttribute('href') === '/history'`))
}

// TestBrowserChangesHistory: players and matches are renamed, matches deleted with two taps, restored and erased, and
// one in which nothing was played goes at once; an empty history says so.
func TestBrowserChangesHistory(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	dir := t.TempDir()
	j, err := match.OpenJournal(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	s := New(Config{Match: newFakeMatch("Ann", "Ben"), Feed: NewFeed(), History: j})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	history := chromedp.Navigate(ts.URL + "/history")
	run(t, ctx, size(390, 844), history, shows(".none", "No matches yet"))
	lookAtPast(t, ctx, "history-empty")
	for id, says := range map[string][]string{"whole": {match.SayMiss, match.SayMiss, match.SayNext}, "empty": nil} {
		m, err := match.New(match.Config{ID: id, Game: table.DiceFlick, Players: []string{"Anna", "Ben"}, Journal: j})
		if err != nil {
			t.Fatal(err)
		}
		for _, say := range says {
			if err := m.Declare(match.Declaration{Say: say}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "journal.db.damaged-20260307"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rows := func(n int) step {
		return wait(fmt.Sprintf("document.querySelectorAll('#matches > li').length === %d", n))
	}
	fill := func(selector, text string) step {
		return wait(fmt.Sprintf("(() => { const it = document.querySelector(%q); if (it) it.value = %q; return it; })()", selector, text))
	}
	run(t, ctx, history, rows(2), shows("#matches", "Nothing played"), shows(".damaged", "journal.db.damaged-20260307"),
		tap("#players .renaming summary"))
	lookAtPast(t, ctx, "history-rename")
	run(t, ctx, fill("#players .renaming input", "Ann"), tap("#players .renaming button"), shows("#players", "Ann"), wait(`document.querySelector('#players')?.textContent.includes('Anna') === false`), rows(2),
		tap("#matches .fates button"), shows("#matches .sure", "Tap again"))
	lookAtPast(t, ctx, "history-sure")
	run(t, ctx, tap("#games h2"), wait(`document.querySelector('#matches') && !document.querySelector('.sure')`), tap("#matches .fates button"), tap("#matches .fates button"), rows(1),
		chromedp.Navigate(ts.URL+"/history?match=whole"), shows(".changes", "Rename or delete"), tap(".changes summary"), fill(".changes label:nth-of-type(1) input", "The final <b>"),
		fill(".changes label:nth-of-type(3) input", "Benny"))
	lookAtPast(t, ctx, "match-change")
	run(t, ctx, tap(".changes form button"), shows(".headline .title", "The final <b>"), shows(".headline .who", "Benny"), tap(".changes summary"), fill(".changes label:nth-of-type(3) input", "Ann"),
		tap(".changes form button"), shows("#problem", "Two players are called"), history, shows("#matches .title", "The final <b>"),
		chromedp.Navigate(ts.URL+"/history?match=whole"), tap(".changes summary"), tap(".changes .fates button"), tap(".changes .fates button"),
		shows("#matches ~ .none", "No matches yet"), tap("#deleted"), rows(1), shows("#matches .fates", "Restore"))
	lookAtPast(t, ctx, "history-deleted")
	run(t, ctx, tap("#matches .fates button:nth-of-type(1)"), wait(`document.getElementById('matches') && !document.getElementById('deleted')`), rows(1))
	if err := j.Delete("whole"); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, history, tap("#deleted"), rows(1), tap("#matches .fates button:nth-of-type(2)"), tap("#matches .fates button:nth-of-type(2)"), shows(".none", "No matches yet"), rows(0))
	if h, err := j.History(match.HistoryQuery{}); err != nil || h.Total+h.Deleted != 0 {
		t.Errorf("%d matches are left (%v)", h.Total+h.Deleted, err)
	}
}
