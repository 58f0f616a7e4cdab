package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/jpeg"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"diceref/calibration"
	"diceref/match"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/web"
)

// oneCamera is a machine with two cameras, one of which is taken, and a node that is none.
func oneCamera() machine {
	m := theMachine
	m.cameras = func() []string { return []string{"/dev/video0", "/dev/video1", "/dev/video2"} }
	m.camera = func(path string) (camera, error) {
		switch path {
		case "/dev/video0":
			return camera{name: "HD Webcam"}, nil
		case "/dev/video2":
			return camera{name: "Desk", holder: "cheese (process 41)"}, errBusy
		}
		return camera{}, errNoCamera
	}
	return m
}

// newTable is a host without an eye, which plays DICE Flick by tapping.
func newTable(t *testing.T, data, eyePath string) *host {
	t.Helper()
	h := newHost(t.Context(), eye.Config{Path: eyePath, View: eye.View{On: true, Width: 320}}, data, "", slog.New(slog.DiscardHandler))
	h.find = oneCamera()
	cfg := match.Config{Game: table.DiceFlick, Players: []string{"Player 1", "Player 2"}}
	if err := h.open(cfg, sight{game: cfg.Game, Sight: web.Sight{Source: web.SourceNone}}, true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h
}

func code(err error) string {
	var r *web.Refused
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// TestSourcesFromPages: what a page may have the eye open, from here and from afar.
func TestSourcesFromPages(t *testing.T) {
	dir := t.TempDir()
	film := filepath.Join(dir, "game.mp4")
	if err := os.WriteFile(film, []byte("film"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newTable(t, dir, "/nowhere/diceref-eye")
	for _, test := range []struct {
		source string
		here   bool
		want   string // what is opened, or the code of the refusal
	}{
		{"none", false, "none"},
		{"demo", false, "demo"},
		{"0", false, "/dev/video0"},
		{"/dev/video2", false, "/dev/video2"},
		{"7", true, "source-device"},
		{"/dev/sda", true, "source-device"},
		{"/dev/../etc/passwd", true, "source-device"},
		{"/dev/stdin", false, "source-device"},
		{film, true, film},
		{dir, true, dir},
		{film, false, "source-file"},
		{"game.mp4", false, "source-file"},
		{"/etc/shadow-of-nothing", true, "source-missing"},
		{"file:///etc/passwd", true, "source-scheme"},
		{"file:///etc/passwd", false, "source-scheme"},
		{"gopher://10.0.0.7/", true, "source-scheme"},
		{"FILE:///etc/passwd", false, "source-scheme"},
		{"http:///video", true, "source-host"},
		{"http://", true, "source-host"},
		{"http://10.0.0.7:99999/", true, "source-host"},
		{"http://[::1", true, "source-address"},
		{"http://192.168.1.20:8080/video", false, "http://192.168.1.20:8080/video"},
		{"rtsp://user:secret@192.168.1.30/stream", false, "rtsp://user:secret@192.168.1.30/stream"},
		{"http://127.0.0.1:8080/admin", true, "http://127.0.0.1:8080/admin"},
		{"http://127.0.0.1:8080/admin", false, "source-own"},
		{"http://localhost/", false, "source-own"},
		{"http://localhost./", false, "source-own"},
		{"http://[::1]:80/", false, "source-own"},
		{"http://[::ffff:127.0.0.1]/", false, "source-own"},
		{"http://0.0.0.0/", false, "source-own"},
		{"http://169.254.169.254/latest/meta-data", false, "source-own"},
		{"http://127.1/", false, "source-unknown"}, // spellings that some programs take for addresses
		{"rtsp://2130706433/", false, "source-unknown"},
		{"http://0x7f000001/", false, "source-unknown"},
		{"http://017700000001/", false, "source-unknown"},
		{"http://0/", false, "source-unknown"},
		{"http://camera.invalid/", false, "source-unknown"},
		{"http://camera.invalid/", true, "http://camera.invalid/"},
		{"phone", false, "source-phone"},
	} {
		got, err := h.checkSource(test.source, test.here)
		if err != nil {
			got = code(err)
		}
		if got != test.want {
			t.Errorf("%s, here %v: %s (%v), want %s", test.source, test.here, got, err, test.want)
		}
	}
}

func TestCamerasAreListed(t *testing.T) {
	h := newTable(t, t.TempDir(), "")
	want := []web.CameraChoice{{Number: 0, Source: "/dev/video0", Name: "HD Webcam"}, {Number: 2, Source: "/dev/video2", Name: "Desk", Busy: "cheese (process 41)"}}
	if got := h.Setup().Cameras; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if _, err := h.Thumbnail(t.Context(), 9); code(err) != "source-device" {
		t.Errorf("a camera that is not there: %v", err)
	}
	h.thumbing <- struct{}{}
	if _, err := h.Thumbnail(t.Context(), 0); !errors.Is(err, web.ErrBusy) {
		t.Errorf("a second thumbnail: %v", err)
	}
}

// TestSetupHasLists: a page gets lists for everything that there may be several of, also where
// there is none: with a null in its place no game without a recording could be chosen.
func TestSetupHasLists(t *testing.T) {
	h := newTable(t, t.TempDir(), "")
	h.find.cameras = func() []string { return nil }
	text, err := json.Marshal(h.Setup())
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.Index(text, []byte("null")); at >= 0 {
		t.Errorf("there is a null in the set-up: %s", text[max(0, at-80):at+4])
	}
}

// TestThumbnail takes a small picture with an eye of its own.
func TestThumbnail(t *testing.T) {
	h := newTable(t, t.TempDir(), builtEye(t))
	dir := t.TempDir()
	table, err := os.ReadFile(filepath.Join(root, "web", "testdata", "table.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.jpg", "2.jpg"} {
		if err := os.WriteFile(filepath.Join(dir, name), table, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	picture, err := h.picture(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if head, err := jpeg.DecodeConfig(bytes.NewReader(picture)); err != nil || head.Width != thumbWidth {
		t.Errorf("%+v, %v", head, err)
	}
	if _, err := h.picture(t.Context(), filepath.Join(dir, "nothing")); err == nil {
		t.Error("a picture of nothing")
	}
}

// TestNewMatchesWhileRunning: a new match takes the place of the one in force, which
// stays in the journal; the set-up is there at the next start, and its match goes on.
func TestNewMatchesWhileRunning(t *testing.T) {
	data := t.TempDir()
	h := newTable(t, data, "")
	h.fresh = true
	first := h.Snapshot().ID
	if err := h.Declare(match.Declaration{Say: match.SayMiss}); err != nil {
		t.Fatal(err)
	}
	played := h.Snapshot().Seq
	changed := h.Changed()
	want := web.Setup{Game: table.DiceBox, Players: []string{"Ann", "Ben"}, Options: map[string]any{"wrap": true}, Sight: web.Sight{Source: web.SourceNone}}
	if err := h.Begin(want, web.Asker{}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody was told of the new match")
	}
	now := h.Snapshot()
	if now.ID == first || now.Game != table.DiceBox || !slices.Equal(now.Players, want.Players) {
		t.Errorf("shows %s, %s, %v", now.ID, now.Game, now.Players)
	}
	if s := h.Setup(); s.Fresh || s.Now.Options["wrap"] != true || s.Now.Source != web.SourceNone {
		t.Errorf("in force: %+v", s.Now)
	}
	records, err := h.journal.Records(first)
	if err != nil || int64(len(records)) != played {
		t.Errorf("the first match has %d records (%v), want %d", len(records), err, played)
	}
	if info, err := os.Stat(filepath.Join(data, setupFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the set-up: %v, %v", info, err)
	}
	h.close()

	last, ok, err := kept(data)
	if err != nil || !ok || last.Game != table.DiceBox || !slices.Equal(last.Players, want.Players) {
		t.Fatalf("kept %+v, %v, %v", last, ok, err)
	}
	again := newHost(t.Context(), eye.Config{}, data, "", slog.New(slog.DiscardHandler))
	a := &app{log: slog.New(slog.DiscardHandler)}
	next, err := a.lastTable(firstTable{}, last)
	if err == nil {
		err = again.open(next.match, next.sight, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer again.close()
	if got := again.Snapshot().ID; got != now.ID {
		t.Errorf("the match does not go on: %s, want %s", got, now.ID)
	}
}

// TestRefusedSetups: nothing is ended by a set-up that is refused.
func TestRefusedSetups(t *testing.T) {
	h := newTable(t, t.TempDir(), "")
	before := h.Snapshot()
	good := web.Setup{Game: table.DiceBox, Players: []string{"Ann", "Ben"}, Sight: web.Sight{Source: web.SourceNone}}
	for name, test := range map[string]struct {
		edit func(*web.Setup)
		code string
	}{
		"no eye for the demo":      {func(s *web.Setup) { s.Source = web.SourceDemo }, "eye"},
		"no recording of the game": {func(s *web.Setup) { s.Game, s.Source = table.Any, web.SourceDemo }, "demo"},
		"an unknown rule":          {func(s *web.Setup) { s.Options = map[string]any{"free": true} }, "rules"},
		"a value that is none":     {func(s *web.Setup) { s.Options = map[string]any{"wrap": "perhaps"} }, "rules"},
		"colors owned twice":       {func(s *web.Setup) { s.Owners = [][]table.Color{{table.Red}, {table.Red}} }, "match"},
		"a file from afar":         {func(s *web.Setup) { s.Source = "/etc/passwd" }, "source-file"},
		"corners on a line": {func(s *web.Setup) {
			s.Picture, s.Corners = [2]int{640, 480}, &[4]table.Point{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}, {X: 4, Y: 4}}
		}, "corners"},
	} {
		s := good
		test.edit(&s)
		if err := h.Begin(s, web.Asker{}); code(err) != test.code {
			t.Errorf("%s: %v, want %s", name, err, test.code)
		}
	}
	if now := h.Snapshot(); now.ID != before.ID || now.Seq != before.Seq {
		t.Errorf("the match in force was touched: %s %d", now.ID, now.Seq)
	}
	if err := h.Settle(true); err != nil {
		t.Errorf("nothing was tried: %v", err)
	}
}

// TestKeptSetupOfAnotherWorld: a set-up that makes no sense is not a reason not to start.
func TestKeptSetupOfAnotherWorld(t *testing.T) {
	for name, text := range map[string]string{
		"half":          `{"game":"dice-box","pl`,
		"another game":  `{"game":"chess","players":["A","B"],"source":"none"}`,
		"nobody":        `{"game":"dice-box","players":[],"source":"none"}`,
		"an odd marker": `{"game":"dice-flick","players":["A","B"],"source":"none","markers":[{"row":9,"col":0,"marker":"blue"}]}`,
	} {
		data := t.TempDir()
		if err := os.WriteFile(filepath.Join(data, setupFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := kept(data); ok || err == nil || !strings.Contains(err.Error(), setupFile) {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	if _, ok, err := kept(t.TempDir()); ok || err != nil {
		t.Errorf("no set-up: %v, %v", ok, err)
	}
}

// TestMatchesBeginWhereNothingMoves: a match that begins with a camera that was looking
// already gets to see what is on the table, though nothing there is read again.
func TestMatchesBeginWhereNothingMoves(t *testing.T) {
	h := newTable(t, t.TempDir(), "")
	cfg := match.Config{Game: table.DessertDice, Players: []string{"Ann", "Ben"}}
	l := &looking{sight: sight{game: cfg.Game, Sight: web.Sight{Source: "/dev/video0"}}, trying: true, done: make(chan struct{}), cancel: func() {}}
	close(l.done)
	h.mu.Lock()
	h.now = l
	h.mu.Unlock()
	empty := table.Observation{
		Game: cfg.Game, Width: 800, Height: 600, Look: table.LookStill, Read: true, Dice: []table.Reading{},
		Grid: &table.Grid{Found: true, Rows: 5, Cols: 5, Corners: [4]table.Point{{X: 200, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 500}, {X: 200, Y: 500}}},
	}
	for frame := range 5 {
		seen := empty
		seen.Frame, seen.T, seen.Read = frame, float64(frame)/10, frame < 3
		h.seen(l, seen)
	}
	if err := h.begin(cfg, l.sight, false); err != nil {
		t.Fatal(err)
	}
	if phase := h.Snapshot().Phase; phase != match.PhaseWaiting {
		t.Fatalf("before it may look: %s", phase)
	}
	h.accept(l)
	still := empty
	still.Frame, still.T, still.Read = 5, 0.5, false
	h.seen(l, still)
	if phase := h.Snapshot().Phase; phase != match.PhaseRead {
		t.Errorf("the table is %s, want it read", phase)
	}
	if len(l.recent) != 3 {
		t.Errorf("%d readings remembered", len(l.recent))
	}
	still.Look = table.LookMoving
	if h.seen(l, still); len(l.recent) != 0 {
		t.Error("a view that is gone is remembered")
	}
}

func TestMoved(t *testing.T) {
	home := [4]table.Point{{X: 100, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 600}, {X: 100, Y: 600}}
	for by, want := range map[float64]bool{0: false, 10: false, 30: false, 40: true, 300: true} {
		now := home
		for i := range now {
			now[i].X += by
		}
		if got := moved(home, now); got != want {
			t.Errorf("by %v pixels, a square has 100: moved %v", by, got)
		}
	}
}

// TestCalibrationOfSight: what was told on the page is what the eye is told.
func TestCalibrationOfSight(t *testing.T) {
	corners := &[4]table.Point{{X: 400, Y: 100}, {X: 850, Y: 120}, {X: 880, Y: 600}, {X: 380, Y: 590}}
	marks := []table.MarkerReading{{Row: 2, Col: 2, Marker: table.CenterMarker}}
	s := sight{game: table.DiceFlick, Sight: web.Sight{Source: "/dev/video0", Picture: [2]int{1280, 720}, Corners: corners, Markers: marks}}
	h := newTable(t, filepath.Join(t.TempDir(), "new"), "/somewhere/diceref-eye") // a data folder that nothing has made yet
	cfg, err := h.eyeConfig(s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := calibration.Load(cfg.Calibration)
	if err != nil || p.Game != table.DiceFlick || !slices.Equal(p.Markers, marks) {
		t.Errorf("%+v, %v", p, err)
	}
	zones := sight{game: table.FromageATrois, Sight: web.Sight{Source: "/dev/video0", Zones: calibration.ZonesFor(table.FromageATrois, 3)}}
	if cfg, err = h.eyeConfig(zones); err != nil {
		t.Fatal(err)
	}
	if p, err := calibration.Load(cfg.Calibration); err != nil || len(p.Zones) != 5 {
		t.Errorf("%+v, %v", p, err)
	}
	if cfg, err = h.eyeConfig(sight{game: table.DiceBox, Sight: web.Sight{Source: "0"}}); err != nil || cfg.Calibration != "" {
		t.Errorf("nothing told: %q, %v", cfg.Calibration, err)
	}
}

// TestSetUpOnTheDemo tries a camera and goes back, tries it again and begins with it.
func TestSetUpOnTheDemo(t *testing.T) {
	h := newTable(t, t.TempDir(), builtEye(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tapped := h.Snapshot().ID
	until := func(what string, ok func() bool) {
		t.Helper()
		for !ok() {
			if !pause(ctx, 50*time.Millisecond) {
				t.Fatalf("still not: %s", what)
			}
		}
	}
	demo := web.Sight{Source: web.SourceDemo}
	if err := h.Look(table.DiceBox, demo, true); err != nil {
		t.Fatal(err)
	}
	until("a picture", func() bool { return h.feed.Picture() != nil })
	if s := h.Setup(); !s.Trying || s.Now.Source != web.SourceNone || h.Snapshot().ID != tapped {
		t.Errorf("while trying: %v, %s, %s", s.Trying, s.Now.Source, h.Snapshot().ID)
	}
	if err := h.Settle(false); err != nil {
		t.Fatal(err)
	}
	if s := h.Setup(); s.Trying || s.Now.Source != web.SourceNone || h.feed.Picture() != nil {
		t.Errorf("gone back: %v, %s, picture %v", s.Trying, s.Now.Source, h.feed.Picture() != nil)
	}
	if err := h.Look(table.DiceBox, demo, true); err != nil {
		t.Fatal(err)
	}
	if err := h.Settle(true); code(err) != "game" {
		t.Errorf("another game's camera for this match: %v", err)
	}
	if err := h.Begin(web.Setup{Game: table.DiceBox, Players: []string{"Ada", "Ben"}, Sight: demo}, web.Asker{Here: true}); err != nil {
		t.Fatal(err)
	}
	until("a move", func() bool { return len(h.Snapshot().Events) > 1 })
	if _, ok, _ := kept(h.data); ok {
		t.Error("the demo is kept for next time")
	}
}

// TestHouseRulesHaveWords: what the wizard offers is explained in every language.
func TestHouseRulesHaveWords(t *testing.T) {
	for _, language := range []string{"en", "de"} {
		data, err := os.ReadFile(filepath.Join(root, "web", "static", "lang", language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(data, &words); err != nil {
			t.Fatal(err)
		}
		for _, game := range gameChoices() {
			for _, rule := range game.Rules {
				if words["rule."+string(game.Name)+"."+rule.Name] == "" {
					t.Errorf("%s: no words for the house rule %s of %s", language, rule.Name, game.Title)
				}
				for _, v := range rule.Values {
					if text, ok := v.(string); ok && words["choice."+text] == "" {
						t.Errorf("%s: no words for %s of %s", language, text, rule.Name)
					}
				}
			}
		}
	}
}
