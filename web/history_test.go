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
func withHistory(t *testing.T) *Server {
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
	return New(Config{Match: fake, Feed: feed, History: j})
}

// TestHistory: every answer is as it is described, also those to what makes no sense.
func TestHistory(t *testing.T) {
	s, d := withHistory(t), description(t)
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
		{"/history/one/export?form=pdf", "/history/{id}/export", 400, "want the form"},
		{"/history/two/export?form=csv", "/history/{id}/export", 404, "no such match"},
		{"/statistics", "/statistics", 200, `"misses":2`},
	} {
		a := call(t, s.Handler(), "GET", "/api/v1"+c.path, "", nil)
		if a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %d %.300s, want %d with %q", c.path, a.status, a.body, c.status, c.want)
			continue
		}
		kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
		content, ok := d.Paths[c.described]["get"].Responses[fmt.Sprint(a.status)].Content[kind]
		if !ok {
			t.Errorf("%s: %d as %s is not described", c.path, a.status, kind)
			continue
		}
		if content.Schema == nil {
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if err := d.check(*content.Schema, v, "body"); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	bare, _, _ := served(nil)
	if a := call(t, bare.Handler(), "GET", "/api/v1/history", "", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("without a journal: %d", a.status)
	}
}
