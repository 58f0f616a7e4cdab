package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"diceref/match"
	"diceref/table"
)

// withHistory serves a journal that holds one match of DICE Flick.
func withHistory(t *testing.T) (*Server, *match.Match) {
	t.Helper()
	j, err := match.OpenJournal(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	m, err := match.New(match.Config{ID: "one", Game: table.DiceFlick, Players: []string{"Ann", "Ben"}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{match.SayMiss, match.SayMiss, match.SayNext} {
		if err := m.Declare(match.Declaration{Say: word}); err != nil {
			t.Fatal(err)
		}
	}
	fake, feed := newFakeMatch("Ann", "Ben"), NewFeed()
	return New(Config{Match: fake, Feed: feed, History: j}), m
}

// answersAsDescribed calls and holds the answer against the description.
func answersAsDescribed(t *testing.T, s *Server, d described, method, path, where, body string, status int, want string) {
	t.Helper()
	a := call(t, s.Handler(), method, "/api/v1"+path, body, nil)
	if a.status != status || !strings.Contains(a.body, want) {
		t.Errorf("%s %s %s: %d %.300s, want %d with %q", method, path, body, a.status, a.body, status, want)
		return
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	content, ok := d.Paths[where][strings.ToLower(method)].Responses[fmt.Sprint(a.status)].Content[kind]
	if !ok {
		t.Errorf("%s %s: %d as %s is not described", method, path, a.status, kind)
		return
	}
	if content.Schema == nil {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return
	}
	if err := d.check(*content.Schema, v, "body"); err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
}

// TestHistory: every answer is as it is described, also those to what makes no sense.
func TestHistory(t *testing.T) {
	s, m := withHistory(t)
	d := description(t)
	for _, c := range []struct {
		path, described string
		status          int
		want            string
	}{
		{"/history", "/history", 200, `"id":"one"`},
		{"/history?game=dice-flick&player=ann&limit=1", "/history", 200, `"total":1`},
		{"/history?game=dice-box", "/history", 200, `"matches":[]`},
		{"/history?game=chess", "/history", 400, "unknown game"},
		{"/history?limit=101", "/history", 400, "from 1 to 100"},
		{"/history?from=-1", "/history", 400, "from 0"},
		{"/history?from=x", "/history", 400, "from 0"},
		{"/history/one", "/history/{id}", 200, `"total":4`},
		{"/history/one?from=1&limit=2", "/history/{id}", 200, `"from":1`},
		{"/history/one?limit=0", "/history/{id}", 400, "from 1 to 500"},
		{"/history/two", "/history/{id}", 404, "no such match"},
		{"/history/one/export", "/history/{id}/export", 200, `"diceref_match"`},
		{"/history/one/export?form=csv", "/history/{id}/export", 200, "round 1"},
		{"/history/one/export?form=text", "/history/{id}/export", 200, "A miss"},
		{"/history/one/export?form=pdf", "/history/{id}/export", 400, "form must be"},
		{"/history/two/export?form=csv", "/history/{id}/export", 404, "no such match"},
		{"/statistics", "/statistics", 200, `"misses":2`},
	} {
		answersAsDescribed(t, s, d, "GET", c.path, c.described, "", c.status, c.want)
	}
	// Changes, in this order.
	for _, c := range []struct {
		method, path, described, body string
		status                        int
		want                          string
	}{
		{"PATCH", "/history/one", "/history/{id}", `{"deleted":true}`, 409, "on-the-table"},
		{"DELETE", "/history/one", "/history/{id}", "", 409, "on-the-table"},
		{"PATCH", "/history/two", "/history/{id}", `{"title":"x"}`, 404, "no such match"},
		{"PATCH", "/history/one", "/history/{id}", `{"name":"x"}`, 400, "unknown field"},
		{"DELETE", "/history/one", "/history/{id}", "", 409, "not-deleted"},
		{"PATCH", "/history/one", "/history/{id}", `{"title":"The final","players":["Anna","Ben"]}`, 200, `"id":"one"`},
		{"PATCH", "/history/one", "/history/{id}", `{"players":["Ben","Ben"]}`, 409, "two players"},
		{"PATCH", "/history/one", "/history/{id}", `{"players":["Ben"]}`, 409, "1 name for 2 players"},
		{"POST", "/players/rename", "/players/rename", `{"from":"Anna","to":"Ann"}`, 200, `"matches":1`},
		{"POST", "/players/rename", "/players/rename", `{"from":"Anna","to":"Ann"}`, 409, "no player is called"},
		{"GET", "/history", "/history", "", 200, `"title":"The final"`},
		{"PATCH", "/history/one", "/history/{id}", `{"deleted":true}`, 200, `"id":"one"`},
		{"GET", "/history", "/history", "", 200, `"matches":[],"deleted":1`},
		{"GET", "/history?deleted=true", "/history", "", 200, `"deleted":true`},
		{"PATCH", "/history/one", "/history/{id}", `{"deleted":false}`, 200, `"id":"one"`},
		{"PATCH", "/history/one", "/history/{id}", `{"deleted":true}`, 200, `"id":"one"`},
		{"DELETE", "/history/one", "/history/{id}", "", 200, `"id":"one"`},
		{"DELETE", "/history/one", "/history/{id}", "", 404, "no such match"},
	} {
		if c.path == "/history/two" { // the match leaves the table
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
		answersAsDescribed(t, s, d, c.method, c.path, c.described, c.body, c.status, c.want)
	}
	bare, _, _ := served(nil)
	if a := call(t, bare.Handler(), "GET", "/api/v1/history", "", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("without a journal: %d", a.status)
	}
}
