package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/hall/halltest"
	"diceref/table"
	"diceref/vision/eye"
	"diceref/vision/owned"
	"diceref/web"
)

// setWithout is a set of the dice in a picture, of which a face was not shown.
func setWithout(t *testing.T, path string, game table.Game, picture []byte, face int) *owned.Set {
	t.Helper()
	r := eye.NewReader(path)
	defer r.Close()
	seen, err := r.ReadTops(t.Context(), game, picture)
	if err != nil {
		t.Fatal(err)
	}
	set := owned.NewSet(game, "")
	for _, d := range seen.Dice {
		if d.Top == nil || d.Top.Pips == face || d.Top.Pips == 0 {
			continue
		}
		top, err := owned.TopOf(d.Top)
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Teach(owned.Name(strconv.Itoa(d.Top.Pips)), top); err != nil {
			t.Fatal(err)
		}
	}
	if set, err = r.Signed(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	return set
}

// TestCorrectionTeachesDice plays with dice of which one face was not shown. Once a die with it is put right, its top is in the set's file, and the
// others like it are read by that; put right otherwise, it is no longer. Nothing else of the picture is kept.
func TestCorrectionTeachesDice(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join(root, "vision", "testdata", "easy", "dice-box100.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	const face, name = 4, "4"
	h := newTable(t, t.TempDir(), builtEye(t))
	set := setWithout(t, h.base.Path, table.DiceBox, picture, face)
	camera := newFickle(t)
	show := func(c *net.TCPConn) {
		if asked(c) {
			fmt.Fprint(c, "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n")
			for {
				if _, err := fmt.Fprintf(c, "--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture); err != nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
	camera.way.Store(&show)
	playWith(t, h, set, "http://"+camera.Addr().String()+"/")
	seen := func() []table.Reading {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.now.still.seen.Dice
	}
	named := func() (n int) {
		for _, d := range seen() {
			if d.Name == name {
				n++
			}
		}
		return n
	}
	halltest.Await(t, "nothing is seen", func() bool { return len(seen()) > 0 && h.Snapshot().Phase != match.PhaseWaiting })
	unknown, before := 0, len(seen())
	var odd table.Reading
	for _, d := range seen() {
		if d.Unknown && d.Square != nil {
			odd = d
			unknown++
		}
	}
	if unknown < 2 || named() != 0 {
		t.Fatalf("of %d dice %d are unknown, %d are read as what was not shown", before, unknown, named())
	}
	say(t, h, match.Declaration{Say: match.SayCorrect, Square: odd.Square, Color: odd.Color, Face: face})
	halltest.Await(t, "the set learns nothing", func() bool { return lessons(t, h)[name] == 1 })
	halltest.Await(t, "the others are not read by what was learned", func() bool { return named() >= unknown })
	learned, err := h.sets.Load("ours")
	if err != nil || learned.Pictures() != set.Pictures()+1 {
		t.Errorf("the set has %d pictures, %v; want one more than %d", learned.Pictures(), err, set.Pictures())
	}
	say(t, h, match.Declaration{Say: match.SayCorrect, Square: odd.Square, Color: odd.Color, Face: 5})
	halltest.Await(t, "put right otherwise, the die is still kept as it was", func() bool {
		now := lessons(t, h)
		return now[name] == 0 && now["5"] == 1
	})
	halltest.Await(t, "the others are still read by what was wrong", func() bool { return named() == 0 })
}

// playWith begins a match that is played with a set of dice, called ours.
func playWith(t *testing.T, h *host, set *owned.Set, source string) {
	t.Helper()
	h.sets = h.shelf()
	path, err := h.sets.Path("ours")
	if err == nil {
		err = makePrivate(filepath.Dir(path))
	}
	if err == nil {
		err = set.Save(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := web.Setup{Game: set.Game, Players: []string{"Ann", "Ben"}, Sight: web.Sight{Source: source, Dice: "ours"}}
	if err := h.Begin(want, web.Asker{Here: true}); err != nil {
		t.Fatal(err)
	}
}

func say(t *testing.T, h *host, d match.Declaration) {
	t.Helper()
	if err := h.Declare(d); err != nil {
		t.Fatal(err)
	}
}

// lessons counts what the set called ours has learned, by name, as it is in its file.
func lessons(t *testing.T, h *host) map[owned.Name]int {
	t.Helper()
	set, err := h.sets.Load("ours")
	if err != nil {
		t.Fatal(err)
	}
	out := map[owned.Name]int{}
	for _, g := range set.Groups {
		for _, top := range g.Tops {
			if top.Lesson != "" {
				out[g.Name]++
			}
		}
	}
	return out
}

// TestUndoneTeachesNothing: what a correction has taught of the dice goes with it, and comes back with it.
func TestUndoneTeachesNothing(t *testing.T) {
	path, err := exec.LookPath("fake-eye")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, o := range halltest.Recorded(t, filepath.Join(root, "match", "testdata", "dessert-dice.seen.jsonl.gz"))[:44] {
		for i := range o.Dice { // that eye told no looks yet
			o.Dice[i].Look = table.Look3{0.1, -1, 0.25}
		}
		if err := json.NewEncoder(&text).Encode(o); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(t.TempDir(), "seen.held")
	if err := os.WriteFile(source, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newTable(t, t.TempDir(), path)
	set := owned.NewSet(table.DessertDice, "")
	if err := set.Teach("3", *fakeTop(1)); err != nil {
		t.Fatal(err)
	}
	playWith(t, h, set, source)
	on := table.Square{Row: 4, Col: 0}
	placed := func() bool {
		return slices.ContainsFunc(h.Snapshot().Events, func(e match.EventView) bool { return strings.Contains(e.Text, "yellow 3") })
	}
	halltest.Await(t, "no die is placed", placed)
	for _, step := range []struct {
		do   match.Declaration
		want int
	}{
		{match.Declaration{Say: match.SayCorrect, Square: &on, Color: table.Yellow, Face: 4}, 1},
		{match.Declaration{Say: match.SayUndo}, 0},
		{match.Declaration{Say: match.SayRedo}, 1},
		{match.Declaration{Say: match.SayUndo}, 0},
	} {
		say(t, h, step.do)
		halltest.Await(t, step.do.Say+" comes to nothing", func() bool { return lessons(t, h)["4"] == step.want })
	}
	looks := func() int {
		set, err := h.sets.Load("ours")
		if err != nil {
			t.Fatal(err)
		}
		return len(set.Colors)
	}
	say(t, h, match.Declaration{Say: match.SayCorrect, Square: &on, Color: table.Red, Face: 3})
	halltest.Await(t, "a color that is put right teaches nothing", func() bool { return looks() == 1 })
	say(t, h, match.Declaration{Say: match.SayUndo})
	halltest.Await(t, "the undone color stays", func() bool { return looks() == 0 })
	if now := lessons(t, h); now["3"] != 0 {
		t.Errorf("in the end there is %v", now)
	}
	h.mu.Lock()
	h.now.still = stillView{}
	h.mu.Unlock()
	if h.teachDice(match.Declaration{Say: match.SayCorrect, Square: &on, Color: table.Red, Face: 3}) {
		t.Error("the dice are said to learn a color of no view, so the table does not learn it")
	}
}
