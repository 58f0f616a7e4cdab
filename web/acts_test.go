package web

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"diceref/match"
	"diceref/table"
)

// tapped is a server over a real match that no camera watches.
func tapped(t *testing.T, game table.Game, players ...string) (*Server, *match.Match) {
	t.Helper()
	m, err := match.New(match.Config{Game: game, Players: players})
	if err != nil {
		t.Fatal(err)
	}
	feed := NewFeed()
	feed.ShowStatus(Status{State: CameraNone})
	return New(Config{Match: m, Feed: feed, Code: "ABCD2345"}), m
}

func TestActs(t *testing.T) {
	s, m := tapped(t, table.DiceBox, "Ada", "Ben")
	tests := []struct {
		method, path, body string
		status             int
		has                []string
	}{
		{"GET", "/legal", "", 200, []string{`"to_move":-1`, `"act":"seed 3"`}},
		{"POST", "/declare", `{"say":"act","move":"seed 3"}`, 200, []string{`"seq":2`}},
		{"GET", "/legal?with=R4&with=c2", "", 200, []string{`"total":1`, `"act":"A place R4 c2"`, `"player":"Ada"`, `"action":"place"`}},
		{"GET", "/legal?limit=2&from=1", "", 200, []string{`"complete":false`}},
		{"GET", "/legal?limit=5000", "", 400, []string{"limit"}},
		{"GET", "/legal?from=-1", "", 400, []string{"from"}},
		{"GET", "/why?act=A+place+R6+c2", "", 200, []string{`"legal":false`, `"code":"BX-VALUE"`, `"keepable":true`, "one more or one less"}},
		{"GET", "/why?act=A+place+R4+c2", "", 200, []string{`"legal":true`, `"keepable":false`}},
		{"GET", "/hint", "", 409, []string{"no-hint"}},
		{"GET", "/hints", "", 200, []string{`"to_move":0`, `"key":"open"`, `"c2"`}},
		{"GET", "/why?act=nonsense", "", 400, []string{"cannot read"}},
		{"POST", "/declare", `{"say":"act","move":"A place R6 c2"}`, 409, []string{`"code":"illegal"`, `"ruling"`, "BX-VALUE", `"keepable":true`}},
		{"POST", "/declare", `{"say":"act"}`, 400, []string{"move"}},
		{"POST", "/declare", `{"say":"act","move":{"action":"place","to":[1,2],"color":"red","face":4}}`, 400, []string{`"code":"notation"`, "/api/v1/legal"}},
		{"POST", "/declare", `{"say":"roll"}`, 409, []string{"nobody has to roll"}},
		{"POST", "/declare", `{"say":"act","move":"A place R6 c2","keep":true}`, 200, []string{`"seq":3`}},
	}
	d := description(t)
	for _, test := range tests {
		a := call(t, s.Handler(), test.method, "/api/v1"+test.path, test.body, nil)
		if a.status != test.status {
			t.Errorf("%s %s %s: %d %s", test.method, test.path, test.body, a.status, a.body)
		}
		for _, want := range test.has {
			if !strings.Contains(a.body, want) {
				t.Errorf("%s %s %s: %q has no %q", test.method, test.path, test.body, a.body, want)
			}
		}
		path, _, _ := strings.Cut(test.path, "?")
		described := d.Paths[path][strings.ToLower(test.method)].Responses[strconv.Itoa(a.status)].Content["application/json"].Schema
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil || described == nil {
			t.Errorf("%s %s: %d is not described, or no JSON", test.method, test.path, a.status)
			continue
		}
		if err := d.check(*described, v, "body"); err != nil {
			t.Errorf("%s %s: %v", test.method, test.path, err)
		}
	}
	if got := m.Snapshot().Seq; got != 3 {
		t.Errorf("%d records, want 3: asking must change nothing", got)
	}
}

// TestNoJudge: a table that cannot be asked says so.
func TestNoJudge(t *testing.T) {
	s, _, _ := served(nil)
	for _, path := range []string{"/legal", "/why?act=x", "/hints"} {
		if a := call(t, s.Handler(), "GET", "/api/v1"+path, "", nil); a.status != 503 || a.problem(t).Code != "no-judge" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// TestActsSentBack: acts can be sent back in every game as the list of legal ones has them,
// and come again with the event.
func TestActsSentBack(t *testing.T) {
	for _, game := range table.Games {
		s, m := tapped(t, game, "Ada", "Ben", "Cleo")
		for i := range 12 {
			var legal struct{ Acts []struct{ Act string } }
			a := call(t, s.Handler(), "GET", "/api/v1/legal?limit=1000", "", nil)
			if err := json.Unmarshal([]byte(a.body), &legal); err != nil || len(legal.Acts) == 0 {
				t.Fatalf("%s: %d acts are legal after %d (%v)", game, len(legal.Acts), i, err)
			}
			act := legal.Acts[i*7%len(legal.Acts)].Act
			body, err := json.Marshal(map[string]string{"say": "act", "move": act})
			if err != nil {
				t.Fatal(err)
			}
			seq := m.Snapshot().Seq
			if a := call(t, s.Handler(), "POST", "/api/v1/declare", string(body), nil); a.status != 200 {
				t.Fatalf("%s: %s: %d %s", game, body, a.status, a.body)
			}
			for _, e := range m.Events() {
				if e.Seq == seq+1 && !slices.Equal(e.Acts, []string{act}) {
					t.Errorf("%s: %q comes again as %q", game, act, e.Acts)
				}
			}
		}
	}
}
