package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"diceref/table"
)

// typeIn puts a text into a field as somebody who types does.
func typeIn(t *testing.T, ctx context.Context, selector, text string) {
	t.Helper()
	ask[any](t, ctx, fmt.Sprintf(`(() => { const i = document.querySelector(%q); i.value = %q; i.dispatchEvent(new Event('input', { bubbles: true })); })()`, selector, text))
}

// camera opens the wizard at its second step, for a game.
func camera(t *testing.T, ctx context.Context, ts *httptest.Server, game table.Game) {
	t.Helper()
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/setup"), inStep("game"), middle(fmt.Sprintf("[data-game=%q]", game)), inStep("camera"))
}

// TestBrowserTypedAddress: an address that was typed is used, whichever button is pressed, also
// as people type it; what is none is told at the field, and not taken by a second tap either.
func TestBrowserTypedAddress(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	for i, c := range []struct{ typed, want string }{
		{"http://10.0.0.7/video", "http://10.0.0.7/video"},
		{"10.0.0.7:8080/video", "http://10.0.0.7:8080/video"},
	} {
		ts, h := setupServer(t)
		camera(t, ctx, ts, table.DiceBox)
		run(t, ctx, middle(`[data-source="url"]`), wait(`document.activeElement.id === 'ask-input'`))
		typeIn(t, ctx, "#ask-input", c.typed)
		if i == 0 {
			run(t, ctx, middle("#next"), inStep("check"))
		} else {
			run(t, ctx, chromedp.KeyEvent(kb.Enter), inStep("check"))
		}
		if got := h.lastLook(t, 1); got.Source != c.want {
			t.Errorf("%q: looks through %q, want %q", c.typed, got.Source, c.want)
		}
		run(t, ctx, middle("#next"), inStep("players"), middle("#next"), arrives("/"))
		if h.begun[0].Source != c.want {
			t.Errorf("%q: plays with %q", c.typed, h.begun[0].Source)
		}
	}

	ts, h := setupServer(t)
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="url"]`), middle("#next"), shows("#ask-problem", "Type the camera's address"))
	typeIn(t, ctx, "#ask-input", "foo")
	run(t, ctx, middle("#next"), shows("#ask-problem", "That is not an address"), middle("#next"), wait(`document.activeElement.id === 'ask-input' && document.activeElement.ariaInvalid === 'true'`), shot(t, "address-refused"))
	wellLaidOut(t, ctx, "an address is refused")
	run(t, ctx, middle(`[data-source="file"]`), wait(`document.getElementById('ask-problem').hidden`))
	typeIn(t, ctx, "#ask-input", "foo")
	run(t, ctx, middle("#next"), shows("#ask-problem", "called “foo”"), shot(t, "file-refused"))
	if len(h.looks) != 0 {
		t.Errorf("looked through %v", h.looks)
	}
	ask[any](t, ctx, `scrollTo(0, 0)`) // the field had been scrolled to
	run(t, ctx, middle(`[data-source="/dev/video0"]`), inStep("check"))
	if got := h.lastLook(t, 1); got.Source != "/dev/video0" {
		t.Errorf("after a refusal: looks through %q", got.Source)
	}
}

// TestBrowserCameraFails: a camera that gives no picture is told as such, by every lamp, with
// what can be done; and going on without it has to be wanted.
func TestBrowserCameraFails(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	h.blind = Status{State: CameraFailed, Reason: "cannot open the camera", Trying: true}
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="/dev/video0"]`), inStep("check"),
		wait(`[...document.querySelectorAll('.wiz-lamp')].length === 4 && [...document.querySelectorAll('.wiz-lamp')].every((l) => l.dataset.state === 'bad' && l.textContent.includes('No picture'))`),
		shot(t, "camera-failed"))
	wellLaidOut(t, ctx, "the camera fails")
	run(t, ctx, middle("#next"), shows("#problem", "no picture yet"), shot(t, "camera-failed-next"))
	run(t, ctx, middle("#tools button:nth-child(2)"), inStep("camera"), middle("#next"), inStep("check"), middle("#next"), shows("#problem", "no picture yet"), middle("#next"), inStep("players"))
}

// TestBrowserNextWaits: "next" waits for a camera that takes its time.
func TestBrowserNextWaits(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	h.blind = Status{State: CameraStarting, Trying: true}
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="/dev/video0"]`), inStep("check"), shows("#lamps", "Checking"), middle("#next"), wait(`document.body.classList.contains('busy')`))
	if !ask[bool](t, ctx, `!document.getElementById('step-check').hidden && document.getElementById('problem').hidden`) {
		t.Error("it went on without an answer")
	}
	h.feed.ShowStatus(Status{State: CameraRunning, Trying: true})
	seen := seenTable()
	seen.Game = table.DiceBox
	h.feed.ShowObservation(seen)
	run(t, ctx, inStep("players"))

	ts, h = setupServer(t)
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="/dev/video0"]`), inStep("check"), shows("#lamps", "Found"))
	seen = seenTable()
	seen.Grid, seen.Warnings = &table.Grid{}, []table.Warning{{Code: "no-board", Text: "no board is seen"}}
	h.feed.ShowObservation(seen)
	run(t, ctx, wait(`document.querySelector('[data-lamp="board"]').dataset.state === 'bad'`), middle("#next"), shows("#problem", "has not been found"), shot(t, "no-board-next"))
	wellLaidOut(t, ctx, "no board")
	run(t, ctx, middle("#next"), inStep("players"))
}

