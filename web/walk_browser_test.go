package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

// promised is, for every prompt, what it says can be tapped.
var promised = map[string]string{
	"todo.start": `[data-key^="color-"], button.main`, "todo.die": `.side button.tapdie`, "todo.color": `[data-key^="color-"]`,
	"todo.color-or-roll": `[data-key^="color-"], [data-key="do-Roll mine again"]`, "todo.face": `.side [data-key^="die-"]`, "todo.square": `.square.lit`,
	"todo.die-for": `.side button.tapdie`, "todo.place-or-tip": `.side button.tapdie`, "todo.tip": `.square.lit`, "todo.no-tip": `button.square`,
	"todo.no-fit": `.side button.tapdie`, "todo.seed": `[data-key^="die-black"], button.main`,
	"todo.draft-or-roll": `[data-key^="draft-"], button.main`, "todo.draft": `[data-key^="draft-"]`, "todo.reroll": `.main`, "todo.tap": `.main`,
	"todo.roll-or-tap": `[data-key^="roll-"], [data-key^="face-"]`, "todo.rolled": `[data-key^="face-"]`,
	"todo.more-dice": `[data-key^="cart-"][aria-pressed="false"]`, "todo.fewer-dice": `[data-key^="cart-"][aria-pressed="true"]`,
	"todo.owed": `[data-key^="cart-"], [data-key="do-points"]`, "todo.owed.points": `[data-key="do-points"]`, "todo.keep": `[data-key^="cart-"]`,
	"todo.keep-or-take": `[data-key^="cart-"], [data-key^="hand"]`, "todo.set": `[data-key^="hand"]`, "todo.fromage": `[data-key^="hand"]`,
	"todo.end": `[data-key="do-End the turn"]`, "todo.end-or-fromage": `[data-key="do-End the turn"], .fromages button`,
	"todo.pad": `#unfold`, "todo.flick": `button.square:not(:has(.die)), [data-key="do-Missed"]`, "todo.flick-one": `button.square:not(:has(.die)), [data-key="do-Missed"]`,
	"todo.flick-bonus": `button.square:not(:has(.die)), [data-key="do-score"]`, "todo.taking": `[data-key="do-write"], button.square:has(.die)`, "todo.no-sum": `[data-key="do-cancel"], button.square:has(.die)`,
	"todo.draw": `[data-key="do-roll"]`, "todo.draw-one": `[data-key="do-roll"]`, "todo.reveal": `[data-key="do-roll"]`, "todo.fridge": `.middle button.tapdie`,
	"todo.spot": `button.spot3.lit`, "todo.drawn": `button.spot3.lit`, "todo.no-spot": `.main, .middle button.tapdie`, "todo.serve": `button.customer.lit`,
	"todo.second": `button.customer.lit, [data-key$=" second none"]`,
}

// offered is what the page offers at one moment.
type offered struct {
	Todo, Text string   // the prompt, by its key and in words
	Mains      []string // what the buttons that stand out say
	Acts       []string // the acts that they play, "" where another thing is done
	Targets    int      // what the prompt says can be tapped
}

// looks asks the page what it offers, with the prompts' promises at hand.
func looks(t *testing.T, ctx context.Context) offered {
	t.Helper()
	return ask[offered](t, ctx, `(() => {
		const todo = document.querySelector('#table').dataset.todo, seen = (s) => s ? [...document.querySelectorAll(s.split(', ').map((each) => ':is(#table, #doing) ' + each).join(', '))].filter((e) => !e.disabled && e.checkVisibility()) : [];
		window.targets = seen(window.promised[todo]);
		window.mains = seen('button.main');
		return { Todo: todo ?? '', Text: document.querySelector('#table-todo').textContent, Mains: mains.map((e) => e.textContent), Acts: mains.map((e) => e.dataset.act ?? ''), Targets: targets.length };
	})()`)
}

