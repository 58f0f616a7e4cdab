package web

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
)

var keepShots = flag.Bool("shots", false, "keep a picture of every state that the layout test walks through")

// guests have names as people have them, one of them long.
var guests = []string{"Ada", "Bartholomäus", "Cleo", "Maximiliane", "Eve", "Finn"}

// scene is a game in some of its states.
type scene struct {
	game    table.Game
	players int
	states  []struct{ name, acts string } // each goes on from the one before
	illegal string                        // an act that is refused in the last of them
	picked  int                           // after how many of the states that can be done; 0: all
	pick    string                        // what is chosen first, where something has to be
	wrong   string                        // a script that taps what is not allowed
	slip    string                        // a script that opens a question about a slip
}

type states = []struct{ name, acts string }

var scenes = []scene{
	{
		game: table.DessertDice, players: 4,
		states: states{
			{"start", ""},
			{"in play", "A place R1 c3; B place Y1 c2; C place G3 d3"},
			{"late", "D move d3 e3 G1; A place K5 a1; B place P6 e5; C place R6 b4; D place Y4 e1"},
		},
		illegal: "A move c3 d4 R2", pick: `($('#table-body .side button.tapdie').click(), true)`,
		wrong: `($('[data-at="12"]').click(), $('[data-at="18"]').click(), true)`,
	},
	{
		game: table.DiceBox, players: 4,
		states: states{
			{"start", ""},
			{"draft", "A draft R; B draft W"},
			{"seeded", "C draft B; D draft Y; seed 3"},
			{"in play", "A place R4 c2; B place W2 b3; C place B5 d2"},
		},
		illegal: "D place Y1 a1", pick: `($('[data-key^="color-"]').click(), true)`,
		wrong: `($('[data-key^="color-"]').click(), $('[data-key^="die-"][data-key$="-1"]').click(), $('[data-at="0"]').click(), true)`,
	},
	{
		game: table.DiceFlick, players: 4,
		states: states{
			{"start", ""},
			{"one flicked", "markers center=c3 bonus=e1 blue=b2; A flick B4 c3"},
			{"may score", "A flick B5 c2"},
			{"bonus", "A flick W3 e1; A flick Y5 a5"},
			{"notepad", "pad A 1 16; pad B 1 0; pad C 1 24; pad D 1 8"},
		},
		illegal: "A score 1 took=none", wrong: `($('[data-key="cell-0-2"]').click(), $('#choose [data-choice="1"]').click(), true)`,
		slip: `($('[data-key="cell-0-4"]').click(), $('#choose [data-choice="12"]').click(), true)`,
	},
	{
		game: table.FromageATrois, players: 5,
		states: states{
			{"start", ""},
			{"rolled", "A roll 22335"},
			{"kept", "A keep 22"},
			{"next", "A end"},
			{"taken", "B roll 22344; B steal A 22"},
			{"in play", "A compensate 2 points; B end; C roll 11336; C keep 33; C end; D roll 33456"},
		},
		illegal: "D keep 3", pick: `($('[data-key="cart-0"]').click(), true)`,
	},
	{
		game: table.DiceCreams, players: 4,
		states: states{
			{"start", ""},
			{"to draw", "nature reveal lemon-1; nature reveal mint-1"},
			{"draft", "nature draw blue4,green2,green5,black1,yellow3,orange6,blue1"},
			{"in play", "A take green2 mint-1.0; nature reveal lagoon-1; B take blue4 lagoon-1.0"},
		},
		picked: 3, pick: `($('#table-body .middle button.tapdie').click(), true)`,
	},
}

