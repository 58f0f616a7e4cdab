package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/match"
	"diceref/table"
)

// tapServer is a table without a camera.
func tapServer(t *testing.T, game table.Game, players ...string) (string, *match.Match) {
	t.Helper()
	s, m := tapped(t, game, players...)
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	return ts.URL, m
}

// tap clicks what a selector finds, once it is there, in view and under nothing else.
func tap(selector string) step {
	return chromedp.Steps(
		wait(fmt.Sprintf(`(() => {
			const it = document.querySelector(%q);
			it?.scrollIntoView({ block: 'center' });
			const at = it?.getBoundingClientRect();
			return it?.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2));
		})()`, selector)),
		middle(selector),
	)
}

func square(i int) string        { return fmt.Sprintf(`#table-body [data-at="%d"]`, i) }
func choice(label string) string { return fmt.Sprintf(`#choose [data-choice="%s"]`, label) }
func key(name string) string     { return fmt.Sprintf(`[data-key="%s"]`, name) }
func toMove(seat int) string {
	return fmt.Sprintf(`document.querySelector('#table-who')?.className === 'seat%d'`, seat)
}
func verdict(text string) step { return shows("#verdict-text", text) }
func explained(text string) step {
	return chromedp.Steps(wait(`!document.querySelector('#tried').hidden`), shows("#tried-why", text))
}

// tooSmall lists what can be tapped and is too small for a finger.
const tooSmall = `[...document.querySelectorAll('#table button, #finale button, #extra button, .actions button, dialog[open] button')].filter(b => b.offsetParent).map(b => [b.dataset.key ?? b.id ?? b.textContent, b.getBoundingClientRect()]).filter(([, r]) => (r.height < 43.5 || r.width < 40)).map(([n, r]) => n + ' ' + r.width.toFixed() + 'x' + r.height.toFixed()).join(', ')`

// lookEverywhere takes pictures on every size, in light and dark, and checks that
// nothing is cut off sideways and that what is tapped is large enough.
func lookEverywhere(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	for i, night := range []bool{0: false, 1: true, 2: false, 3: true} {
		screen := screens[min(i, 2)]
		if i == 3 {
			screen = screens[0]
		}
		look := fmt.Sprintf("%s-%s-%v", name, screen.name, map[bool]string{false: "light", true: "dark"}[night])
		run(t, ctx, size(screen.width, screen.height), dark(night), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := chromedp.Evaluate[bool](`(scrollTo(0, 0), true)`)(ctx, target)
			return err
		}), shot(t, look))
		if !ask[bool](t, ctx, noneOverflows) {
			t.Errorf("%s: has to be scrolled sideways", look)
		}
		if what := ask[string](t, ctx, tooSmall); what != "" {
			t.Errorf("%s: too small to tap: %s", look, what)
		}
	}
	run(t, ctx, size(1280, 800), dark(false))
}

// TestBrowserTapDessert: the supply is rolled by the program, dice are placed and
// tipped by taps, and a diagonal is explained.
func TestBrowserTapDessert(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DessertDice, "Ada", "Ben")
	run(t, ctx, chromedp.Navigate(url), tap(key("do-Roll all dice")), wait(`!document.querySelector('[data-key="do-Roll all dice"]')`),
		tap("#table-body .side .tapdie"), wait(`document.querySelectorAll('.square.lit').length === 25`), tap(square(12)), verdict("on c3"), wait(toMove(1)),
		tap(square(12)), wait(`document.querySelectorAll('.square.lit').length === 4`), tap(square(6)), explained("diagonal"))
	lookEverywhere(t, ctx, "tap-dessert")
	run(t, ctx, tap("#tried-close"), tap(square(13)), shows("#choose-title", "Which side"), shot(t, "tap-dessert-top"), tap("#choose-rows .row button"), verdict("from c3 to d3"), wait(toMove(0)))
	if e := m.Events(); *e[len(e)-1].Legal != true || e[len(e)-1].Player != "Ben" {
		t.Errorf("the tip is told as %+v", e[len(e)-1])
	}
	// A square first, then the die; and back to where it came from, which is kept.
	run(t, ctx, tap(square(0)), tap("#table-body .side .tapdie"), verdict("on a1"), wait(toMove(1)),
		tap(square(0)), tap(square(6)), explained("a1 to b2 is diagonal"), tap("#tried-keep"), shows("#choose-title", "Which side"), tap("#choose-rows .row button"), verdict("from a1 to b2"), shows("#verdict-word", "Not allowed"), wait(toMove(0)))
}

