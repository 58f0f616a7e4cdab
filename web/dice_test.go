package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"diceref/table"
	"diceref/vision/owned"
)

// fakeTops are looks at made-up symbols, so many at each: numbers for a network's, and a picture to tell them apart by.
func fakeTops(counts ...int) (dice []table.Reading) {
	for symbol, n := range counts {
		rng := rand.New(rand.NewPCG(uint64(symbol), 39))
		var signature owned.Signature
		for turn := range signature {
			var numbers [owned.Dim]float32
			for i := range numbers {
				numbers[i] = float32(rng.NormFloat64())
			}
			signature[turn] = owned.VectorOf(numbers[:])
		}
		for i := range n {
			p := new(owned.Picture)
			for at := range p {
				x, y := at/3%owned.Side, at/3/owned.Side
				p[at] = 235
				if in := x > 8 && y > 8 && x < 32 && y < 32; in && (x/(4+symbol)+y/(4+2*symbol))%2 == 0 {
					p[at] = uint8(40 + 50*((at+symbol)%3) + i)
				}
			}
			dice = append(dice, table.Reading{Top: (&owned.Top{Picture: p, Signature: &signature}).Told()})
		}
	}
	return dice
}

// fakeShelf is a shelf in front of which throws lie, one after the other; then there are none.
func fakeShelf(t *testing.T, throws ...[]table.Reading) *owned.Shelf {
	t.Helper()
	next := 0
	return &owned.Shelf{Folder: t.TempDir(), Look: func(_ context.Context, _ table.Game, picture []byte) (seen table.Observation, err error) {
		if len(picture) == 0 {
			return seen, fmt.Errorf("%w: it is empty", ErrUnreadable)
		}
		if next < len(throws) {
			seen.Dice = throws[next]
			next++
		}
		return seen, nil
	}}
}

func toldDice(t *testing.T, a answer) (s owned.State) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDice shows dice by the API: from the camera and from a photo, named, exported, taken in again.
func TestDice(t *testing.T) {
	s, _, feed := served(nil)
	s.cfg.Dice = fakeShelf(t, fakeTops(3, 2), fakeTops(2, 2, 4))
	post := func(path, body string) answer { return call(t, s.Handler(), "POST", "/api/v1/dice/"+path, body, nil) }
	get := func(path string) answer { return call(t, s.Handler(), "GET", "/api/v1/dice"+path, "", nil) }
	toldDice(t, post("Mine%201", `{"game":"dessert-dice"}`))
	if a := post("Mine%201/throw", ""); a.status != 409 || a.problem(t).Code != "no-picture" {
		t.Errorf("without a picture: %d %s", a.status, a.body)
	}
	feed.ShowPicture(tablePicture)
	now := toldDice(t, post("Mine%201/throw", ""))
	if len(now.Groups) != 2 || now.Tops != 5 || len(now.Icons) != 4 {
		t.Fatalf("%+v", now)
	}
	change := func(what string) answer {
		return post("Mine%201/change", fmt.Sprintf(`{"session":%q,%s}`, now.Session, what))
	}
	now = toldDice(t, change(`"do":"name","group":"A","shows":"popsicle"`))
	now = toldDice(t, post("Mine%201/throw", string(tablePicture)))
	if len(now.Groups) != 3 || now.Groups[0].Name != "popsicle" || len(now.Groups[0].Pictures) != 5 {
		t.Fatalf("%+v", now.Groups)
	}
	if a := post("Mine%201/throw", ""); a.status != 422 || a.problem(t).Code != "dice-none" {
		t.Errorf("an empty table: %d %s", a.status, a.body)
	}
	if a := get("/Mine%201/pictures/" + now.Groups[0].Pictures[0]); a.status != 200 || a.header.Get("Content-Type") != "image/png" {
		t.Errorf("a picture: %d", a.status)
	}
	if a := call(t, s.Handler(), "DELETE", "/api/v1/dice/nobody's", "", nil); a.status != 404 || a.problem(t).Code != owned.FaultGone {
		t.Errorf("a set that is not there is deleted: %d %s", a.status, a.body)
	}
	file := get("/Mine%201/export")
	if got := file.header.Get("Content-Disposition"); file.status != 200 || got != `attachment; filename="Mine 1.json"` {
		t.Errorf("export: %d, %s", file.status, got)
	}
	if a := post("Yours/import", file.body); a.status != 200 {
		t.Errorf("import: %d %s", a.status, a.body)
	}
	if a := get(""); strings.Count(a.body, `"pictures":13`) != 2 || !strings.Contains(a.body, `"camera":true`) {
		t.Errorf("the sets: %s", a.body)
	}
}