// TestBrowserAllowsOthers: where other devices cannot come yet, a button lets them, in the
// wizard and in the game; then the code and the address are there.
func TestBrowserAllowsOthers(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, _ := setupServer(t)
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="phone"]`), inStep("check"), shows("#scan-text", "only this machine"), shot(t, "phone-private"), middle("#next"), shows("#problem", "No phone is connected"),
		middle("#scan-allow"), wait(`document.getElementById('scan-picture').naturalWidth > 0 && document.getElementById('scan-allow').hidden`), shows("#scan-where", "http://192.168.1.5:8080/camera"), shows("#scan-where", "ABCD2345"), shot(t, "phone-allowed"))
	if !ask[bool](t, ctx, `(() => { const img = document.getElementById('scan-picture'), r = img.getBoundingClientRect(), q = document.getElementById('stage').getBoundingClientRect();
		return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) === img && getComputedStyle(img).opacity === '1' && r.top >= q.top && document.getElementById('scan-where').getBoundingClientRect().bottom <= q.bottom; })()`) {
		t.Error("the code for the phone is not in sight")
	}
	wellLaidOut(t, ctx, "a phone is allowed")

	ts, h := setupServer(t)
	h.state.Fresh = false
	run(t, ctx, chromedp.Navigate(ts.URL), wait(`!document.getElementById('join-open').hidden`), middle("#join-open"), shows("#join-where", "only this machine"), shot(t, "join-private"))
	wellLaidOut(t, ctx, "nobody can join yet")
	run(t, ctx, middle("#join-allow"), wait(`document.getElementById('join-picture').naturalWidth > 0`), shows("#join-code", "ABCD2345"), shows("#join-where", "http://192.168.1.5:8080/play"), shot(t, "join-allowed"))
}

// TestBrowserBusyCamera: a camera that another program has says who has it and what to do, and
// one that gives no picture says that.
func TestBrowserBusyCamera(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	h.state.Cameras = append(h.state.Cameras, CameraChoice{Number: 7, Source: "/dev/video7", Name: "Broken camera"})
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, shows(`[data-source="/dev/video7"]`, "No picture"), middle(`[data-source="/dev/video2"]`), shows("#problem", "cheese (process 41) is using this camera"))
	h.mu.Lock()
	h.state.Cameras, h.state.Eye = nil, "there is no diceref-eye"
	h.mu.Unlock()
	run(t, ctx, shows("#cameras-note", "diceref-eye is missing"), shot(t, "no-eye"))
	wellLaidOut(t, ctx, "no eye")
}

// TestBrowserNamesRefused: a name that is refused is marked, and the reason names the character.
func TestBrowserNamesRefused(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="none"]`), inStep("players"))
	for _, c := range []struct{ name, want string }{
		{"An\u202ena", "has a character that cannot be shown, after “An”: U+202E"},
		{"\u200b", "Player 2 has no name"},
		{"Player 1", "Two players are called Player 1"},
	} {
		typeIn(t, ctx, "#players li:nth-child(2) input", c.name)
		run(t, ctx, middle("#next"), wait(`document.querySelector('#players li:nth-child(2) input').ariaInvalid === 'true'`), shows("#problem", c.want))
	}
	run(t, ctx, shot(t, "name-refused"))
	wellLaidOut(t, ctx, "a name is refused")
	typeIn(t, ctx, "#players li:nth-child(2) input", "👩‍🚀 Zoë")
	run(t, ctx, middle("#next"), arrives("/"))
	if got := h.begun[0].Players; !slices.Equal(got, []string{"Player 1", "👩‍🚀 Zoë"}) {
		t.Errorf("began with %q", got)
	}
}

// TestBrowserColorsEach: two players of Dice Box are asked whether they play with one or two
// colors each; others are not.
func TestBrowserColorsEach(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	ts, h := setupServer(t)
	camera(t, ctx, ts, table.DiceBox)
	run(t, ctx, middle(`[data-source="none"]`), inStep("players"), shows("#each", "How many colors each"), wait(`document.querySelector('[data-each="1"]').ariaPressed === 'true'`),
		middle(`[data-each="2"]`), wait(`document.querySelectorAll('.colors [aria-pressed="true"]').length === 4`), shot(t, "colors-each"))
	wellLaidOut(t, ctx, "colors each")
	run(t, ctx, middle("#add"), wait(`document.getElementById('each').hidden && document.querySelectorAll('.colors [aria-pressed="true"]').length === 3`),
		middle("#players li:nth-child(3) .drop"), middle(`[data-each="2"]`), middle("#next"), arrives("/"))
	if got := fmt.Sprint(h.begun[0].Options, h.begun[0].Owners); got != "map[two_player_colours:2] []" {
		t.Errorf("began with %s", got)
	}
	ts, _ = setupServer(t)
	camera(t, ctx, ts, table.DessertDice)
	run(t, ctx, middle(`[data-source="none"]`), inStep("players"), wait(`document.getElementById('each').hidden`))
}
