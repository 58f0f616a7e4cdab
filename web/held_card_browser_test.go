package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
	"diceref/vision/owned"
)

// signFake signs pictures all alike.
func signFake(_ context.Context, s *owned.Set) (*owned.Set, error) {
	return s.Signed("fake", func(p []*owned.Picture) ([]owned.Signature, error) { return make([]owned.Signature, len(p)), nil })
}

// cardServer is a game of Dessert Dice at its end, at a table whose camera tells held cards as read says.
func cardServer(t *testing.T, read func() string) (*httptest.Server, *following) {
	t.Helper()
	s, m := tapped(t, table.DessertDice, "Ada", "Ben")
	f := &following{m}
	set := owned.NewSet(table.DessertDice, "")
	set.Cards = []owned.Group{{Name: "popsicle", Tops: []owned.Top{drawnTop(0, table.Red)}}}
	seen := seenTable()
	seen.Game = table.DessertDice
	s.cfg.Match, s.cfg.Faces = f, func() *owned.Set { return set }
	s.cfg.Card = func(_ context.Context, picture []byte) (string, error) {
		if len(picture) == 0 {
			return "", fmt.Errorf("there is no picture")
		}
		return read(), nil
	}
	s.cfg.Feed.ShowStatus(Status{State: CameraRunning})
	s.cfg.Feed.ShowPicture(tablePicture)
	s.cfg.Feed.ShowObservation(seen)
	ts := listening(t, s)
	declared(t, f.now, match.Declaration{Say: match.SayRoll})
	playOut(t, f.now, 5)
	return ts, f
}

// TestBrowserHeldCards: a card that was shown is held before the camera, where a frame says where. As long as it is not known the page says so and
// looks again; a tap tells as well. The journal says who told which.
func TestBrowserHeldCards(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	ts, f := cardServer(t, func() string {
		if looks.Add(1) < 3 {
			return ""
		}
		return "P"
	})
	ctx := browser(t)
	for _, view := range []struct {
		name          string
		width, height int64
	}{{"laptop", 1280, 800}, {"phone", 390, 844}} {
		looks.Store(-1 << 20) // nothing is known as yet
		run(t, ctx, size(view.width, view.height), chromedp.Navigate(ts.URL), shows(".finale h2", "Turn over your cards"), wait(`document.querySelector('[data-key=hold-0]')`), middle(key("hold-0")),
			shows(".hold-card p", "Not known yet"), wait(`document.querySelector('.hold-card img').naturalWidth > 0 && document.querySelector('.card-frame').offsetWidth > 40`), shot(t, "held-card-"+view.name))
		if what := ask[string](t, ctx, tooSmall); what != "" {
			t.Errorf("%s: too small to tap: %s", view.name, what)
		}
		in := ask[bool](t, ctx, `(() => { const [a, b] = ['.card-frame', '.hold-card img'].map((s) => document.querySelector(s).getBoundingClientRect());
			return Math.abs(a.width - b.height / 2) < 8 && Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < 2 && Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < 2; })()`)
		if !in {
			t.Errorf("%s: the frame is not in the middle of the picture, half as high", view.name)
		}
		run(t, ctx, tap(".hold-card footer button"), wait(`!document.querySelector('.hold-card')`))
	}
	looks.Store(0)
	run(t, ctx, middle(key("hold-0")), wait(`!document.querySelector('.hold-card') && document.querySelector('[data-key=card-0-P]').ariaPressed === 'true' && !document.querySelector('[data-key=hold-0]')`))
	// Ben holds up what Ada has had: he is told, and taps.
	run(t, ctx, middle(key("hold-1")), shows(".hold-card p", "already has the card"), tap(".hold-card footer button"), middle(key("card-1-J")), wait(`document.querySelectorAll('.final li').length === 2`))
	var by []string
	for _, e := range f.Snapshot().Events {
		if e.Move != nil && slices.Contains([]string{"A card P", "B card J"}, fmt.Sprint(e.Move)) {
			by = append(by, e.By)
		}
	}
	if want := []string{match.ByCamera, match.ByPlayer}; !slices.Equal(by, want) {
		t.Errorf("the cards were told by %v, want %v", by, want)
	}
}

// TestBrowserShownCards shows secret cards on the page of dice.
func TestBrowserShownCards(t *testing.T) {
	t.Parallel()
	ts, s := diceServer(t, fakeTops(5, 4, 3))
	s.cfg.Dice.Sign = signFake
	ctx := browser(t)
	run(t, ctx, size(390, 844), chromedp.Navigate(ts.URL+"/dice"), tap("#begin"), shows("#say", "Throw all your dice"), tap("#look"), kinds(3, 3),
		tap("#cards summary"), wait(`document.querySelector('.card-frame').offsetWidth > 40`), shot(t, "own-cards-phone"), tap(`[data-card="popsicle"]`), wait(`document.querySelector('[data-card="popsicle"] img')?.naturalWidth === 40`),
		size(1280, 800), shot(t, "own-cards-laptop"), tap("#cards summary"), wait(`document.querySelector('.card-frame').offsetWidth === 0`))
	set, err := s.cfg.Dice.Load("Dessert Dice")
	if err != nil || len(set.Cards) != 1 || set.Cards[0].Name != "popsicle" {
		t.Errorf("the set has %+v, %v", set, err)
	}
}

// TestCardRequests: what is wrong with a request for a card is told.
func TestCardRequests(t *testing.T) {
	s, _, feed := served(nil)
	post := func(path string) answer { return call(t, s.Handler(), "POST", "/api/v1"+path, "", nil) }
	if a := post("/card?player=Ada"); a.status != 503 {
		t.Errorf("without an eye: %d %s", a.status, a.body)
	}
	s.cfg.Card = func(context.Context, []byte) (string, error) { return "P", nil }
	if a := post("/card?player=Ada"); a.status != 409 || a.problem(t).Code != "no-picture" {
		t.Errorf("without a picture: %d %s", a.status, a.body)
	}
	feed.ShowPicture(tablePicture)
	s.cfg.Card = func(context.Context, []byte) (string, error) { return "", &owned.Fault{Code: owned.FaultGone} }
	if a := post("/card?player=Ada"); a.status != 404 || a.problem(t).Code != owned.FaultGone {
		t.Errorf("without cards: %d %s", a.status, a.body)
	}
	s.cfg.Card = func(context.Context, []byte) (string, error) { return "", nil }
	if a := post("/card?player=Ada"); a.status != 200 || a.body != `{"card":null}` {
		t.Errorf("not known: %d %s", a.status, a.body)
	}
	s.cfg.Dice = fakeShelf(t)
	s.cfg.Dice.Sign = signFake
	state := toldDice(t, call(t, s.Handler(), "POST", "/api/v1/dice/ours", `{"game":"dessert-dice"}`, nil))
	for query, want := range map[string]int{"shows=popsicle": 409, "shows=3&session=" + state.Session: 422, "shows=popsicle&session=" + state.Session: 200} {
		if a := post("/dice/ours/card?" + query); a.status != want {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
}