// TestBrowserWalk: every game is played to its celebrated end on a phone by doing what the prompt says, with seeded
// luck. In every state there is a prompt, what it names is there to be tapped, the button that stands out is allowed, nothing that the
// prompt asks for is refused, and one undo takes back what one tap has done.
func TestBrowserWalk(t *testing.T) {
	t.Parallel()
	players := map[table.Game]int{table.DessertDice: 3, table.DiceBox: 4, table.FromageATrois: 3, table.DiceCreams: 2, table.DiceFlick: 2}
	for _, game := range table.Games {
		t.Run(string(game), func(t *testing.T) {
			t.Parallel()
			walk(t, game, players[game])
		})
	}
}

// counts has what is asked of the server and not yet answered counted.
const counts = `(() => {
	const real = window.fetch;
	window.asking = 0;
	window.fetch = async (path, ...rest) => {
		if (String(path).includes('preview')) return real(path, ...rest);
		window.asking++;
		try {
			return await real(path, ...rest);
		} finally {
			setTimeout(() => { window.asking--; }, 5);
		}
	};
	return true;
})()`

// mostTaps is how many taps a game is walked from its beginning; a longer one is walked again before its end.
const (
	mostTaps = 160
	lastActs = 8
)

func walk(t *testing.T, game table.Game, players int) {
	ctx := browser(t)
	url, m := tapServer(t, game, []string{"Ada", "Ben", "Cleo", "Dora"}[:players]...)
	rules, err := json.Marshal(promised)
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, size(390, 844), chromedp.Navigate(url), wait(fmt.Sprintf("(window.promised = %s)", rules)), wait(counts), tap(".starter:nth-child(2)"))
	// Who starts is no act and cannot be undone: it has to be in the journal before the first tap is counted.
	run(t, ctx, wait(`window.asking === 0 && document.querySelector('#table').dataset.drawn > 0`), shot(t, "walk-"+string(game)))
	r := rand.New(rand.NewPCG(11, uint64(players)))
	taps := 0
	for ; taps < mostTaps && m.Snapshot().Outcome == nil; taps++ {
		tapOne(t, ctx, m, r, taps%4 == 0)
	}
	if m.Snapshot().Outcome == nil {
		playOut(t, m, 4)
		for range lastActs {
			declared(t, m, match.Declaration{Say: match.SayUndo})
		}
		for ; taps < 2*mostTaps && m.Snapshot().Outcome == nil; taps++ {
			tapOne(t, ctx, m, r, false)
		}
	}
	if game == table.DessertDice {
		run(t, ctx, shows(".finale h2", "Turn over your cards"))
		for i := range players {
			run(t, ctx, middle(key(fmt.Sprintf("card-%d-%c", i, "JSPI"[i]))))
		}
	}
	name := "walk-" + string(game) + "-end"
	run(t, ctx, wait(fmt.Sprintf("document.querySelectorAll('.final li').length === %d", players)), wait(noneMoves), shot(t, name))
	seesAll(t, ctx, name, ".finale h2", ".crowns .crown", ".final li", key("rematch"))
	run(t, ctx, size(1920, 1080), chromedp.Navigate(url+"/tv"), wait(fmt.Sprintf("document.querySelectorAll('.final li').length === %d", players)), wait(noneMoves), shot(t, name+"-tv"))
	seesAll(t, ctx, name+"-tv", ".finale h2", ".crowns .crown", ".final li")
	t.Logf("%d taps", taps)
}

// finger taps what an expression finds as a finger does, with all that comes of it: it is pressed and has the focus. What is
// out of sight is scrolled to.
func finger(expression string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		at, err := chromedp.Evaluate[[2]float64](fmt.Sprintf(`((e) => {
			const middle = () => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
			const hit = () => { const top = document.elementFromPoint(...middle()); return e.contains(top) || top?.contains(e); };
			if (!hit()) e.scrollIntoView({ block: 'center' });
			return middle();
		})(%s)`, expression))(ctx, target)
		if err != nil {
			return err
		}
		_, err = chromedp.MouseClickXY(at[0], at[1])(ctx, target)
		return err
	})
}