// plays makes a match that has got somewhere; an act that is refused fails the test.
func plays(t *testing.T, game table.Game, players []string, acts ...string) *match.Match {
	t.Helper()
	m, err := match.New(match.Config{Game: game, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range acts {
		for act := range strings.SplitSeq(all, "; ") {
			if act == "" {
				continue
			}
			if err := m.Declare(match.Declaration{Say: match.SayAct, Move: act, Keep: true}); err != nil {
				t.Fatalf("%s: %s: %v", game, act, err)
			}
		}
	}
	return m
}

// asked poses a question with four answers, as the games with a board have it.
func asked(players []string) func(*match.Snapshot) {
	lies := func(color table.Color, face int) []match.Lies {
		return []match.Lies{{Square: table.Square{Row: 2, Col: 2}, Color: color, Face: face}, {Square: table.Square{Row: 2, Col: 3}}}
	}
	return func(s *match.Snapshot) {
		s.Phase = match.PhaseDoubt
		s.Ask, s.Question = "What happened?", &match.Phrase{Kind: "which"}
		s.Choices = []string{"B place R4 c3", "B place R6 c3", "nothing on c3", "nothing has changed"}
		s.Possible = []match.Possibility{
			{Choice: s.Choices[0], Answer: match.Phrase{Kind: "acts"}, Acts: []string{}, Events: []match.Event{place(players[1], table.Red, 4, 2, 2), diagonal(players[1])}, Squares: lies(table.Red, 4)},
			{Choice: s.Choices[1], Answer: match.Phrase{Kind: "acts"}, Acts: []string{}, Events: []match.Event{place(players[1], table.Red, 6, 2, 2)}, Squares: lies(table.Red, 6)},
			{Choice: s.Choices[2], Answer: match.Phrase{Kind: "nothing-on", Values: map[string]any{"square": table.Square{Row: 2, Col: 2}}}, Acts: []string{}, Events: []match.Event{}, Squares: lies(table.NoColor, 0)},
			{Choice: s.Choices[3], Answer: match.Phrase{Kind: "nothing-changed"}, Acts: []string{}, Events: []match.Event{}, Squares: lies(table.NoColor, 0)},
		}
	}
}

const closes = `document.querySelector('dialog[open]')?.close()`

// TestBrowserFits walks every game, with a camera and without, through all its states on phones, a laptop and
// a wall. On none does anything lie over or cut off another, is a button of the moment, a question or the newest verdict
// off the screen, is there a second scroll bar or a thing too small for a finger, or does a button jump.
func TestBrowserFits(t *testing.T) {
	t.Parallel()
	for _, camera := range []bool{false, true} {
		for _, sc := range scenes {
			t.Run(fmt.Sprintf("%s-%s", sc.game, sees(camera)), func(t *testing.T) {
				t.Parallel()
				st := newStage(t)
				st.where = fmt.Sprintf("%s %s", sc.game, sees(camera))
				st.table(sc, camera)
				st.far(sc, camera)
			})
		}
	}
}

func sees(camera bool) string { return map[bool]string{true: "camera", false: "bare"}[camera] }

// acts are the first n states of a scene.
func (sc scene) acts(n int) (acts []string) {
	for _, s := range sc.states[:n] {
		acts = append(acts, s.acts)
	}
	return acts
}

// table walks through the states of the table's own page.
func (st *stage) table(sc scene, camera bool) {
	t, players := st.t, guests[:sc.players]
	whole := plays(t, sc.game, players, sc.acts(len(sc.states))...)
	st.eye(camera, sc.game)
	st.match.show("m0", whole, nil)
	st.open("/")
	run(t, st.ctx, wait(`window.heard === 'm0'`))
	if camera {
		run(t, st.ctx, wait(`document.querySelector('#stage.seen')`))
	}
	st.still = map[string]map[string]string{}
	for i, each := range sc.states {
		st.show(each.name, plays(t, sc.game, players, sc.acts(i+1)...), nil)
	}
	st.show("asked", whole, asked(players))
	st.rare = true
	st.put(whole, nil)
	st.does("menu", `($('#menu').click(), true)`, `$('#menu').click()`)
	st.does("other devices", `($('#join-open').click(), true)`, closes)
	if !camera {
		if sc.pick != "" {
			st.put(plays(t, sc.game, players, sc.acts(cmp.Or(sc.picked, len(sc.states)))...), nil)
			st.does("chosen", sc.pick, "")
		}
		st.put(whole, nil)
		if sc.wrong != "" {
			st.does("not allowed", sc.wrong, closes)
		}
		if sc.slip != "" {
			st.does("slip", sc.slip, closes)
		}
		st.put(whole, nil)
	}
	hint := map[bool]string{true: "#hint", false: "#show-me"}[camera]
	st.does("hint open", `($('`+hint+`').click(), true)`, `$('`+hint+`').click()`)
	st.does("correction open", `([...document.querySelectorAll('#moves button.what')].at(-1).click(), true)`, closes)
	if sc.illegal != "" {
		st.show("not allowed but kept", plays(t, sc.game, players, append(sc.acts(len(sc.states)), sc.illegal)...), nil)
	}
	undone := plays(t, sc.game, players, sc.acts(len(sc.states))...)
	declared(t, undone, match.Declaration{Say: match.SayUndo})
	st.show("undone", undone, nil)
	st.show("corrected", st.corrected(sc, players), nil)
	st.show("asked plainly", whole, func(s *match.Snapshot) {
		s.Phase, s.Ask, s.Choices = match.PhaseDoubt, "Something on the table has changed, and no move that I know of explains it. What has happened?", []string{"go on"}
	})
	st.show("paused", whole, func(s *match.Snapshot) { s.Phase = match.PhasePaused })
	st.show("trouble", whole, func(s *match.Snapshot) { s.Trouble = "match: the disk is full" })
	if camera {
		st.eye(true, sc.game, table.Warning{Code: "dark", Text: "the table is dark"}, table.Warning{Code: "moved", Text: "moved"})
		st.show("camera moved", whole, nil)
		st.eye(true, sc.game, table.Warning{Code: "dark", Text: "the table is dark"}, table.Warning{Code: "glare", Text: "glare"})
		st.show("dark", whole, func(s *match.Snapshot) { s.Waiting = []match.Waiting{{Say: match.SayPoints}, {Say: match.SayMiss}} })
		st.s.cfg.Feed.ShowStatus(Status{State: CameraFailed, Reason: "cannot open /dev/video0: cheese (process 41) is using it"})
		st.show("camera failed", whole, nil)
		st.eye(true, sc.game)
	}
	st.still, st.rare = nil, false
	st.ends(sc, players, true)
	st.rare = false
}

// corrected is a match whose first act of the last state was put right.
func (st *stage) corrected(sc scene, players []string) *match.Match {
	m := plays(st.t, sc.game, players, sc.acts(len(sc.states))...)
	for _, e := range slices.Backward(m.Events()) {
		if len(e.Acts) == 1 && e.By != "rules" && m.Declare(match.Declaration{Say: match.SayCorrect, Seq: e.Seq, Move: "nothing", Keep: true}) == nil {
			return m
		}
	}
	st.t.Fatalf("%s: nothing can be put right", sc.game)
	return nil
}

// ends shows how a game ends: celebrated, by a tie, before its cards are turned over, and early.
func (st *stage) ends(sc scene, players []string, able bool) {
	t := st.t
	m := plays(t, sc.game, players)
	if sc.game == table.DessertDice {
		declared(t, m, match.Declaration{Say: match.SayRoll})
	}
	playOut(t, m, 3)
	brief := func(s *match.Snapshot) { s.Events = s.Events[max(0, len(s.Events)-12):] } // the rest is a longer list
	if sc.game == table.DessertDice {
		st.show("cards", m, brief)
		declared(t, m, match.Declaration{Say: match.SayCard, Player: players[0], Card: "J"})
		st.show("one card", m, brief)
		for i, p := range players[1:] {
			declared(t, m, match.Declaration{Say: match.SayCard, Player: p, Card: "SPI"[i : i+1]})
		}
	}
	st.show("over", m, brief)
	st.rare = true
	if able {
		st.does("over, the table again", `($('[data-key="fold"]').click(), true)`, `$('#unfold-end').click()`)
	}
	st.show("tie", m, func(s *match.Snapshot) {
		brief(s)
		s.Outcome = &match.Outcome{How: match.EndedByRules, Winners: []int{0, 1, 2}}
	})
	early := plays(t, sc.game, players, sc.acts(len(sc.states))...)
	declared(t, early, match.Declaration{Say: match.SayEnd})
	st.show("stopped early", early, nil)
	st.show("recording over", early, func(s *match.Snapshot) { s.Outcome = &match.Outcome{How: match.EndedUnseen, Winners: []int{}} })
}

// far walks through what is shown across the room and over a stream.
func (st *stage) far(sc scene, camera bool) {
	t, players := st.t, guests[:sc.players]
	whole := plays(t, sc.game, players, sc.acts(len(sc.states))...)
	for _, view := range []string{"/tv", "/overlay"} {
		if view == "/overlay" && camera && sc.game != table.DiceBox { // it has no picture
			continue
		}
		st.where = fmt.Sprintf("%s %s%s", sc.game, sees(camera), strings.Replace(view, "/", " ", 1))
		st.eye(camera, sc.game)
		st.match.show("m0", whole, nil)
		st.open(view)
		run(t, st.ctx, wait(`window.heard === 'm0'`))
		st.rare = false
		st.show("start", plays(t, sc.game, players), nil)
		st.show("in play", whole, nil)
		if sc.illegal != "" {
			st.show("not allowed but kept", plays(t, sc.game, players, append(sc.acts(len(sc.states)), sc.illegal)...), nil)
		}
		st.show("asked", whole, asked(players))
		st.ends(sc, players, false)
	}
}

// TestBrowserPagesFit walks the other pages: every step of the wizard for each kind of table, past matches of every game,
// what can be printed, a photograph that was read, a phone as the camera, the overlay's page.
func TestBrowserPagesFit(t *testing.T) {
	t.Parallel()
	st := &stage{t: t, ctx: browser(t)}
	for i, game := range []table.Game{table.DiceBox, table.DiceFlick, table.DiceCreams} {
		st.rare = i > 0
		st.wizard(game)
	}
	st.wizardFails()
	pages, _, _ := tableServer(t)
	past := pastServer(t)
	for _, page := range []struct {
		url   string
		ready step
	}{
		{pages.URL + "/drop", wait(`document.querySelectorAll('#game option').length === 6`)},
		{pages.URL + "/camera", wait(`!document.getElementById('start').hidden`)},
		{pages.URL + "/trust", wait(`document.querySelectorAll('#steps li').length === 5`)},
		{pages.URL + "/print", wait(`document.querySelectorAll('.sheet').length === 4`)},
		{pages.URL + "/stream", wait(`document.getElementById('address').value.endsWith('/overlay')`)},
		{past.URL + "/history", wait(`document.querySelectorAll('#matches > li').length === 5`)},
		{past.URL + "/history?match=dice-flick", shows(".count", "26")},
		{past.URL + "/history?match=dicecreams", shows(".count", "Step")},
		{past.URL + "/history?match=fromage-a-trois", shows(".count", "Step")},
		{past.URL + "/history?match=dice-box", shows(".count", "Step")},
		{past.URL + "/history?match=dessert-dice", shows(".count", "Step")},
	} {
		run(t, st.ctx, chromedp.Navigate(page.url), page.ready)
		st.where = page.url[strings.LastIndex(page.url, "/"):]
		st.look("open")
	}
	photo := filepath.Join(t.TempDir(), "table.jpg")
	if err := os.WriteFile(photo, tablePicture, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, st.ctx, chromedp.Navigate(pages.URL+"/drop"), shows(".zone", "Drop a photo"), chromedp.SetUploadFiles("#file", []string{photo}), shows("#summary", "12 dice"))
	st.where = "/drop"
	st.look("read")
}

// wizard walks through the wizard's steps.
func (st *stage) wizard(game table.Game) {
	ts, _ := setupServer(st.t)
	st.where = "/setup " + string(game)
	run(st.t, st.ctx, chromedp.Navigate(ts.URL+"/setup"), inStep("game"))
	st.look("game")
	run(st.t, st.ctx, tap(fmt.Sprintf("[data-game=%q]", game)), inStep("camera"), wait(`document.querySelector('[data-camera="0"] img')?.naturalWidth > 0`))
	st.look("camera")
	run(st.t, st.ctx, tap(`[data-source="url"]`), wait(`!document.getElementById('ask-source').hidden`), tap("#next"), wait(`!document.getElementById('ask-problem').hidden`))
	st.look("no address")
	run(st.t, st.ctx, tap(`[data-source="/dev/video0"]`), inStep("check"), wait(`document.querySelector('#stage.seen') && document.getElementById('lamps').childElementCount > 0`))
	st.look("check")
	run(st.t, st.ctx, tap("#next"), inStep("players"))
	st.look("players")
	run(st.t, st.ctx, tap("#add"), tap("#rules summary"))
	st.look("house rules")
}

// wizardFails walks through what goes wrong in the wizard.
func (st *stage) wizardFails() {
	ts, h := setupServer(st.t)
	st.where = "/setup"
	h.blind = Status{State: CameraFailed, Reason: "cannot open the camera: cheese (process 41) is using it", Trying: true}
	run(st.t, st.ctx, chromedp.Navigate(ts.URL+"/setup"), inStep("game"), tap(`[data-game="dice-box"]`), inStep("camera"), tap(`[data-source="/dev/video0"]`), inStep("check"),
		wait(`[...document.querySelectorAll('.wiz-lamp')].every((l) => l.dataset.state === 'bad')`), tap("#next"), wait(`!document.getElementById('problem').hidden`))
	st.look("no picture")
	run(st.t, st.ctx, tap("#back"), inStep("camera"), tap(`[data-source="phone"]`), inStep("check"), wait(`!document.getElementById('scan').hidden`))
	st.look("a phone")
	run(st.t, st.ctx, tap("#back"), inStep("camera"), tap(`[data-source="none"]`), inStep("players"))
	typeIn(st.t, st.ctx, "#players li:nth-child(2) input", "Player 1")
	run(st.t, st.ctx, tap("#next"), wait(`document.querySelector('#players li:nth-child(2) input').ariaInvalid === 'true'`))
	st.look("a name twice")
}
