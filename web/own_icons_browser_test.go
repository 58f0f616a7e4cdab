package web

import (
	"fmt"
	"math"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"diceref/match"
	"diceref/table"
	"diceref/vision/owned"
)

// drawnTop is a top of a made-up die: a symbol in dark ink on a body of its color.
func drawnTop(symbol int, color table.Color) owned.Top {
	body := map[table.Color][3]float64{table.Red: {200, 50, 45}, table.Yellow: {235, 190, 40}, table.Green: {60, 150, 80}, table.Purple: {120, 70, 150}, table.Black: {50, 52, 56}}[color]
	ink := 30.0
	if color == table.Black {
		ink = 225
	}
	top := owned.Top{Picture: new(owned.Picture), Signature: new(owned.Signature), Color: color}
	for i := range owned.Side * owned.Side {
		x, y := float64(i%owned.Side)-19.5, float64(i/owned.Side)-19.5
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		on := [...]bool{
			r < 8,                               // a disk
			r > 6 && r < 11,                     // a ring
			r < 7+5*math.Cos(5*a),               // a flower
			math.Abs(x) < 3 && math.Abs(y) < 11, // a bar
			math.Abs(x)+math.Abs(y) < 11,        // a lozenge
			r < 11 && y > 0,                     // a bowl
		}[symbol]
		for c := range 3 {
			top.Picture[3*i+c] = uint8(body[c])
			if on {
				top.Picture[3*i+c] = uint8(ink)
			}
		}
	}
	for turn := range top.Signature {
		top.Signature[turn][symbol*owned.Turns+turn] = 127
	}
	return top
}

// iconSet is a set of dice with icons on all six faces, shown on dice of two colors.
func iconSet() *owned.Set {
	set := owned.NewSet(table.DessertDice, "")
	for i, name := range []owned.Name{"jello tart", "sweet roll", "popsicle", "ice cream", "jello tart+popsicle", "ice cream+sweet roll"} {
		set.Groups = append(set.Groups, owned.Group{Name: name, Face: i + 1, Tops: []owned.Top{drawnTop(i, table.Red), drawnTop(i, table.Purple)}})
	}
	return set
}

// TestFaces: a page gets the pictures of icons and of nothing else, and only those of the dice in use.
func TestFaces(t *testing.T) {
	s, _, _ := served(nil)
	get := func(path string) answer { return call(t, s.Handler(), "GET", "/api/v1/faces"+path, "", nil) }
	if a := get(""); a.status != 200 || a.body != `{"cards":false,"faces":[]}` {
		t.Errorf("without dice of one's own: %d %s", a.status, a.body)
	}
	set := iconSet()
	set.Groups[0].Name, set.Groups[0].Face = "1", 0
	s.cfg.Faces = func() *owned.Set { return set }
	faces := set.Drawn()
	if len(faces) != 5 || faces[0].Face != 2 || faces[0].Name != "sweet roll" || faces[0].Colors[table.Purple] == faces[0].Colors[table.Red] || faces[0].Colors[table.Red] == "" {
		t.Errorf("%+v", faces)
	}
	if a := get("/" + faces[0].Colors[table.Purple]); a.status != 200 || a.header.Get("Content-Type") != "image/png" {
		t.Errorf("a picture: %d", a.status)
	}
	if a := get("/0123456789abcdef"); a.status != 404 {
		t.Errorf("no picture: %d", a.status)
	}
}

// drawnAs waits until a die is drawn with an owner's picture, which has come.
func drawnAs(selector string) step {
	return wait(fmt.Sprintf(`document.querySelector('%s image.shown')?.href.baseVal.includes('/api/v1/faces/')`, selector))
}

// TestBrowserOwnIcons plays with icons: the board, what can be chosen, the picture, the corrections and the words show what was
// shown, and the pips are back once a match is played with others.
func TestBrowserOwnIcons(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[owned.Set]
	now.Store(iconSet())
	s, _ := tapped(t, table.DessertDice, "Ada", "Ben")
	s.cfg.Faces = now.Load
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		close(s.closing)
		ts.Close()
	})
	ctx := browser(t)
	run(t, ctx, chromedp.Navigate(ts.URL), tap(key("do-Roll all dice")), wait(`!document.querySelector('[data-key="do-Roll all dice"]')`), drawnAs("#table-body .side .tapdie"),
		tap("#table-body .side .tapdie"), wait(`document.querySelectorAll('.square.lit').length === 25`), tap(square(12)), drawnAs(`[data-at="12"]`), drawnAs("#moves"),
		tap(square(12)), tap(square(13)), shows("#choose-title", "Which side"), drawnAs("#choose-rows"), shot(t, "icons-side"), tap("#choose-rows .row button"), wait(`!document.querySelector('#choose').open`))
	lookEverywhere(t, ctx, "icons-tapped")
	if pips := ask[int](t, ctx, `document.querySelectorAll('#table .pip, #moves .pip').length`); pips != 0 {
		t.Errorf("there are %d pips on dice with icons", pips)
	}

	m, feed := newFakeMatch("Ada", "Ben", "Cleo"), NewFeed()
	feed.ShowStatus(Status{State: CameraRunning})
	feed.ShowPicture(tablePicture)
	feed.ShowObservation(seenTable())
	seen := New(Config{Match: m, Feed: feed, Faces: now.Load})
	camera := httptest.NewServer(seen.Handler())
	t.Cleanup(func() {
		close(seen.closing)
		camera.Close()
	})
	play(m)
	run(t, ctx, size(390, 844), chromedp.Navigate(camera.URL), wait(`document.querySelectorAll('#overlay .spot').length === 25`), drawnAs("#overlay"), shot(t, "icons-seen-phone"),
		middle(`[data-spot="24"]`), shows("#correct-now", "I read purple Ice cream + Sweet roll"), drawnAs("#correct-dice"), shot(t, "icons-correct-phone"), middle("#correct footer button:last-child"),
		size(1280, 800), middle(`[data-spot="24"]`), drawnAs("#correct-dice"), shot(t, "icons-correct-laptop"), middle("#correct footer button:last-child"), shot(t, "icons-seen-laptop"), size(1920, 1080), shot(t, "icons-seen-large"))
	now.Store(owned.NewSet(table.DiceBox, ""))
	m.change(func(s *match.Snapshot) { s.ID = "m2" })
	run(t, ctx, wait(`document.querySelectorAll('#overlay .shown, #moves .shown, #verdict .shown').length === 0 && document.querySelector('#overlay .digit') && document.querySelector('#moves .pip')`))
}