// TestBrowserTapsTwice: a finger that taps twice does a thing once, and nothing is said against the second tap.
func TestBrowserTapsTwice(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DessertDice, "Ada", "Ben")
	twice := func(selector string) step {
		return wait(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e?.click(); e?.click(); return e; })()`, selector))
	}
	run(t, ctx, chromedp.Navigate(url), wait(`document.querySelector('[data-key="do-Roll all dice"]')`), twice(key("do-Roll all dice")), wait(`!document.querySelector('[data-key="do-Roll all dice"]')`),
		tap("#table-body .side .tapdie"), wait(`document.querySelectorAll('.square.lit').length === 25`), twice(square(12)), verdict("on c3"), wait(toMove(1)))
	acts := 0
	for _, e := range m.Events() {
		acts += len(e.Acts)
	}
	if acts != 2 { // the roll and the die that is placed
		t.Errorf("%d acts are told, want 2", acts)
	}
	if ask[bool](t, ctx, `!document.querySelector('#notice').hidden || !document.querySelector('#tried').hidden`) {
		t.Errorf("the second tap is refused: %s", ask[string](t, ctx, `document.querySelector('#notice').textContent + document.querySelector('#tried-why').textContent`))
	}

	// No more dice can be tapped than may be rolled at once.
	url, _ = tapServer(t, table.FromageATrois, "Ada", "Ben", "Cleo")
	run(t, ctx, chromedp.Navigate(url))
	for n := range 5 {
		run(t, ctx, tap(key(fmt.Sprintf("face-%d", n+1))))
	}
	run(t, ctx, wait(`document.querySelectorAll('[data-key^="face-"]:disabled').length === 6`), shows("#table-todo", "We rolled this"),
		tap(key("rolled-0")), wait(`document.querySelectorAll('[data-key^="face-"]:enabled').length === 6`))
}

// TestBrowserTapsEarly: a tap that begins before what came of the one before is drawn waits for it. It is told then if it still makes sense,
// as another flick and another step back do; a die that has been placed is not placed again, and nothing is said against it.
func TestBrowserTapsEarly(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	hold := wait(`(() => { const send = fetch; window.held = []; window.fetch = async (path, how) => { if (how?.method === 'POST') await new Promise((go) => held.push(go)); return send(path, how); }; return true; })()`)
	sent := wait(`window.held.length > 0 && (held.shift()(), true)`)
	quiet := func() {
		t.Helper()
		if ask[bool](t, ctx, `!document.querySelector('#notice').hidden || !document.querySelector('#tried').hidden || held.length > 0`) {
			t.Errorf("an early tap is refused: %s", ask[string](t, ctx, `document.querySelector('#notice').textContent + document.querySelector('#tried-why').textContent`))
		}
	}
	told := func(m *match.Match) (acts []string) {
		for _, e := range m.Events() {
			acts = append(acts, e.Acts...)
		}
		return acts
	}
	url, m := tapServer(t, table.DiceBox, "Ada", "Ben", "Cleo")
	declared(t, m, match.Declaration{Say: match.SayAct, Move: "seed 3"})
	run(t, ctx, chromedp.Navigate(url), tap(key("color-red")), tap(key("die-red-4")), wait(`document.querySelectorAll('.square.lit').length === 4`), hold,
		tap(square(13)), tap(square(11)), sent, verdict("Ada places red 4 on d3"), wait(toMove(1)),
		tap(key("color-blue")), tap(key("die-blue-2")), tap(square(11)), sent, verdict("Ben places blue 2 on b3"), wait(toMove(2)))
	quiet()
	if acts := told(m); !slices.Equal(acts, []string{"seed 3", "A place R4 d3", "B place B2 b3"}) {
		t.Errorf("told %q", acts)
	}
	run(t, ctx, tap("#undo"), tap("#undo"), sent, verdict("Ada places red 4 on d3"), sent, wait(toMove(0)))
	quiet()

	url, m = tapServer(t, table.DiceFlick, "Ada", "Ben")
	run(t, ctx, chromedp.Navigate(url), wait(toMove(0)), hold,
		tap(square(7)), tap(choice("yellow 5")), wait(`held.length === 1`), tap(square(8)), tap(choice("blue 2")), sent, verdict("yellow 5"), sent, verdict("blue 2"), wait(`held.length === 0`))
	quiet()
	if acts := told(m); !slices.Equal(acts, []string{"A flick Y5 c2", "A flick B2 d2"}) {
		t.Errorf("told %q", acts)
	}
}

// TestBrowserTapBox: dice that nobody told, a value that does not fit, kept all the same.
func TestBrowserTapBox(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceBox, "Ada", "Ben", "Cleo")
	run(t, ctx, chromedp.Navigate(url), tap(key("die-black-3")), wait(toMove(0)),
		tap(key("color-red")), tap(key("die-red-4")), wait(`document.querySelectorAll('.square.lit').length === 4`), tap(square(13)), verdict("Ada places red 4 on d3"), wait(toMove(1)),
		tap(key("color-blue")), tap(key("die-blue-6")), tap(square(7)), explained("one more or one less"))
	lookEverywhere(t, ctx, "tap-box")
	run(t, ctx, tap("#tried-keep"), verdict("Ben places blue 6 on c2"), shows("#verdict-word", "Not allowed"), wait(toMove(2)))
	if e := m.Events(); *e[len(e)-1].Legal || e[len(e)-1].Code != "BX-VALUE" {
		t.Errorf("the kept act is told as %+v", e[len(e)-1])
	}
	// What can be undone and redone is told by the buttons, which stay where they are.
	const steps = `JSON.stringify(['undo', 'redo'].map((id) => { const r = document.getElementById(id).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }))`
	can := func(undo, redo bool) step {
		return wait(fmt.Sprintf(`document.getElementById('undo').ariaDisabled === '%t' && document.getElementById('redo').ariaDisabled === '%t'`, !undo, !redo))
	}
	run(t, ctx, can(true, false))
	places := ask[string](t, ctx, steps)
	run(t, ctx, tap("#redo"), tap("#undo"), wait(toMove(1)), can(true, true), tap("#redo"), wait(toMove(2)), can(true, false))
	if now := ask[string](t, ctx, steps); now != places {
		t.Errorf("the buttons moved from %s to %s", places, now)
	}
	// An earlier act is corrected in the list of moves.
	run(t, ctx, tap(`#moves [aria-label^="Ada places red 4"]`), tap(`#correct [aria-label="red 2"]`), shows("#moves", "Corrected: Ada places red 2 on d3"), wait(`document.querySelector('#moves .corrected')`), wait(`document.querySelector('[data-at="13"]').getAttribute('aria-label').includes('red 2')`))

	url, _ = tapServer(t, table.DiceBox, "Ada", "Ben", "Cleo", "Dora")
	run(t, ctx, chromedp.Navigate(url), tap(key("draft-red")), verdict("Ada chooses red"), tap(key("draft-white")), verdict("Ben chooses white"), tap("#undo"), tap("#undo"),
		wait(`document.querySelector('[data-key="do-Roll all dice"]')`), tap(key("do-Roll all dice")), wait(`document.querySelectorAll('.others .hand').length === 3`))
	run(t, ctx, tap("#show-me"), wait(`document.querySelector('#hints .good')`), wait(`document.querySelector('.square .fits')`))
	lookEverywhere(t, ctx, "tap-box-hands")

	// With two players the good act is foretold, not played out.
	url, m = tapServer(t, table.DiceBox, "Ada", "Ben")
	for _, act := range []string{"seed 3", "hand A R1 R2 R4 Y2 Y3 Y5 B1 B4 B6 W3 W4 W5", "hand B R2 R3 R6 Y1 Y4 Y6 B2 B3 B5 W1 W2 W6"} { // something fits
		declared(t, m, match.Declaration{Say: match.SayAct, Move: act})
	}
	run(t, ctx, chromedp.Navigate(url), wait(toMove(0)), tap("#show-me"), wait(`document.querySelector('#hints .good')`), wait(`document.querySelector('.square .fits')`))
	lookEverywhere(t, ctx, "tap-box-two")
	if list, err := m.Hint(""); err != nil || list[0].Games != 0 || list[0].Within == 0 {
		t.Errorf("the hints %+v, %v, want them foretold", list, err)
	}
}

