package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"diceref/match"
	"diceref/table"
)

// hosted is a server that can be set up, and its host.
func hosted(t *testing.T) (*Server, *fakeHost) {
	t.Helper()
	m, feed := newFakeMatch("Ada", "Ben"), NewFeed()
	h := newFakeHost(m, feed)
	return New(Config{Match: m, Feed: feed, Host: h, Code: "ABCD2345"}), h
}

const dicebox = `{"game":"dice-box","players":["Ann","Ben"],"source":"none"}`

// TestSetupAttacks are the lines of the table in web/README.md that are about setting up.
func TestSetupAttacks(t *testing.T) {
	far := from("192.168.1.9:4000")
	knows := with(CodeHeader, "ABCD2345")
	long := `{"game":"dice-box","players":["Ann","` + strings.Repeat("x", match.LongestName+1) + `"],"source":"none"}`
	for _, test := range []struct {
		name, method, path, body string
		edit                     func(*http.Request)
		status                   int
		begun                    bool
	}{
		{"the page itself", "POST", "/setup", dicebox, with("Origin", "http://localhost:8080"), 200, true},
		{"from the network with the code", "POST", "/setup", dicebox, both(far, knows), 200, true},
		{"from the network without the code", "POST", "/setup", dicebox, far, 403, false},
		{"from another site", "POST", "/setup", dicebox, with("Origin", "https://evil.example"), 403, false},
		{"a camera from the network without the code", "POST", "/setup/camera", `{"game":"dice-box","source":"/dev/video0"}`, far, 403, false},
		{"going back without the code", "POST", "/setup/done", `{"use":false}`, far, 403, false},
		{"a form", "POST", "/setup", dicebox, with("Content-Type", "text/plain"), 415, false},
		{"by GET", "GET", "/setup/camera", "", nil, 405, false},
		{"looking on", "GET", "/setup", "", far, 200, false},
		{"unknown fields", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"none","run":"rm"}`, nil, 400, false},
		{"a megabyte", "POST", "/setup", `{"game":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, false},
		{"a long name", "POST", "/setup", long, nil, 422, false},
		{"an empty name", "POST", "/setup", `{"game":"dice-box","players":["Ann"," "],"source":"none"}`, nil, 422, false},
		{"a name that turns the text around", "POST", "/setup", `{"game":"dice-box","players":["Ann","\u202eneB"],"source":"none"}`, nil, 422, false},
		{"a name of two lines", "POST", "/setup", `{"game":"dice-box","players":["Ann","B\nen"],"source":"none"}`, nil, 422, false},
		{"two of a name", "POST", "/setup", `{"game":"dice-box","players":["Ann","Ann"],"source":"none"}`, nil, 422, false},
		{"too many players", "POST", "/setup", `{"game":"dice-box","players":["A","B","C","D","E"],"source":"none"}`, nil, 422, false},
		{"a game that is none", "POST", "/setup", `{"game":"any","players":["A","B"],"source":"none"}`, nil, 422, false},
		{"owners for others", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"owners":[["red"]],"source":"none"}`, nil, 422, false},
		{"a source of two lines", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"http://x\r\nHost: y"}`, nil, 422, false},
		{"a long source", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"http://` + strings.Repeat("x", maxSource) + `"}`, nil, 422, false},
		{"corners without a picture", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"none","corners":[[0,0],[1,0],[1,1],[0,1]]}`, nil, 422, false},
		{"corners on the moon", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"none","picture":[640,480],"corners":[[0,0],[1e300,0],[1,1],[0,1]]}`, nil, 422, false},
		{"a picture of no size", "POST", "/setup", `{"game":"dice-box","players":["A","B"],"source":"none","picture":[0,-480],"corners":[[0,0],[1,0],[1,1],[0,1]]}`, nil, 422, false},
		{"a marker off the arena", "POST", "/setup", `{"game":"dice-flick","players":["A","B"],"source":"none","markers":[{"row":5,"col":0,"marker":"blue"}]}`, nil, 422, false},
		{"a marker that is none", "POST", "/setup", `{"game":"dice-flick","players":["A","B"],"source":"none","markers":[{"row":0,"col":0,"marker":"<b>"}]}`, nil, 422, false},
		{"somebody's webcam, from the network", "GET", "/cameras/0/thumb.jpg", "", far, 403, false},
		{"somebody's webcam, with the code", "GET", "/cameras/0/thumb.jpg", "", both(far, knows), 200, false},
		{"somebody's webcam, as a picture on another site", "GET", "/cameras/0/thumb.jpg", "", with("Sec-Fetch-Site", "cross-site"), 403, false},
		{"a webcam that is not there", "GET", "/cameras/9/thumb.jpg", "", nil, 404, false},
		{"a path for a number", "GET", "/cameras/..%2f..%2fetc/thumb.jpg", "", nil, 404, false},
	} {
		s, h := hosted(t)
		a := call(t, s.Handler(), test.method, "/api/v1"+test.path, test.body, test.edit)
		if a.status != test.status {
			t.Errorf("%s: %d %.200s, want %d", test.name, a.status, a.body, test.status)
		}
		if begun := len(h.begun)+len(h.looks)+len(h.used) > 0; begun != test.begun {
			t.Errorf("%s: set something up: %v", test.name, begun)
		}
	}
}

// TestHoldersAreSecret: which program uses a camera is told on this machine alone.
func TestHoldersAreSecret(t *testing.T) {
	s, _ := hosted(t)
	if a := call(t, s.Handler(), "GET", "/api/v1/setup", "", from("192.168.1.9:4000")); strings.Contains(a.body, "cheese") || !strings.Contains(a.body, "another program") {
		t.Errorf("told in the network: %s", a.body)
	}
	if a := call(t, s.Handler(), "GET", "/api/v1/setup", "", nil); !strings.Contains(a.body, "cheese") {
		t.Errorf("not told here: %s", a.body)
	}
}

// TestSetupsAreLimited: each may start a camera.
func TestSetupsAreLimited(t *testing.T) {
	s, h := hosted(t)
	last := 0
	for range 25 {
		last = call(t, s.Handler(), "POST", "/api/v1/setup", dicebox, nil).status
	}
	if last != 429 || len(h.begun) > 21 {
		t.Errorf("the 25th set-up at once: %d, %d were begun", last, len(h.begun))
	}
}

func TestNoHost(t *testing.T) {
	s := New(Config{Match: newFakeMatch("A", "B"), Feed: NewFeed()})
	for _, test := range [][3]string{{"GET", "/setup", ""}, {"POST", "/setup", dicebox}, {"POST", "/setup/done", `{"use":true}`}, {"POST", "/setup/camera", `{"game":"dice-box","source":"demo"}`}} {
		if a := call(t, s.Handler(), test[0], "/api/v1"+test[1], test[2], nil); a.status != 503 {
			t.Errorf("%s %s: %d %s", test[0], test[1], a.status, a.body)
		}
	}
}

// TestFreshPage: the live page leads to the wizard as long as nothing was ever set up.
func TestFreshPage(t *testing.T) {
	s, h := hosted(t)
	fresh := func(path string) bool {
		return strings.Contains(call(t, s.Handler(), "GET", path, "", nil).body, `data-fresh="true"`)
	}
	if !fresh("/") || fresh("/tv") || fresh("/setup") {
		t.Error("the live page alone leads to the wizard")
	}
	if err := h.Begin(Setup{Game: table.DiceBox, Players: []string{"A", "B"}, Sight: Sight{Source: SourceNone}}, Asker{Here: true}); err != nil || fresh("/") {
		t.Errorf("after a set-up: still fresh (%v)", err)
	}
}

// TestSetupIsAsDescribed holds the answers to the description.
func TestSetupIsAsDescribed(t *testing.T) {
	d := description(t)
	for _, body := range []string{
		"", dicebox,
		`{"game":"fromage-a-trois","players":["A","B","C"],"source":"/dev/video0","zones":[{"name":"shop","kind":"shop","seat":0,"outline":[[0,0],[1,0],[1,0.5]]}],"markers":[{"row":1,"col":1,"marker":"blue"}],"picture":[640,480],"corners":[[1,1],[600,1],[600,400],[1,400]],"owners":[["red"],["blue"],["white"]],"options":{"wrap":true}}`,
	} {
		s, _ := hosted(t)
		method := "GET"
		if body != "" {
			method = "POST"
		}
		a := call(t, s.Handler(), method, "/api/v1/setup", body, nil)
		if a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Fatal(err)
		}
		if err := d.check(schema{Ref: "#/components/schemas/SetupState"}, v, "body"); err != nil {
			t.Error(err)
		}
	}
}

// TestClearedFeed: where another camera follows, nothing of the one before is left.
func TestClearedFeed(t *testing.T) {
	f := NewFeed()
	f.ShowPicture(tablePicture)
	f.ShowObservation(seenTable())
	before := f.state()
	f.Clear(table.DiceFlick, Status{State: CameraStarting, Trying: true})
	now := f.state()
	if now.picture != nil || now.seen != nil || now.number == before.number || now.views == before.views || !strings.Contains(string(now.view), `"dice":[]`) {
		t.Errorf("left: picture %v, seen %v, view %s", now.picture != nil, now.seen != nil, now.view)
	}
	f.Settle()
	if f.state().status.Trying {
		t.Error("still tried after it was settled")
	}
}