// strayed says what has left the screen after a tap: what to do now, or every place that the chosen die can go to.
const strayed = `(() => {
	const seen = (e) => {
		const r = e.getBoundingClientRect();
		const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		return e.contains(top) || top?.contains(e);
	};
	const todo = document.querySelector('#table-todo'), places = [...document.querySelectorAll('#table-body .lit')];
	if (!todo.checkVisibility() || document.querySelector('#choose').open) return '';
	if (!seen(todo)) return 'the prompt';
	if (['todo.square', 'todo.tip', 'todo.spot'].includes(document.querySelector('#table').dataset.todo) && places.length && !places.some(seen)) return 'every place';
	return '';
})()`

// tapOne does one thing that the prompt says, once what is offered has been looked at.
func tapOne(t *testing.T, ctx context.Context, m *match.Match, r *rand.Rand, undo bool) {
	t.Helper()
	now := m.Snapshot()
	run(t, ctx, wait(fmt.Sprintf("document.querySelector('#table').dataset.drawn === '%d' && !document.querySelector('#choose').open", now.Seq)))
	what := looks(t, ctx)
	where := fmt.Sprintf("%s, event %d, %s %q", now.Game, now.Seq, what.Todo, what.Text)
	if what.Text == "" || strings.HasPrefix(what.Text, "todo.") || strings.Contains(what.Text, "{") || promised[what.Todo] == "" {
		t.Fatalf("%s: there is no prompt", where)
	}
	if what.Targets == 0 || len(what.Mains) > 1 || what.Todo == "todo.tap" && !strings.Contains(what.Text, strings.Join(what.Mains, " ")) {
		t.Fatalf("%s: %d things to tap, and %q stand out", where, what.Targets, what.Mains)
	}
	for _, act := range what.Acts {
		if act == "" {
			continue
		}
		if j, err := m.Why(act); err != nil || !j.Legal {
			t.Errorf("%s: %s stands out and is not allowed: %s (%v)", where, act, j.Code, err)
		}
	}
	which := fmt.Sprintf("targets[%d]", r.IntN(what.Targets))
	if what.Todo == "todo.set" || what.Todo == "todo.fromage" { // dice that make nothing are let go again, or a turn could take for ever
		which = `document.querySelector('#table-body [data-key^="hand"][aria-pressed="true"]')`
	}
	if what.Todo == "todo.no-sum" && r.IntN(2) == 0 { // a set that scores is not found by chance
		which = `document.querySelector('[data-key="do-cancel"]')`
	}
	if len(what.Mains) == 1 && r.IntN(3) > 0 {
		which = "mains[0]"
	}
	run(t, ctx, finger(which))
	asked := ask[bool](t, ctx, `document.querySelector('#choose').open`)
	if asked {
		n := ask[int](t, ctx, `document.querySelectorAll('#choose-rows .row:not(:last-child) button, #choose-rows .row:only-child button').length`)
		ask[any](t, ctx, fmt.Sprintf(`(document.querySelectorAll('#choose-rows .row:not(:last-child) button, #choose-rows .row:only-child button')[%d].click(), true)`, r.IntN(n)))
	}
	run(t, ctx, wait(`window.asking === 0`))
	if why := ask[string](t, ctx, `document.querySelector('#tried').hidden ? '' : document.querySelector('#tried-why').textContent`); why != "" {
		if !asked { // which die came up was luck
			t.Errorf("%s: a tap that the prompt asks for is refused: %s", where, why)
		}
		ask[any](t, ctx, `(document.querySelector('#tried-close').click(), true)`)
	}
	if out := ask[string](t, ctx, strayed); out != "" {
		t.Fatalf("%s: after the tap on it %s is out of sight", where, out)
	}
	if after := m.Snapshot(); undo && after.Seq > now.Seq && after.Outcome == nil {
		declared(t, m, match.Declaration{Say: match.SayUndo})
		if was, is := shown(t, now), shown(t, m.Snapshot()); was != is {
			t.Fatalf("%s: one undo leads from %s to %s", where, was, is)
		}
		declared(t, m, match.Declaration{Say: match.SayRedo})
	}
}

// shown is what a snapshot shows of the game.
func shown(t *testing.T, s match.Snapshot) string {
	t.Helper()
	b, err := json.Marshal([]any{s.State, s.ToMove, s.Sheets})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