// TestBrowserTapFlick: dice are flicked and scored in the arena by taps.
func TestBrowserTapFlick(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceFlick, "Ben", "Ada")
	run(t, ctx, chromedp.Navigate(url), shows("#verdict-why", "Who starts?"), tap(".starter:nth-child(2)"), shows(".pad thead th:nth-of-type(1)", "Ada"), shows("#moves", "Ada starts"),
		tap(square(12)), shot(t, "tap-flick-choose"), tap(choice("white 4")), verdict("Ada flicks white 4 into c3"),
		tap(square(24)), tap(choice("bonus (+1)")), wait(`document.querySelector('#table-body .sticker.bonus')`),
		tap(square(13)), tap(choice("blue 5")), verdict("Ada flicks blue 5 into d3"), wait(`document.querySelector('.square.taken')`), shows("#table-todo", "Pick up the dice you score"))
	lookEverywhere(t, ctx, "tap-flick")
	run(t, ctx, tap(square(0)), tap(choice("green 1")), explained("flicks of this turn are made"), tap("#tried-close"),
		tap(key("do-fix")), tap(square(13)), shot(t, "tap-flick-mend"), tap(choice("Moved")), tap(square(14)), wait(`document.querySelector('[data-at="14"] .die')`),
		shows(".sum", "8"), tap(square(14)), shows(".sum", "–"), tap(key("do-write")), explained("no way to score exactly the dice on c3,e3"),
		tap("#tried-close"), tap(square(14)), shows(".sum", "8"), tap(key("do-write")), verdict("Ada scores 8 in round 1"), shows(".pad .total", "8"), wait(toMove(1)))
	if s := m.Snapshot(); s.Sheets[0].Total != 8 || s.ToMove != 1 {
		t.Errorf("%+v", s.Sheets)
	}
	// What lies in the arena already cannot be flicked: of each color as many dice can be chosen as there are.
	box := table.DiceFlick.Kit().Dice
	for _, color := range table.Colors {
		name := color.String() + " 1"
		if color == table.Pink {
			name = "pink"
		}
		for n := range box[color] {
			run(t, ctx, tap(square(0)), wait(`document.querySelector('`+choice(name)+`')`), chromedp.KeyEvent(kb.Escape), wait(`!document.querySelector('#choose').open`))
			arena := slices.Repeat([]string{".."}, 25)
			for i := range n + 1 {
				arena[24-i] = map[table.Color]string{table.Blue: "B1", table.Yellow: "Y1", table.Green: "G1", table.White: "W1", table.Pink: "P*"}[color]
			}
			declared(t, m, match.Declaration{Say: match.SayAct, Move: "arena " + rowsOf(arena)})
			run(t, ctx, wait(fmt.Sprintf(`document.querySelectorAll('#table-body .square .die').length === %d`, n+1)))
		}
		if box[color] > 0 {
			run(t, ctx, tap(square(0)), wait(`document.querySelector('#choose[open]') && !document.querySelector('`+choice(name)+`')`), chromedp.KeyEvent(kb.Escape), wait(`!document.querySelector('#choose').open`))
		}
		declared(t, m, match.Declaration{Say: match.SayAct, Move: "arena " + rowsOf(slices.Repeat([]string{".."}, 25))})
	}
}

