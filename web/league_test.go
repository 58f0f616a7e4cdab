package web

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diceref/match"
	"diceref/match/book"
	"diceref/match/league"
)

// testLeagues are the leagues of a journal, with three tables, of which a match can be begun.
type testLeagues struct {
	*book.Book
	begun chan int
}

func (l testLeagues) Round(id, who string, number int) error {
	_, err := l.Book.Round(id, who, number, []league.Place{{ID: "window", Name: "Window"}, {ID: "bar", Name: "Bar"}, {ID: "stage", Name: "Stage"}})
	return err
}

func (l testLeagues) Begin(_, who string, table int) error {
	if table > 2 {
		return ErrNoTable
	}
	l.begun <- table
	return nil
}

func newTestLeagues(t *testing.T) testLeagues {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return testLeagues{book.Open(j), make(chan int, 10)}
}

// playing is a league of so many players in its second round.
func (l testLeagues) playing(t *testing.T, n int) string {
	t.Helper()
	players := []string{"Ann", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gina", "Hugo", "Maximiliane von und zu Hohenlohe-Langen"}
	for i := len(players); i < n; i++ {
		players = append(players, fmt.Sprint("Player ", i))
	}
	id, err := l.New("", book.Wanted{Name: "Spring Cup", Game: "dice-flick", Least: 2, Most: 3, Players: players[:n]})
	for round := range 2 {
		err = errors.Join(err, l.Round(id, "", round+1))
		v, err2 := l.View(id)
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		for i, table := range v.Rounds[round].Tables {
			if round == 1 && i > 0 {
				continue
			}
			places := []int{2, 1, 3}[:len(table.Players)]
			err = errors.Join(err, l.Enter(id, "referee Ina", league.Entry{Round: round + 1, Table: i, Places: places}))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestLeagueRights: whoever watches may see everything and change nothing; in a hall the referee may, at home the table's
// own machine, and who has its code.
func TestLeagueRights(t *testing.T) {
	const (
		yes     = http.StatusOK
		no      = http.StatusForbidden
		refused = http.StatusConflict
		nobody  = http.StatusNotFound
	)
	l := newTestLeagues(t)
	id := l.playing(t, 6)
	at := "/api/v1/leagues/" + id
	tables, m, feed := newFakeTables(), newFakeMatch("Ann", "Ben"), NewFeed()
	// Each time a new one, which holds nothing against anybody.
	hall := func() http.Handler { return NewHall(HallConfig{Tables: tables, Leagues: l}).Handler() }
	home := func() http.Handler { return New(Config{Match: m, Feed: feed, Leagues: l, Code: rightCode}).Handler() }
	for _, c := range []struct {
		method, path, body string
		any, right         int // without a right, and with one
	}{
		{"GET", "/league", "", yes, yes},
		{"GET", "/api/v1/leagues", "", yes, yes},
		{"GET", at, "", yes, yes},
		{"GET", at + "/export?form=csv", "", yes, yes},
		{"GET", at + "/export?form=rounds", "", yes, yes},
		{"GET", at + "/export?form=pdf", "", http.StatusBadRequest, http.StatusBadRequest},
		{"GET", "/api/v1/leagues/x", "", nobody, nobody},
		{"GET", "/api/v1/leagues/x%27%20OR%201=1", "", nobody, nobody},
		{"GET", "/api/v1/leagues/x/events", "", nobody, nobody},
		{"POST", "/api/v1/leagues", `{"name":"Summer","players":["A","B"]}`, no, yes},
		{"POST", "/api/v1/leagues", `{"name":"Summer","players":["A","A"]}`, no, refused},
		{"POST", "/api/v1/leagues", `{"name":"","players":["A","B"]}`, no, refused},
		{"POST", "/api/v1/leagues", `{"name":"x","cup":1}`, no, http.StatusBadRequest},
		{"POST", "/api/v1/leagues", `{"name":"` + strings.Repeat("x", 70<<10) + `"}`, no, http.StatusRequestEntityTooLarge},
		{"POST", at + "/rounds", `{"number":3}`, no, refused}, // the second is not over
		{"POST", at + "/rounds", `{"number":2}`, no, refused},
		{"POST", at + "/rounds", `{}`, no, http.StatusBadRequest},
		{"POST", at + "/results", `{"round":2,"table":1,"places":[1,2,3]}`, no, yes},
		{"POST", at + "/results", `{"round":2,"table":1,"places":[1,2,7]}`, no, refused},
		{"POST", at + "/results", `{"round":9,"table":1,"places":[1,2,3]}`, no, refused},
		{"POST", at + "/players", `{"name":"Late"}`, no, yes},
		{"POST", at + "/players", `{"name":"Ann"}`, no, refused},
		{"POST", at + "/players", `{"name":"Ann","out":true}`, no, yes},
		{"POST", at + "/players", `{"name":"Ann"}`, no, yes},
		{"POST", at + "/matches", `{"table":1}`, no, yes},
		{"POST", at + "/matches", `{"table":9}`, no, refused},
		{"POST", "/api/v1/leagues/x/results", `{"round":1,"places":[1,2]}`, no, nobody},
	} {
		for _, who := range []struct {
			name    string
			handler func() http.Handler
			edit    func(*http.Request)
			right   bool
		}{
			{"hall, anybody", hall, from("192.168.1.7:1"), false},
			{"hall, the server's machine", hall, nil, false},
			{"hall, a player", hall, with(CodeHeader, "CODE-WINDOW"), false},
			{"hall, the referee", hall, with(CodeHeader, "REFEREE1"), true},
			{"home, anybody", home, from("192.168.1.7:1"), false},
			{"home, with the code", home, both(from("192.168.1.8:1"), with(CodeHeader, rightCode)), true},
			{"home, the table's machine", home, nil, true},
			{"home, another page", home, with("Origin", "http://evil.example"), false},
		} {
			want := c.any
			if who.right {
				want = c.right
			}
			a := call(t, who.handler(), c.method, c.path, c.body, who.edit)
			if strings.Contains(c.body, "Late") || strings.Contains(c.body, `"Ann"`) {
				// What was done once by somebody with the right is refused the next time.
				if !who.right && a.status != want || who.right && a.status != yes && a.status != refused {
					t.Errorf("%s: %s %s: %d %.100s", who.name, c.path, c.body, a.status, a.body)
				}
				continue
			}
			if a.status != want {
				t.Errorf("%s: %s %s %.60s: %d %.100s, want %d", who.name, c.method, c.path, c.body, a.status, a.body, want)
			}
		}
	}
	if v, err := l.View(id); err != nil || len(v.Rounds) != 2 || v.Rounds[1].Tables[1].Who == "" && v.Rounds[1].Tables[1].State != book.Done {
		t.Errorf("%+v (%v)", v, err)
	}
}

// TestLeagueWho: the journal says which referee it was.
func TestLeagueWho(t *testing.T) {
	l := newTestLeagues(t)
	id := l.playing(t, 6)
	hall := NewHall(HallConfig{Tables: newFakeTables(), Leagues: l}).Handler()
	a := call(t, hall, "POST", "/api/v1/leagues/"+id+"/results", `{"round":2,"table":1,"places":[3,1,2]}`, with(CodeHeader, "REFEREE1"))
	v, err := l.View(id)
	if a.status != http.StatusOK || err != nil || v.Rounds[1].Tables[1].Who != "referee Ina" {
		t.Errorf("%d %s: %+v (%v)", a.status, a.body, v, err)
	}
	// Without a journal there are none.
	if a := call(t, New(Config{Match: newFakeMatch("Ann"), Feed: NewFeed()}).Handler(), "GET", "/api/v1/leagues", "", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("no journal: %d %s", a.status, a.body)
	}
}

// TestLeagueDescribed: every answer is as openapi.json says.
func TestLeagueDescribed(t *testing.T) {
	l := newTestLeagues(t)
	id := l.playing(t, 7)
	home := New(Config{Match: newFakeMatch("Ann", "Ben"), Feed: NewFeed(), Leagues: l, Code: rightCode}).Handler()
	d := description(t)
	for _, c := range []struct{ method, path, at, body string }{
		{"GET", "/leagues", "/leagues", ""},
		{"GET", "/leagues/{id}", "/leagues/" + id, ""},
		{"GET", "/leagues/{id}", "/leagues/x", ""},
		{"GET", "/leagues/{id}/export", "/leagues/" + id + "/export", ""},
		{"GET", "/leagues/{id}/export", "/leagues/" + id + "/export?form=csv", ""},
		{"GET", "/leagues/{id}/export", "/leagues/" + id + "/export?form=x", ""},
		{"POST", "/leagues", "/leagues", `{"name":"Summer","players":["A","B"]}`},
		{"POST", "/leagues", "/leagues", `{"players":["A","B"]}`},
		{"POST", "/leagues", "/leagues", `{"players":1}`},
		{"POST", "/leagues/{id}/rounds", "/leagues/" + id + "/rounds", `{"number":3}`},
		{"POST", "/leagues/{id}/results", "/leagues/" + id + "/results", `{"round":2,"table":1,"places":[1,2]}`},
		{"POST", "/leagues/{id}/results", "/leagues/" + id + "/results", `{"round":2,"table":1}`},
		{"POST", "/leagues/{id}/players", "/leagues/" + id + "/players", `{"name":"Late"}`},
		{"POST", "/leagues/{id}/matches", "/leagues/" + id + "/matches", `{"table":0}`},
	} {
		a := call(t, home, c.method, "/api/v1"+c.at, c.body, nil)
		response, ok := d.Paths[c.path][strings.ToLower(c.method)].Responses[fmt.Sprint(a.status)]
		kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
		content, known := response.Content[kind]
		if !ok || !known {
			t.Errorf("%s %s: %d as %s is not described: %.200s", c.method, c.at, a.status, kind, a.body)
			continue
		}
		if content.Schema == nil || kind != "application/json" {
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Errorf("%s %s: %v", c.method, c.at, err)
		} else if err := d.check(*content.Schema, v, "body"); err != nil {
			t.Errorf("%s %s: %v", c.method, c.at, err)
		}
	}
}

// TestLeagueEvents: a page gets the league, and again when it has changed.
func TestLeagueEvents(t *testing.T) {
	l := newTestLeagues(t)
	id := l.playing(t, 6)
	h := NewHall(HallConfig{Tables: newFakeTables(), Leagues: l})
	ts := httptest.NewServer(h.Handler())
	defer ts.Close()
	defer close(h.closing)
	answer, err := http.Get(ts.URL + "/api/v1/leagues/" + id + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	next := func() (v book.View) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(text, `"standings"`) {
				if err := json.Unmarshal([]byte(text), &v); err != nil {
					t.Error(err)
				}
				return v
			}
		}
		t.Fatalf("the stream has ended: %v", lines.Err())
		return v
	}
	if v := next(); v.Rounds[1].Tables[1].State != book.Waiting {
		t.Errorf("at first: %+v", v.Rounds[1].Tables[1])
	}
	if err := l.Enter(id, "referee Ina", league.Entry{Round: 2, Table: 1, Places: []int{1, 2, 2}}); err != nil {
		t.Fatal(err)
	}
	if v := next(); v.Rounds[1].Tables[1].State != book.Done || !slices.Equal(v.Rounds[1].Tables[1].Places, []int{1, 2, 2}) || v.Wait != "" {
		t.Errorf("then: %+v", v.Rounds[1].Tables[1])
	}
}