// TestDiceRefused: what cannot be done is told by a code.
func TestDiceRefused(t *testing.T) {
	s, _, feed := served(nil)
	feed.ShowPicture(tablePicture)
	if a := call(t, s.Handler(), "GET", "/api/v1/dice", "", nil); a.status != 503 || a.problem(t).Code != "no-dice" {
		t.Errorf("without a folder: %d %s", a.status, a.body)
	}
	s.cfg.Dice = fakeShelf(t, fakeTops(3))
	call(t, s.Handler(), "POST", "/api/v1/dice/mine", `{"game":"any"}`, nil)
	for _, test := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/nothing", "", 404, "dice-gone"},
		{"GET", "/..", "", 422, "dice-name"},
		{"GET", "/..%2f..%2fetc%2fpasswd", "", 404, "not-found"},
		{"GET", "/..%5cx/export", "", 422, "dice-name"},
		{"GET", "/mine/pictures/..", "", 404, "dice-gone"},
		{"POST", "/%3Cb%3E", `{"game":"any"}`, 422, "dice-name"},
		{"POST", "/" + strings.Repeat("x", 61), `{"game":"any"}`, 422, "dice-name"},
		{"POST", "/mine", `{"game":"chess"}`, 422, "game"},
		{"POST", "/mine", `{"game":"dice-box"}`, 422, "dice-game"},
		{"POST", "/mine", `{"game":"any","folder":"/"}`, 400, "json"},
		{"POST", "/nothing/throw", "", 404, "dice-gone"},
		{"POST", "/mine/throw", "text", 415, "not-a-picture"},
		{"POST", "/mine/throw", strings.Repeat("x", maxUpload+1), 413, "too-many-bytes"},
		{"POST", "/mine/change", `{"session":"x","do":"drop","group":"A"}`, 409, "dice-stale"},
		{"POST", "/mine/change", strings.Repeat(" ", maxBody+1), 413, "too-many-bytes"},
		{"POST", "/new/import", strings.Repeat("x", maxSet+1), 413, "too-many-bytes"},
		{"POST", "/new/import", "{}", 422, "dice-file"},
		{"POST", "/../import", "{}", 422, "dice-name"},
	} {
		a := call(t, s.Handler(), test.method, "/api/v1/dice"+test.path, test.body, nil)
		if a.status != test.status || a.problem(t).Code != test.code {
			t.Errorf("%s %s: %d %.200s, want %d %s", test.method, test.path, a.status, a.body, test.status, test.code)
		}
	}
	for _, path := range []string{"throw", "import", "change"} { // as a form of another site would
		if a := call(t, s.Handler(), "POST", "/api/v1/dice/mine/"+path, "", with("Content-Type", "text/plain")); a.status != 415 {
			t.Errorf("%s from a form: %d %s", path, a.status, a.body)
		}
	}
	s.cfg.Dice.Look = nil
	if a := call(t, s.Handler(), "POST", "/api/v1/dice/mine/throw", "", nil); a.status != 503 || a.problem(t).Code != "no-eye" {
		t.Errorf("without an eye: %d %s", a.status, a.body)
	}
}

// TestUnknownHasNoFace: the API gives no face for a die whose top was never shown, as read --json does.
func TestUnknownHasNoFace(t *testing.T) {
	for unknown, want := range map[bool]string{true: `"face":null`, false: `"face":3`} {
		got, err := json.Marshal(newDie(table.Reading{Die: table.Die{Color: table.Red, Face: 3}, Unknown: unknown}))
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("unknown %v: %s, %v", unknown, got, err)
		}
	}
}