// rowsOf is an arena in the game's notation.
func rowsOf(holes []string) string {
	var rows []string
	for row := range slices.Chunk(holes, table.Size) {
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, " / ")
}

// mouse presses or releases the mouse at a place.
func mouse(kind string, at [2]float64) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	})
}

// TestBrowserTapHolds: a tap counts although news come from another device while the finger
// is down, and what they change is drawn after it; an explanation stays although the answer
// to an earlier question comes late.
func TestBrowserTapHolds(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceFlick, "Ada", "Ben")
	run(t, ctx, chromedp.Navigate(url), wait(`document.querySelector('[data-at="12"]')`))
	at := ask[[2]float64](t, ctx, `(() => { const it = document.querySelector('[data-at="12"]'); it.scrollIntoView({ block: 'center' }); const r = it.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	run(t, ctx, mouse("mousePressed", at))
	if err := m.Declare(match.Declaration{Say: match.SayAct, Move: "A flick W4 d3"}); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, shows("#moves", "white 4 into d3"), mouse("mouseReleased", at), shows("#choose-title", "c3"), wait(`document.querySelector('[data-at="13"] .die')`),
		tap(choice("blue 5")), verdict("Ada flicks blue 5 into c3"))

	ask[any](t, ctx, `(() => {
		const real = window.fetch;
		const late = new Promise((resolve) => { window.answer = resolve; });
		window.answered = 0;
		window.fetch = async (path, ...rest) => {
			const answer = await real(path, ...rest);
			if (!String(path).includes('/why?')) return answer;
			return { ok: answer.ok, json: async () => {
				await late;
				const body = await answer.json();
				setTimeout(() => { window.answered++; });
				return body;
			} };
		};
	})()`)
	run(t, ctx, tap(square(13)), tap(key("do-write")), explained("no way to score"))
	ask[any](t, ctx, `(() => { window.answer(); })()`)
	run(t, ctx, wait(`window.answered === 1`), explained("no way to score"))
}

// TestBrowserCameraHolds: a tap on a camera counts although another camera comes or goes
// while the finger is down.
func TestBrowserCameraHolds(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	run(t, ctx, chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(`[data-game="dice-box"]`), inStep("camera"))
	ask[any](t, ctx, `(() => {
		const real = window.fetch;
		window.asked = 0;
		window.fetch = async (path, ...rest) => {
			const answer = await real(path, ...rest);
			if (path === '/api/v1/setup' && (await answer.clone().text()).includes('New camera')) setTimeout(() => { window.asked++; }, 100);
			return answer;
		};
	})()`)
	at := ask[[2]float64](t, ctx, middleOf(`[data-source="/dev/video0"]`))
	run(t, ctx, mouse("mousePressed", at))
	h.mu.Lock()
	h.state.Cameras = append(h.state.Cameras[:1:1], CameraChoice{Number: 4, Source: "/dev/video4", Name: "New camera"})
	h.mu.Unlock()
	run(t, ctx, wait(`window.asked > 0`), mouse("mouseReleased", at), inStep("check"))
	if got := h.lastLook(t, 1).Source; got != "/dev/video0" {
		t.Errorf("looked through %s", got)
	}
}

// TestBrowserNotepad: on a phone a whole game by writing numbers, an impossible one
// explained, an old one corrected in two taps.
func TestBrowserNotepad(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceFlick, "Tim", "Anna", "Sarah", "Rami")
	run(t, ctx, size(390, 844), chromedp.Navigate(url), wait(`document.querySelectorAll('.pad td button').length === 40`),
		tap(key("cell-0-1")), shot(t, "notepad-number"), tap(choice("1")), explained("No turn can score 1"), shot(t, "notepad-impossible"), tap("#tried-close"))
	for round := 1; round <= 10; round++ {
		for seat := range 4 {
			run(t, ctx, tap(key(fmt.Sprintf("cell-%d-%d", seat, round))), tap(choice(fmt.Sprint(2+(round*7+seat*5)%20))), wait(fmt.Sprintf(`document.querySelector('[data-key="cell-%d-%d"]').textContent !== ''`, seat, round)))
		}
		if round == 4 {
			lookEverywhere(t, ctx, "notepad")
			run(t, ctx, size(390, 844))
		}
	}
	if s := m.Snapshot(); s.Phase != match.PhaseOver {
		t.Fatalf("the game stands at %s", s.Phase)
	}
	run(t, ctx, tap(key("cell-2-3")), tap(choice("0")), wait(`document.querySelector('[data-key="cell-2-3"]').textContent === '0'`),
		tap(key("cell-1-5")), tap(choice("Clear")), wait(`document.querySelector('[data-key="cell-1-5"]').closest('.missing')`),
		tap(key("cell-1-5")), tap(choice("More")), tap(choice("48")), shows("#choose-title", "48 points in one turn?"), tap(choice("Yes, write down 48")), wait(`document.querySelector('[data-key="cell-1-5"]').textContent === '48'`), shot(t, "notepad-end"))
	e := m.Events()
	if last := e[len(e)-1]; last.Type != match.TypeEnd || last.Winners[0] != "Anna" {
		t.Errorf("the end is told as %+v", last)
	}
}

// TestBrowserTapFromage: a roll told by hand, one die kept where two must be, a set
// taken and answered with points.
func TestBrowserTapFromage(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.FromageATrois, "Ada", "Ben", "Cleo")
	run(t, ctx, chromedp.Navigate(url), tap(key("face-2")), tap(key("face-2")), tap(key("face-3")), tap(key("face-5")), tap(key("do-We rolled this")), verdict("Ada rolls 2, 2, 3, 5"),
		tap(key("cart-0")), tap(key("do-Keep")), explained("keep 2 of the dice"), tap("#tried-close"), tap(key("cart-1")), tap(key("do-Keep")), verdict("Ada keeps 2, 2"),
		tap(key("do-End the turn")), wait(toMove(1)), tap(key("roll-5")), verdict("Ben rolls"),
		tap(key("hand0-0")), tap(key("hand0-1")))
	lookEverywhere(t, ctx, "tap-fromage")
	run(t, ctx, tap(key("do-Take the set")), verdict("Ben takes 2, 2 from A"), shot(t, "tap-fromage-owed"),
		tap(key("do-Nothing")), shows("#choose-title", "Really take nothing"), chromedp.KeyEvent(kb.Escape), wait(`!document.querySelector('#choose').open`), tap(key("do-points")), verdict("Ada gets 2 points"), tap(key("do-End the turn")), wait(toMove(2)))
	if s := m.Snapshot(); s.Sheets[0].Total != 2 {
		t.Errorf("%+v", s.Sheets)
	}
}

// TestBrowserTapCreams: the demo deck; a die on a spot of another color is explained.
func TestBrowserTapCreams(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceCreams, "Ada", "Ben")
	for _, act := range []string{"nature reveal mint-1", "nature reveal lagoon-1", "nature draw blue4,green2,black6,black1,yellow3"} {
		if err := m.Declare(match.Declaration{Say: match.SayAct, Move: act}); err != nil {
			t.Fatal(err)
		}
	}
	run(t, ctx, chromedp.Navigate(url), tap(key("die-blue-4")), wait(`document.querySelectorAll('.spot3.lit').length > 2`), tap(key("spot-mint-1.0")), explained("needs green"))
	lookEverywhere(t, ctx, "tap-creams")
	run(t, ctx, tap("#tried-close"), tap(key("spot-lagoon-1.0")), verdict("Ada places blue 4 on lagoon-1, spot 1"), tap(key("do-roll")), tap(key("do-A gain 1")),
		wait(`document.querySelector('[data-key="do-A done"]')`), tap(key("do-A done")), wait(toMove(1)),
		tap(key("die-black-6")), tap(key("do-Discard: one Sprinkle")), verdict("Ben discards black 6"), tap(key("do-B done")), wait(`document.querySelector('.melt')`))
	lookEverywhere(t, ctx, "tap-creams-melt")
	run(t, ctx, tap(`[data-key^="do-A melt"]`), verdict("The dice melt"), tap(`[data-key^="do-A clean"]`), tap(key("do-roll")), wait(`document.querySelectorAll('#table-body .middle .tapdie').length > 2`), wait(toMove(1)))
	if s := m.Snapshot(); s.ToMove != 1 {
		t.Errorf("seat %d is to move", s.ToMove)
	}
}

// TestBrowserPanels: what each game has besides its dice, with a camera and without,
// here, across the room and over a stream.
func TestBrowserPanels(t *testing.T) {
	t.Parallel()
	games := []struct {
		game table.Game
		acts []string
		has  string // what every view shows
	}{
		{table.DessertDice, []string{"A place R1 c3", "B place Y1 c2", "A place G3 d3", "B move d3 e3 G1"}, ".tiles .map .full"},
		{table.DiceBox, []string{"seed 3", "A place R4 c2", "B place Y2 b3", "A place R2 d3", "B place W1 e3"}, ".tiles .die"},
		{table.DiceFlick, []string{"markers center=c3 bonus=e1 blue=b2", "A flick B4 c3", "A flick B5 c2", "pad A 1 16", "B flick P* a1"}, ".pad td"},
		{table.FromageATrois, []string{"A roll 22335", "A keep 22", "A end", "B roll 11336", "B keep 33", "B end", "C roll 11223", "C keep 23"}, ".hands .die"},
		{table.DiceCreams, []string{"nature reveal lemon-1", "nature reveal mint-1", "nature draw blue4,green2,green5,black1,yellow3,orange6", "A take green2 mint-1.0", "nature reveal lagoon-1", "B take blue4 lagoon-1.0"}, ".customers"},
	}
	st := newStage(t)
	for _, at := range []struct {
		path   string
		camera bool
		screen int
	}{{"/", true, 1}, {"/tv", true, 2}, {"/tv", false, 2}, {"/overlay", false, 1}} {
		for i, g := range games {
			players := []string{"Ada", "Ben"}
			if g.game == table.FromageATrois || g.game == table.DiceCreams {
				players = append(players, "Cleo")
			}
			m := plays(t, g.game, players, g.acts...)
			st.eye(at.camera, g.game)
			if i == 0 {
				st.match.show("none", m, nil)
				st.open(at.path)
			}
			st.put(m, nil)
			name := fmt.Sprintf("panels-%s-%s-%s", g.game, sees(at.camera), at.path[1:])
			run(t, st.ctx, size(screens[at.screen].width, screens[at.screen].height), wait(fmt.Sprintf("document.querySelector(%q)", g.has)))
			if at.camera {
				run(t, st.ctx, wait(`document.querySelector('.stage.seen')`))
				if !ask[bool](t, st.ctx, `(() => { const r = document.querySelector('#stage').getBoundingClientRect(); return r.height > innerHeight * 0.15 && r.bottom <= innerHeight && r.width > innerWidth * 0.25; })()`) {
					t.Errorf("%s: hardly anything of the camera's picture is in view", name)
				}
			}
			run(t, st.ctx, shot(t, name))
			if !ask[bool](t, st.ctx, noneOverflows) {
				t.Errorf("%s: has to be scrolled sideways", name)
			}
			if n := ask[int](t, st.ctx, `document.querySelectorAll('#table button:not([hidden]), #extra button').length`); n > 0 && at.path != "/" {
				t.Errorf("%s: %d things to tap where nothing is to be tapped", name, n)
			}
		}
	}
}

// TestBrowserDoubt: every answer shows what is there if it is right, and says it with
// players' names in the page's language.
func TestBrowserDoubt(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, m, _ := tableServer(t, "Ada", "Bartholomäus von und zu Hohenstein", "Cleo")
	play(m)
	ben := m.now.Players[1]
	lies := func(color table.Color, face int) []match.Lies {
		return []match.Lies{{Square: table.Square{Row: 2, Col: 2}, Color: color, Face: face}}
	}
	m.change(func(s *match.Snapshot) {
		s.Game, s.Phase = table.DiceBox, "doubt"
		s.Ask, s.Question = "What happened: B place R4 c3, or B place R6 c3 (BX-VALUE)?", &match.Phrase{Kind: "which"}
		s.Choices = []string{"B place R4 c3", "B place R6 c3 (BX-VALUE)", "nothing on c3", "nothing has changed"}
		s.Possible = []match.Possibility{
			{Choice: s.Choices[0], Answer: match.Phrase{Kind: "acts"}, Acts: []string{"B place R4 c3"}, Events: []match.Event{place(ben, table.Red, 4, 2, 2)}, Squares: lies(table.Red, 4)},
			{Choice: s.Choices[1], Answer: match.Phrase{Kind: "acts"}, Acts: []string{"B place R6 c3"}, Events: []match.Event{place(ben, table.Red, 6, 2, 2)}, Squares: lies(table.Red, 6)},
			{Choice: s.Choices[2], Answer: match.Phrase{Kind: "nothing-on", Values: map[string]any{"square": table.Square{Row: 2, Col: 2}}}, Acts: []string{}, Events: []match.Event{}, Squares: lies(table.NoColor, 0)},
			{Choice: s.Choices[3], Answer: match.Phrase{Kind: "nothing-changed"}, Acts: []string{}, Events: []match.Event{}, Squares: lies(table.NoColor, 0)},
		}
	})
	drawn := wait(`document.querySelectorAll('#verdict-choices .option .lies .die').length === 4`)
	for _, screen := range screens {
		run(t, ctx, size(screen.width, screen.height), chromedp.Navigate(ts.URL), drawn, shows("#verdict-text", "What happened?"), shot(t, "doubt-"+screen.name))
		wellLaidOut(t, ctx, "doubt "+screen.name)
	}
	const said = `[...document.querySelectorAll('#verdict-choices .option > span:last-child')].map((e) => e.textContent).join('|')`
	if got, want := ask[string](t, ctx, said), ben+" places red 4 on c3|"+ben+" places red 6 on c3|nothing on c3|nothing has changed"; got != want {
		t.Errorf("the answers are %s, want %s", got, want)
	}
	ask[any](t, ctx, `localStorage.setItem('language', 'de')`)
	run(t, ctx, size(390, 844), dark(true), chromedp.Reload(), drawn, shows("#verdict-text", "Was ist passiert?"), shot(t, "doubt-german"))
	inGerman(t, ctx, "a doubt")
	run(t, ctx, dark(false), tap(`.option:nth-child(3)`))
	if got, want := lastSaid(t, m, 1), `{"say":"answer","choice":"nothing on c3","ask":"What happened: B place R4 c3, or B place R6 c3 (BX-VALUE)?"}`; got != want {
		t.Errorf("an answer: %s, want %s", got, want)
	}
	ask[any](t, ctx, `localStorage.removeItem('language')`)
	m.change(func(s *match.Snapshot) {
		s.Ask, s.Choices, s.Possible = "Several things happened at once: B place R4 c3 (BX-VALUE). Is that right?", []string{"yes", "no"}, []match.Possibility{s.Possible[0]}
		s.Question = &match.Phrase{Kind: "at-once", Values: map[string]any{"acts": map[string]any{"events": s.Possible[0].Events}}}
		s.Possible[0].Choice, s.Possible[0].Answer = "yes", match.Phrase{Kind: "yes"}
	})
	run(t, ctx, chromedp.Reload(), shows("#verdict-text", "at once: "+ben+" places red 4 on c3. Is that right?"), shows(".option", "yes: "+ben), shot(t, "doubt-yes"))
}

// TestBrowserVoice: the voice tells the act and its score, an illegal one with its
// reason, and after a correction the correction and its new total alone; with a sound for each kind.
func TestBrowserVoice(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	url, m := tapServer(t, table.DiceFlick, "Tim", "Anna")
	said := func(text string) step { return wait(fmt.Sprintf("window.said.at(-1) === %q", text)) }
	run(t, ctx, chromedp.Navigate(url), wait(`document.querySelectorAll('.pad td button').length === 20`), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := chromedp.Evaluate[bool](`(window.said = [], window.tones = [], speechSynthesis.speak = (words) => window.said.push(words.text),
			window.OscillatorNode = new Proxy(OscillatorNode, { construct(of, [context, how]) { window.tones.push(how.frequency); return new of(context, how); } }), true)`)(ctx, target)
		return err
	}), tap("#voice"), said("Voice and sounds are on"),
		tap(key("cell-0-1")), tap(choice("8")), said("Tim scores 8 in round 1"),
		tap(key("cell-1-1")), tap(choice("1")), said("Not allowed. No turn can score 1."), tap("#tried-close"),
		tap(key("cell-0-1")), tap(choice("12")), said("Corrected: Tim scored 12 in round 1"))
	run(t, ctx, tap(key("cell-1-1")), tap(choice("6")), said("Anna scores 6 in round 1"),
		tap(key("cell-0-2")), tap(choice("5")), said("Tim scores 5 in round 2. Tim: 17"),
		tap(key("cell-0-1")), tap(choice("8")), said("Corrected: Tim scored 8 in round 1. Tim: 13"))
	if err := m.Declare(match.Declaration{Say: match.SayAct, Move: "B flick P* a1"}); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, said("Anna flicks pink into a1"))
	if n := ask[int](t, ctx, `window.said.length`); n != 8 {
		t.Errorf("%d things were said: %s", n, ask[string](t, ctx, `JSON.stringify(window.said)`))
	}
	tones := ask[[]float64](t, ctx, `window.tones`)
	if bad := slices.Index(tones, 311); len(tones)%2 != 0 || bad < 0 || tones[bad+1] >= tones[bad] {
		t.Errorf("the tones are %v, with none that falls for what is not allowed", tones)
	}
	run(t, ctx, tap("#voice"), tap(key("cell-0-1")), tap(choice("12")), shows(".pad", "17"))
	if n, m := ask[int](t, ctx, `window.said.length`), ask[int](t, ctx, `window.tones.length`); n != 8 || m != len(tones) {
		t.Errorf("%d things are said and %d tones heard when the voice is off", n, m)
	}
}
