package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// playOut plays a match by whatever is legal until the rules end it.
func playOut(t *testing.T, m *match.Match, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	for range 5000 {
		if m.Snapshot().Outcome != nil {
			return
		}
		if err := m.Declare(match.Declaration{Say: match.SayRoll, Count: 5}); err == nil {
			continue
		}
		list := m.Legal(nil, 0, 2000).Acts
		if placing := slices.DeleteFunc(slices.Clone(list), func(a match.ActView) bool { return !strings.Contains(a.Act, " place ") }); len(placing) > 0 {
			list = placing // or a game could take for ever
		}
		if len(list) == 0 {
			t.Fatal("nothing can be done, and the game is not over")
		}
		if err := m.Declare(match.Declaration{Say: match.SayAct, Move: list[r.IntN(len(list))].Act}); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the game has no end")
}

// inSight says of everything that a selector finds whether it is on the screen without scrolling, in
// full, and under nothing else; the answer is what is not.
const inSight = `(selector => [...document.querySelectorAll(selector)].filter((e) => {
	const r = e.getBoundingClientRect();
	const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
	return r.width === 0 || r.left < 0 || r.top < 0 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5 || !(e.contains(top) || top?.contains(e));
}).map((e) => e.tagName + ' ' + e.textContent + JSON.stringify(e.getBoundingClientRect())).join('; ') + (document.querySelector(selector) ? '' : 'there is none'))`

// seesAll checks that everything of these is in sight.
func seesAll(t *testing.T, ctx context.Context, where string, selectors ...string) {
	t.Helper()
	for _, s := range selectors {
		if what := ask[string](t, ctx, fmt.Sprintf("%s(%q)", inSight, s)); what != "" {
			t.Errorf("%s: not in sight of %s: %s", where, s, what)
		}
	}
}

// noneMoves has what is animated at its end.
const noneMoves = `(document.getAnimations().forEach((a) => a.finish()), true)`

// TestBrowserFinale: every game, with a camera and without, ends with its winners in large, their
// crowns and everybody's points, in sight on every screen, here, across the room and over a stream.
func TestBrowserFinale(t *testing.T) {
	t.Parallel()
	st := newStage(t)
	players := []string{"Ada", "Ben", "Cleo", "Dora"}
	ended := map[table.Game]*match.Match{}
	for _, game := range table.Games {
		ended[game] = endedMatch(t, game, players)
	}
	for _, view := range []struct {
		path    string
		screens []int
	}{{"/", []int{0, 1, 2}}, {"/tv", []int{1, 2}}, {"/overlay", []int{1}}} {
		for _, camera := range []bool{true, false} {
			for i, game := range table.Games {
				m := ended[game]
				st.eye(camera, game)
				if i == 0 {
					st.match.show("none", m, nil)
					st.open(view.path)
				}
				st.put(m, nil)
				for _, i := range view.screens {
					name := fmt.Sprintf("finale-%s-%s-%s-%s", game, sees(camera), view.path[1:], screens[i].name)
					run(t, st.ctx, size(screens[i].width, screens[i].height), wait(noneMoves), shot(t, name))
					celebrated(t, st.ctx, name, view.path, m.Snapshot())
				}
			}
		}
	}
}

// endedMatch is a match that was played to its end.
func endedMatch(t *testing.T, game table.Game, players []string) *match.Match {
	t.Helper()
	m := plays(t, game, players)
	if game == table.DessertDice {
		declared(t, m, match.Declaration{Say: match.SayRoll})
	}
	playOut(t, m, 3)
	if game == table.DessertDice {
		for i, p := range players {
			declared(t, m, match.Declaration{Say: match.SayCard, Player: p, Card: "JSPI"[i : i+1]})
		}
	}
	return m
}

// celebrated checks that a page shows who has won.
func celebrated(t *testing.T, ctx context.Context, name, path string, now match.Snapshot) {
	t.Helper()
	seesAll(t, ctx, name, ".finale h2", ".crowns .crown", ".final li", ".final output")
	if path == "/" {
		seesAll(t, ctx, name, key("rematch"), key("fold"))
	}
	if n := ask[int](t, ctx, `document.querySelectorAll('.final li').length`); n != len(now.Players) {
		t.Errorf("%s: %d of %d players are told", name, n, len(now.Players))
	}
	if !ask[bool](t, ctx, noneOverflows) {
		t.Errorf("%s: has to be scrolled sideways", name)
	}
	for _, w := range now.Outcome.Winners {
		if title := ask[string](t, ctx, `document.querySelector('.finale h2').textContent`); !strings.Contains(title, now.Players[w]) {
			t.Errorf("%s: %s has won, the page says %q", name, now.Players[w], title)
		}
	}
	if n := ask[int](t, ctx, `document.querySelectorAll('.crowns .crown').length`); n != len(now.Outcome.Winners) {
		t.Errorf("%s: %d crowns for %v", name, n, now.Outcome.Winners)
	}
}

func declared(t *testing.T, m *match.Match, d match.Declaration) {
	t.Helper()
	if err := m.Declare(d); err != nil {
		t.Fatalf("%s: %v", d.Say, err)
	}
}

// following is a match that is replaced by its rematch once one is declared, as the program does.
type following struct{ now *match.Match }

func (f *following) Snapshot() match.Snapshot { return f.now.Snapshot() }
func (f *following) Changed() <-chan struct{} { return f.now.Changed() }
func (f *following) Declare(d match.Declaration) error {
	if err := f.now.Declare(d); err != nil {
		return err
	}
	if next := f.now.Next(); next != nil {
		f.now = next
	}
	return nil
}

// followed is a server over a match and its rematches, with or without a camera.
func followed(t *testing.T, camera bool, game table.Game, players ...string) (string, *following) {
	t.Helper()
	s, m := tapped(t, game, players...)
	f := &following{m}
	s.cfg.Match = f
	if camera {
		seen := seenTable()
		seen.Game = game
		s.cfg.Feed.ShowStatus(Status{State: CameraRunning})
		s.cfg.Feed.ShowPicture(tablePicture)
		s.cfg.Feed.ShowObservation(seen)
	}
	ts := listening(t, s)
	return ts.URL, f
}

// listens has what is said aloud kept in window.said.
const listens = `(window.said = [], speechSynthesis.speak = (words) => window.said.push(words.text), true)`

// TestBrowserCards: at the end of Dessert Dice, which a camera followed, the page asks for the cards; one
// tap a player, and the winner is celebrated and said aloud. A wrong card is taken back.
func TestBrowserCards(t *testing.T) {
	t.Parallel()
	for _, camera := range []bool{true, false} {
		ctx := browser(t)
		url, f := followed(t, camera, table.DessertDice, "Ada", "Ben", "Cleo", "Dora")
		declared(t, f.now, match.Declaration{Say: match.SayRoll})
		playOut(t, f.now, 5)
		name := map[bool]string{true: "cards-camera", false: "cards-bare"}[camera]
		run(t, ctx, size(1920, 1080), chromedp.Navigate(url+"/tv"), shows(".finale h2", "Turn over your cards"), shot(t, name+"-tv"))
		run(t, ctx, size(390, 844), chromedp.Navigate(url), shows(".finale h2", "Turn over your cards"), wait(listens), tap("#voice"), shot(t, name))
		seesAll(t, ctx, name, ".finale h2", ".card", ".cardrow b")
		if what := ask[string](t, ctx, tooSmall); what != "" {
			t.Errorf("%s: too small to tap: %s", name, what)
		}
		for i, card := range []string{"J", "P", "I"} {
			run(t, ctx, middle(key(fmt.Sprintf("card-%d-%s", i, card))), wait(fmt.Sprintf("document.querySelector('[data-key=card-%d-%s]').ariaPressed === 'true'", i, card)))
		}
		run(t, ctx, middle(key("card-2-S")), wait(`document.querySelector('[data-key=card-2-S]').ariaPressed === 'true'`), middle(key("card-3-I")), wait(`document.querySelectorAll('.final li').length === 4`), wait(noneMoves), shot(t, name+"-won"))
		seesAll(t, ctx, name, ".finale h2", ".crowns .crown", ".final li", ".final .dessert", key("rematch"))
		players := f.Snapshot().Players
		for _, w := range f.Snapshot().Outcome.Winners {
			run(t, ctx, shows(".finale h2", players[w]), wait(fmt.Sprintf("window.said.at(-1).startsWith('%s wins!') && window.said.at(-1).includes('Dora: ')", players[w])))
		}
		run(t, ctx, tap("#undo"), shows(".finale h2", "Turn over your cards"), tap("#redo"), shows(".finale h2", "wins"))
		// The table comes back where somebody wants to put something right, and the result after it.
		run(t, ctx, tap(key("fold")), wait(`!document.documentElement.hasAttribute('data-finale')`), shows("#verdict-text", "wins"), shot(t, name+"-table"), tap("#unfold-end"), shows(".finale h2", "wins"))
		run(t, ctx, tap(key("rematch")), wait(`document.querySelector('#finale').hidden`), wait(`!document.querySelector('#moves li')?.textContent.includes('wins')`))
		if s := f.Snapshot(); s.Outcome != nil || len(s.Events) > 2 {
			t.Errorf("the rematch begins with %+v", s.Events)
		}
		if camera {
			continue
		}
		run(t, ctx, tap(key("do-Roll all dice")), wait(`!document.querySelector('[data-key="do-Roll all dice"]')`), tap("#table-body .side .tapdie"), tap(square(12)), verdict("on c3"))
	}
}

// TestBrowserStops: players who have to go end the game from the menu, after a question; nobody
// wins, which is said plainly, and they can go on after all.
func TestBrowserStops(t *testing.T) {
	t.Parallel()
	for _, camera := range []bool{true, false} {
		ctx := browser(t)
		url, f := followed(t, camera, table.DiceBox, "Ada", "Ben")
		name := map[bool]string{true: "stopped-camera", false: "stopped-bare"}[camera]
		run(t, ctx, size(390, 844), chromedp.Navigate(url), shows("#game", "Dice Box"), tap("#menu"), wait(`document.querySelector('#end-game').hidden`))
		declared(t, f.now, match.Declaration{Say: match.SayAct, Move: "seed 3"})
		declared(t, f.now, match.Declaration{Say: match.SayAct, Move: "A place R4 c2"})
		run(t, ctx, wait(`!document.querySelector('#end-game').hidden`), shot(t, name+"-menu"), tap("#end-game"), shows("#choose-title", "End the game"), shot(t, name+"-ask"),
			tap(choice("Yes, end it now")), shows(".finale h2", "Stopped early"), shows(".finale p", "Nobody wins"), wait(`!document.querySelector('.finale .crown')`), shot(t, name))
		seesAll(t, ctx, name, ".finale h2", ".final li", key("rematch"), key("play-on"))
		run(t, ctx, size(1920, 1080), shot(t, name+"-wide"))
		ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
		run(t, ctx, chromedp.Reload(), shows(".finale h2", "Vorzeitig beendet"))
		inGerman(t, ctx, name)
		ask[any](t, ctx, `localStorage.removeItem('language')`)
		run(t, ctx, chromedp.Reload(), tap(key("play-on")), wait(`document.querySelector('#finale').hidden`))
		if f.Snapshot().Outcome != nil {
			t.Error("the match does not go on")
		}
	}
}

// TestBrowserTie: who shares a victory is named and crowned together; why somebody of equal points wins
// alone is said; a recording that ended first is told as that.
func TestBrowserTie(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t)
	outcomes := []struct {
		game        table.Game
		points      [3]int
		how         string
		winners     []int
		title, text string
	}{
		{table.DiceFlick, [3]int{50, 50, 20}, match.EndedByRules, []int{0, 1}, "A tie: Ada and Ben share the victory!", ""},
		{table.FromageATrois, [3]int{20, 21, 21}, match.EndedByRules, []int{2}, "Cleo wins!", "last turn was longest ago"},
		{table.DiceBox, [3]int{9, 12, 14}, match.EndedByRules, []int{0}, "Ada wins!", "lowest score wins"},
		{table.DiceBox, [3]int{9, 12, 14}, match.EndedUnseen, []int{}, "The recording ended before the game did", "Nobody wins"},
	}
	for _, o := range outcomes {
		m.change(func(s *match.Snapshot) {
			s.Seq++
			s.Game, s.Phase, s.ToMove, s.State = o.game, match.PhaseOver, -2, map[string]any{"clusters": map[string]int{}}
			s.Outcome = &match.Outcome{How: o.how, Winners: o.winners}
			for i := range s.Sheets {
				s.Sheets[i].Total = o.points[i]
			}
		})
		run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL), shows(".finale h2", o.title), shows(".finale > p", o.text), wait(noneMoves), shot(t, fmt.Sprintf("tie-%s-%s-%d", o.game, o.how, len(o.winners))))
		seesAll(t, ctx, o.title, ".finale h2", ".final li")
		if n := ask[int](t, ctx, `document.querySelectorAll('.crowns .crown').length`); n != len(o.winners) {
			t.Errorf("%s: %d crowns", o.title, n)
		}
	}
}
